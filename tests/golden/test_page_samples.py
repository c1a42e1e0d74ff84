"""The samples in the page are those of the job, whatever its size may be."""

import itertools
import json
import subprocess
import sys
from collections import defaultdict

import numpy as np
import pytest
from conftest import ROOT, SAMPLE_JOBS, SAMPLES
from independent import METRICS, job_times, steps_by_process_and_mode, system_samples
from page_samples import Page

DIRECTIONS = {
    "ReceiveBytesPerSecond": "receive",
    "TransmitBytesPerSecond": "transmit",
    "ReadThroughputInBytesPerSecond": "read",
    "WriteThroughputInBytesPerSecond": "write",
}


def recorded(job) -> dict:
    """{(node, metric): {device: {time: value}}}"""
    series = defaultdict(lambda: defaultdict(dict))
    for kind, name, dimension, node, time, value in system_samples(job):
        metric = "Disk" if kind == "i/o" and name in DIRECTIONS else METRICS.get((kind, dimension))
        if metric:
            series[node, metric][DIRECTIONS.get(name, name)][time] = value
    return series


def check_series(found, expected: dict, time_scale: float, scale: float) -> int:
    """Each sample, in time and value, to half of what 1 stands for."""
    times, values = found
    there = ~np.isnan(values)
    wanted_times, wanted = np.array(sorted(expected.items()), dtype=float).T
    assert there.sum() == len(expected)
    assert np.abs(times[there] - wanted_times).max() <= 500.1 * time_scale
    error = scale / 2 + 1e-5 if scale else 0.0003 * wanted + 0.001
    assert (np.abs(values[there] - wanted) <= error).all()
    return len(expected)


def report(debrief, job, *options) -> Page:
    debrief.run("report", job, "-o", "page.html", "--quiet", *options)
    return Page(debrief.folder / "page.html")


@pytest.mark.parametrize("name", SAMPLES)
def test_every_sample_is_there(debrief, name):
    debrief.result(SAMPLE_JOBS / name)
    page = Page(debrief.folder / "report.html")
    assert len(page.html) <= 1_000_000
    assert page.index["thinned"] == []
    expected = recorded(SAMPLE_JOBS / name)
    compared = 0
    for node, metric in page.metrics():
        devices = expected.pop((node, metric["metric"]))
        assert metric["every"] == 1
        if metric["metric"] == "CPU memory":
            assert "devices" not in metric
        else:
            assert sorted(metric["devices"]["names"]) == sorted(devices)
            for number, device in enumerate(metric["devices"]["names"]):
                found = page.series(metric["devices"], "mean", number)
                compared += check_series(
                    found, devices[device], metric["devices"]["times"][4], metric["devices"]["mean"][number][4]
                )
        # In these jobs devices that are sampled together have the very same time.
        whole = defaultdict(list)
        for samples in devices.values():
            for time, value in samples.items():
                whole[time].append(value)
        combine = sum if metric["metric"] == "Network" else np.mean
        combined = {time: combine(values) for time, values in whole.items()}
        check_series(page.series(metric), combined, metric["times"][4], metric["mean"][4])
    assert not expected
    assert compared > 40_000


