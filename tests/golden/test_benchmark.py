"""The benchmark: what it measures is what it says, and its document has every target."""

import gzip
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "bench"))
from document import document
from measure import callgrind
from measure.bench import FULL, Bench
from measure.inputs import Inputs, size_of
from measure.run import Cost
from targets import TARGETS, Demand, Target, judge

SHAPE = "--nodes 2 --gpus 3 --cores 5 --minutes 9 --interval-ms 1000 --steps 30 --operators 4 --traces 2 --trace-steps 2 --layers 3"


def generate(place: Path, options: str = SHAPE) -> Path:
    subprocess.run([sys.executable, ROOT / "bench/generate.py", place, *options.split()], check=True)
    return place


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def sources(result: dict) -> dict:
    return {source["source"]: source for source in result["data_quality"]["sources"]}


def test_the_same_options_give_the_same_bytes(tmp_path):
    once = files(generate(tmp_path / "once", f"{SHAPE} --processes 1"))
    assert once == files(generate(tmp_path / "again", f"{SHAPE} --processes 3"))
    other = files(generate(tmp_path / "other", f"{SHAPE} --seed 2"))
    assert once.keys() == other.keys()
    assert all(once[name] != other[name] for name in once)
    assert files(generate(tmp_path / "hours", SHAPE.replace("--minutes 9", "--hours 0.15"))) == once


def test_packed_files_hold_the_same_and_are_the_same_each_time(tmp_path):
    plain = files(generate(tmp_path / "plain"))
    packed = files(generate(tmp_path / "packed", f"{SHAPE} --gz"))
    assert packed == files(generate(tmp_path / "again", f"{SHAPE} --gz"))
    described = plain.pop("job.json")
    assert packed.pop("job.json") == described
    assert {name.removesuffix(".gz"): gzip.decompress(data) for name, data in packed.items()} == plain
    assert all(name.endswith(".gz") for name in packed)


@pytest.mark.parametrize("packing", ["", " --gz"])
def test_debrief_reads_all_that_is_generated(debrief, tmp_path, packing):
    job = generate(tmp_path / "job", SHAPE + packing)
    result = debrief.result(job)
    found = sources(result)
    nodes, gpus, cores, minutes = 2, 3, 5, 9
    lines = 2 * cores + 2 * gpus + 6  # two of each device, memory, three of storage, two of the network
    assert found["SageMaker system metrics"]["samples"] == nodes * minutes * 60 * lines
    assert found["SageMaker system metrics"]["files"] == nodes * minutes
    assert found["Framework timelines"]["events"] == nodes * minutes * 30 * (4 + 1)
    assert found["PyTorch traces"]["files"] == 2
    read = gzip.open if packing else open
    recorded = [json.load(read(path, "rt"))["traceEvents"] for path in (job / "traces").iterdir()]
    assert found["PyTorch traces"]["records"] == sum(map(len, recorded))
    assert result["data_quality"]["skipped"] == result["data_quality"]["repaired"] == []
    assert [(node["name"], node["gpus"], node["cores"]) for node in result["job"]["nodes"]] == [
        ("algo-1", 3, 5),
        ("algo-2", 3, 5),
    ]
    assert result["job"]["described_start_time"] == "2024-08-15T08:16:00.000000Z"
    assert result["job"]["job_duration_in_seconds"] == pytest.approx(9 * 60, rel=0.01)


def test_a_trace_has_the_size_that_was_asked_for(tmp_path):
    job = generate(tmp_path / "job", "--parts traces --traces 1 --trace-megabytes 2 --layers 4 --stacks")
    assert set(files(job)) == {"job.json", "traces/rank0.pt.trace.json"}
    trace = (job / "traces/rank0.pt.trace.json").read_text()
    assert len(trace) == pytest.approx(2e6, rel=0.1)
    assert "python_function" in {event.get("cat") for event in json.loads(trace)["traceEvents"]}


