"""Where the GPU time went over time: busy seconds in each bin, out of the raw samples by plain Python."""

from datetime import datetime
from itertools import pairwise

import pytest
from conftest import SAMPLE_JOBS
from independent import events, system_samples


def microseconds(text: str) -> int:
    return round(datetime.fromisoformat(text).timestamp() * 1e6)


def busy_by_bin(job, start: int, end: int, bins: int) -> list[float]:
    """A sample stands for the time since the one before; after a gap, for the usual interval."""
    moments = {
        time: value
        for kind, _, dimension, _, time, value in system_samples(job)
        if kind == "gpu" and dimension == "GPUUtilization"
    }
    times = sorted(moments)
    intervals = sorted(after - before for before, after in pairwise(times))
    usual = intervals[len(intervals) // 2]
    width = (end - start) / bins
    out = [0.0] * bins
    for before, time in pairwise(times):
        since = before if time - before <= max(5 * usual, 1_000_000) else time - usual
        for at in range(int((since - start) / width), min(int((time - start) / width), bins - 1) + 1):
            low, high = max(since, start + at * width), min(time, start + (at + 1) * width)
            out[at] += max(0, high - low) / 1e6 * min(moments[time], 100) / 100
    return out


@pytest.mark.parametrize("name", ["dataloader-starved", "resnet50-healthy", "small-batch-mlp"])
def test_busy_seconds_of_each_bin(debrief, name):
    bins = debrief.result(SAMPLE_JOBS / name)["waste"]["over_time"]
    start, end = microseconds(bins["start"]), microseconds(bins["end"])
    assert bins["bin_seconds"] == pytest.approx((end - start) / 1e6 / 480, abs=1e-6)
    expected = busy_by_bin(SAMPLE_JOBS / name, start, end, 480)
    assert bins["busy"] == pytest.approx(expected, abs=2e-3)


def test_startup_and_waits_are_where_they_were(debrief):
    """Before the first step all is set aside; between the steps nearly all is data."""
    job = SAMPLE_JOBS / "dataloader-starved"
    bins = debrief.result(job)["waste"]["over_time"]
    start = microseconds(bins["start"])
    first = min(at for phase, _, at, _, _ in events(job) if phase and phase.startswith("Step"))
    lost = {row["cause"]: row["seconds"] for row in bins["lost"]}
    before = int((first - start) / 1e6 / bins["bin_seconds"])
    assert sum(bins["set_aside"][: before - 1]) == pytest.approx((before - 1) * bins["bin_seconds"], rel=0.05)
    assert sum(lost["data"][: before - 1]) == pytest.approx(0, abs=0.2)
    assert sum(lost["data"]) == pytest.approx(0.778 * 480 * bins["bin_seconds"], rel=0.02)


def test_headline_of_a_sample_job(debrief):
    """The iteration is the training loop over its steps; the peak of memory is the highest sample."""
    job = SAMPLE_JOBS / "dataloader-starved"
    headline = debrief.result(job)["headline"]
    steps = sorted((at, at + length) for phase, _, at, length, _ in events(job) if phase == "Step:ModeKeys.TRAIN")
    assert headline["iteration"]["mean"] == pytest.approx((steps[-1][1] - steps[0][0]) / 1e6 / len(steps), abs=1e-5)
    gaps = sorted((after[0] - before[0]) / 1e6 for before, after in pairwise(steps))
    assert headline["iteration"]["count"] == len(gaps) == 63
    assert headline["iteration"]["p50"] == pytest.approx(gaps[31], abs=1e-5)
    memory = [value for kind, _, dimension, _, _, value in system_samples(job) if dimension == "GPUMemoryUtilization"]
    assert headline["gpu_memory"]["percent"] == pytest.approx(max(memory), abs=1e-3)
