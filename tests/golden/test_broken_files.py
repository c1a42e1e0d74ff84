"""Files that are cut off, damaged, shuffled or empty: what is whole counts, and what is lost is counted."""

import bz2
import gzip
import io
import json
import lzma
import random
import tarfile

import pytest
from conftest import SAMPLES
from cut_samples import METRICS, TIMELINES, TRACES, cut_sample
from fault_case import Case
from faults import times
from small_job import START

CUT_TRACE = "trace is cut off: its end is missing"


def positions(text: str | bytes, label: str, count: int) -> list[int]:
    """Where to cut: at both ends, and anywhere."""
    return [0, 1, len(text) - 1, *random.Random(label).sample(range(2, len(text) - 1), times(count))]


def test_metrics_cut_anywhere(faults):
    cases, expected = [], []
    for sample in SAMPLES:
        cut = cut_sample(sample)
        text = cut.text("metrics")
        ends = [at for at, c in enumerate(text) if c == "\n"]
        for size in [*positions(text, sample, 8), ends[0], ends[0] + 1, ends[7], ends[7] + 1, ends[7] + 2]:
            cases.append(Case(f"metrics of {sample} cut at {size}", cut.only("metrics", text[:size])))
            *whole, rest = text[:size].split("\n")
            expected.append((len(whole) + rest.endswith("}"), rest != "" and not rest.endswith("}")))
    for outcome, (samples, lost) in zip(faults.all(cases), expected, strict=True):
        if samples == 0:
            assert outcome.code == 2, outcome.label
            assert ("last line is cut off" if lost else "empty file") in outcome.sentence, outcome.label
            continue
        assert outcome.read(METRICS)["samples"] == samples, outcome.label
        assert outcome.lost() == ({"last line is cut off": 1} if lost else {}), outcome.label
        assert outcome.code == (3 if lost else 0), outcome.label


def test_timelines_cut_anywhere(faults):
    cases, expected = [], []
    for sample in SAMPLES:
        cut = cut_sample(sample)
        text = cut.text("timeline")
        for size in positions(text, sample, 8):
            cases.append(Case(f"timeline of {sample} cut at {size}", cut.only("timeline", text[:size])))
            lines = text[:size].split("\n")[1:]
            whole = [line for line in lines if line.removesuffix(",").endswith("}}")]
            expected.append(
                (
                    sum('"ph": "X"' in line for line in whole),
                    "{" in lines[-1] and lines[-1] not in whole if lines else False,
                )
            )
    for outcome, (events, lost) in zip(faults.all(cases), expected, strict=True):
        if events == 0:
            assert outcome.code == 2, outcome.label
            continue
        assert outcome.read(TIMELINES)["events"] == events, outcome.label
        assert outcome.lost() == ({"file is cut off inside an event": 1} if lost else {}), outcome.label


def test_traces_cut_anywhere(faults):
    """Among the job's other files, which are read as if nothing was wrong."""
    cases, expected = [], []
    for sample in SAMPLES:
        cut = cut_sample(sample)
        text = cut.text("trace")
        first = text.index('"traceEvents"')
        for size in positions(text, sample, 6):
            cases.append(Case(f"trace of {sample} cut at {size}", cut.among_others("trace", text[:size])))
            expected.append((text[first:size].count("\n  }"), size >= len(text.rstrip()), size))
    for outcome, (events, whole, size) in zip(faults.all(cases), expected, strict=True):
        assert outcome.read(METRICS)["samples"] == 300, outcome.label
        assert outcome.read(TIMELINES)["records"] == 120, outcome.label
        assert outcome.read(TRACES)["records"] == events, outcome.label
        if events > 0 and not whole:
            assert CUT_TRACE in outcome.lost("damaged_files"), outcome.label
        if size > 0 and not whole:
            assert outcome.code == 3, outcome.label


def test_compressed_files_cut_anywhere(faults):
    cases = []
    for sample in SAMPLES:
        cut = cut_sample(sample)
        for kind in ("metrics", "timeline", "trace"):
            packed = gzip.compress(cut.text(kind).encode(), mtime=0)
            for size in [2, *positions(packed, sample + kind, 1)[2:]]:  # one byte does not show that it was compressed
                cases.append(Case(f"{kind} of {sample}, packed, cut at {size}", cut.among_others(kind, packed[:size])))
    for outcome in faults.all(cases):
        assert outcome.code == 3, outcome.label
        assert outcome.lost("damaged_files")["compressed data is cut off"] == 1, outcome.label


def flipped(content: bytes, rng: random.Random, bits: int) -> bytes:
    out = bytearray(content)
    for _ in range(bits):
        out[rng.randrange(len(out))] ^= 1 << rng.randrange(8)
    return bytes(out)


