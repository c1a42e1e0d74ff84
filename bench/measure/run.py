"""One run of debrief, and what it cost."""

import contextlib
import os
import re
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

PATIENCE = 300  # seconds that a peer may take, so that a run on a slow machine ends


@dataclass
class Cost:
    wall: float  # seconds, from start to exit
    cpu: float  # seconds of all cores
    memory: float  # most bytes resident
    stages: dict[str, float]  # seconds, by --stats

    @property
    def read(self) -> float:
        return self.stages["ingest"]


class Failed(Exception):
    """What was to be measured did not run; the text says why in a line."""


def last_line(text: str) -> str:
    lines = text.strip().splitlines()
    return lines[-1].strip() if lines else "it said nothing"


@contextlib.contextmanager
def on_cores(count: int):
    """Whatever is started meanwhile has the first `count` of the cores that there are."""
    there = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(there)[:count])
    try:
        yield
    finally:
        os.sched_setaffinity(0, there)


def spend(command: list, stderr) -> tuple[float, float, float]:
    """Seconds, seconds of all cores, bytes."""
    start = time.perf_counter()
    child = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=stderr)
    _, status, usage = os.wait4(child.pid, 0)
    wall = time.perf_counter() - start
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        stderr.seek(0)
        raise Failed(f"{Path(command[0]).name} ended with {child.returncode}: {last_line(stderr.read())}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def report(binary: Path, job: Path, out: Path, *options) -> Cost:
    with tempfile.TemporaryFile("w+") as stderr:
        wall, cpu, memory = spend([binary, "report", job, "-o", out, "--stats", "--quiet", *options], stderr)
        stderr.seek(0)
        stages = re.findall(r"^(\w+) +([\d.]+) ms", stderr.read(), re.MULTILINE)
    return Cost(wall, cpu, memory, {name: float(milliseconds) / 1e3 for name, milliseconds in stages})


def best(repeat: int, binary: Path, job: Path, out: Path, *options, key=lambda cost: cost.wall) -> Cost:
    """The fastest of several runs: what the code can do, without what else the machine did meanwhile."""
    return min((report(binary, job, out, *options) for _ in range(repeat)), key=key)


def seconds_of(command: list) -> tuple[float, float | None]:
    """What a peer's own small script prints last: its seconds and, where it tells, its bytes."""
    try:
        run = subprocess.run(
            [str(word) for word in command], capture_output=True, text=True, check=False, timeout=PATIENCE
        )
    except subprocess.TimeoutExpired as expired:
        raise Failed(f"it took more than {PATIENCE} s") from expired
    if run.returncode:
        raise Failed(last_line(run.stderr))
    figures = [float(word) for word in last_line(run.stdout).split()]
    return figures[0], figures[1] if len(figures) > 1 else None
