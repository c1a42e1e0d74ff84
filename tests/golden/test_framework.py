"""Steps, framework metrics, devices and the accounting of time equal an independent computation."""

import gzip
import json
from collections import defaultdict

import numpy as np
import pytest
from conftest import SAMPLE_JOBS, SAMPLES, shared
from independent import devices, events, operators, process_of, steps_by_process_and_mode, time_accounting, union


@pytest.mark.parametrize("name", SAMPLES)
def test_time_accounting(debrief, name):
    accounting = debrief.result(SAMPLE_JOBS / name)["time_accounting"]
    found = {part["part"]: part["seconds"] for part in accounting["parts"]}
    assert found == pytest.approx(time_accounting(SAMPLE_JOBS / name), abs=2e-6)


@pytest.mark.parametrize("name", SAMPLES)
def test_steps(debrief, name):
    rows = {(row["process"], row["mode"]): row for row in debrief.result(SAMPLE_JOBS / name)["steps"]}
    steps = steps_by_process_and_mode(SAMPLE_JOBS / name)
    assert rows.keys() == steps.keys()
    for key, spans in steps.items():
        row, seconds = rows[key], np.array([(end - start) / 1e6 for start, end in spans])
        assert row["count"] == len(seconds)
        assert row["total_in_seconds"] == pytest.approx(seconds.sum(), abs=1e-5)
        assert row["first"] == pytest.approx(seconds[0], abs=1e-6)
        for figure, value in {
            "mean": seconds.mean(),
            "max": seconds.max(),
            "min": seconds.min(),
            "p50": np.median(seconds),
            "p95": np.quantile(seconds, 0.95),
            "p99": np.quantile(seconds, 0.99),
            "stddev": seconds[1:].std(),
        }.items():
            assert row[figure] == pytest.approx(value, abs=1e-6), figure
        counted = seconds
        if len(seconds) > 100:
            threshold = seconds[1:].mean() + 3 * seconds[1:].std()
            assert row["threshold"] == pytest.approx(threshold, abs=1e-6)
            assert row["outliers"] == (seconds[1:] > threshold).sum()
            assert len(row["outlying"]) == row["outliers"]
            counted = seconds[seconds < threshold]
        counts, edges = np.histogram(counted, 100)
        assert row["histogram"]["counts"] == counts.tolist()
        assert row["histogram"]["edges"] == pytest.approx(edges, abs=1e-6)


@pytest.mark.parametrize("name", SAMPLES)
def test_phases(debrief, name):
    rows = debrief.result(SAMPLE_JOBS / name)["framework"]["phase"]
    steps = steps_by_process_and_mode(SAMPLE_JOBS / name)
    for process in {process for process, _ in steps}:
        spans = [span for (owner, _), listed in steps.items() if owner == process for span in listed]
        whole = max(end for _, end in spans) - min(start for start, _ in spans)
        own = {row["name"]: row for row in rows if row["process"] == process}
        others = (whole - union(spans)) / 1e6
        assert own["others"]["seconds"] == pytest.approx(others, abs=2e-6)
        assert own["others"]["percent"] == pytest.approx(100e6 * others / whole, abs=1e-5)
        assert sum(row["seconds"] for row in own.values()) == pytest.approx(whole / 1e6, abs=1e-5)


@pytest.mark.parametrize("name", SAMPLES)
def test_general_work(debrief, name):
    rows = {row["name"]: row for row in debrief.result(SAMPLE_JOBS / name)["framework"]["general"]}
    sums, calls = defaultdict(int), defaultdict(int)
    for phase, _, _, duration, _ in events(SAMPLE_JOBS / name):
        if phase and "Step:" not in phase and "_functions" not in phase:
            sums[phase] += duration
            calls[phase] += 1
    assert {phase: row["calls"] for phase, row in rows.items()} == dict(calls)
    for phase, duration in sums.items():
        assert rows[phase]["seconds"] == pytest.approx(duration / 1e6, abs=1e-6)
        assert rows[phase]["percent"] == pytest.approx(100 * duration / sum(sums.values()), abs=1e-5)


