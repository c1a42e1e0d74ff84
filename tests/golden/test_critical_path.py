"""Critical paths, ranks, what is computed again and what graphs replay, against plain Python over the traces."""

import statistics
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from conftest import SAMPLE_JOBS, shared
from page_samples import Page
from path_independent import by_part, critical_path
from trace_independent import ran
from trace_loading import WORK, load, parents

RECORDED = Path(__file__).parent / "recorded"


def wild(name: str) -> Path:
    return shared("samples", "traces-in-the-wild", name)


def paths_of(job: Path, wanted: set) -> dict:
    """{(step number, its length in us): path} of the wanted steps of a job with one trace."""
    (path,) = [*job.glob("traces/*.json.gz"), *job.glob("*.json.gz")]
    trace = load(path)
    return {
        (number, (end - start) / 1000): critical_path(trace, (start, end), host[:2])
        for (start, end, number), host in zip(ran(trace), trace.steps, strict=True)
        if number in wanted
    }


@pytest.mark.parametrize("name", ["gpt-train-eval", "resnet50-healthy", "small-batch-mlp", "dataloader-starved"])
def test_paths_of_samples_are_those_of_a_walk_back(debrief, name):
    check_paths(debrief, SAMPLE_JOBS / name)


def test_paths_follow_recorded_synchronization(debrief):
    """Of a trace with cuda_sync events it is known what streams and the host wait for."""
    check_paths(debrief, RECORDED / "checkpoint")


@pytest.mark.parametrize("name", ["hta_diff_control", "tl_mi300_resnet_ckpt"])
def test_paths_of_traces_in_the_wild_are_those_of_a_walk_back(debrief, name):
    check_paths(debrief, wild(name))


def check_paths(debrief, job: Path) -> None:
    found = debrief.result(job)["traces"]["critical_paths"]
    assert [path["which"] for path in found] == ["slowest", "median", "fastest"]
    walked = paths_of(job, {path["number"] for path in found})
    for path in found:
        (steps,) = [
            steps for (number, us), steps in walked.items() if number == path["number"] and abs(us - path["us"]) < 0.01
        ]
        assert {row["part"]: row["us"] for row in path["parts"]} == pytest.approx(by_part(steps), abs=0.01)
        names = Counter()
        for start, end, part, each in steps:
            step = each is None or each.name.startswith("ProfilerStep#")
            names[None if step else each.name, part] += (end - start) / 1000
        for item in path["items"]:
            assert item["us"] == pytest.approx(names[item["name"], item["part"]], abs=0.01)


def test_slices_of_the_path_are_marked_on_the_page(debrief):
    job = SAMPLE_JOBS / "gpt-train-eval"
    found = {path["which"]: path for path in debrief.result(job)["traces"]["critical_paths"]}
    page = Page(debrief.folder / "report.html")
    for which, path in found.items():
        view, slices = page.step(which)
        marked = {slices[number][2] for number in page.critical(which)}
        listed = {item["name"] for item in path["items"] if item["name"]}
        assert marked and view["dropped"] == 0
        if len(path["items"]) < 50:
            assert marked == listed
    assert 'id="critical-path"' in page.html and "Underlined: critical path" in page.html


def test_a_collective_that_all_wait_for_is_the_path(debrief):
    """The optimizer waits for the gradients' reduction, by an event that is not recorded: HTA has it as a gap."""
    traces = debrief.result(wild("tl_mi300_resnet_ckpt"))["traces"]
    for path in traces["critical_paths"]:
        parts = {row["part"]: row for row in path["parts"]}
        assert parts["communication"]["percent"] > 75
        assert parts["kernel gaps"]["percent"] < 2


def test_waits_of_ranks_by_step(debrief):
    job = SAMPLE_JOBS / "ddp-gloo-straggler"
    traces = debrief.result(job)["traces"]
    ranks = [load(path) for path in sorted((job / "traces").iterdir())]
    # The k-th collective of a step is the same one everywhere: who comes first waits for the last.
    starts = []
    for trace in ranks:
        own = defaultdict(list)
        for each in trace.of("annotation"):
            step = next((number for low, high, number in trace.steps if low <= each.start < high), None)
            if each.name.startswith("gloo:") and step is not None:
                own[step, each.name].append((each.start, each.end))
        starts.append(own)
    waited = [defaultdict(list) for _ in starts]
    for key in starts[0]:
        for calls in zip(*(sorted(own[key]) for own in starts), strict=True):
            last = max(start for start, _ in calls)
            for own, (start, end) in zip(waited, calls, strict=True):
                own[key[0]].append((start, max(start, min(last, end))))
    processes = sorted({step["process"] for step in traces["steps"]})
    assert len(processes) == len(waited) == 2
    offsets = {row["process"]: row["clock_offset_us"] for row in traces["communication"]["stragglers"]}
    assert set(offsets.values()) == {None}
    for process, own in zip(processes, waited, strict=True):
        for step in (step for step in traces["steps"] if step["process"] == process):
            total, until = 0, 0
            for start, end in sorted(own[step["number"]]):
                total += max(0, end - max(start, until))
                until = max(until, end)
            assert step["waited_us"] == pytest.approx(total / 1000, abs=0.01)
    check_slowest(traces)


