"""Every sentence of the sample jobs' pages, as one text file per job: sentences/NAME.txt.

A change of words shows here as a diff to read; other tests look at numbers and keys. To accept new sentences, run this
file with --update-sentences and look at the files' diff. Cells of tables are left out.
"""

import difflib
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from conftest import SAMPLE_JOBS, SAMPLES

FOLDER = Path(__file__).parent / "sentences"

BLOCKS = {"title", "h1", "h2", "h3", "p", "li", "figcaption", "caption", "summary", "dt", "dd"}
LEFT_OUT = {"script", "style", "svg", "thead", "tbody", "nav"}


class Sentences(HTMLParser):
    """One line for each block of text, in the order of the page, with the element that it is in."""

    def __init__(self):
        super().__init__()
        self.lines = []
        self.blocks = []
        self.left_out = 0

    def handle_starttag(self, tag, attrs):
        if tag in LEFT_OUT:
            self.left_out += 1
        elif tag in BLOCKS and not self.left_out:
            self.blocks.append((tag, []))

    def handle_endtag(self, tag):
        if tag in LEFT_OUT:
            self.left_out -= 1
        elif tag in BLOCKS and not self.left_out and self.blocks:
            name, parts = self.blocks.pop()
            text = " ".join("".join(parts).split())
            if text:
                self.lines.append(f"{name}: {text}")

    def handle_data(self, data):
        if self.blocks and not self.left_out:
            self.blocks[-1][1].append(data)


def sentences(page: str, job: Path) -> str:
    reader = Sentences()
    reader.feed(page)
    assert not reader.blocks
    assert len(reader.lines) > 50
    text = "\n".join(reader.lines) + "\n"
    text = re.sub(r"(?<=debrief )\d+\.\d+\.\d+\S*", "VERSION", text)
    return text.replace(str(job), job.name)


@pytest.mark.parametrize("name", SAMPLES)
def test_sentences_are_as_they_were(debrief, name, pytestconfig):
    job = SAMPLE_JOBS / name
    debrief.result(job)
    now = sentences((debrief.folder / "report.html").read_text(encoding="utf-8"), job)
    file = FOLDER / f"{name}.txt"
    if pytestconfig.getoption("--update-sentences"):
        file.write_text(now, encoding="utf-8")
    before = file.read_text(encoding="utf-8")
    diff = difflib.unified_diff(
        before.splitlines(), now.splitlines(), str(file.relative_to(FOLDER.parent)), "the page", lineterm="", n=1
    )
    assert now == before, "sentences differ; accept them with --update-sentences:\n" + "\n".join(diff)
