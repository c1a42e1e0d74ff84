"""A PyTorch trace that is cut off anywhere gives a report that says so, or a refusal of one sentence."""

import gzip
import json
import random
import subprocess
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from conftest import SAMPLE_JOBS, binary, shared
from outputs import check_outputs

SMALL = 400_000  # bytes; these are cut at as many places as are asked for below
CUTS = 80


def sample_traces() -> list[Path]:
    return sorted(SAMPLE_JOBS.glob("*/traces/*.pt.trace.json.gz"))


def shared_traces() -> list[Path]:
    return sorted(shared("samples", "kineto").rglob("*.json.gz"))


def check_cut(folder: Path, name: str, content: bytes, whole: bool) -> str:
    """Runs debrief on a file with this content; how it ended."""
    path = folder / name
    path.write_bytes(content)
    result = path.with_suffix(".result")
    page = path.with_suffix(".html")
    command = [str(binary()), "report", str(path), "-o", str(page), "--json", str(result), "--quiet"]
    outcome = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    try:
        assert outcome.returncode in (0, 2), f"{name}: exit {outcome.returncode}\n{outcome.stderr}"
        if outcome.returncode == 2:
            lines = outcome.stderr.splitlines()
            assert len(lines) == 1, f"{name}: {outcome.stderr}"
            assert lines[0].startswith("debrief: "), f"{name}: {outcome.stderr}"
            return "refused"
        check_outputs(command[1:], folder, "", name)
        quality = json.loads(result.read_text())["data_quality"]
        if whole:
            return "whole"
        assert not quality["complete"], f"{name}: nothing is said of the cut"
        assert quality["damaged_files"], f"{name}: {quality}"
        return "reported"
    finally:
        for made in (path, result, page):
            made.unlink(missing_ok=True)


def check_cuts(folder: Path, cuts) -> set[str]:
    with ThreadPoolExecutor(max_workers=2) as pool:
        return set(pool.map(lambda cut: check_cut(folder, *cut), cuts))


def plain_cuts(trace: Path, count: int):
    text = gzip.decompress(trace.read_bytes())
    complete = len(text.rstrip())  # what comes after it is space
    name = trace.name.removesuffix(".json.gz")
    for number, size in enumerate(random.Random(trace.name).choices(range(len(text)), k=count)):
        yield f"{number}.{name}.json", text[:size], size >= complete


def gzip_cuts(trace: Path, count: int):
    packed = trace.read_bytes()
    for number, size in enumerate(random.Random(trace.name).choices(range(len(packed)), k=count)):
        yield f"{number}.{trace.name}", packed[:size], False


@pytest.mark.parametrize("job", ["small-batch-mlp", "ddp-gloo-straggler"])
def test_small_samples_cut_anywhere(tmp_path, job):
    trace = next(path for path in sample_traces() if path.parts[-3] == job)
    assert check_cuts(tmp_path, plain_cuts(trace, CUTS)) <= {"reported", "refused", "whole"}


def test_large_samples_cut_anywhere(tmp_path):
    large = [path for path in sample_traces() if path.stat().st_size > SMALL]
    assert len(large) >= 3
    for trace in large:
        assert "reported" in check_cuts(tmp_path, plain_cuts(trace, CUTS // len(large) + 1))


def test_compressed_samples_cut_anywhere(tmp_path):
    for trace in sample_traces():
        assert check_cuts(tmp_path, gzip_cuts(trace, 20)) <= {"reported", "refused"}


def test_shared_traces_cut_anywhere(tmp_path):
    for trace in shared_traces():
        size = len(zlib.decompress(trace.read_bytes(), wbits=31))
        count = CUTS if size < SMALL else 40 if size < 5_000_000 else 10
        assert check_cuts(tmp_path, plain_cuts(trace, count)) <= {"reported", "refused", "whole"}
        assert check_cuts(tmp_path, gzip_cuts(trace, 5)) <= {"reported", "refused"}


def test_a_cut_is_said_where_it_is(tmp_path):
    trace = sample_traces()[0]
    text = gzip.decompress(trace.read_bytes())
    path = tmp_path / "cut.pt.trace.json"
    path.write_bytes(text[: len(text) // 2])
    command = [str(binary()), "report", str(path), "-o", str(tmp_path / "x.html"), "--json", str(tmp_path / "x.json"), "-q"]
    subprocess.run(command, check=True)
    (damage,) = json.loads((tmp_path / "x.json").read_text())["data_quality"]["damaged_files"]
    assert damage["reason"] == "trace is cut off: its end is missing"
    assert f"byte {len(text) // 2}" in damage["first_seen"]