@pytest.mark.parametrize("name", SAMPLES)
def test_steps_phases_and_incidents(debrief, name):
    result = debrief.result(SAMPLE_JOBS / name)
    page = Page(debrief.folder / "report.html")
    expected = steps_by_process_and_mode(SAMPLE_JOBS / name)
    for row in page.index["steps"]:
        spans = np.array(expected.pop((row["process"], row["mode"])))
        starts, seconds = page.series(row)
        assert len(starts) == len(spans)
        assert np.abs(starts - spans[:, 0]).max() <= 500.1 * row["starts"][4]
        durations = (spans[:, 1] - spans[:, 0]) / 1e6
        assert np.abs(seconds - durations).max() <= row["mean"][4] * 0.51
        assert row["mean"][4] <= np.median(durations) / 999 or row["mean"][4] == pytest.approx(1e-6)
    assert not expected

    times = job_times(SAMPLE_JOBS / name)
    assert page.index["start"] == times["start"] // 1000
    assert page.index["end"] == -(-times["end"] // 1000)
    phases = [phase for phase in page.index["phases"] if phase[0] != "profiled"]
    profiled = [phase for phase in page.index["phases"] if phase[0] == "profiled"]
    assert len(profiled) == 1 and 0 <= profiled[0][1] < profiled[0][2] <= page.index["end"] - page.index["start"]
    files = result["traces"]["files"]
    assert profiled[0][2] - profiled[0][1] >= max(file["duration_us"] for file in files) / 1000 - 1
    after_start = [(times[key] / 1000 - page.index["start"]) for key in ("start", "loop_start", "loop_end", "end")]
    assert phases[0][0] == "startup"
    assert phases[0][1:] == pytest.approx(after_start[:2], abs=0.01)
    assert phases[-1][0] == "shutdown"
    assert phases[-1][1:] == pytest.approx(after_start[2:], abs=0.01)
    modes = {mode for _, mode in steps_by_process_and_mode(SAMPLE_JOBS / name)}
    assert {phase[0] for phase in phases[1:-1]} == modes
    assert all(left[2] <= right[1] for left, right in itertools.pairwise(phases))
    bands = page.index["incidents"]
    assert len([band for band in bands if "finding" not in band]) == sum(
        len(rule["incidents"]) for rule in result["rules"]
    )
    assert len([band for band in bands if "finding" in band]) == sum(
        len(finding["windows"]) for finding in result["findings"]
    )


def check_thinned(page: Page, job) -> set:
    """Every point is the mean, least and greatest of its run; gives the groups that were thinned."""
    expected = recorded(job)
    thinned = set()
    for node, metric in page.metrics():
        if "devices" not in metric:
            continue
        devices, every = metric["devices"], metric["devices"]["every"]
        if every == 1:
            continue
        thinned.add(
            {"CPU": "Cores", "I/O": "Cores"}.get(metric["metric"], "GPUs" if "GPU" in metric["metric"] else "Nodes")
        )
        for number, device in enumerate(devices["names"]):
            samples = [value for _, value in sorted(expected[node, metric["metric"]][device].items())]
            runs = [samples[from_ : from_ + every] for from_ in range(0, len(samples), every)]
            for which, figure in (("mean", np.mean), ("min", np.min), ("max", np.max)):
                wanted = np.array([figure(run) for run in runs])
                scale = devices[which][number][4]
                error = scale / 2 + 1e-5 if scale else 0.0003 * wanted + 0.001
                assert (np.abs(page.series(devices, which, number)[1] - wanted) <= error).all()
    if any(row["every"] > 1 for row in page.index["steps"]):
        thinned.add("Steps")
    if any(metric["every"] > 1 for _, metric in page.metrics()):
        thinned.add("Nodes")
    return thinned


def test_a_page_keeps_its_size_and_says_what_it_thinned(debrief, tmp_path):
    job = tmp_path / "generated"
    shape = "--nodes 2 --gpus 2 --cores 24 --minutes 20 --operators 0 --noise"
    subprocess.run([sys.executable, ROOT / "bench/generate.py", job, *shape.split()], check=True)
    whole = report(debrief, job)
    assert whole.index["thinned"] == []
    least = report(debrief, job, "--max-size", "1")  # text, and one point of each series
    assert len(least.index["thinned"]) == 4
    steps, seen = [], []
    for share in (0.7, 0.3, 0.1, 0.02):
        limit = len(least.html) + round(share * (len(whole.html) - len(least.html)))
        page = report(debrief, job, "--max-size", str(limit))
        assert len(page.html.encode()) <= limit
        assert len(page.html.encode()) > limit * 0.5
        thinned = check_thinned(page, job)
        assert {sentence.split(":")[0] for sentence in page.index["thinned"]} == thinned
        for sentence in page.index["thinned"]:
            assert sentence in page.html.split("<script")[0], "readable without scripts"
        seen.append(thinned)
        steps.append(page.index["steps"][0]["every"])
    assert seen[0] == {"Cores"}
    assert seen[-1] == {"Cores", "GPUs", "Steps", "Nodes"}
    assert steps == sorted(steps)


def test_a_page_that_cannot_be_that_small_is_written_all_the_same(debrief):
    outcome = debrief.run("report", SAMPLE_JOBS / "small-batch-mlp", "-o", "page.html", "--max-size", "10kB")
    assert "over --max-size 10kB" in outcome.stderr
    assert Page(debrief.folder / "page.html").index["thinned"]


@pytest.mark.parametrize("size", ["", "big", "8 MiB", "0", "-3", "1e6"])
def test_what_is_no_size(debrief, size):
    sentence = debrief.refused("report", SAMPLE_JOBS / "small-batch-mlp", f"--max-size={size}")
    assert "--max-size" in sentence


def test_no_samples_no_timeline(debrief):
    debrief.run(
        "report", SAMPLE_JOBS / "ddp-gloo-straggler", "-o", "first.html", "--rule-outputs", "outputs", "--quiet"
    )
    page = report(debrief, debrief.folder / "outputs")
    assert page.index is None
    assert 'id="timeline-index"' not in page.html
    assert 'type="application/octet-stream"' not in page.html
    assert len(page.executable) == 1


def test_hostile_names_stay_names(debrief, tmp_path):
    evil = "</script><script>alert(1)</script><!--timeline-->\u2028\u202e"
    shown = "</script><script>alert(1)</script><!--timeline-->\\u{2028}\\u{202e}"
    folder = tmp_path / "job/system/incremental/2024081508"
    folder.mkdir(parents=True)
    lines = [
        {
            "Type": "cpu",
            "Name": evil,
            "Dimension": "CPUUtilization",
            "Value": 5.0,
            "NodeId": evil,
            "Timestamp": 1723709760.0 + i,
        }
        for i in range(5)
    ]
    (folder / "1723709760.algo-1.json").write_text("".join(json.dumps(line) + "\n" for line in lines))
    page = report(debrief, tmp_path / "job")
    assert len(page.executable) == 1
    assert page.index["nodes"][0]["name"] == shown
    assert page.index["nodes"][0]["metrics"][0]["devices"]["names"] == [shown]
    assert page.html.count('id="timeline-index"') == 1
    assert "\u2028" not in page.html and "\u202e" not in page.html
