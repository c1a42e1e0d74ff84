"""PyTorch traces that others recorded, and what is true of them, worked out from their events in plain Python."""

import gzip
import json

import pytest
from conftest import shared


def wild(name: str):
    return shared("samples", "traces-in-the-wild", name)


def slices_of(folder) -> list[dict]:
    (path,) = folder.glob("*.gz")
    with gzip.open(path) as file:
        return [event for event in json.load(file)["traceEvents"] if event.get("ph") == "X"]


def named(slices: list[dict], prefix: str) -> list[dict]:
    return [each for each in slices if each["name"].startswith(prefix)]


def covered(span: dict, slices: list[dict]) -> float:
    """The time of `span` during which at least one of the slices lasts, in microseconds."""
    total, until = 0.0, span["ts"]
    for start, end in sorted((each["ts"], each["ts"] + each["dur"]) for each in slices):
        start, end = max(start, until), min(end, span["ts"] + span["dur"])
        if end > start:
            total, until = total + end - start, end
    return total


def test_ranges_of_old_torch_are_steps_and_waits_for_data(debrief):
    """PyTorch 1.9 writes "ProfilerStep#" and "enumerate(DataLoader)#" as operators."""
    folder = wild("kin_resnet50_num_workers_0")
    slices = slices_of(folder)
    steps, waits = named(slices, "ProfilerStep#"), named(slices, "enumerate(DataLoader)#")
    assert len(steps) == len(waits) == 6
    work = [each for each in slices if each.get("cat") in ("Kernel", "Memcpy", "Memset")]
    idle = sum(wait["dur"] - covered(wait, work) for wait in waits)
    share = idle / sum(step["dur"] for step in steps)

    result = debrief.result(folder)
    assert [(row["mode"], row["count"]) for row in result["steps"]] == [("PROFILED", 6)]
    assert result["verdict"]["kind"] == "input_bound"
    assert result["verdict"]["score"] == pytest.approx(share, abs=0.005)


def test_a_slower_trace_is_worse_and_fails_the_gate(debrief):
    """Six steps against six, each of the second longer than each of the first: two of the 924 ways to deal twelve."""
    before, after = wild("hta_diff_control"), wild("hta_diff_test")
    first, second = ([step["dur"] / 1e6 for step in named(slices_of(job), "ProfilerStep#")] for job in (before, after))
    assert len(first) == len(second) == 6 and max(first) < min(second)

    debrief.run("diff", before, after, "-o", "diff.html", "--json", "diff.json", "--quiet")
    document = json.loads((debrief.folder / "diff.json").read_text())
    assert document["outcome"]["word"] == "worse"
    assert document["outcome"]["decided_by"] == ["steps.profiled.p50"]
    (step,) = (row for row in document["figures"] if row["name"] == "steps.profiled.mean")
    assert step["before"] == pytest.approx(sum(first) / 6, abs=1e-6)
    assert step["after"] == pytest.approx(sum(second) / 6, abs=1e-6)
    assert step["p_value"] == pytest.approx(2 / 924, abs=1e-6)

    debrief.run("check", after, "--baseline", before, "--quiet", expect=1)
    debrief.run("check", before, "--baseline", before, "--quiet")
