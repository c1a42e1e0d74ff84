"""PyTorch traces that others recorded, and what is true of them, worked out from their events in plain Python."""

import gzip
import json

import pytest
from conftest import shared


def wild(name: str):
    return shared("samples", "traces-in-the-wild", name)


def slices_of(folder) -> list[dict]:
    (path,) = folder.glob("*.json*")
    with gzip.open(path) if path.suffix == ".gz" else path.open() as file:
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
    # The GPU is behind the host: the last step ends with its last kernel.
    share = idle / (max(each["ts"] + each["dur"] for each in work) - min(step["ts"] for step in steps))

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
    assert step["before"] == pytest.approx(sum(first) / 6, rel=2e-3)  # the GPU ends a little later
    assert step["after"] == pytest.approx(sum(second) / 6, rel=2e-3)
    assert step["p_value"] == pytest.approx(2 / 924, abs=1e-6)

    debrief.run("check", after, "--baseline", before, "--quiet", expect=1)
    debrief.run("check", before, "--baseline", before, "--quiet")


WORK = ("kernel", "gpu_memcpy", "gpu_memset")


def launches_of(slices: list[dict]) -> dict:
    calls = ("cuda_runtime", "cuda_driver")
    return {
        each["args"]["correlation"]: each
        for each in slices
        if each.get("cat") in calls and "correlation" in each["args"]
    }


def end_of(each: dict) -> float:
    return each["ts"] + each["dur"]


def busy_within(start: float, end: float, slices: list[dict]) -> float:
    return covered({"ts": start, "dur": end - start}, slices)


def test_gpu_work_belongs_to_the_step_that_launched_it(debrief):
    """The GPU is 30 ms behind the host: what it does during a step is of two steps before."""
    folder = wild("tl_mi300_resnet_ckpt")
    slices = slices_of(folder)
    launches = launches_of(slices)
    work = [each for each in slices if each.get("cat") in WORK]
    marks = sorted(
        (step for step in named(slices, "ProfilerStep#") if step["cat"] == "user_annotation"),
        key=lambda each: each["ts"],
    )
    own = [
        [
            each
            for each in work
            if (call := launches.get(each["args"].get("correlation"))) and mark["ts"] <= call["ts"] < end_of(mark)
        ]
        for mark in marks
    ]
    starts = [min(each["ts"] for each in of_step) for of_step in own]
    assert starts[0] - marks[0]["ts"] > 29_000 and max(mark["dur"] for mark in marks) < 17_000
    ends = [*starts[1:], max(end_of(each) for each in own[-1])]

    result = debrief.result(folder)
    rows = result["traces"]["steps"]
    assert [row["number"] for row in rows] == [15, 16, 17]
    for row, start, end, of_step in zip(rows, starts, ends, own, strict=True):
        assert row["us"] == pytest.approx(end - start, abs=1)
        assert 18_500 < row["us"] < 19_100
        assert row["gpu_busy_us"] == pytest.approx(busy_within(start, end, of_step), abs=5)
    assert result["steps"][0]["p50"] == pytest.approx(0.01898, abs=1e-5)
    assert result["waste"]["unmeasured"] == 0


def test_gpu_work_after_the_last_step_counts(debrief):
    folder = wild("gh_kernelforge_log")
    slices = slices_of(folder)
    work = [each for each in slices if each.get("cat") in WORK]
    last = max(end_of(step) for step in named(slices, "ProfilerStep#") if step["cat"] == "user_annotation")
    all_of_it = busy_within(0, 1e18, work)
    assert busy_within(last, 1e18, work) > 0.29 * all_of_it
    (gpu,) = debrief.result(folder)["traces"]["gpus"]
    assert gpu["busy_us"] == pytest.approx(all_of_it, abs=1)


@pytest.mark.parametrize(
    ("name", "graph"), [("tl_sglang_decode", "hipGraphLaunch"), ("tl_vllm_decode", "hipGraphLaunch")]
)
def test_shares_are_of_all_gpu_work_and_graphs_have_a_row(debrief, name, graph):
    slices = slices_of(wild(name))
    launches = launches_of(slices)
    work = [each for each in slices if each.get("cat") in WORK]
    total = sum(each["dur"] for each in work)
    of_graph = sum(
        each["dur"] for each in work if launches.get(each["args"].get("correlation"), {}).get("name") == graph
    )
    assert of_graph > 0.9 * total

    operators = debrief.result(wild(name))["traces"]["operators"]
    assert operators["device_self_us"] == pytest.approx(total, rel=1e-6)
    first = operators["by_name"][0]
    assert (first["name"], first["outside_operators"]) == (graph, True)
    assert first["device_self_us"] == pytest.approx(of_graph, rel=1e-6)
    assert 0 < operators["tensor_core_us"] <= total
    for row in operators["by_name"]:
        if row["name"] == "aten::mm":
            assert row["device_self_us"] < 0.03 * total


