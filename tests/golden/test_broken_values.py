"""Numbers, times and names that no recorder should write: what means nothing is counted, the rest is true."""

import json

import pytest
from conftest import SAMPLES
from cut_samples import METRICS, TIMELINES, TRACES, cut_sample
from fault_case import Case, section
from small_job import START

NOT_JSON = "line is not valid JSON"
NO_MEASUREMENT = "percentage that is not a measurement"
NO_TIME = "Timestamp is missing or not a time of this century"
LONG = 10_000  # characters of a name
MB = 1_000_000


def metric(kind="cpu", name="cpu0", dimension="CPUUtilization", value="5", node="algo-1", time=None, at=0.0) -> str:
    time = repr(START + at) if time is None else time
    return f'{{"Type":"{kind}","Name":"{name}","Dimension":"{dimension}","Value":{value},"NodeId":"{node}","Timestamp":{time}}}\n'


def metrics_file(lines: list, node: str = "algo-1") -> dict:
    return {f"system/incremental/2026111423/{START}.{node}.json": "".join(lines).encode()}


def good_lines(count: int = 60, **more) -> list:
    return [metric(at=number / 2, value=str(number % 50), **more) for number in range(count)]


@pytest.mark.parametrize(
    ("value", "loss", "repaired"),
    [
        ("NaN", NOT_JSON, None),
        ("Infinity", NOT_JSON, None),
        ("-Infinity", NOT_JSON, None),
        ("1e400", NOT_JSON, None),
        ("null", NOT_JSON, None),
        ('"7"', NOT_JSON, None),
        ("", NOT_JSON, None),
        ("07", NOT_JSON, None),
        ("[1]", NOT_JSON, None),
        ("1e308", NO_MEASUREMENT, None),
        ("-1e308", NO_MEASUREMENT, None),
        ("4294967295", NO_MEASUREMENT, None),
        ("-1", NO_MEASUREMENT, None),
        ("104.5", None, "percentage above 100 set to 100"),
        ("-19.61", None, "negative value set to 0"),
        ("-0.0", None, None),
        ("4.9e-324", None, None),
        ("100.00000000000000000000000000000000001", None, None),
    ],
)
def test_values_of_metrics(faults, value, loss, repaired):
    odd = [metric(at=40 + number / 2, value=value) for number in range(7)]
    outcome = faults.one(f"value {value}", metrics_file(good_lines() + odd))
    assert outcome.lost() == ({loss: 7} if loss else {})
    assert outcome.lost("repaired") == ({repaired: 7} if repaired else {})
    assert outcome.read(METRICS)["samples"] == (60 if loss else 67)


@pytest.mark.parametrize("value", ["1e308", "1.7976931348623157e308", "4.9e-324", "1e15"])
def test_amounts_that_no_machine_has(faults, value):
    """Sums of them are beyond what a number can hold."""
    kinds = [
        ("network", "ReceiveBytesPerSecond", "Algorithm"),
        ("network", "TransmitBytesPerSecond", "Algorithm"),
        ("i/o", "IOPS", ""),
        ("i/o", "ReadThroughputInBytesPerSecond", ""),
        ("something", "else", "entirely"),
    ]
    lines = good_lines()
    for kind, name, dimension in kinds:
        lines += [metric(kind, name, dimension, value, at=number / 2) for number in range(60)]
        lines += [metric("something", "else", "entirely", f"-{value}", at=30 + number / 2) for number in range(3)]
    faults.one(f"amounts of {value}", metrics_file(lines))


@pytest.mark.parametrize(
    "time", ["-1", "0", "-1e308", "1e308", "NaN", "4102444800", "946684799", "1e18", "null", '"now"', "1794700000000"]
)
def test_times_of_metrics_that_are_no_moments(faults, time):
    outcome = faults.one(f"time {time}", metrics_file(good_lines() + [metric(time=time)] * 5))
    assert outcome.lost() == {NOT_JSON if time in ("NaN", "null", '"now"') else NO_TIME: 5}
    assert outcome.read(METRICS)["samples"] == 60


