"""Numbers of the page are written in one way (docs/style.md), whichever part of debrief wrote them."""

import html
import re

import pytest
from conftest import SAMPLE_JOBS, SAMPLES

TAG = re.compile(r"<(script|style)\b.*?</\1>|<[^>]*>", re.DOTALL)


def page_text(path) -> str:
    return html.unescape(TAG.sub("\n", path.read_text()))


@pytest.mark.parametrize("name", SAMPLES)
def test_numbers_are_written_in_one_way(debrief, name):
    debrief.result(SAMPLE_JOBS / name, "--price", "3.5")
    text = page_text(debrief.folder / "report.html")
    wrong = {
        "a space before %": r"\d[ \u00a0\u202f]%",
        "thousands without a comma": r"\d[\u00a0\u202f]\d{3}\b",
        "a rounded zero": r"(?<![\d.,])0\.0+%",
        "a bound in words": r"below 0\.\d+ (?:GPU|%|USD)",
        "money without a sign": r"\d USD",
        "GPU-hours below one": r"\b0\.\d+ GPU-hours",
    }
    for what, pattern in wrong.items():
        found = [text[max(0, match.start() - 30) : match.end() + 20] for match in re.finditer(pattern, text)]
        assert found == [], what
    shares = [float(share) for share in re.findall(r"(?<![\d.])(\d+(?:\.\d+)?)%", text)]
    assert len(shares) > 20


@pytest.mark.parametrize("name", SAMPLES)
def test_headline_numbers_have_one_value(debrief, name):
    """Tiles quote the result's headline, and the terminal's and Markdown's numbers are the same."""
    result = debrief.result(SAMPLE_JOBS / name, "--markdown", "summary.md")
    page = (debrief.folder / "report.html").read_text()
    tiles = {}
    for tile in re.findall(r"<div><dt>(.*?)</dt><dd[^>]*>(.*?)<span", page.split('class="tiles"')[1].split("</dl>")[0]):
        tiles[tile[0]] = html.unescape(tile[1]).replace("\u00a0", " ").strip()
    assert list(tiles) == ["GPU busy", "Iteration", "Step", "GPU memory", "CPU cores", "Startup"]
    busy = result["headline"]["busy_in_loop"]
    assert tiles["GPU busy"] == (f"{busy:.1f}%" if busy < 9.95 else f"{busy:.0f}%")
    assert f"{tiles['GPU busy']} of the training loop" in result["verdict"]["why"] or name == "ddp-gloo-straggler"
    summary = (debrief.folder / "summary.md").read_text().replace("\u00a0", " ").replace("\\", "")
    for label, value in tiles.items():
        assert f"| {label} | {value} |" in summary