def test_tensor_cores_of_current_kernels(debrief):
    kernels = debrief.result(wild("tl_b200_eager"))["traces"]["kernels"]
    on = sum(row["percent"] for row in kernels["rows"] if row["tensor_cores"])
    assert on >= 59
    assert {
        row["tensor_cores"] for row in kernels["rows"] if row["name"].startswith(("bmm_", "fmhaSm100a", "nvjet_"))
    } == {True}

    kernels = debrief.result(wild("tl_mi210_gpu_only"))["traces"]["kernels"]
    shares = {True: 0.0, False: 0.0}
    for row in kernels["rows"]:
        if "gtcx2" in row["name"]:
            assert row["tensor_cores"] is True
            shares[True] += row["percent"]
        if row["name"].startswith("SubTensorOp"):
            assert row["tensor_cores"] is False
            shares[False] += row["percent"]
    assert shares == {True: pytest.approx(30.3, abs=0.1), False: pytest.approx(9.3, abs=0.1)}


# What each folder's numbers say, worked out from its events before debrief was asked.
VERDICTS = {
    "gh_KeondoPark_profiler_trace": ("insufficient_data", "none"),  # an export of old: operators, no GPU
    "gh_kernelforge_log": ("underutilized", "profiler_step"),  # the host prepares 44 % of the time, the GPU has nothing
    "hta_diff_control": ("communication_bound", "profiler_step"),  # 19 % in all_to_all without compute beside it
    "hta_diff_test": ("healthy", "profiler_step"),  # 96 % busy; 10 % of it communication, below a warning
    "hta_mtia_inf": ("healthy", "none"),  # the device's events cover 422 of 460 ms
    "hta_neg_queue": ("host_sync", "profiler_step"),  # 750 of 1,073 ms in blocking copies, the GPU idle meanwhile
    "kin_resnet50_num_workers_0": ("input_bound", "profiler_step"),  # its authors say so
    "npu_mstt": ("underutilized", "profiler_step"),  # 1.8 of 14 ms on the device, 1,205 events of microseconds
    "param_dlrm": ("underutilized", "profiler_step"),  # kernels shorter than their launch; then skew
    "tl_b200_eager": ("underutilized", "engine_iteration"),  # eager: 13 % busy, the host launches one by one
    "tl_h100_Qwen_Qwen1.5-0.5B-Chat": ("healthy", "profiler_step"),  # 92 % busy
    "tl_mi210_gpu_only": ("healthy", "none"),  # 89 % busy; no host events at all
    "tl_mi300_Qwen_Qwen1.5-0.5B-Chat": ("healthy", "profiler_step"),  # 91 % busy
    "tl_mi300_resnet_ckpt": ("communication_bound", "profiler_step"),  # 62 % in nccl kernels alone
    "tl_norm_layers": ("insufficient_data", "module_call"),  # 0.1 % busy: first launches load GPU code
    "tl_sglang_decode": ("host_sync", "engine_iteration"),  # 463 of 474 ms in one blocking copy
    "tl_vllm_decode": ("healthy", "engine_iteration"),  # the graph's kernels follow each other
}


@pytest.mark.parametrize("name", VERDICTS)
def test_verdicts_of_traces_in_the_wild(debrief, name):
    result = debrief.result(wild(name))
    kind, source = VERDICTS[name]
    assert result["verdict"]["kind"] == kind
    assert {file["step_source"] for file in result["traces"]["files"]} == {source}
    if kind == "insufficient_data":
        assert result["waste"] is None or source != "none"
        return
    assert result["verdict"]["confidence"] == "low"  # a few steps are not a job
    if kind == "healthy":
        assert result["waste"]["lost_percent"] <= 25
    else:
        assert result["waste"]["lost_percent"] > 10


def test_a_host_that_blocks_is_named_with_its_range(debrief):
    folder = wild("hta_neg_queue")
    slices = slices_of(folder)
    ranges = named(slices, "## sparse_data_dist ##")
    calls = [
        each
        for each in slices
        if each["name"] == "cudaMemcpyAsync"
        and each["dur"] > 1000
        and any(span["ts"] <= each["ts"] < end_of(span) for span in ranges)
    ]
    blocked = sum(each["dur"] for each in calls)
    assert blocked > 700_000
    result = debrief.result(folder)
    first = result["findings"][0]
    assert first["kind"] == "host_sync"
    assert 'aten::copy_ inside "## sparse_data_dist ##"' in first["why"]
    (longest,) = (row["value"] for row in first["evidence"] if row["name"] == "longest sync, all calls")
    assert longest == pytest.approx(blocked / 1e6, rel=0.01)


