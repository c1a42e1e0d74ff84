"""Whole PyTorch traces that are cut off anywhere give a report that says so, or a refusal of one sentence."""

import gzip
import random
from pathlib import Path

import pytest
from conftest import SAMPLE_JOBS, shared
from fault_case import Case
from faults import times

SMALL = 400_000  # bytes; these are cut at as many places as are asked for below
CUTS = 60


def sample_traces() -> list[Path]:
    return sorted(SAMPLE_JOBS.glob("*/traces/*.pt.trace.json.gz"))


def shared_traces() -> list[Path]:
    return sorted(shared("samples", "kineto").rglob("*.json.gz"))


def cuts(trace: Path, name: str, content: bytes, count: int) -> list[Case]:
    places = random.Random(trace.name).choices(range(len(content)), k=times(count))
    return [Case(f"{trace.name} cut at {size} of {len(content.rstrip())}", {name: content[:size]}) for size in places]


def plain_cuts(trace: Path, count: int) -> list[Case]:
    return cuts(trace, trace.name.removesuffix(".gz"), gzip.decompress(trace.read_bytes()), count)


def packed_cuts(trace: Path, count: int) -> list[Case]:
    return cuts(trace, trace.name, trace.read_bytes(), count)


def check_cuts(faults, cases: list[Case]) -> None:
    for outcome in faults.all(cases):
        size, _, whole = outcome.label.split()[-3:]
        if outcome.code != 2 and int(size) < int(whole):
            assert not outcome.quality["complete"], f"{outcome.label}: nothing is said of the cut"
            assert outcome.lost("damaged_files"), outcome.label


@pytest.mark.parametrize("job", ["small-batch-mlp", "ddp-gloo-straggler"])
def test_small_samples_cut_anywhere(faults, job):
    trace = next(path for path in sample_traces() if path.parts[-3] == job)
    check_cuts(faults, plain_cuts(trace, CUTS))


def test_large_samples_cut_anywhere(faults):
    large = [path for path in sample_traces() if path.stat().st_size > SMALL]
    assert len(large) >= 3
    for trace in large:
        check_cuts(faults, plain_cuts(trace, CUTS // len(large)))


def test_compressed_samples_cut_anywhere(faults):
    for trace in sample_traces():
        check_cuts(faults, packed_cuts(trace, 5))


def test_shared_traces_cut_anywhere(faults):
    for trace in shared_traces():
        size = len(gzip.decompress(trace.read_bytes()))
        check_cuts(
            faults, plain_cuts(trace, 20 if size < SMALL else 5 if size < 5_000_000 else 2) + packed_cuts(trace, 2)
        )


def test_a_cut_is_said_where_it_is(faults):
    trace = sample_traces()[0]
    text = gzip.decompress(trace.read_bytes())
    outcome = faults.one("half of a trace", {"cut.pt.trace.json": text[: len(text) // 2]})
    (damage,) = outcome.quality["damaged_files"]
    assert damage["reason"] == "trace is cut off: its end is missing"
    assert f"byte {len(text) // 2}" in damage["first_seen"]
