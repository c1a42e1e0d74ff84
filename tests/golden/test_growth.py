"""Work and memory grow with what a job holds, not faster: n and 4n of each thing that a job has.

A clock may acquit a job: its CPU time at 4n and 16n, which work by the square would make 4 times as much as it may be. What
the clock suspects is tried again by counting instructions at n and 4n, which a busy machine does not change, and only that
convicts: counting is slow. What the program costs for next to nothing is taken off."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import growing_jobs
import pytest
from conftest import SAMPLE_JOBS, binary

MOST = 1.2  # times as fast as the input
CLOCK_MOST = 1.6  # work by the square that is a fifth of all at 4n, which is what MOST lets pass, is half of all at 16n
NOISE = 48e6  # bytes of memory: of what starts the program, of threads, and of lists that double
LARGER = 4  # times as many where nothing is counted by valgrind; the larger of the others, too
TRIES = 3  # of which the cheapest is believed; most jobs need one


def empty_in(folder: Path) -> Path:
    """A new folder: the binary reads what it is about to replace."""
    return Path(tempfile.mkdtemp(dir=folder))


def errors_of(folder: Path, command: list) -> str:
    """What a command that did its work, or found the input wrong, wrote to its standard error."""
    ran = subprocess.run(command, cwd=empty_in(folder), capture_output=True, text=True, check=False, timeout=900)
    assert ran.returncode in (0, 2), ran.stdout + ran.stderr
    return ran.stderr


def instructions(folder: Path, *arguments) -> int:
    """How many the binary and what it starts take, by valgrind."""
    counter = [
        "valgrind",
        "--tool=cachegrind",
        "--cache-sim=no",
        "--cachegrind-out-file=/dev/null",
        "--trace-children=yes",
    ]
    said = errors_of(folder, [*counter, binary(), *arguments])
    found = re.findall(r"I +refs: +([\d,]+)", said)
    assert found, said
    return sum(int(one.replace(",", "")) for one in found)


# A child's peak memory counts that of the process that started it, so a small one does.
STARTER = """
import os, sys
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(child, 0)
print(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, file=sys.stderr)
sys.exit(os.waitstatus_to_exitcode(status))
"""


class Costs(NamedTuple):
    seconds: float  # of CPU
    memory: int  # peak, bytes


def costs_of(folder: Path, *arguments) -> Costs:
    """Of the binary."""
    said = errors_of(folder, [sys.executable, "-I", "-S", "-c", STARTER, binary(), *arguments])
    seconds, memory = said.splitlines()[-1].split()
    return Costs(float(seconds), int(memory))


def less_of(one: Costs, other: Costs) -> Costs:
    return Costs(min(one.seconds, other.seconds), min(one.memory, other.memory))


def size_of(job: Path) -> int:
    return sum(path.stat().st_size for path in job.rglob("*") if path.is_file())


def grows_faster(costs: dict, sizes: dict, base: float, most: float, noise: float = 0) -> bool:
    """Whether costs, less those for next to nothing, grow faster than `most` times the input."""
    small, large = costs
    return costs[large] - base > most * (costs[small] - base) * sizes[large] / sizes[small] + noise


def faster_than_input(make, folder: Path, least: list) -> str:
    """What grows faster than the input, or nothing. `make(job, times)` writes a job of `times` as much and returns what to run
    on it; `least` is what to run for next to nothing."""
    commands, sizes = {}, {}
    for times in (1, 4, 4 * LARGER):
        job = folder / f"job-{times}"
        commands[times] = make(job, times)
        sizes[times] = size_of(job)
    base = costs_of(folder, *least)
    costs = {times: costs_of(folder, *commands[times]) for times in (LARGER, 4 * LARGER)}
    for more in range(TRIES, 0, -1):
        slower = grows_faster({times: one.seconds for times, one in costs.items()}, sizes, base.seconds, CLOCK_MOST)
        larger = grows_faster({times: one.memory for times, one in costs.items()}, sizes, base.memory, MOST, NOISE)
        if not slower and not larger:
            return ""
        if more > 1:
            costs = {times: less_of(one, costs_of(folder, *commands[times])) for times, one in costs.items()}
            base = less_of(base, costs_of(folder, *least))
    faster = []
    if larger:
        faster.append(f"{[one.memory for one in costs.values()]} bytes of memory")
    if slower:
        counted = {times: instructions(folder, *commands[times]) for times in (1, 4)}
        if grows_faster(counted, sizes, instructions(folder, *least), MOST):
            faster.append(f"{list(counted.values())} instructions")
    return f"{', '.join(faster)} for {list(sizes.values())} bytes of input" if faster else ""


@pytest.fixture(scope="session")
def least_of_report(tmp_path_factory) -> list:
    """The report of one sample."""
    return growing_jobs.samples(tmp_path_factory.mktemp("least") / "job", 1)


@pytest.mark.parametrize(
    "group",
    growing_jobs.GROUPS,
    ids=[" and ".join(make.__name__ for make, _ in group) for group in growing_jobs.GROUPS],
)
def test_jobs(group, least_of_report, faults):
    faster = faster_than_input(growing_jobs.together(group), faults.folder, least_of_report)
    if not faster:
        return
    apart = {}
    for one in group if len(group) > 1 else ():
        folder = faults.folder / one[0].__name__
        folder.mkdir()
        apart[one[0].__name__] = faster_than_input(growing_jobs.together([one]), folder, least_of_report)
    pytest.fail(f"{faster}; alone: {apart}")


def test_results(debrief, faults):
    """A comparison of two results that have many rows."""
    result = debrief.result(SAMPLE_JOBS / "small-batch-mlp")

    def make(job, times):
        return growing_jobs.all_compared_rows(job, 25 * times, result)

    least = growing_jobs.all_compared_rows(faults.folder / "least", 1, result)
    assert not faster_than_input(make, faults.folder, least)


def test_config(faults):
    """A list that no one asks for. The job is not there, so that nothing else is done."""

    def make(job, times):
        job.mkdir()
        (job / "list.json").write_text('{"$schema": [{}' + ",{}" * (20_000 * times) + "]}")
        return ["report", "nowhere", "--config", job / "list.json"]

    assert not faster_than_input(make, faults.folder, ["--version"])


def test_export(faults):
    def make(job, times):
        growing_jobs.reversed_events(job, 3000 * times)
        return ["export", job, "--to", "events.csv"]

    assert not faster_than_input(make, faults.folder, ["--version"])