@pytest.mark.parametrize(("name", "limit_us"), [("tl_sglang_decode", 800), ("tl_vllm_decode", 550)])
def test_the_host_is_late_only_until_its_launch_returns(debrief, name, limit_us):
    (gpu,) = debrief.result(wild(name))["traces"]["gpus"]
    assert gpu["host_wait_us"] <= limit_us
    if name == "tl_sglang_decode":
        assert gpu["host_wait_us"] == pytest.approx(773, abs=1)


def test_serving_iterations_have_their_phase_and_tokens(debrief):
    found = {
        name: [(row["phase"], row["tokens"]) for row in debrief.result(wild(name))["traces"]["steps"]]
        for name in ("tl_b200_eager", "tl_sglang_decode", "tl_vllm_decode")
    }
    assert found == {
        "tl_b200_eager": [("prefill", 888)],
        "tl_sglang_decode": [("decode", 32)],
        "tl_vllm_decode": [("decode", 32)],
    }


def test_a_file_name_is_no_host_and_a_pid_is_no_rank(debrief):
    """Eight ranks of one host with eight GPUs: "worker0_step_12", where 12 is a step."""
    result = debrief.result(wild("param_dlrm"))
    assert result["job"]["nodes"] == []
    assert {file["process"] for file in result["traces"]["files"]} == {f"rank {rank}" for rank in range(8)}
    (file,) = debrief.result(shared("samples", "live", "on-demand-trace"))["traces"]["files"]
    assert (file["rank"], file["step_source"]) == (None, "optimizer_step")


def test_models_of_rocm_devices_and_names_of_mangled_kernels(debrief):
    traces = debrief.result(wild("tl_sglang_decode"))["traces"]
    assert [gpu["gpu"] for gpu in traces["gpus"]] == ["AMD Instinct MI300X"]
    short = {row["name"]: row["short_name"] for row in traces["kernels"]["rows"] if row["name"].startswith("_ZN5aiter")}
    assert set(short.values()) == {"add_rmsnorm_quant_kernel"}


@pytest.mark.parametrize(
    ("name", "operators", "device"),
    [("hta_mtia_inf", 10346, 1313), ("npu_mstt", 711, 276), ("gh_KeondoPark_profiler_trace", 1442, 0)],
)
def test_other_accelerators_and_old_traces_are_read(debrief, name, operators, device):
    result = debrief.result(wild(name))
    assert result["data_quality"]["complete"] and result["data_quality"]["skipped"] == []
    (source,) = result["data_quality"]["sources"]
    assert source["source"] == "PyTorch traces"
    traces = result["traces"]
    ranges = 5 if name == "npu_mstt" else 0  # steps, the data loader and the optimizer, written as operators
    assert traces["operators"]["calls"] == operators - ranges
    work = traces["kernels"]["calls"] + sum(row["calls"] for row in traces["copies"])
    waits = 339 if name == "hta_mtia_inf" else 0  # event_wait and event_record are no work
    assert work == device - waits
    assert (result["verdict"]["kind"] == "insufficient_data") == (device == 0)


def test_custom_collectives_communicate(debrief):
    slices = slices_of(wild("tl_b200_eager"))
    kernels = [each for each in slices if each.get("cat") == "kernel"]
    exchange = sum(each["dur"] for each in kernels if "multimem_all_reduce" in each["name"] or "nccl" in each["name"])
    total = sum(each["dur"] for each in kernels)
    traces = debrief.result(wild("tl_b200_eager"))["traces"]
    rows = traces["kernels"]["rows"]
    assert sum(row["percent"] for row in rows if row["communication"]) == pytest.approx(
        100 * exchange / total, abs=0.01
    )
    assert exchange / total == pytest.approx(0.197, abs=0.002)
    assert any(row["name"] == "all_reduce" and row["bytes"] for row in traces["communication"]["collectives"])


def test_waiting_for_a_late_rank_is_not_moving_bytes(debrief):
    result = debrief.result(wild("param_dlrm"))
    communication = result["traces"]["communication"]
    last = {row["rank"]: (row["last"], row["collectives"]) for row in communication["stragglers"]}
    assert last[7] == (5, 8)
    assert communication["wait_percent"] > 90
    transfers = [row["transfer_us"] for row in communication["collectives"] if row["transfer_us"] is not None]
    assert transfers and min(transfers) > 5 and max(transfers) < 90
    finding = next(each for each in result["findings"] if each["kind"] == "communication_bound")
    assert finding["title"] == "Rank 7 is a straggler"
    assert "bucket" in finding["next"] and "would not help" in finding["next"]