@pytest.mark.parametrize("bits", [1, 40])
def test_flipped_bits_cost_no_more_than_the_records_that_they_hit(faults, bits):
    cases = []
    rng = random.Random(bits)
    for sample in SAMPLES:
        cut = cut_sample(sample)
        for kind in ("metrics", "timeline", "trace"):
            for number in range(times(4)):
                content = flipped(cut.text(kind).encode(), rng, bits)
                cases.append(Case(f"{kind} of {sample}, {bits} flipped, {number}", cut.among_others(kind, content)))
    for outcome in faults.all(cases):
        assert outcome.code in (0, 3), outcome.label
        metrics, traces = outcome.read(METRICS), outcome.read(TRACES)
        lost = outcome.lost()
        lost.pop("sample of a core or a GPU without its Name", None)  # it was a sample when it was read
        assert metrics["samples"] >= 300 - 2 * bits, outcome.label
        assert traces["records"] >= 131 - 2 * bits or "no list of events in the file" in outcome.lost(
            "damaged_files"
        ), outcome.label
        if outcome.label.startswith("metrics"):
            assert metrics["records"] == metrics["samples"] + sum(lost.values()), outcome.label


def test_flipped_bits_of_compressed_files_are_seen(faults):
    cases = []
    rng = random.Random(3)
    for sample in SAMPLES:
        cut = cut_sample(sample)
        for kind in ("metrics", "timeline", "trace"):
            packed = gzip.compress(cut.text(kind).encode(), mtime=0)
            for number in range(times(2)):
                content = packed[:10] + flipped(packed[10:], rng, 1)  # the first ten say nothing about the content
                cases.append(Case(f"{kind} of {sample}, packed, flipped, {number}", cut.among_others(kind, content)))
    for outcome in faults.all(cases):
        assert outcome.code == 3, outcome.label
        assert outcome.lost("damaged_files"), outcome.label


def without_size(result: dict) -> dict:
    """The result but for how much was read of which file."""
    quality = {**result["data_quality"], "sources": None, "repaired": None}
    return {**result, "data_quality": quality}


def test_the_order_of_lines_does_not_matter(faults):
    for sample in SAMPLES:
        cut = cut_sample(sample)
        lines = cut.text("metrics").splitlines(keepends=True)
        first, *others = cut.text("timeline").splitlines()[1:-1]
        names = [line for line in others if "process_name" in line]
        events = [line for line in others if "process_name" not in line]
        rng = random.Random(sample)
        cases = [Case("as it was", cut.files)]
        for number in range(times(2)):
            swapped = lines.copy()
            for _ in range(len(lines) if number % 2 else 1):
                a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
                swapped[a], swapped[b] = swapped[b], swapped[a]
            shuffled = rng.sample([line.removesuffix(",") for line in events], len(events))
            timeline = ",\n".join([line.removesuffix(",") for line in (first, *names)] + shuffled)
            files = cut.among_others("metrics", "".join(swapped)) | cut.only("timeline", f"[\n{timeline}\n]\n")
            cases.append(Case(f"{sample}, swapped {number}", files))
        whole, *outcomes = faults.all(cases)
        for outcome in outcomes:
            assert without_size(outcome.result) == without_size(whole.result), outcome.label
            assert outcome.lost("repaired") == {}


def test_repeated_lines_count_once(faults):
    for sample in SAMPLES:
        cut = cut_sample(sample)
        lines = cut.text("metrics").splitlines(keepends=True)
        again = sorted([*lines, *random.Random(sample).sample(lines, 25)])
        whole, some, all_of_it = faults.all(
            [
                Case("as it was", cut.files),
                Case("some repeated", cut.among_others("metrics", "".join(again))),
                Case("all repeated", cut.among_others("metrics", "".join(lines + lines))),
            ]
        )
        for outcome, count in ((some, 25), (all_of_it, len(lines))):
            assert without_size(outcome.result) == without_size(whole.result), outcome.label
            (repaired,) = outcome.lost("repaired").values()
            assert repaired == count


def test_two_writers_in_one_file(faults):
    """Whole lines of both count. Where one writes into the other's line, these two lines are lost and counted."""
    cut = cut_sample("resnet50-healthy")
    one = cut.text("metrics").splitlines(keepends=True)
    other = [line.replace("algo-1", "algo-2") for line in one]
    by_line = "".join(line for pair in zip(one, other, strict=True) for line in pair)
    torn = by_line
    places = list(range(5, 200, 20))
    for place in places:
        torn = torn.replace(one[place] + other[place], one[place][:40] + other[place] + one[place][40:])
    two_files, mixed, broken = faults.all(
        [
            Case("two files", cut.files | {cut.metrics.replace("algo-1", "algo-2"): "".join(other).encode()}),
            Case("lines mixed", cut.among_others("metrics", by_line)),
            Case("lines torn", cut.among_others("metrics", torn)),
        ]
    )
    assert without_size(mixed.result) == without_size(two_files.result)
    assert broken.lost() == {"line is not valid JSON": 2 * len(places)}
    assert broken.read(METRICS)["samples"] == 600 - 2 * len(places)


NOTHING = {
    "empty": b"",
    "line": b"\n",
    "lines": b"\n\n\n",
    "spaces": b"   ",
    "zeros": b"\0" * 5000,
    "open list": b"[",
    "list": b"[]",
    "open object": b"{",
    "object": b"{}",
    "null": b"null",
    "UTF-16": b"\xff\xfe",
    "byte order mark": b"\xef\xbb\xbf",
    "gzip's mark": b"\x1f\x8b",
    "packed": gzip.compress(b"", mtime=0),
    "packed twice": gzip.compress(gzip.compress(b"[]", mtime=0), mtime=0),
}


