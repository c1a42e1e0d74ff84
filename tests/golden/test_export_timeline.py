"""The exported timeline is a valid Chrome trace that holds what was recorded, on one clock."""

import gzip
import json
from collections import Counter, defaultdict
from decimal import Decimal

import duckdb
import pytest
import trace_loading
from conftest import SAMPLE_JOBS, SAMPLES, shared
from independent import events, job_times, system_samples

KEPT = ["X cpu_op", "X user_annotation", "X kernel", "X gpu_memcpy", "X gpu_memset", "X gpu_user_annotation"]
RUNTIME = ["X cuda_runtime", "X cuda_driver"]


def traces_of(job) -> list:
    return sorted(job.glob("traces/*.json.gz"))


def export(debrief, job, *options, to="timeline.json") -> dict:
    debrief.run("export", job, "--to", to, *options)
    opener = gzip.open if to.endswith(".gz") else open
    with opener(debrief.folder / to, "rt", encoding="utf-8") as file:
        timeline = json.load(file, parse_float=Decimal)
    check(timeline)
    return timeline


def check(timeline: dict) -> None:
    """What Perfetto needs: known phases, whole fields, names, nesting, arrows with two ends on slices."""
    listed = timeline["traceEvents"]
    assert timeline["baseTimeNanoseconds"] >= 0
    processes = {event["pid"] for event in listed if event["ph"] == "M" and event["name"] == "process_name"}
    threads = {
        (event["pid"], event["tid"]) for event in listed if event["ph"] == "M" and event["name"] == "thread_name"
    }
    assert len({thread for _, thread in threads}) == len(threads)
    assert not processes & {thread for _, thread in threads}
    arrows, slices, counters = defaultdict(dict), defaultdict(list), defaultdict(list)
    for event in listed:
        assert event["pid"] in processes
        if event["ph"] == "M":
            continue
        assert event["ts"] >= 0
        if event["ph"] == "C":
            assert event["args"] and all(isinstance(value, (int, Decimal)) for value in event["args"].values())
            counters[event["pid"], event["name"]].append(event["ts"])
            continue
        assert (event["pid"], event["tid"]) in threads
        if event["ph"] == "X":
            assert event["dur"] >= 0 and isinstance(event["name"], str) and isinstance(event["cat"], str)
            slices[event["tid"]].append((event["ts"], event["ts"] + event["dur"]))
        else:
            assert event["cat"] == "ac2g" and event["ph"] in "sf"
            assert event["ph"] not in arrows[event["id"]]
            arrows[event["id"]][event["ph"]] = (event["tid"], event["ts"])
    assert set(slices) == {thread for _, thread in threads}
    for times in counters.values():
        assert times == sorted(times)
    for spans in slices.values():
        check_nesting(spans)
    starts = {(thread, start) for thread, spans in slices.items() for start, _ in spans}
    for ends in arrows.values():
        assert set(ends) == {"s", "f"}
        assert set(ends.values()) <= starts


def check_nesting(spans: list) -> None:
    assert [start for start, _ in spans] == sorted(start for start, _ in spans)
    open_ends = []
    for start, end in spans:
        while open_ends and open_ends[-1] <= start:
            open_ends.pop()
        assert not open_ends or end <= open_ends[-1], "slices overlap without nesting"
        open_ends.append(end)


def by_category(timeline: dict) -> Counter:
    return Counter(f"X {event['cat']}" for event in timeline["traceEvents"] if event["ph"] == "X")