def test_the_generator_refuses_what_it_cannot_do(tmp_path):
    def refused(*options) -> str:
        run = subprocess.run(
            [sys.executable, ROOT / "bench/generate.py", *map(str, options)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 2
        return run.stderr.splitlines()[-1]

    assert "is there already" in refused(tmp_path)
    assert "there is no part 'metric'" in refused(tmp_path / "new", "--parts", "metric")
    assert not (tmp_path / "new").exists()


def test_a_target_is_met_at_its_bound_and_not_beyond():
    target = Target(
        "x", "work", "fast", (Demand("speed", least=10, what="MB/s"), Demand("memory", most=0.3, what="per byte"))
    )
    assert judge(target, {"speed": 10, "memory": 0.3}) == ("10 MB/s; 0.30 per byte", "met")
    assert judge(target, {"speed": 9.99, "memory": 0.3})[1] == "**not met**"
    assert judge(target, {"speed": 10, "memory": 0.31}) == ("10 MB/s; **0.31 per byte**", "**not met**")
    assert judge(target, {"speed": 10}) == ("10 MB/s; not measured", "not measured")
    assert judge(target, {"speed": 9})[1] == "**not met**"


def test_instructions_belong_to_the_function_that_spends_them(tmp_path):
    dump = tmp_path / "out"
    dump.write_text(
        "version: 1\nevents: Ir\n\nob=(1) /usr/bin/debrief\nfl=(1) a.cpp\nfn=(1) debrief::report()\n12 100\n+3 20\n"
        "cob=(2) /lib/libz.so.1\ncfi=(2) b.c\ncfn=(2) inflate\ncalls=1 40\n13 5000\n* 7\n\n"
        "ob=(2)\nfn=(2)\n40 4000\n-1 1000\n\nob=(1)\nfn=(1)\n9 3\n\ntotals: 5130\n"
    )
    spent = callgrind.read_dump(dump)
    assert spent == {("debrief::report()", "/usr/bin/debrief"): 130, ("inflate", "/lib/libz.so.1"): 5000}
    assert [callgrind.group_of(*where) for where in spent] == ["debrief: the rest", "inflate and deflate"]


def test_the_beginning_of_a_job_is_its_first_minutes(tmp_path):
    inputs = Inputs(tmp_path)
    options = "--nodes 2 --gpus 1 --cores 2 --minutes 4 --interval-ms 5000 --steps 6 --operators 1"
    job = inputs.make(options)
    assert inputs.make(options) == job
    short = files(inputs.first_minutes(job, 3))
    whole = files(inputs.make(options.replace("--minutes 4", "--minutes 3")))
    del whole["job.json"]
    assert short == whole
    assert size_of(job) > sum(map(len, short.values()))


def test_the_document_says_what_is_missed_and_why_and_what_did_not_run(tmp_path):
    notes = tmp_path / "notes.md"
    notes.write_text("Why.\n\n## large\nThe disk is full of sand.\n\n## sample\nNever printed.\n")
    bench = Bench(
        Path("debrief"),
        Inputs(tmp_path),
        tmp_path,
        tmp_path / "nowhere",
        1,
        FULL,
        {"large.seconds": 12.5, "large.memory": 5e8, "sample.seconds": 0.12, "timelines.of_scan": 0.4},
    )
    bench.costs["Large job"] = (3_000_000_000, Cost(12.5, 20, 5e8, {"ingest": 9.5, "render": 2.25, "all": 12.4}))
    assert bench.peer("HTA", "hta_parse.py", "x.json") is None
    text = document(bench, {"large": "It is large.\n"}, [("Memory", "25 GB")], notes, "full, best of 1")
    assert "| **12.5 s**; 500 MB | **not met** |" in text
    assert "| 120 ms for the slowest | met |" in text
    assert "The disk is full of sand." in text
    assert "framework timelines: not looked into yet" in text
    assert "Never printed." not in text
    assert "- HTA: it is not installed" in text
    assert "| Large job | 3.00 GB | 9.50 s | 2.25 s | 12.5 s | 1.6 |" in text
    assert "- Memory: 25 GB" in text and "## The large job\n\nIt is large." in text


def rows_of(text: str) -> list[list[str]]:
    """The first two cells of every row of every table."""
    return [
        [cell.strip() for cell in line.strip("|").split("|")[:2]] for line in text.splitlines() if line.startswith("| ")
    ]


def test_every_target_has_a_row_in_the_document():
    rows = rows_of((ROOT / "docs/benchmarks.md").read_text())
    for target in TARGETS:
        assert [target.work, target.target] in rows


def test_a_target_is_measured_by_a_part_or_says_why_it_is_not():
    parts = "".join(path.read_text() for path in sorted((ROOT / "bench/parts").glob("*.py")))

    def measured(figure: str) -> bool:
        scaled = re.sub(r"^linear\.(job|trace)", "linear.{key}", figure)  # linear.py measures both alike
        return f'"{figure}"' in parts or f'"{scaled}"' in parts

    for target in TARGETS:
        figures = [demand.figure for demand in target.demands]
        assert [measured(figure) for figure in figures] == [not target.not_yet] * len(figures), target.key
    assert len({target.key for target in TARGETS}) == len(TARGETS)


def test_what_no_part_measures_is_said_to_be_so():
    target = Target("x", "work", "fast", (Demand("speed", least=10),), not_yet="there is nothing to measure")
    assert judge(target, {}) == ("not measured: there is nothing to measure", "not measured")