@pytest.mark.parametrize("name", NOTHING)
def test_a_file_without_content_costs_nothing_else(faults, name):
    cut, content = cut_sample("small-batch-mlp"), NOTHING[name]
    for outcome in faults.all(
        [Case(f"{kind}: {name}", cut.among_others(kind, content)) for kind in ("metrics", "timeline", "trace")]
    ):
        kept = {METRICS: "samples", TIMELINES: "events", TRACES: "events"}
        assert sum(outcome.read(source)[key] > 0 for source, key in kept.items()) == 2, outcome.label
    empty = faults.one("all of them", dict.fromkeys(cut.files, content))
    assert empty.code == 2
    assert "nothing to report on" in empty.sentence


def test_a_description_that_is_broken_costs_only_itself(faults):
    cut = cut_sample("gpt-train-eval")
    text = cut.files["job.json"]
    cases = [
        Case(f"description cut at {size}", cut.files | {"job.json": text[:size]})
        for size in positions(text, "description", 4)[1:]
    ]
    for outcome in faults.all(cases):
        assert outcome.lost("damaged_files") == {"job description is not valid JSON": 1}, outcome.label
        assert outcome.result["job"]["name"] == "job", outcome.label
    odd = json.dumps(
        {"TrainingJobName": 7, "TrainingStartTime": "soon", "TrainingEndTime": [], "ResourceConfig": "many"}
    )
    outcome = faults.one("description of odd types", cut.files | {"job.json": odd.encode()})
    assert outcome.lost() == {"field of the job's description has an unexpected value": 4}


def test_a_timeline_that_is_there_twice_counts_once(faults):
    """Beside its compressed copy, and in a folder that was copied."""
    cut = cut_sample("resnet50-healthy")
    whole = faults.one("once", cut.files)
    text = cut.text("timeline")
    copies = {
        f"{cut.timeline.removesuffix('.gz')}": text.encode(),
        f"{cut.timeline.removesuffix('.gz')}.gz": gzip.compress(text.encode()),
        f"copy/{cut.timeline.removesuffix('.gz')}": text.encode(),
    }
    twice = faults.one(
        "copies", {**{path: content for path, content in cut.files.items() if path != cut.timeline}, **copies}
    )
    assert twice.result["steps"] == whole.result["steps"]
    assert twice.result["framework"] == whole.result["framework"]
    assert twice.read(TIMELINES) == whole.read(TIMELINES) | {"bytes": twice.read(TIMELINES)["bytes"]}
    assert (
        sorted(
            row["reason"].split(" as ")[0]
            for row in twice.quality["ignored"]
            if "has the same content" in row["reason"]
        )
        == ["has the same content"] * 2
    )


@pytest.mark.parametrize(
    ("words", "pack"),
    [
        ("text in UTF-16: save it as UTF-8", lambda text: text.decode().encode("utf-16")),
        ("packed with xz: unpack it, or pack it with gzip", lzma.compress),
        ("packed with bzip2: unpack it, or pack it with gzip", bz2.compress),
    ],
)
def test_files_that_are_packed_or_encoded_otherwise(faults, words, pack):
    """They are told by what they are: in the place of a job's file, and alone."""
    cut = cut_sample(SAMPLES[0])
    packed = pack(cut.text("metrics").encode())
    among, named, alone = faults.all(
        [
            Case(f"{words}, among others", cut.among_others("metrics", packed)),
            Case(f"{words}, by its name", {f"system/{START}.algo-{node}.json.xz": packed for node in (1, 2)}),
            Case(f"{words}, alone", {"metrics": packed}, only="metrics"),
        ]
    )
    assert among.lost("damaged_files") == {words: 1}
    assert among.code == 3
    for refused in (named, alone):
        assert refused.code == 2
        assert words in refused.sentence


@pytest.mark.parametrize("mode", ["w", "w:gz"])
def test_an_archive_of_a_job_is_not_the_job(faults, mode):
    """Beside a job it is listed and costs nothing; alone it says what to do."""
    words = "a tar archive: unpack it if it has the job's files"
    cut = cut_sample(SAMPLES[0])
    packed = archive(cut.text("metrics").encode(), mode)
    whole, beside, alone = faults.all(
        [
            Case("as it was", cut.files),
            Case("beside its archive", cut.files | {"job.tar.gz": packed}),
            Case("its archive", {"job.tar.gz": packed}, only="job.tar.gz"),
        ]
    )
    assert beside.lost("damaged_files") == {}
    assert {"path": "job.tar.gz", "reason": words} in beside.quality["ignored"]
    assert beside.code == whole.code
    assert alone.code == 2
    assert words in alone.sentence


def archive(content: bytes, mode: str) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode=mode) as files:
        member = tarfile.TarInfo("job/system/metrics.json")
        member.size = len(content)
        files.addfile(member, io.BytesIO(content))
    return packed.getvalue()
