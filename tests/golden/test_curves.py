"""Training curves: numbers on the page, in checks and in comparisons, against trainer_state.json as Python reads it."""

import html
import json
import math
import re
import tarfile

import pytest
from conftest import shared


def extracted(tmp_path, name):
    with tarfile.open(shared("samples", "live", f"{name}.tar.gz")) as archive:
        archive.extractall(tmp_path)
    return tmp_path / name


@pytest.fixture
def healthy(tmp_path):
    return extracted(tmp_path, "hf-healthy")


@pytest.fixture
def diverges(tmp_path):
    return extracted(tmp_path, "hf-diverges")


def logged(job, name) -> list[tuple[int, float]]:
    """(step, value) of a scalar by the Trainer's own log; Python's json knows a bare NaN."""
    state = json.loads((job / "output" / "trainer_state.json").read_text())
    return [(row["step"], row[name]) for row in state["log_history"] if name in row]


def scalar(result, name) -> dict:
    """By its name without the tool's prefix: TensorBoard has train/loss and eval/loss."""
    rows = {re.sub("^train/", "", row["name"]).replace("/", "_"): row for row in result["curves"]["scalars"]}
    return rows[name]


def section(page: str) -> str:
    before, own = page.split('<section id="curves"')
    _, chapter, heading = before.rpartition('class="chapter"')  # it has the takeaway while the chapter is closed
    return (heading if chapter else "") + own.split("</section>")[0]


def text_of(markup: str) -> str:
    return html.unescape(re.sub("<[^>]+>", " ", markup)).replace("\u00a0", " ")


def test_numbers_of_the_page_are_those_of_the_log(debrief, healthy):
    result = debrief.result(healthy)
    words = text_of(section((debrief.folder / "report.html").read_text()))
    loss = logged(healthy, "loss")
    evaluations = logged(healthy, "eval_loss")
    best = min(evaluations, key=lambda row: row[1])
    assert f"went from {loss[0][1]:.3f} at step {loss[0][0]} to {loss[-1][1]:.3f} at step {loss[-1][0]:,}" in words
    assert f"was {best[1]:.3f} at step {best[0]:,}" in words
    assert "NaN or infinite in" not in words
    for name in ("loss", "eval_loss", "learning_rate", "grad_norm"):
        rows = logged(healthy, name)
        found = scalar(result, name)
        values = [value for _, value in rows]
        assert found["count"] == len(rows)
        assert (found["first_step"], found["last_step"]) == (rows[0][0], rows[-1][0])
        for key, value in (("first", values[0]), ("last", values[-1]), ("min", min(values)), ("max", max(values))):
            assert found[key] == pytest.approx(value, rel=1e-5)
        assert found["steps"] == [step for step, _ in rows]  # fewer than are thinned
        assert found["values"] == pytest.approx(values, rel=1e-5)


def test_a_loss_of_nan_that_was_logged_as_0_is_none(debrief, diverges):
    result = debrief.result(diverges)
    norms = logged(diverges, "grad_norm")
    broken = {step for step, value in norms if not math.isfinite(value)}
    true = [(step, value) for step, value in logged(diverges, "loss") if value != 0 or step not in broken]
    found = scalar(result, "loss")
    assert 0 < len(true) < found["count"]
    assert found["not_finite"] == found["count"] - len(true)
    assert found["min"] == pytest.approx(min(value for _, value in true), rel=1e-5)
    words = text_of(section((debrief.folder / "report.html").read_text()))
    assert "ended as NaN or infinite" in words
    assert f"in {len(broken):,} of {len(norms):,} values, first at step {min(broken)}." in words


def test_checks_on_scalars(debrief, healthy, diverges):
    best = min(value for _, value in logged(healthy, "eval_loss"))
    assert best == pytest.approx(1.9492, abs=1e-4)
    debrief.run("check", healthy, "--require", "scalar.eval_loss.min < 2.1")
    debrief.run("check", healthy, "--require", "scalar.eval/loss.min < 2.1")
    debrief.run("check", healthy, "--require", "scalar.eval_loss.min < 1.9", expect=1)
    # A loss that ended in NaN has no last value, though the log has 0 for it: that is never a pass.
    assert "not a pass" in debrief.refused("check", diverges, "--require", "scalar.loss.last < 2.1")
    debrief.run("check", diverges, "--require", "scalar.loss.min < 2.1", expect=1)
    assert "not a pass" in debrief.refused("check", healthy, "--require", "scalar.val_loss.min < 2.1")


def test_both_losses_in_a_comparison(debrief, healthy, diverges):
    debrief.run("diff", healthy, diverges, "-o", "diff.html", "--json", "diff.json", "-q")
    page = section((debrief.folder / "diff.html").read_text())
    assert "Loss of both jobs" in page
    legend = re.findall(r'<li data-key="\d">.*?</svg> (.*?)</li>', page)
    assert [entry.split(":")[0] for entry in legend] == ["before", "after", "before", "after"]
    rows = {row["name"]: row for row in json.loads((debrief.folder / "diff.json").read_text())["figures"]}
    first = rows["scalar.loss.first"]
    assert first["group"] == "curves"
    assert first["before"] == pytest.approx(logged(healthy, "loss")[0][1], rel=1e-5)
    assert first["after"] == pytest.approx(logged(diverges, "loss")[0][1], rel=1e-5)
