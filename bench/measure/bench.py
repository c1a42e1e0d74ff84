"""What every part of the benchmark is given, and where it leaves its figures."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from measure.inputs import Inputs
from measure.run import Cost, Failed, seconds_of

HERE = Path(__file__).resolve().parent.parent
SAMPLES = HERE.parent / "sample_jobs"


@dataclass(frozen=True)
class Sizes:
    minutes: int  # of the 1x job, two nodes
    megabytes: float  # of the 1x trace
    layers: int  # of its model: large traces have few steps, and HTA's time grows with them
    large: str  # options of generate.py
    small_jobs: int
    logged: float  # megabytes of what a training script logged
    saved_steps: int  # of a job that saved tensors
    recorded: float  # seconds of `sleep`
    recorded_steps: int  # of a training loop
    scales: tuple[int, ...] = (1, 4, 16)


FULL = Sizes(
    6, 20, 800, "--nodes 8 --gpus 8 --cores 96 --hours 2 --interval-ms 500 --operators 0", 1000, 100, 10_000, 60, 1500
)
QUICK = Sizes(1, 2, 48, "--nodes 2 --gpus 8 --cores 96 --minutes 6 --interval-ms 500 --operators 0", 40, 4, 200, 3, 100)


@dataclass
class Bench:
    binary: Path
    inputs: Inputs
    scratch: Path  # emptied when the run ends
    peers: Path  # the virtual environment that they are in
    repeat: int
    sizes: Sizes
    figures: dict[str, float] = field(default_factory=dict)  # what targets.py judges
    costs: dict[str, tuple[int, Cost]] = field(
        default_factory=dict
    )  # bytes read and what that cost, for the table of stages
    missing: list[str] = field(default_factory=list)  # what could not be measured, a line each

    @property
    def page(self) -> Path:
        return self.scratch / "report.html"

    @property
    def cores(self) -> int:
        return len(os.sched_getaffinity(0))

    def say(self, text: str) -> None:
        print(f"bench: {text}", file=sys.stderr, flush=True)

    def scaled_job(self, scale: int) -> Path:
        """A job of system metrics and timelines, `scale` times as long as the shortest; shorter ones are its beginning."""
        longest = self.sizes.scales[-1]
        job = self.inputs.make(f"--nodes 2 --gpus 8 --cores 96 --minutes {self.sizes.minutes * longest} --operators 20")
        return job if scale == longest else self.inputs.first_minutes(job, self.sizes.minutes * scale)

    def scaled_trace(self, scale: int) -> Path:
        return self.inputs.trace(self.sizes.megabytes * scale, self.sizes.layers)

    def program(self, native: bool = False) -> Path:
        """limits.cpp, compiled as debrief is or, `native`, for this very processor."""
        program = self.scratch / ("limits-native" if native else "limits")
        if not program.exists():
            flags = ["-march=native"] if native else []
            subprocess.run(
                ["c++", "-std=c++20", "-O3", *flags, HERE / "limits.cpp", "-o", program, "-lsimdjson", "-lisal", "-lz"],
                check=True,
            )
        return program

    def limit(self, what: str, threads: int, path: Path, native: bool = False) -> float:
        return seconds_of([self.program(native), what, threads, path])[0]

    def version(self, package: str) -> str:
        return re.search(rf"^{package}==(.*)$", (HERE / "peers/requirements.txt").read_text(), re.MULTILINE).group(1)

    def peer(self, name: str, script: str, *arguments) -> tuple[float, float] | None:
        """Seconds and bytes of a peer; None, and a line for the reader, where it does not run."""
        python = Path(sys.executable) if script == "python_json.py" else self.peers / "bin/python"
        if script == "tensorboard_load.py":
            python = self.peers.with_name("trackers") / "bin/python"  # the tests' own
        try:
            if not python.exists():
                raise Failed("it is not installed; scripts/setup bench brings it")
            return seconds_of([python, HERE / "peers" / script, *arguments])
        except Failed as failure:
            self.missing.append(f"{name}: {failure}")
            return None
