"""The recorder with a real PyTorch: scripts that know nothing of debrief, and their own diaries.

No test compares durations: a busy machine may stop a process anywhere for as long as it likes, between the recorder's look at
the clock and the script's, too. What holds on every machine is the order: an event begins and ends between two lines of the
script, and so between the notes that the script makes there.

DEBRIEF_TORCH_PYTHON names the interpreter that has PyTorch; Debian's own has python3-torch. DEBRIEF_TRAINERS_PYTHON names
the one that has Transformers and Lightning, too; scripts/setup makes one.
"""

import json
import os
import subprocess
import sys
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHIM = ROOT / "src" / "record" / "shim"
SCRIPTS = Path(__file__).parent / "scripts"
PYTHON = os.environ.get("DEBRIEF_TORCH_PYTHON", "/usr/bin/python3")
DEPS = Path(os.environ.get("DEBRIEF_DEPS", Path.home() / ".cache" / "debrief"))
TRAINERS_PYTHON = os.environ.get("DEBRIEF_TRAINERS_PYTHON", str(DEPS / "trainers" / "bin" / "python"))
sys.path.insert(0, str(SCRIPTS))


def binary() -> Path:
    return (ROOT / os.environ.get("DEBRIEF_BINARY", "build/release/debrief")).resolve()


class Recording:
    """What a script left in its job's folder, read by plain Python."""

    def __init__(self, folder: Path):
        self.folder = folder

    @property
    def files(self) -> list[Path]:
        return sorted(
            (self.folder / "job" / "profiler-output" / "framework" / "pevents").glob("*/*_pythontimeline.json")
        )

    @property
    def log(self) -> str:
        """What the processes told the recorder, without their numbers."""
        lines = (self.folder / "log").read_text().splitlines()
        return "\n".join(line.split(" ", 1)[1] for line in lines)

    @property
    def notes(self) -> list[str]:
        """What the recorder says is missing."""
        return json.loads((self.folder / "job" / "job.json").read_text())["Recording"]["Notes"]

    def events(self) -> dict[str, list[dict]]:
        """By phase, in the order of time; `ts` in microseconds since the epoch."""
        found = defaultdict(list)
        for file in self.files:
            origin, phases = 0, {}
            for event in json.loads(file.read_text()):
                if event["ph"] == "M" and event["name"] == "process_name":
                    origin = event["args"].get("start_time_since_epoch_in_micros", origin)
                    phases[event["pid"]] = event["args"].get("name")
                elif event["ph"] == "X":
                    found[phases[event["pid"]]].append({**event, "ts": event["ts"] + origin, "file": file.name})
        for events in found.values():
            events.sort(key=lambda event: event["ts"])
        return found

    def seconds(self, phase: str) -> float:
        return sum(event["dur"] for event in self.events()[phase]) / 1e6

    def result(self) -> dict:
        """What debrief makes of it."""
        out = self.folder / "result.json"
        subprocess.run(
            [binary(), "report", "job", "-o", "report.html", "--json", str(out)],
            cwd=self.folder,
            check=True,
            capture_output=True,
        )
        return json.loads(out.read_text())


CLOCKS = 1000  # µs: what the script's clock and the recorder's may disagree by


class Diary:
    """What a script noted, in order: names and moments, in microseconds since the epoch."""

    def __init__(self, script: dict):
        self.notes = script["notes"]
        self.pairs = list(pairwise(self.notes))

    def count(self, name: str) -> int:
        return sum(note == name for note, _ in self.notes)

    def before(self, name: str) -> list[tuple[float, float]]:
        """From the note before it to each note of this name."""
        return [(begin, end) for (_, begin), (note, end) in self.pairs if note == name]

    def after(self, name: str) -> list[tuple[float, float]]:
        """From each note of this name to the one that follows."""
        return [(begin, end) for (note, begin), (_, end) in self.pairs if note == name]


def begin_within(events: list[dict], gaps: list[tuple[float, float]]):
    check_moments([event["ts"] for event in events], gaps)


def end_within(events: list[dict], gaps: list[tuple[float, float]]):
    check_moments([event["ts"] + event["dur"] for event in events], gaps)


def check_moments(moments: list[int], gaps: list[tuple[float, float]]):
    """Each in its gap between two notes."""
    assert len(moments) == len(gaps)
    for number, (moment, (begin, end)) in enumerate(zip(moments, gaps, strict=True)):
        assert begin - CLOCKS <= moment <= end + CLOCKS, f"number {number}"


class Recorder:
    """Runs scripts under the real recorder, or under its Python files alone where a test changes what they are told."""

    def __init__(self, folder: Path, python: str = PYTHON):
        self.folder = folder
        self.python = python

    def environment(self, **extra) -> dict:
        (self.folder / "job").mkdir(exist_ok=True)
        (self.folder / "log").touch()
        return {
            **os.environ,
            "PYTHONPATH": str(SHIM),
            "PYTHONDONTWRITEBYTECODE": "1",
            "OMP_NUM_THREADS": "1",
            "DEBRIEF_RECORD_STEPS": str(self.folder / "job"),
            "DEBRIEF_RECORD_NODE": "box",
            "DEBRIEF_RECORD_LOG": str(self.folder / "log"),
            **extra,
        }

    def start(self, *command, **extra) -> subprocess.Popen:
        return subprocess.Popen(
            [self.python, *map(str, command)],
            cwd=self.folder,
            env=self.environment(**extra),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *command, expect=0, **extra) -> tuple[Recording, dict]:
        """The recording, and what the script measured itself: its last line is JSON."""
        process = self.start(*command, **extra)
        out, err = process.communicate(timeout=300)
        assert process.returncode == expect, f"exit {process.returncode}:\n{out}{err}"
        lines = out.strip().splitlines()
        return Recording(self.folder), json.loads(lines[-1]) if lines and lines[-1].startswith("{") else {}

    def script(self, name: str, *arguments, traces=False, options=(), **extra) -> tuple[Recording, dict]:
        """One of the scripts, under `debrief record`."""
        options = ["-o", "job", "--no-report", "--quiet", *options, *([] if traces else ["--no-trace"])]
        outcome = subprocess.run(
            [binary(), "record", *options, "--", self.python, SCRIPTS / f"{name}.py", *map(str, arguments)],
            cwd=self.folder,
            env={**os.environ, "OMP_NUM_THREADS": "1", **extra},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert outcome.returncode == 0, f"{outcome.stdout}{outcome.stderr}"
        return Recording(self.folder), json.loads(outcome.stdout.strip().splitlines()[-1])


def pytest_collection_modifyitems(items):
    have = subprocess.run([PYTHON, "-c", "import torch"], capture_output=True, check=False).returncode == 0
    if not have:
        for item in items:
            item.add_marker(
                pytest.mark.skip(reason=f"{PYTHON} has no PyTorch; on Debian: apt-get install python3-torch")
            )


@pytest.fixture
def recorder(tmp_path) -> Recorder:
    return Recorder(tmp_path)


@pytest.fixture
def trainers(tmp_path) -> Recorder:
    """With Transformers and Lightning."""
    assert Path(TRAINERS_PYTHON).exists(), "run 'scripts/setup test'"
    return Recorder(tmp_path, TRAINERS_PYTHON)
