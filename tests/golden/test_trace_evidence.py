"""What a trace shows of the time in which the GPU computes nothing: copies, other code, the profiler, or too little."""

import tarfile

import pytest
from conftest import shared
from trace_loading import load


def wrong_conclusion(name: str):
    return shared("samples", "wrong-conclusions", name)


def length_of(spans: list) -> int:
    """Of their union."""
    total, end = 0, None
    for first, last in sorted(spans):
        total += max(0, last - max(first, end if end is not None else first))
        end = last if end is None else max(end, last)
    return total


def test_a_gpu_that_only_copies_is_not_busy(debrief):
    folder = wrong_conclusion("r5_pageable_copies")
    result = debrief.result(folder)
    assert result["verdict"]["kind"] == "copy_bound"
    assert "pageable memory" in result["verdict"]["why"]
    assert "non_blocking=True" in result["verdict"]["next"]
    (gpu,) = result["traces"]["gpus"]
    (path,) = folder.glob("*.json")
    trace = load(path)
    copies = [(one.start, one.end) for one in trace.of("memcpy")]
    kernels = [(one.start, one.end) for one in trace.of("kernel")]
    alone = length_of(copies + kernels) - length_of(kernels)
    assert gpu["copy_us"] == pytest.approx(length_of(copies) / 1000)
    assert gpu["copy_alone_us"] == pytest.approx(alone / 1000)
    assert result["headline"]["busy_in_loop"] == pytest.approx(length_of(kernels) / 10 / gpu["profiled_us"], abs=0.1)
    (blocking,) = result["traces"]["blocking_copies"]
    assert (blocking["call"], blocking["op"], blocking["calls"]) == ("cudaMemcpyAsync", "aten::copy_", 5)


def test_a_call_that_copies_without_a_record_of_it_blocks_too(debrief):
    result = debrief.result(wrong_conclusion("r6_hip_blocking_copy"))
    assert result["verdict"]["kind"] == "copy_bound"
    assert "490 ms in hipMemcpyWithStream of aten::copy_" in result["verdict"]["why"]
    (gpu,) = result["traces"]["gpus"]
    assert gpu["copy_wait_us"] == pytest.approx(489_900, rel=0.001)
    assert gpu["host_sync_us"] == 0


def test_one_short_kernel_is_no_job(debrief):
    folder = wrong_conclusion("r7_one_kernel")
    result = debrief.result(folder)
    assert result["verdict"]["kind"] == "insufficient_data"
    assert [finding["kind"] for finding in result["findings"]] == ["insufficient_data"]
    assert "2 µs of GPU work" in result["verdict"]["why"]
    debrief.run("check", folder, "--quiet", expect=2)


def test_a_recorded_job_is_bound_by_its_copies(debrief, tmp_path):
    """SM and driver call the GPU idle while it copies, so that samples alone can't tell why."""
    with tarfile.open(shared("samples", "faulty-scripts", "pageable_copies-45s.tar.gz")) as archive:
        archive.extractall(tmp_path)
    result = debrief.result(tmp_path / "pageable_copies")
    assert result["verdict"]["kind"] == "copy_bound"
    assert "pageable memory" in result["verdict"]["why"]


def test_a_gpu_that_waits_for_python_is_not_launch_bound(debrief, tmp_path):
    with tarfile.open(shared("samples", "faulty-scripts", "python_between-45s.tar.gz")) as archive:
        archive.extractall(tmp_path)
    result = debrief.result(tmp_path / "python_between")
    assert result["verdict"]["kind"] == "python_bound"
    assert "batch" not in result["verdict"]["next"]
    assert not result["waste"]["launch_bound"]
    parts = {part["part"]: part["us"] for part in result["traces"]["processes"][0]["parts"]}
    assert parts["other"] > parts["runtime"] + parts["CPU operators"]


def test_a_profiler_that_slows_its_steps_fails_no_gate(debrief, tmp_path):
    """Profiled steps take 2.5 times as long as the others: what they say of idle GPUs is the profiler's doing."""
    with tarfile.open(shared("samples", "live", "pairs", "item-every-100.tar.gz")) as archive:
        archive.extractall(tmp_path)
    job = tmp_path / "item-every-100"
    result = debrief.result(job)
    profiled = [step["us"] for step in result["traces"]["steps"]]
    assert sum(profiled) / len(profiled) / 1e6 > 2.4 * result["headline"]["iteration"]["mean"]
    said = debrief.refused("check", job, "--require", "traces.gpu_busy_percent >= 1", "--quiet")
    assert "2.5 times as long as the others" in said
    debrief.run("check", job, "--baseline", job, "--quiet")