@pytest.mark.parametrize("name", SAMPLES)
def test_everything_is_there(debrief, name):
    job = SAMPLE_JOBS / name
    timeline = export(debrief, job)
    assert timeline["baseTimeNanoseconds"] == job_times(job)["start"] * 1000

    counts = sum(
        (Counter(trace_loading.category_counts(trace_loading.load(path))) for path in traces_of(job)), Counter()
    )
    found = by_category(timeline)
    for category in KEPT:
        assert found[category] == counts[category], category
    assert found["X cuda_runtime"] == sum(counts[category] for category in RUNTIME)

    recorded = Counter(
        (phase, str(event), start * 1000, duration * 1000) for phase, event, start, duration, _ in events(job)
    )
    base, phases = timeline["baseTimeNanoseconds"], {phase for phase, *_ in recorded}
    shown = Counter(
        (event["cat"], event["name"], int(event["ts"] * 1000) + base, int(event["dur"] * 1000))
        for event in timeline["traceEvents"]
        if event["ph"] == "X" and event["cat"] in phases
    )
    assert shown == recorded

    samples = [event for event in timeline["traceEvents"] if event["ph"] == "C" and "memory" not in event["name"]]
    assert len(samples) == sum(1 for _ in system_samples(job))
    allocator = [event for event in timeline["traceEvents"] if event["ph"] == "C" and "memory" in event["name"]]
    assert len(allocator) == counts["i cpu_instant_event"]


def test_slices_keep_their_nanoseconds_and_their_launches(debrief):
    job = SAMPLE_JOBS / "small-batch-mlp"
    timeline = export(debrief, job)
    base = timeline["baseTimeNanoseconds"]
    (path,) = traces_of(job)
    trace = trace_loading.load(path)
    kernels = [event for event in timeline["traceEvents"] if event["ph"] == "X" and event["cat"] == "kernel"]
    assert sorted(
        (int(event["ts"] * 1000) + base, int(event["dur"] * 1000), event["name"]) for event in kernels
    ) == sorted((each.start, each.length, each.name) for each in trace.of("kernel"))
    threads = {
        event["tid"]: event["args"]["name"]
        for event in timeline["traceEvents"]
        if event["ph"] == "M" and event["name"] == "thread_name"
    }
    processes = [
        event["args"]["name"]
        for event in timeline["traceEvents"]
        if event["ph"] == "M" and event["name"] == "process_name"
    ]
    assert {threads[event["tid"]] for event in kernels} == {"GPU 0 stream 7"}
    assert processes == [
        "algo-1 system metrics",
        "algo-1-723 python timeline",
        "algo-1-723",
        "algo-1-723 GPU 0 (NVIDIA H200)",
    ]
    arrows = defaultdict(dict)
    for event in timeline["traceEvents"]:
        if event["ph"] in "sf":
            arrows[event["id"]][event["ph"]] = int(event["ts"] * 1000) + base
    launched = [each for each in trace.of(*trace_loading.WORK) if each.launch]
    assert sorted((ends["s"], ends["f"]) for ends in arrows.values()) == sorted(
        (each.launch.start, each.start) for each in launched
    )
    one = next(event for event in kernels if event["args"].get("op") == "aten::addmm")
    assert {"correlation", "grid", "block", "device", "stream"} <= set(one["args"])
    assert any("Input Dims" in event["args"] for event in timeline["traceEvents"] if event.get("cat") == "cpu_op")


def test_steps(debrief):
    job = SAMPLE_JOBS / "gpt-train-eval"
    timeline = export(debrief, job, "--steps", "23..24", to="two-steps.json.gz")
    (path,) = traces_of(job)
    trace = trace_loading.load(path)
    (low, _, _), (_, high, _) = (step for step in trace.steps if step[2] in (23, 24))

    def within(each) -> bool:
        return each is not None and each.start < high and (each.end > low or each.start == each.end >= low)

    wanted = [each for each in trace.slices if within(each) or within(each.launch)]
    assert sum(by_category(timeline)[category] for category in (*KEPT, "X cuda_runtime")) == len(wanted)
    steps = {event["name"] for event in timeline["traceEvents"] if event.get("cat") == "user_annotation"}
    assert {"ProfilerStep#23", "ProfilerStep#24"} <= steps
    base = timeline["baseTimeNanoseconds"]
    counters = defaultdict(list)
    for event in timeline["traceEvents"]:
        if event["ph"] == "C":
            counters[event["name"]].append(int(event["ts"] * 1000) + base)
    for name, times in counters.items():
        if "memory" not in name:  # the counter has a value all along, and nothing beyond
            assert times[0] <= low and times[-1] >= high and all(low <= time < high for time in times[1:-1])
    debrief.run("export", job, "--to", "again.json.gz", "--steps", "23..24")
    assert (debrief.folder / "again.json.gz").read_bytes() == (debrief.folder / "two-steps.json.gz").read_bytes()


