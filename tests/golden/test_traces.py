"""What debrief says about PyTorch traces, against trace_independent.py."""

import tarfile
from pathlib import Path

import pytest
import trace_independent as independent
from conftest import SAMPLE_JOBS, SAMPLES, Debrief, shared
from trace_loading import WORK, category_counts, load

PUBLIC = [
    "amd_trace",
    "cpu_only",
    "critical_path",
    "nccl_parser_config",
    "ns_resolution_trace",
    "rank_unavailable",
    "trace_filter",
    "triton_example",
]


def about(value: float):
    """To a nanosecond for each rounded figure, and to what sums of doubles lose."""
    return pytest.approx(value, abs=2e-3, rel=1e-9)


def folder_of(name: str, scratch: Path) -> Path:
    if name in SAMPLES:
        return SAMPLE_JOBS / name
    if name in PUBLIC:
        return shared("samples", "kineto", name)
    with tarfile.open(shared("jobs", f"{name}.tar.gz")) as archive:
        archive.extractall(scratch)
    return scratch / name


def trace_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*.json.gz") if "profiler-output" not in path.parts)


@pytest.fixture(scope="module", params=[*SAMPLES, "gpt-with-stacks", *PUBLIC])
def job(request, tmp_path_factory):
    """The result's traces, and the same files loaded here by the names of their processes."""
    folder = folder_of(request.param, tmp_path_factory.mktemp("job"))
    traces = Debrief(tmp_path_factory.mktemp("report")).result(folder)["traces"]
    processes = {row["path"]: row["process"] for row in traces["files"]}
    loaded = {processes[str(path.relative_to(folder))]: load(path) for path in trace_files(folder)}
    assert len(loaded) == len(processes)
    return traces, loaded


def test_events_by_category(job):
    traces, loaded = job
    for row in traces["files"]:
        assert {each["category"]: each["count"] for each in row["categories"]} == category_counts(
            loaded[row["process"]]
        )


def test_step_breakdown(job):
    traces, loaded = job
    expected = {
        (process, step[2]): (trace, step) for process, trace in loaded.items() for step in independent.ran(trace)
    }
    assert {(row["process"], row["number"]) for row in traces["steps"]} == set(expected)
    for row in traces["steps"]:
        trace, (start, end, _) = expected[row["process"], row["number"]]
        assert row["us"] == about((end - start) / 1000)
        assert row["gpu_busy_us"] == about(independent.length(independent.busy(trace, [(start, end)])))
        assert {part["part"]: part["us"] for part in row["parts"]} == {
            part: about(us) for part, us in independent.breakdown(trace, (start, end)).items()
        }


def test_operators(job):
    traces, loaded = job
    expected = independent.operators(list(loaded.values()))
    assert traces["operators"]["names"] == len(expected)
    assert traces["operators"]["calls"] == sum(row["calls"] for row in expected.values())
    assert traces["operators"]["host_total_us"] == about(sum(row["host_total_us"] for row in expected.values()))
    backward = [row for name, row in expected.items() if name.startswith("autograd::engine::evaluate_function: ")]
    assert traces["operators"]["backward_calls"] == sum(row["calls"] for row in backward)
    assert traces["operators"]["backward_host_us"] == about(sum(row["host_total_us"] for row in backward))
    assert traces["operators"]["host_self_us"] == about(sum(row["host_self_us"] for row in expected.values()))
    work = sum(each.length for trace in loaded.values() for each in trace.of(*WORK)) / 1000
    assert traces["operators"]["device_self_us"] == about(work)
    outside = sum(each.length for trace in loaded.values() for each in trace.of(*WORK) if each.op is None) / 1000
    rows = [row for row in traces["operators"]["by_name"] if not row["outside_operators"]]
    assert work - sum(row["device_self_us"] for row in rows) == about(outside)
    for row in rows:
        for figure in ("calls", "host_self_us", "host_total_us", "device_self_us", "device_total_us"):
            assert row[figure] == about(expected[row["name"]][figure]), (row["name"], figure)
    most = sorted(
        expected,
        key=lambda name: (-round(expected[name]["device_self_us"], 3), -round(expected[name]["host_self_us"], 3), name),
    )
    assert [row["name"] for row in rows][:20] == most[:20]


def test_modules(job):
    traces, loaded = job
    expected = independent.modules(list(loaded.values()))
    assert len(traces["modules"]) == min(len(expected), 300)
    for row in traces["modules"]:
        for figure in ("calls", "host_self_us", "host_total_us", "device_self_us", "device_total_us"):
            assert row[figure] == about(expected[row["name"]][figure]), (row["name"], figure)


