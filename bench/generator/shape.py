"""What a generated job is like: one set of options for all that is written of it."""

import gzip
import time
from dataclasses import dataclass
from pathlib import Path

START = 1_723_709_760  # seconds; a full minute


@dataclass(frozen=True)
class Shape:
    out: Path
    nodes: int = 2
    gpus: int = 8  # per node
    cores: int = 96  # per node
    minutes: int = 10
    interval_ms: int = 500
    steps: int = 600  # a minute
    operators: int = 50  # of a step, in timelines
    traces: int = 0  # files, one for each of the first ranks
    trace_steps: int = 5
    trace_megabytes: float | None = None  # of each trace, instead of a number of steps
    layers: int = 48
    stacks: bool = False
    gz: bool = False
    noise: bool = False
    seed: int = 1

    def node_names(self) -> list[str]:
        return [f"algo-{number}" for number in range(1, self.nodes + 1)]

    def folder(self, part: str, stamp: int) -> Path:
        """SageMaker's folder of the hour that a time, in seconds, lies in."""
        return self.out / "profiler-output" / part / time.strftime("%Y%m%d%H", time.gmtime(stamp))

    def write(self, path: Path, text: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        if self.gz:
            path.with_name(path.name + ".gz").write_bytes(gzip.compress(text.encode(), 6, mtime=0))
        else:
            path.write_text(text)