def test_a_far_future_is_another_job(faults):
    """Of this century all the same: told apart by the silence between, and said."""
    outcome = faults.one("in 2099", metrics_file(good_lines() + [metric(time="4090000000.5")] * 2))
    (other,) = outcome.quality["other_jobs"]
    assert other["samples"] == 1  # the same moment twice counts once
    assert outcome.result["job"]["job_duration_in_seconds"] < 60


def test_a_clock_that_jumps(faults):
    """Back and forth again: no sample is lost, and the gaps are seen."""
    cut = cut_sample("resnet50-healthy")
    lines = [json.loads(line) for line in cut.text("metrics").splitlines()]
    whole = faults.one("clock does not jump", cut.files)
    for jump in (-10.0, 10.0, -600.0, 600.0):
        moved = [
            line | {"Timestamp": line["Timestamp"] + (jump if 100 <= number < 200 else 0)}
            for number, line in enumerate(lines)
        ]
        text = "".join(f"{json.dumps(line)}\n" for line in moved)
        outcome = faults.one(f"clock jumps by {jump}", cut.among_others("metrics", text))
        assert outcome.read(METRICS)["samples"] == len(lines)
        assert outcome.lost() == outcome.lost("repaired") == {}
        samples, gaps = ([node[key] for node in outcome.quality["nodes"]] for key in ("samples", "gap_count"))
        assert samples == [node["samples"] for node in whole.quality["nodes"]]
        assert gaps == [2]  # where the samples were, and between them and the others


def test_devices_and_nodes_that_stop_being_sampled(faults):
    """Each is named with what of it is missing, on the page too; none of it is taken for idle."""
    lines = []
    for number in range(400):
        at = number / 2
        lines += [metric(at=at)]
        lines += [metric("gpu", "gpu0", "GPUUtilization", "90", at=at)]
        lines += [metric("gpu", "gpu2", "GPUUtilization", "90", at=at)] if at < 100 else []
    files = metrics_file(lines) | metrics_file(
        [metric(node="algo-2", at=30 + number / 2) for number in range(200)], "algo-2"
    )
    outcome = faults.one("devices and nodes that stop", files)
    first, second = outcome.quality["nodes"]
    assert first["missing_devices"] == ["gpu1"]
    assert first["less_sampled"] == [{"device": "gpu2", "samples": 200, "unsampled_seconds": 100.0}]
    assert first["unsampled_at_start_seconds"] == first["unsampled_at_end_seconds"] == 0
    assert second["unsampled_at_start_seconds"] == 30
    assert second["unsampled_at_end_seconds"] == pytest.approx(199.5 - 129.5)
    said = " ".join(section(outcome.page, "data-quality").split())
    assert (
        "no samples at the job's start on algo-2; no samples at the job's end on algo-2; sampled only part of the "
        "time: algo-1 gpu2; no samples from algo-1 gpu1"
    ) in said
    busy = {row["device"]: row for row in outcome.result["devices"] if row["metric"] == "GPU"}
    assert busy["gpu2"]["p50"] == 90


@pytest.mark.parametrize("skew", [-45.0, 45.0, 900.0])
def test_nodes_with_different_clocks(faults, skew):
    files = {}
    for node, offset in (("algo-1", 0), ("algo-2", 0), ("algo-3", skew)):
        files |= metrics_file([metric(node=node, at=offset + number / 2, value="50") for number in range(120)], node)
    outcome = faults.one(f"clocks {skew} s apart", files)
    (row,) = outcome.quality["clock_skew"]
    assert row["node"] == "algo-3"
    assert row["seconds"] == pytest.approx(skew, abs=1)


def test_a_node_of_another_day(faults):
    """A clock that is a day off makes another job of its node, which is named as missing."""
    files = metrics_file(good_lines(120)) | metrics_file(
        [metric(node="algo-2", at=86_400 + number / 2) for number in range(60)], "algo-2"
    )
    outcome = faults.one("a day apart", files)
    assert [row["samples"] for row in outcome.quality["other_jobs"]] == [60]


TIMES = [
    "NaN",
    "Infinity",
    "-Infinity",
    "1e308",
    "-1e308",
    "1e400",
    "-5",
    "9223372036854775807",
    "18446744073709551616",
    "null",
    '"x"',
    "[]",
    "{}",
    "1e18",
    "0.0000001",
]