def test_kernels(job):
    traces, loaded = job
    expected = independent.kernels(list(loaded.values()))
    kernels = traces["kernels"]
    assert kernels["names"] == len(expected)
    assert kernels["calls"] == sum(map(len, expected.values()))
    total = sum(map(sum, expected.values()))
    assert kernels["total_us"] == about(total)
    for row in kernels["rows"]:
        durations = expected[row["name"]]
        assert row["calls"] == len(durations)
        assert row["total_us"] == about(sum(durations))
        assert row["mean_us"] == about(sum(durations) / len(durations))
        assert (row["min_us"], row["max_us"]) == (about(min(durations)), about(max(durations)))
        assert row["percent"] == about(100 * sum(durations) / total)


def test_gpus(job):
    traces, loaded = job
    expected = {(process, each.track[1]): trace for process, trace in loaded.items() for each in trace.of(*WORK)}
    assert {(row["process"], row["device"]) for row in traces["gpus"]} == set(expected)
    for row in traces["gpus"]:
        trace, device = expected[row["process"], row["device"]], row["device"]
        window = independent.profiled(trace)
        assert row["profiled_us"] == about(independent.length(window))
        assert row["busy_us"] == about(independent.length(independent.busy(trace, window, device)))
        reasons = independent.idle(trace, device)
        assert {key: row[key] for key in reasons} == {key: about(us) for key, us in reasons.items()}


def test_copies(job):
    traces, loaded = job
    for process, trace in loaded.items():
        found = {}
        for row in traces["copies"]:
            if row["process"] == process:
                sums = found.setdefault(row["direction"], [0, 0.0, 0])
                sums[:] = [sums[0] + row["calls"], sums[1] + row["us"], sums[2] + (row["bytes"] or 0)]
        assert found == {
            direction: [calls, about(us), size] for direction, (calls, us, size) in independent.copies(trace).items()
        }


def test_memory(job):
    traces, loaded = job
    found = {(row["process"], row["device"]): row for row in traces["memory"]}
    expected = {
        (process, device): row for process, trace in loaded.items() for device, row in independent.memory(trace).items()
    }
    assert set(found) == set(expected)
    for key, row in expected.items():
        assert found[key]["events"] == row["events"]
        assert found[key]["peak_allocated"] == row["peak_allocated"]
        assert found[key]["peak_reserved"] == row["peak_reserved"]
        assert sum(holder["bytes"] for holder in found[key]["holders"]) == row["held"]
        assert found[key]["before_trace"] == row["peak_allocated"] - row["held"]


def test_overlap(job):
    traces, loaded = job
    found = {row["process"]: row for row in traces["communication"]["overlap"]}
    assert set(found) == {process for process, trace in loaded.items() if independent.communication(trace)}
    for process, row in found.items():
        for figure, us in independent.overlap(loaded[process]).items():
            assert row[figure] == about(us), figure
    sums = {}
    for row in traces["communication"]["collectives"]:
        calls, us = sums.get(row["process"], (0, 0.0))
        sums[row["process"]] = (calls + row["calls"], us + row["total_us"])
    for process in found:
        listed = independent.communication(loaded[process])
        assert sums[process] == (len(listed), about(sum(each.length for each in listed) / 1000))


def test_annotations(job):
    traces, loaded = job
    for process, trace in loaded.items():
        found = {row["name"]: row for row in traces["annotations"] if row["process"] == process}
        expected = independent.annotations(trace)
        assert set(found) == set(expected)
        for name, durations in expected.items():
            assert found[name]["count"] == len(durations)
            assert found[name]["total_us"] == about(sum(durations))
            assert (found[name]["min_us"], found[name]["max_us"]) == (about(min(durations)), about(max(durations)))


def test_the_straggler(debrief):
    """Rank 1 sleeps in every forward pass."""
    folder = SAMPLE_JOBS / "ddp-gloo-straggler"
    result = debrief.result(folder)["traces"]
    processes = {row["path"]: row["process"] for row in result["files"]}
    loaded = {processes[str(path.relative_to(folder))]: load(path) for path in trace_files(folder)}
    expected = independent.lateness(loaded)
    rows = result["communication"]["stragglers"]
    assert {row["process"]: row["lateness_us"] for row in rows} == {
        process: about(us) for process, us in expected.items()
    }
    assert (rows[0]["process"], rows[0]["rank"]) == (max(expected, key=expected.get), 1)
