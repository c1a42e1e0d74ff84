"""Real jobs before and after debrief's advice was followed: what it promised, and what came of it."""

import json
import tarfile

import pytest
from conftest import shared

# What was done, and how many times faster the loop got through its samples, as measured when the pairs were made.
PAIRS = {
    "workers": ("loader-2-workers", "loader-14-workers", "input_bound", 6.3),
    "batch": ("batch-16", "batch-256", "underutilized", 8.2),
    "graph": ("item-every-100", "graphed-small", "underutilized", 5.2),
}


def unpacked(name: str, folder):
    with tarfile.open(shared("samples", "live", "pairs", f"{name}.tar.gz")) as archive:
        archive.extractall(folder)
    return folder / name


def loop_seconds_per_sample(job) -> float:
    """By the job's own events: from the first step's start to the last one's end, over the samples."""
    steps = []
    for path in job.rglob("*_pythontimeline.json"):
        origin, phases = 0.0, {}
        for event in json.loads(path.read_text()):
            args = event.get("args", {})
            if event["ph"] == "M" and "start_time_since_epoch_in_micros" in args:
                origin = args["start_time_since_epoch_in_micros"]
            elif event["ph"] == "M" and event["name"] == "process_name":
                phases[event["pid"]] = args["name"]
            elif event["ph"] == "X" and phases.get(event["pid"]) == "Step:ModeKeys.TRAIN":
                steps.append((origin + event["ts"], origin + event["ts"] + event["dur"]))
    batch = int(json.loads((job / "job.json").read_text())["HyperParameters"]["batch_size"])
    return (max(end for _, end in steps) - min(start for start, _ in steps)) / 1e6 / len(steps) / batch


@pytest.mark.parametrize("pair", PAIRS)
def test_the_promised_gain_is_near_what_it_gave(debrief, tmp_path, pair):
    first, second, kind, gave = PAIRS[pair]
    before, after = unpacked(first, tmp_path), unpacked(second, tmp_path)
    measured = loop_seconds_per_sample(before) / loop_seconds_per_sample(after)
    assert measured == pytest.approx(gave, rel=0.1)
    (finding,) = (each for each in debrief.result(before)["findings"] if each["kind"] == kind)
    assert measured / 1.5 <= finding["gain"] <= measured * 1.5
    does = "process samples" if kind == "underutilized" else "run"
    assert f"Training could {does} up to {finding['gain']:.1f} times faster." in finding["next"]


def test_more_work_per_step_is_no_regression(debrief, tmp_path):
    """A step of 16 times the batch takes twice as long, and the job gets through 8 times the samples."""
    before, after = unpacked("batch-16", tmp_path), unpacked("batch-256", tmp_path)
    debrief.run("diff", before, after, "-o", "diff.html", "--json", "diff.json", "--quiet")
    document = json.loads((debrief.folder / "diff.json").read_text())
    assert document["work_per_step"] == "different"
    assert {"what": "batch size", "before": "2", "after": "32"} in document["settings"]
    assert document["outcome"]["word"] == "improved"
    assert document["outcome"]["decided_by"] == ["job.samples_per_second"]
    (pace,) = (row for row in document["figures"] if row["name"] == "job.samples_per_second")
    assert pace["after"] == pytest.approx(1 / loop_seconds_per_sample(after), rel=0.01)
    (step,) = (row for row in document["figures"] if row["name"] == "steps.train.p50")
    assert step["after"] > 1.5 * step["before"]
    debrief.run("check", after, "--baseline", before, "--quiet")
    debrief.run("check", before, "--baseline", after, "--quiet", expect=1)


def test_other_gpus_are_said_first(debrief):
    before, after = (shared("samples", "traces-in-the-wild", name) for name in ("hta_diff_control", "hta_diff_test"))
    said = debrief.run("diff", before, after, "-o", "diff.html").stdout
    assert said.startswith("The settings differ: GPU (NVIDIA A100-PG509-200 before, Tesla V100-SXM2-16GB after)")
    assert "number of GPUs (8 before, 2 after)" in said
    assert "At least one batch size is unknown" in said
