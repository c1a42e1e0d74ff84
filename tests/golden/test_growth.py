"""Work and memory grow with what a job holds, not faster: n and 4n of each thing that a job has.

Instructions are counted, since a clock tells of the machine, too. What the program costs for next to nothing is taken off,
so work by the square would be 16 times as much."""

import re
import subprocess
import sys
from pathlib import Path

import growing_jobs
import pytest
from conftest import SAMPLE_JOBS, binary

MOST = 1.2  # times as fast as the input
NOISE = 48e6  # bytes of memory: of what starts the program, of threads, and of lists that double
LARGER = 4  # times as many for memory, which is measured without valgrind; the larger of the others, too


def instructions(folder: Path, *arguments) -> int:
    """How many the binary takes, by valgrind."""
    counter = [
        "valgrind",
        "--tool=cachegrind",
        "--cache-sim=no",
        "--cachegrind-out-file=/dev/null",
        "--trace-children=yes",
    ]
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


def costs_of(folder: Path, *arguments) -> tuple[int, int]:
    """Instructions and memory."""
    return instructions(folder, *arguments), peak_memory(folder, *arguments)


def faster_than_input(make, folder: Path, least: tuple[int, int]) -> str:
    """What grows faster than the input, or nothing. `make(job, times)` writes a job of `times` as much and returns what to run
    on it; `least` are the costs for next to nothing."""
    commands, sizes = {}, {}
    for times in (1, 4, 4 * LARGER):
        job = folder / f"job-{times}"
        commands[times] = make(job, times)
        sizes[times] = size_of(job)
    counted = {times: instructions(folder, *commands[times]) for times in (1, 4)}
    memory = {times: peak_memory(folder, *commands[times]) for times in (LARGER, 4 * LARGER)}
    faster = []
    for what, costs, base, noise in (
        ("instructions", counted, least[0], 0),
        ("bytes of memory", memory, least[1], NOISE),
    ):
        small, large = costs
        allowed = MOST * (costs[small] - base) * sizes[large] / sizes[small] + noise
        if costs[large] - base > allowed:
            faster.append(f"{list(costs.values())} {what} for {sizes[small]} and {sizes[large]} bytes of input")
    return ", ".join(faster)


@pytest.fixture(scope="session")
def least_of_report(tmp_path_factory) -> tuple[int, int]:
    """For one sample."""
    folder = tmp_path_factory.mktemp("least")
    return costs_of(folder, *growing_jobs.samples(folder / "job", 1))


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

    least = costs_of(faults.folder, *growing_jobs.all_compared_rows(faults.folder / "least", 1, result))
    assert not faster_than_input(make, faults.folder, least)


def test_config(faults):
    """A list that no one asks for. The job is not there, so that nothing else is done."""

    def make(job, times):
        job.mkdir()
        (job / "list.json").write_text('{"$schema": [{}' + ",{}" * (20_000 * times) + "]}")
        return ["report", "nowhere", "--config", job / "list.json"]

    assert not faster_than_input(make, faults.folder, costs_of(faults.folder, "--version"))


def test_export(faults):
    def make(job, times):
        growing_jobs.reversed_events(job, 3000 * times)
        return ["export", job, "--to", "events.csv"]

    assert not faster_than_input(make, faults.folder, costs_of(faults.folder, "--version"))
