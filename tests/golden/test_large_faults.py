"""Too much of something: files, names, brackets, bytes in a line, bytes in an archive. Memory and time stay bounded."""

import gzip
import os

import pytest
from conftest import ROOT, SAMPLE_JOBS
from cut_samples import METRICS, TIMELINES, TRACES
from fault_case import Case
from job_files import START

MB = 1_000_000
FILES = 100_000
NAMES = 1_000_000
TRACE_HEAD = f'{{"schemaVersion": 1, "baseTimeNanoseconds": {START * 1_000_000_000}, "traceEvents": [\n'
PEVENTS = f"framework/pevents/2024081508/{START}000000_7-algo-1_pythontimeline.json"
BOMB = "unpacks to more than 200 times its size; --max-unpack raises this limit"


def line(at: float, node: str = "algo-1") -> bytes:
    return (
        f'{{"Type":"cpu","Name":"cpu0","Dimension":"CPUUtilization","Value":5.00,"NodeId":"{node}","Timestamp":{START + at:.6f}}}\n'
    ).encode()


def write(path: str, content: bytes) -> None:
    """As Path.write_bytes, in half the time."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    os.write(file, content)
    os.close(file)


def test_a_hundred_thousand_files(faults):
    """A third of them metrics, a third timelines, a third broken."""
    job = faults.folder / "job"
    broken = faults.folder / "broken"
    write(broken, b"\x1f\x8b\x08")
    for number in range(0, FILES, 3):
        folder = f"{job}/system/incremental/{number // 1000:010d}"
        if number % 1000 < 3:
            os.makedirs(folder)
        write(f"{folder}/{START + number}.algo-1.json", line(number / 20))
        timeline = (
            f'[{{"name":"process_name","ph":"M","pid":0,"args":{{"start_time_since_epoch_in_micros":{START}000000}}}},'
            f'{{"name":"a","ph":"X","pid":0,"ts":{number * 50_000},"dur":9}}]'
        )
        write(f"{folder}/{START}{number:06d}_7-algo-1_pythontimeline.json", timeline.encode())
        os.link(broken, f"{folder}/{number}.bin")
    count = len(range(0, FILES, 3))
    outcome = faults.one("many files", job=str(job), size=20 * MB)
    assert outcome.read(METRICS)["files"] == outcome.read(METRICS)["samples"] == count
    assert outcome.read(TIMELINES)["events"] == count
    assert outcome.lost("damaged_files") == {"compressed data is cut off": count}
    assert len(outcome.page) < 2 * MB


def test_a_million_names_in_a_trace(faults):
    names = "".join(
        f'{{"ph":"X","cat":"cpu_op","name":"op::{n:x}","pid":1,"tid":1,"ts":{n * 10},"dur":5}},\n' for n in range(NAMES)
    )
    text = (TRACE_HEAD + names.removesuffix(",\n") + "]}").encode()
    (faults.folder / "names.pt.trace.json").write_bytes(text)
    outcome = faults.one("names in a trace", job=str(faults.folder / "names.pt.trace.json"), size=11 * len(text) // 5)
    assert outcome.read(TRACES)["events"] == NAMES
    assert outcome.result["traces"]["operators"]["names"] == NAMES
    assert len(outcome.page) < 8 * MB


def test_a_million_names_in_a_timeline(faults):
    names = "".join(f'{{"name": "op{n:x}", "pid": 1, "ph": "X", "ts": {n * 10}, "dur": 5}},\n' for n in range(NAMES))
    head = f'[\n{{"name": "process_name", "ph": "M", "pid": 1, "args": {{"name": "GPU functions", "start_time_since_epoch_in_micros": {START}000000}}}},\n'
    (faults.folder / PEVENTS).parent.mkdir(parents=True)
    (faults.folder / PEVENTS).write_text(head + names)
    outcome = faults.one("names in a timeline", job=str(faults.folder), size=2 * len(names))
    assert outcome.read(TIMELINES)["events"] == NAMES
    assert len(outcome.page) < 8 * MB


def test_a_thousand_nodes_and_cores(faults):
    """One sample each; no page can show them all."""
    lines = [line(n / 100, f"algo-{n}") for n in range(1000)]
    lines += [line(n / 1000).replace(b"cpu0", f"cpu{n}".encode()) for n in range(4000)]
    outcome = faults.one("nodes and cores", {f"system/{START}.algo-1.json": b"".join(lines)})
    assert outcome.read(METRICS)["samples"] == len(lines)


@pytest.mark.parametrize("bracket", ["[", "{", '{"a":', '[{"a":', "[[],", '{"a":[},', '{"n":[{},'])
def test_deep_nesting(faults, bracket):
    """As all of a file, and inside of an event; closed and not."""
    closed = {"[": "]", "{": "}", '{"a":': "}", '[{"a":': "}]", "[[],": "]", '{"a":[},': "", '{"n":[{},': "]}"}[bracket]
    deep = bracket * 100_000
    whole = deep + "1" + closed * 100_000
    good = '{"name": "good", "ph": "X", "pid": 1, "tid": 1, "ts": 5, "dur": 1, "cat": "cpu_op"}'
    cases = []
    for text in (
        deep,
        whole,
        "[" + deep,
        f"[{good},{deep}",
        f'[{good},{{"name": "deep", "args": {whole}}},{good}]',
        f'{{"schemaVersion": 1, "deep": {whole}, "traceEvents": [{good}, {good}]}}',
        f'{{"schemaVersion": 1, "traceEvents": [{good}, {good}], "deep": {whole}}}',
        f'{{"schemaVersion": 1, "traceEvents": [{good},{{"name": "x", "args": {whole}, "ph": "X"}},{good}]}}',
    ):
        for path in (
            PEVENTS,
            "x.pt.trace.json",
            f"system/{START}.algo-1.json",
            "job.json",
            "profiler-reports/LowGPUUtilization.json",
        ):
            label = f"{bracket} in {path}"
            cases.append(Case(label, {path: text.encode(), "system/1723709761.algo-2.json": line(1)}))
    assert all(outcome.code in (0, 3) for outcome in faults.all(cases))


def test_brackets_that_never_fit(faults):
    """Each seems to open an event that goes on to the end of the file."""
    cases = []
    for pattern in ('{"a":[},', '{"n":[{},{"name":!,', '{},{"name":"', '\\"},{"pid":['):
        text = "[" + pattern * (5 * MB // len(pattern))
        for path in (PEVENTS, "x.pt.trace.json"):
            cases.append(Case(f"{pattern} in {path}", {path: text.encode(), "system/1723709761.algo-2.json": line(1)}))
    for outcome in faults.all(cases):
        assert outcome.code == 3, outcome.label


def members(piece: bytes, count: int) -> bytes:
    """A gzip file of many members, each of which unpacks to `piece`."""
    return gzip.compress(piece, mtime=0) * count


@pytest.mark.parametrize(
    "path",
    [PEVENTS, "x.pt.trace.json", f"system/{START}.algo-1.json", "job.json", "profiler-reports/LowGPUUtilization.json"],
)
def test_a_line_without_an_end(faults, path):
    """A quarter of a gigabyte of it, in an archive that may unpack to that much."""
    head = (
        '{"RuleTriggered": 1, "Details": "'
        if "reports" in path
        else '{"TrainingJobName": "'
        if path == "job.json"
        else '[{"name": "'
    )
    for filler in (b"x", b" ", b"\0", b"["):
        content = gzip.compress(head.encode()) + members(filler * MB, 250)
        files = {path: content, "system/1723709761.algo-2.json": line(1)}
        outcome = faults.one(f"endless {filler} in {path}", files, options=("--max-unpack", "100000"))
        assert outcome.code == 3
        assert outcome.read(METRICS)["samples"] == 1


def test_a_bomb_is_left_out_from_its_limit_on(faults):
    """A gigabyte in a megabyte: what came before the limit counts."""
    lines = b"".join(line(number / 10) for number in range(100))
    bomb = gzip.compress(lines, mtime=0) + members(b"\0" * MB, 1000)
    outcome = faults.one("bomb of metrics", {f"system/{START}.algo-1.json.gz": bomb})
    assert outcome.lost("damaged_files") == {BOMB: 1}
    assert outcome.read(METRICS)["samples"] == 100
    assert outcome.read(METRICS)["decoded_bytes"] == 200 * len(bomb)


def test_the_limit_of_archives_can_be_moved(faults):
    events = ",".join(
        f'{{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":{100 * n},"dur":5}}' + " " * 20_000
        for n in range(400)
    )
    packed = gzip.compress((TRACE_HEAD + events + "]}").encode(), mtime=0)
    files = {"x.pt.trace.json.gz": packed}
    usual, raised, lowered = faults.all(
        [
            Case("usual", files),
            Case("raised", files, options=("--max-unpack", "1000"), size=len(events)),
            Case("lowered", files, options=("--max-unpack", "3")),
        ]
    )
    assert len(events) > 200 * len(packed)
    assert usual.lost("damaged_files") == {BOMB: 1}
    assert 0 < usual.read(TRACES)["events"] < 400
    assert raised.code == 0
    assert raised.read(TRACES)["events"] == 400
    assert raised.result["provenance"]["parameters"] == {"max-unpack": "1000"}
    assert lowered.read(TRACES)["decoded_bytes"] == MB  # small files always unpack to this much
    for text in (faults.run("report", "--help").stdout, (ROOT / "docs/debrief.1").read_text().replace("\\", "")):
        assert "Default: 200" in text[text.index("--max-unpack") :][:400]


def test_samples_pack_far_below_the_limit():
    for path in SAMPLE_JOBS.rglob("*.gz"):
        packed = path.read_bytes()
        assert len(gzip.decompress(packed)) < 50 * len(packed)