def test_recorded_steps_of_a_job_without_such_profiled_ones(debrief):
    timeline = export(debrief, SAMPLE_JOBS / "resnet50-healthy", "--steps", "40")
    steps = [
        event for event in timeline["traceEvents"] if event["ph"] == "X" and event.get("args", {}).get("step") == 40
    ]
    assert Counter(event["cat"] for event in steps)["Step:ModeKeys.TRAIN"] == 1
    assert not any(event.get("cat") == "kernel" for event in timeline["traceEvents"])


def test_times(debrief):
    job = SAMPLE_JOBS / "dataloader-starved"
    start = job_times(job)["start"]
    by_seconds = export(debrief, job, "--from", "30", "--until", "31.5")
    iso = duckdb.execute(
        "select strftime(make_timestamp(?), '%Y-%m-%dT%H:%M:%S.%fZ')", [start + 30_000_000]
    ).fetchone()[0]
    assert (
        export(debrief, job, "--from", iso, "--until", f"{(start + 31_500_000) / 1e6:.6f}", to="absolute.json")
        == by_seconds
    )
    for event in by_seconds["traceEvents"]:
        if event["ph"] == "X":
            assert event["ts"] < 31_500_000 and event["ts"] + event["dur"] > 30_000_000
    found = sum(event["ph"] == "X" for event in by_seconds["traceEvents"])
    assert (
        found
        == sum(
            begin < start + 31_500_000 and begin + duration > start + 30_000_000
            for _, _, begin, duration, _ in events(job)
        )
        > 0
    )
    late = export(debrief, job, "--from", "30")
    early = export(debrief, job, "--until", "30")
    whole = export(debrief, job)
    count = {
        name: sum(event["ph"] == "X" for event in timeline["traceEvents"])
        for name, timeline in (("late", late), ("early", early), ("whole", whole))
    }
    assert count["late"] + count["early"] >= count["whole"] > max(count["late"], count["early"])


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--steps", "90000..90001"), "it has profiled steps 22 to 25 and recorded steps"),
        (("--steps", "x"), "not a range of steps"),
        (("--steps", "5..4"), "not a range of steps"),
        (("--steps", "22", "--from", "3"), "leave out --from and --until"),
        (("--from", "100000"), "nothing was recorded then; the job has data from 2026-11-14T"),
        (("--until", "2026-11-13T00:00:00Z"), "nothing was recorded then"),
        (("--from", "soon"), "is not a time"),
        (("--from", "9", "--until", "3"), "swap them"),
        (("--table", "metrics"), "leave out --table"),
    ],
)
def test_a_range_that_selects_nothing_is_an_error(debrief, options, sentence):
    assert sentence in debrief.refused("export", SAMPLE_JOBS / "gpt-train-eval", "--to", "timeline.json", *options)
    assert list(debrief.folder.iterdir()) == []


def test_a_table_takes_no_range(debrief):
    assert "are for timelines" in debrief.refused(
        "export", SAMPLE_JOBS / "gpt-train-eval", "--to", "slices.csv", "--steps", "22"
    )


def test_ranks_have_processes_of_their_own(debrief):
    timeline = export(debrief, SAMPLE_JOBS / "ddp-gloo-straggler")
    names = Counter(event["args"]["name"] for event in timeline["traceEvents"] if event["name"] == "process_name")
    assert max(names.values()) == 1
    assert {"algo-1-553 (rank 0)", "algo-1-554 (rank 1)"} <= set(names)


