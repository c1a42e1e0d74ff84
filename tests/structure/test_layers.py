"""The structure that ARCHITECTURE.md promises: which folder may include which, no cycles, one namespace per folder."""

import re
from collections import defaultdict
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]
SOURCES = REPOSITORY / "src"
MAX_LINES = 450

# src/util is the vocabulary that every folder speaks, so it is the root namespace; `export` is a keyword.
NAMESPACES = {"util": "debrief", "export": "debrief::exports"}


def source_files() -> list[Path]:
    return sorted(path for path in SOURCES.rglob("*") if path.suffix in (".h", ".cpp"))


def folder_of(path: Path) -> str:
    return path.relative_to(SOURCES).parts[0]


def includes_of(path: Path) -> list[str]:
    """The project's own headers that a file includes, relative to src/."""
    found = re.findall(r'^\s*#\s*include\s+"([^"]+)"', path.read_text(), re.MULTILINE)
    return [name for name in found if (SOURCES / name).exists()]


def allowed_arrows(document: str) -> dict[str, set[str]]:
    """The column `uses` of the table of folders: src/ folder -> folders it may include."""
    table: dict[str, set[str]] = {}
    for line in document.splitlines():
        row = re.match(r"\|\s*`src/(\w+)/`\s*\|.*\|([^|]*)\|\s*$", line)
        if row:
            table[row[1]] = set(re.findall(r"`(\w+)`", row[2]))
    return table


def actual_arrows(files: list[Path]) -> dict[tuple[str, str], list[str]]:
    """(from folder, to folder) -> the includes behind it, as 'file -> header'."""
    arrows = defaultdict(list)
    for path in files:
        for header in includes_of(path):
            target = header.split("/")[0]
            if target != folder_of(path):
                arrows[(folder_of(path), target)].append(f"{path.relative_to(SOURCES)} -> {header}")
    return arrows


def wrong_arrows(table: dict[str, set[str]], files: list[Path]) -> list[str]:
    return [
        f"{start} may not include {end}: {behind[0]} ({len(behind)} in all)"
        for (start, end), behind in sorted(actual_arrows(files).items())
        if end not in table.get(start, set())
    ]


@pytest.fixture(scope="module")
def table() -> dict[str, set[str]]:
    return allowed_arrows((REPOSITORY / "ARCHITECTURE.md").read_text())


def test_table_names_every_folder(table):
    assert set(table) == {folder_of(path) for path in source_files()}


def test_no_include_against_the_table(table):
    assert wrong_arrows(table, source_files()) == []


def test_table_has_no_arrow_that_the_code_lacks(table):
    drawn = {(start, end) for start, ends in table.items() for end in ends}
    assert drawn - set(actual_arrows(source_files())) == set()


def test_arrows_never_run_back(table):
    """The folders can be put in an order in which each uses only those before it."""
    left = dict(table)
    while left:
        free = [folder for folder, uses in left.items() if not uses & set(left)]
        assert free, f"these folders use each other: {sorted(left)}"
        for folder in free:
            del left[folder]


def test_a_wrong_include_is_found(table, tmp_path, monkeypatch):
    """The test above can fail: an include of the pages by the vocabulary is one that no table has."""
    (tmp_path / "util").mkdir()
    (tmp_path / "render").mkdir()
    (tmp_path / "render" / "page.h").write_text("#pragma once\n")
    wrong = tmp_path / "util" / "time.cpp"
    wrong.write_text('#include "render/page.h"\n')
    monkeypatch.setattr("test_layers.SOURCES", tmp_path)
    assert wrong_arrows(table, [wrong]) == ["util may not include render: util/time.cpp -> render/page.h (1 in all)"]


def test_no_include_cycle():
    """A unit is a header and its source. What is left in the end are the units of cycles, and those between two of them."""
    uses = defaultdict(set)
    for path in source_files():
        unit = str(path.relative_to(SOURCES).with_suffix(""))
        uses[unit] |= {header.removesuffix(".h") for header in includes_of(path)} - {unit}
    changed = True
    while changed:  # take away what uses nothing that is left, then what nothing left uses
        done = [unit for unit, needs in uses.items() if not needs & set(uses)]
        used = set().union(*uses.values()) if uses else set()
        done += [unit for unit in uses if unit not in used and unit not in done]
        for unit in done:
            del uses[unit]
        changed = bool(done)
    assert not uses


def test_namespaces_are_the_folders():
    wrong = []
    for path in source_files():
        expected = NAMESPACES.get(folder_of(path), f"debrief::{folder_of(path)}")
        for name in re.findall(r"^namespace (debrief[\w:]*) \{", path.read_text(), re.MULTILINE):
            if name != expected and not name.startswith(f"{expected}::"):
                wrong.append(f"{path.relative_to(SOURCES)}: {name}, not {expected}")
    assert wrong == []


def test_files_are_not_too_long():
    lengths = {str(path.relative_to(SOURCES)): len(path.read_text().splitlines()) for path in source_files()}
    assert {name: count for name, count in lengths.items() if count > MAX_LINES} == {}