def test_the_slowest_rank_is_named(debrief):
    check_slowest(debrief.result(wild("param_dlrm"))["traces"])


def check_slowest(traces: dict) -> None:
    means = defaultdict(lambda: defaultdict(list))
    for step in traces["steps"]:
        means["step"][step["process"]].append(step["us"])
        for part in step["parts"]:
            means[part["part"]][step["process"]].append(part["us"])
        if step["waited_us"] is not None:
            means["waiting"][step["process"]].append(step["waited_us"])
    rows = {row["part"]: row for row in traces["slowest"]}
    assert "step" in rows
    for part, by_process in means.items():
        mean = {process: statistics.fmean(values) for process, values in by_process.items()}
        if max(mean.values()) == 0:
            assert part not in rows
            continue
        assert rows[part]["us"] == pytest.approx(max(mean.values()), abs=0.01)
        assert mean[rows[part]["process"]] == pytest.approx(max(mean.values()), abs=0.01)
        assert rows[part]["median_us"] == pytest.approx(statistics.median(mean.values()), abs=0.01)


@pytest.mark.parametrize("name", ["tl_mi300_resnet_ckpt", "checkpoint"])
def test_what_is_computed_again(debrief, name):
    """Forward operators have a sequence number and the thread 0; within a backward function they run once more."""
    job = RECORDED / name if name == "checkpoint" else wild(name)
    (path,) = job.glob("*.json.gz")
    trace = load(path)
    kernels = 0

    def again(each) -> bool:
        around = [each, *parents(each)]
        forward = any("Sequence number" in one.args and one.args.get("Fwd thread id") == 0 for one in around)
        return forward and any(one.name.startswith("autograd::engine::evaluate_function") for one in around)

    for each in trace.of("kernel"):
        if each.op is not None and again(each.op):
            kernels += each.length
    every = sum(each.length for each in trace.of("kernel"))
    (row,) = debrief.result(job)["traces"]["recomputation"]
    assert row["kernel_us"] == pytest.approx(kernels / 1000, abs=0.01)
    assert row["kernel_percent"] == pytest.approx(100 * kernels / every, abs=0.01)
    outermost = [each for each in trace.of("op") if again(each) and not again_around(each, again)]
    assert row["operators"] == len(outermost) > 10
    assert row["host_us"] == pytest.approx(sum(each.length for each in outermost) / 1000, abs=0.01)


def again_around(each, again) -> bool:
    return any(one.kind == "op" and again(one) for one in parents(each))


def test_nothing_is_computed_again_without_checkpoints(debrief):
    for name in ("gpt-train-eval", "resnet50-healthy"):
        assert debrief.result(SAMPLE_JOBS / name)["traces"]["recomputation"] == []


def test_a_capture_tells_the_operators_of_a_graph(debrief):
    """Here by the operators' ids, which the captured calls have, too."""
    capture, replay = (load(RECORDED / "graph" / f"{name}.pt.trace.json.gz") for name in ("capture", "replay"))
    names = {each.args["External id"]: each.name for each in capture.of("op")}
    calls = sorted(capture.of("runtime"), key=lambda each: each.start)
    (begin,) = [each.end for each in calls if each.name == "cudaStreamBeginCapture"]
    (end,) = [each.start for each in calls if each.name == "cudaStreamEndCapture"]
    captured = [
        names[each.args["External id"]]
        for each in calls
        if begin < each.start < end and any(word in each.name for word in ("LaunchKernel", "Memcpy", "Memset"))
    ]
    wanted = defaultdict(float)
    launches = [each for each in replay.of("runtime") if each.name == "cudaGraphLaunch"]
    by_kernel = defaultdict(set)
    for launch in launches:
        work = sorted((each for each in replay.of(*WORK) if each.launch is launch), key=lambda each: each.start)
        for each, op in zip(work, captured, strict=True):
            wanted[op] += each.length / 1000
            by_kernel[each.name].add(op)
    assert {op for name, ops in by_kernel.items() if "nvjet" in name for op in ops} == {"aten::addmm"}
    assert {op for name, ops in by_kernel.items() if "softmax" in name for op in ops} == {"aten::_softmax"}

    traces = debrief.result(RECORDED / "graph")["traces"]
    graphs = traces["graphs"]
    assert (graphs["launches"], graphs["captures"], graphs["work"]) == (4, 1, 32)
    assert graphs["mapped_us"] == pytest.approx(graphs["us"], abs=0.01)
    assert {row["op"]: row["us"] for row in graphs["operators"]} == pytest.approx(wanted, abs=0.01)


def test_graphs_without_a_capture_say_so(debrief):
    graphs = debrief.result(wild("tl_sglang_decode"))["traces"]["graphs"]
    assert graphs["launches"] > 0 and graphs["captures"] == 0 and graphs["operators"] == []
    assert "Profile the capture" in (debrief.folder / "report.html").read_text()