def traced_operators(job, category):
    """Durations by name, over all traces of the job."""
    found = defaultdict(list)
    for path in sorted((job / "traces").glob("*.json.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for event in json.load(file)["traceEvents"]:
                if event.get("ph") == "X" and event.get("cat") == category:
                    found[event["name"]].append(event["dur"])
    return found


@pytest.mark.parametrize("kind", ["cpu", "gpu"])
@pytest.mark.parametrize("name", SAMPLES)
def test_operators(debrief, name, kind):
    framework = debrief.result(SAMPLE_JOBS / name)["framework"]
    rows = {row["operator"]: row for row in framework[f"{kind}_operators"]}
    expected = operators(SAMPLE_JOBS / name, f"{kind}_functions")
    recorded = operators(SAMPLE_JOBS / name, "cpu_functions") or operators(SAMPLE_JOBS / name, "gpu_functions")
    assert framework["operator_source"] == ("framework timelines" if recorded else "PyTorch traces")
    if not recorded:
        traced = traced_operators(SAMPLE_JOBS / name, "cpu_op" if kind == "cpu" else "kernel")
        assert {operator: row["calls"] for operator, row in rows.items()} == {
            operator: len(durations) for operator, durations in traced.items()
        }
        if kind == "gpu":
            for operator, durations in traced.items():
                assert rows[operator]["total_us"] == pytest.approx(sum(durations), abs=0.6), operator
        return
    assert framework[f"{kind}_operator_count"] == len(expected) == len(rows)
    for operator, (total, own, calls) in expected.items():
        row = rows[operator]
        assert (row["total_us"], row["self_us"], row["calls"]) == (total, own, calls), operator
    if rows:
        assert sum(row["self_percent"] for row in rows.values()) == pytest.approx(100, abs=1e-3)


@pytest.mark.parametrize("name", SAMPLES)
def test_devices(debrief, name):
    rows = {(row["node"], row["device"], row["metric"]): row for row in debrief.result(SAMPLE_JOBS / name)["devices"]}
    expected = devices(SAMPLE_JOBS / name)
    assert rows.keys() == expected.keys()
    for key, values in expected.items():
        row = rows[key]
        p25, p75 = np.quantile(values, [0.25, 0.75])
        figures = {
            "mean": values.mean(),
            "min": values.min(),
            "max": values.max(),
            "p25": p25,
            "p75": p75,
            "p05": np.quantile(values, 0.05),
            "p50": np.median(values),
            "p95": np.quantile(values, 0.95),
            "lower": max(p25 - 1.5 * (p75 - p25), values.min()),
            "upper": min(p75 + 1.5 * (p75 - p25), values.max()),
        }
        assert row["samples"] == len(values)
        for figure, value in figures.items():
            assert row[figure] == pytest.approx(value, abs=1e-5), (key, figure)
        assert row["histogram"]["counts"] == np.histogram(values, np.arange(0, 101, 2))[0].tolist()


def test_data_loading(debrief):
    loading = debrief.result(SAMPLE_JOBS / "dataloader-starved")["data_loading"]
    assert (loading["num_workers"], loading["cores"], loading["pin_memory"]) == (2, 16, False)
    assert (loading["loaders"], loading["initializations"]) == (2, 1)
    times = {row["what"]: row for row in loading["times"]}
    waits = sorted(
        (start, duration)
        for phase, _, start, duration, _ in events(SAMPLE_JOBS / "dataloader-starved")
        if phase == "DataLoaderIter"
    )
    durations = np.array([duration / 1e6 for _, duration in waits])
    row = times["get next"]
    assert row["count"] == len(durations) == 64
    assert row["p50"] == pytest.approx(np.median(durations), abs=1e-6)
    assert row["p95"] == pytest.approx(np.quantile(durations, 0.95), abs=1e-6)
    assert row["outliers"] == (durations > 2 * np.median(durations)).sum()
    between = np.diff([start for start, _ in waits]) / 1e6
    assert times["batch"]["p50"] == pytest.approx(np.median(between), abs=1e-6)


def test_known_facts_of_steps(debrief):
    """What was found by hand in these jobs when they were recorded."""
    (train,) = debrief.result(SAMPLE_JOBS / "resnet50-healthy")["steps"]
    assert (train["count"], round(train["p50"], 3), round(train["first"], 2)) == (1921, 0.061, 0.87)
    (train,) = debrief.result(SAMPLE_JOBS / "small-batch-mlp")["steps"]
    assert (train["count"], round(train["p50"], 3)) == (54170, 0.002)
    ranks = debrief.result(SAMPLE_JOBS / "ddp-gloo-straggler")["steps"]
    assert [(row["process"], row["count"], round(row["p50"], 3)) for row in ranks] == [
        ("algo-1-553", 757, 0.124),
        ("algo-1-554", 757, 0.124),
    ]
    parts = debrief.result(SAMPLE_JOBS / "dataloader-starved")["time_accounting"]["parts"]
    assert [round(part["seconds"]) for part in parts if part["part"] == "between steps"] == [109]


def test_gpu_job_of_2020(debrief):
    """19,599 TRAIN steps over 80 minutes: a step that crosses a minute counts once, none is lost."""
    job = shared("samples", "gpu-job-2020-06-23")
    result = debrief.result(job)
    (row,) = result["steps"]
    (((process, mode), spans),) = steps_by_process_and_mode(job).items()
    assert (row["process"], row["mode"], row["count"]) == (process, mode, 19_599)
    assert row["total_in_seconds"] == pytest.approx(sum(end - start for start, end in spans) / 1e6, abs=1e-3)
    outlier = next(rule for rule in result["rules"] if rule["rule"] == "StepOutlier")
    assert outlier["datapoints"] == 19_599
    assert process == process_of(next(job.glob("**/pevents/**/*.json")))


def test_collectives(debrief):
    """Horovod's operations: whole events, and begins matched with their ends."""
    path = shared("samples", "smdebug-history", "tests", "profiler", "8278c748", "horovod_timeline_small.json")
    text = path.read_text().rstrip().rstrip(",")
    sums, calls, begun = defaultdict(int), defaultdict(int), defaultdict(list)

    def count(name: str, duration: int) -> None:
        if not name.isdigit():  # ranks' ticks are moments
            sums[name] += duration
            calls[name] += 1

    for event in json.loads(text if text.endswith("]") else text + "]"):
        if event.get("ph") == "X":
            count(event["name"], event["dur"])
        elif event.get("ph") == "B":
            begun[event["pid"]].append(event)
        elif event.get("ph") == "E" and begun[event["pid"]]:
            begin = begun[event["pid"]].pop()
            count(begin["name"], event["ts"] - begin["ts"])
    rows = {row["name"]: row for row in debrief.result(path)["framework"]["collectives"]}
    assert {name: row["calls"] for name, row in rows.items()} == {name: calls[name] for name in sums if sums[name] > 0}
    for name, row in rows.items():
        assert row["seconds"] == pytest.approx(sums[name] / 1e6, abs=1e-6), name