@pytest.mark.parametrize(
    "name",
    [
        "amd_trace",
        "cpu_only",
        "critical_path",
        "nccl_parser_config",
        "ns_resolution_trace",
        "rank_unavailable",
        "trace_filter",
        "triton_example",
    ],
)
def test_public_traces(debrief, name):
    folder = shared("samples", "kineto", name)
    found = by_category(export(debrief, folder))
    counts = Counter()
    for path in folder.rglob("*.json.gz"):
        counts += Counter(each.kind for each in trace_loading.load(path).slices)
    assert found.total() == counts.total()
    assert found["X kernel"] == counts["kernel"]


def test_names_cannot_break_the_file(debrief):
    names = ['quote " and \\ backslash', "</script>", "line\nbreak\ttab", "\u202eoverride", "NUL \u0000", "émoji 🙂"]
    listed = [
        {
            "ph": "X",
            "cat": "cpu_op",
            "name": name,
            "pid": 1,
            "tid": 2,
            "ts": 1e15 + 10 * i,
            "dur": 5,
            "args": {"Input Dims": [[1]]},
        }
        for i, name in enumerate(names)
    ]
    listed.append({"ph": "M", "name": "thread_name", "pid": 1, "tid": 2, "args": {"name": 'a "thread"\n'}})
    (debrief.folder / "in").mkdir()
    text = json.dumps({"schemaVersion": 1, "traceEvents": listed})
    (debrief.folder / "in" / "w_1.1.pt.trace.json").write_text(text)
    timeline = export(debrief, debrief.folder / "in")
    found = [event["name"] for event in timeline["traceEvents"] if event["ph"] == "X"]
    assert found == [
        'quote " and \\ backslash',
        "</script>",
        "line\\nbreak\\ttab",
        "\\u{202e}override",
        "NUL \\u{0000}",
        "émoji 🙂",
    ]


def test_an_exported_timeline_reads_as_a_trace(debrief):
    """Categories and arguments are the recorder's own, so that tools for such traces read the file."""
    job = SAMPLE_JOBS / "small-batch-mlp"
    export(debrief, job, to="timeline.json")
    before, after = debrief.result(job)["traces"], debrief.result(debrief.folder / "timeline.json")["traces"]
    assert after["kernels"] == before["kernels"]
    assert after["operators"]["by_name"] == before["operators"]["by_name"]


@pytest.mark.parametrize("name", ["gpt-train-eval", "ddp-gloo-straggler"])
def test_slices_as_a_table(debrief, name):
    job = SAMPLE_JOBS / name
    debrief.run("export", job, "--to", "slices.parquet", "--quiet")
    path = debrief.folder / "slices.parquet"
    rows = duckdb.execute(
        f"select kind, name, start_ns, duration_ns, correlation, op, device, stream, step, launch_ns, bytes, rank, epoch_ns(time) from '{path}'"
    ).fetchall()
    expected = []
    for number, trace in enumerate(trace_loading.load(each) for each in traces_of(job)):
        for each in trace.slices:
            moment = each.launch.start if each.launch else each.start
            step = next((number for start, end, number in trace.steps if start <= moment < end), None)
            gpu, device, stream = each.track
            expected.append(
                (
                    {"op": "operator", "gpu annotation": "GPU annotation", "gpu wait": "GPU wait"}.get(
                        each.kind, each.kind
                    ),
                    each.name,
                    each.start,
                    each.length,
                    each.args.get("correlation"),
                    each.op.name if each.op else None,
                    device if gpu else None,
                    stream if gpu else None,
                    step,
                    each.launch.start if each.launch else None,
                    each.args.get("bytes"),
                    number if "ddp" in name else None,
                    each.start // 1000 * 1000,
                )
            )  # DuckDB keeps microseconds
    key = lambda row: tuple(str(cell) for cell in row)  # noqa: E731
    assert sorted(rows, key=key) == sorted(expected, key=key)


def test_a_job_without_traces_has_no_slices(debrief):
    job = SAMPLE_JOBS / "small-batch-mlp" / "profiler-output"
    assert "the job has no slices; it has" in debrief.refused("export", job, "--to", "slices.csv")
