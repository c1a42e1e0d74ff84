"""Lists in docs/ that the sources have, too, are as `./dev docs` writes them."""

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WRITER = runpy.run_path(str(ROOT / "scripts/write_docs.py"))
DOCUMENTS = WRITER["written"]()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_document_is_as_written(document):
    assert document.read_text() == DOCUMENTS[document], f"{document.name} is behind the sources; run ./dev docs"


def test_the_sources_are_understood():
    assert {"diverged", "idle", "insufficient_data"} <= set(WRITER["finding_kinds"]())
    assert "unknown" not in WRITER["finding_kinds"]()
    assert {"model", "unexplained"} <= set(WRITER["causes"]())


def test_a_list_that_lost_its_place_is_an_error():
    with pytest.raises(SystemExit, match="put the list between them"):
        WRITER["Place"]("x.md", "before", "after", "").written("before only")