@pytest.mark.parametrize("key", ["ts", "dur"])
def test_times_of_timelines(faults, key):
    cut = cut_sample("ddp-gloo-straggler")
    lines = cut.text("timeline").splitlines()
    cases = []
    for value in TIMES:
        event = {"ts": "7000000", "dur": "5"} | {key: value}
        odd = f'{{"name": "odd", "pid": 1, "ph": "X", "ts": {event["ts"]}, "dur": {event["dur"]}, "args": {{"step_num": "3"}}}},'
        cases.append(
            Case(
                f"timeline with {key} {value}", cut.among_others("timeline", "\n".join([*lines[:60], odd, *lines[60:]]))
            )
        )
    for outcome in faults.all(cases):
        timelines = outcome.read(TIMELINES)
        lost = sum(outcome.lost().values())
        assert timelines["records"] == 121, outcome.label
        assert timelines["events"] == 113 - lost, outcome.label
        assert lost <= 1, outcome.label


@pytest.mark.parametrize("key", ["ts", "dur"])
def test_times_of_traces(faults, key):
    cut = cut_sample("small-batch-mlp")
    head, begin, rest = cut.text("trace").partition('"traceEvents": [\n')
    whole = faults.one("whole", cut.files)
    cases = []
    for value in TIMES:
        event = {"ts": "3846199428147.047", "dur": "5"} | {key: value}
        odd = f'  {{\n    "ph": "X", "cat": "cpu_op", "name": "odd", "pid": 723, "tid": 723, "ts": {event["ts"]}, "dur": {event["dur"]}\n  }},\n'
        cases.append(Case(f"trace with {key} {value}", cut.among_others("trace", head + begin + odd + rest)))
    for outcome in faults.all(cases):
        lost = sum(outcome.lost().values())
        assert outcome.read(TRACES)["records"] == whole.read(TRACES)["records"] + 1, outcome.label
        assert outcome.read(TRACES)["events"] == whole.read(TRACES)["events"] + 1 - lost, outcome.label


@pytest.mark.parametrize(
    "base", ["-1", "0", "9223372036854775807", "1e308", "NaN", '"soon"', "4102444800000000000", "null"]
)
def test_origins_of_traces(faults, base):
    cut = cut_sample("gpt-train-eval")
    before, key, after = cut.text("trace").partition('"baseTimeNanoseconds": ')
    text = before + key + base + after[after.index(",") :]
    faults.one(f"origin {base}", cut.only("trace", text))


@pytest.mark.parametrize("sample", SAMPLES[:2])
def test_names_of_ten_thousand_characters(faults, sample):
    """In every place that has a name. The page stays within its size and says the job's own name."""
    cut = cut_sample(sample)
    name = "n" * LONG
    description = json.loads(cut.files["job.json"]) | {"TrainingJobName": name, "HyperParameters": {name: name}}
    timeline = cut.text("timeline").replace('"name": "Forward"', f'"name": "{name}"').replace('"DDP"', f'"{name}"')
    trace = cut.text("trace")
    for known in ("aten::copy_", "aten::empty", "aten::to", "cudaLaunchKernel"):
        trace = trace.replace(f'"name": "{known}"', f'"name": "{known}{name}"')
    trace = trace.replace('"cat": "kernel", "name": "', f'"cat": "kernel", "name": "{name}')
    files = (
        cut.files
        | {"job.json": json.dumps(description).encode()}
        | cut.only("timeline", timeline)
        | cut.only("trace", trace)
    )
    files[cut.metrics] = cut.text("metrics").replace('"algo-1"', f'"{name}"').replace('"gpu0"', f'"{name}"').encode()
    outcome = faults.one(f"long names in {sample}", files)
    assert len(outcome.page) < 8 * MB
    assert outcome.result["job"]["name"] == name


def test_paths_of_four_thousand_characters(faults):
    cut = cut_sample("small-batch-mlp")
    folder = "/".join("d" * 240 for _ in range(15))
    outcome = faults.one("long path", {f"{folder}/{cut.metrics}": cut.files[cut.metrics], f"{folder}/odd.bin": b"?"})
    assert outcome.read(METRICS)["samples"] == 300
    (ignored,) = outcome.quality["ignored"]
    assert ignored["path"] == f"{folder}/odd.bin"
    assert f"{folder}/odd.bin" in section(outcome.page, "data-quality")
