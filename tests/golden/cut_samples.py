"""Small jobs cut out of the samples: one file of each kind, as recorders wrote it, of a few ten kB."""

import gzip
import re
from dataclasses import dataclass
from functools import cache

from conftest import SAMPLE_JOBS

LINES = 300
EVENTS = 120
SLICES = 90

# What the result calls what was read.
METRICS, TIMELINES, TRACES = "SageMaker system metrics", "Framework timelines", "PyTorch traces"


@dataclass(frozen=True)
class Cut:
    """A job's files by path, unpacked, and which of them is which."""

    files: dict
    metrics: str
    timeline: str
    trace: str

    def text(self, kind: str) -> str:
        return self.files[getattr(self, kind)].decode()

    def only(self, kind: str, content: str | bytes) -> dict:
        """A job of one file, with another content."""
        return {getattr(self, kind): content if isinstance(content, bytes) else content.encode()}

    def among_others(self, kind: str, content: str | bytes) -> dict:
        """All of the job, with another content of one file."""
        return self.files | self.only(kind, content)


def unpack(path) -> str:
    return gzip.decompress(path.read_bytes()).decode()


def cut_metrics(text: str) -> str:
    wanted = [line for line in text.splitlines() if not re.search(r'"cpu(?![01]")\d+"', line)]
    return "".join(f"{line}\n" for line in wanted[:LINES])


def cut_timeline(text: str) -> str:
    return "\n".join(text.splitlines()[: EVENTS + 1]).removesuffix(",") + "\n]\n"


def cut_trace(text: str) -> str:
    head, begin, rest = text.partition('"traceEvents": [\n')
    body, end, tail = rest.rpartition("\n  }\n  ],")
    events = body.split("\n  },\n")
    steps = [event for event in events if "ProfilerStep#" in event][:3]
    kernels = [event for event in events if '"cat": "kernel"' in event][: SLICES // 3]
    chosen = [*events[:SLICES], *steps, *kernels, *events[-8:]]
    return head + begin + "\n  },\n".join(chosen) + end + tail


@cache
def cut_sample(name: str) -> Cut:
    folder = SAMPLE_JOBS / name
    kinds = {}
    for kind, pattern, cut in (
        ("metrics", "**/incremental/*/*.json.gz", cut_metrics),
        ("timeline", "**/pevents/*/*.json.gz", cut_timeline),
        ("trace", "traces/*.json.gz", cut_trace),
    ):
        path = sorted(folder.glob(pattern))[0]
        kinds[kind] = (str(path.relative_to(folder)).removesuffix(".gz"), cut(unpack(path)).encode())
    files = dict(kinds.values())
    files["job.json"] = (folder / "job.json").read_bytes()
    return Cut(files, *(path for path, _ in kinds.values()))
