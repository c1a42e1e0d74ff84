"""Work and memory grow with what a job holds, not faster: one, n and 4n of each thing that a job has.

Instructions are counted, since a clock tells of the machine, too. What the program costs for one of them is taken off,
so work by the square would be 16 times as much."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import SAMPLE_JOBS, binary
from growing_jobs import JOBS, RESULTS, reversed_events

MOST = 1.2  # times as fast as the input
NOISE = 48e6  # bytes of memory: of what starts the program, of threads, and of lists that double
LARGER = 16  # times as many for memory, which is measured without valgrind


def instructions(folder: Path, *arguments) -> int:
    """How many the binary takes, by valgrind."""
    counter = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    ran = subprocess.run(
        [*counter, binary(), *arguments], cwd=folder, capture_output=True, text=True, check=False, timeout=900
    )
    assert ran.returncode in (0, 2), ran.stdout + ran.stderr
    found = re.search(r"I +refs: +([\d,]+)", ran.stderr)
    assert found, ran.stderr
    return int(found.group(1).replace(",", ""))


# A child's peak memory counts that of the process that started it, so a small one does.
STARTER = """
import os, sys
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(child, 0)
print(usage.ru_maxrss * 1024, file=sys.stderr)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def peak_memory(folder: Path, *arguments) -> int:
    """Of the binary, in bytes."""
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", STARTER, binary(), *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    assert ran.returncode in (0, 2), ran.stdout + ran.stderr
    return int(ran.stderr.splitlines()[-1])


def size_of(job: Path) -> int:
    return sum(path.stat().st_size for path in job.rglob("*") if path.is_file())


def check(what: str, costs: list, sizes: list, noise: float) -> None:
    """`costs` and `sizes` are of one, of n and of 4n."""
    small, large = (cost - costs[0] for cost in costs[1:])
    small_input, large_input = (size - sizes[0] for size in sizes[1:])
    allowed = MOST * small * large_input / small_input + noise
    assert large <= allowed, f"{what}: {costs} for {sizes} bytes of input"


def grow(make, n: int, faults, more: tuple = ()) -> None:
    sizes, counted, memory = [], [], []
    for count in (1, n, 4 * n):
        job = faults.folder / f"job-{count}"
        arguments = make(job, count, *more)
        sizes.append(size_of(job))
        counted.append(instructions(faults.folder, *arguments))
        memory.append(peak_memory(faults.folder, *make(faults.folder / f"large-{count}", LARGER * count, *more)))
    check("instructions", counted, sizes, 0)
    check("memory", memory, sizes, NOISE)


@pytest.mark.parametrize("name", JOBS)
def test_jobs(name, faults):
    make, n = JOBS[name]
    grow(make, n, faults)


@pytest.mark.parametrize("name", RESULTS)
def test_results(name, debrief, faults):
    make, n = RESULTS[name]
    result = debrief.result(SAMPLE_JOBS / "small-batch-mlp")
    grow(make, n, faults, (result,))


def test_config(faults):
    """A list that no one asks for. The job is not there, so that nothing else is done."""

    def make(job, n):
        job.mkdir()
        (job / "list.json").write_text('{"$schema": [{}' + ",{}" * n + "]}")
        return ["report", "nowhere", "--config", job / "list.json"]

    grow(make, 20_000, faults)


def test_export(faults):
    def make(job, n):
        reversed_events(job, n)
        return ["export", job, "--to", "events.csv"]

    grow(make, 1500, faults)
