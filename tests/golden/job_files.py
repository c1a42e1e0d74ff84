"""Writes what a simulated job would have left behind: metrics, timelines and traces in SageMaker's layout.

A signal is a list of (start, end, level) in seconds since the job's start; where they overlap, levels add up."""

import gzip
import json
from pathlib import Path

import numpy as np

START = 1_723_709_760  # a full minute
HOUR = "2024081508"
SAMPLING = 0.5  # seconds
PERCENT = [f"{hundredths / 100:.2f}" for hundredths in range(10_001)]


def averages(signal: list, times: np.ndarray) -> np.ndarray:
    """Mean level of a signal over the interval that ends at each of `times`, as a recorder sees it."""
    if not signal:
        return np.zeros(len(times))
    spans = np.array(signal, dtype=float)
    edges = np.concatenate([spans[:, 0], spans[:, 1]])
    order = np.argsort(edges, kind="stable")
    edges = edges[order]
    level = np.cumsum(np.concatenate([spans[:, 2], -spans[:, 2]])[order])
    integral = np.concatenate([[0], np.cumsum(level[:-1] * np.diff(edges))])
    return (np.interp(times, edges, integral) - np.interp(times - SAMPLING, edges, integral)) / SAMPLING


def percents(values: np.ndarray) -> list[str]:
    return [PERCENT[index] for index in np.rint(np.clip(values, 0, 100) * 100).astype(int)]


def whole_percents(values: np.ndarray) -> list[str]:
    """As drivers of GPUs report them."""
    return [PERCENT[index] for index in np.rint(np.clip(values, 0, 100)).astype(int) * 100]


def amounts(values: np.ndarray) -> list[str]:
    return [f"{value:.2f}" for value in np.maximum(values, 0)]


def write_metrics(folder: Path, node: str, times: np.ndarray, columns: list) -> None:
    """`columns`: (type, name, dimension, texts of the values); one file a minute."""
    heads = [
        f'{{"Type":"{kind}","Name":"{name}","Dimension":"{dimension}","Value":' for kind, name, dimension, _ in columns
    ]
    texts = [column[3] for column in columns]
    system = folder / "profiler-output/system/incremental" / HOUR
    system.mkdir(parents=True, exist_ok=True)
    minutes = (times // 60).astype(int)
    for minute in np.unique(minutes):
        lines = []
        for sample in np.flatnonzero(minutes == minute):
            tail = f',"NodeId":"{node}","Timestamp":{START + times[sample]:.6f}}}\n'
            for head, column in zip(heads, texts, strict=True):
                lines += (head, column[sample], tail)
        (system / f"{START + 60 * minute}.{node}.json").write_text("".join(lines))


def microseconds(seconds: float) -> int:
    return round(seconds * 1e6)


def write_timeline(folder: Path, process: str, events: list) -> None:
    """`events`: (phase, name, start, end, arguments) in seconds since the job's start."""
    phases = {}
    lines = [
        json.dumps(
            {
                "name": "process_name",
                "ph": "M",
                "pid": 0,
                "args": {"start_time_since_epoch_in_micros": START * 1_000_000},
            }
        )
    ]
    for phase, name, start, end, arguments in events:
        if phase not in phases:
            phases[phase] = len(phases) + 1
            lines.append(json.dumps({"name": "process_name", "ph": "M", "pid": phases[phase], "args": {"name": phase}}))
        lines.append(
            f'{{"name": "{name}", "pid": {phases[phase]}, "ph": "X", "ts": {microseconds(start)}, '
            f'"dur": {microseconds(end) - microseconds(start)}, "args": {json.dumps(arguments)}}}'
        )
    last = microseconds(max(event[3] for event in events))
    folder = folder / "profiler-output/framework/pevents" / HOUR
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{START * 1_000_000 + last}_{process}_pythontimeline.json").write_text(
        "[\n" + ",\n".join(lines) + "\n]\n"
    )


class Trace:
    """A PyTorch trace of one rank."""

    def __init__(self, node: str, pid: int, rank: int, ranks: int, device: int, backend: str):
        self.node, self.pid, self.rank, self.device = node, pid, rank, device
        self.head = {
            "schemaVersion": 1,
            "deviceProperties": [
                {
                    "id": device,
                    "name": "NVIDIA A100-SXM4-40GB",
                    "totalGlobalMem": 42_505_273_344,
                    "numSms": 108,
                    "computeMajor": 8,
                    "computeMinor": 0,
                    "warpSize": 32,
                    "maxThreadsPerMultiprocessor": 2048,
                }
            ],
            "distributedInfo": {
                "backend": backend,
                "rank": rank,
                "world_size": ranks,
                "pg_count": 1,
                "pg_config": [
                    {
                        "pg_name": "0",
                        "pg_desc": "default_pg",
                        "backend_config": f"cuda:{backend}",
                        "pg_size": ranks,
                        "ranks": list(range(ranks)),
                    }
                ],
            },
            "baseTimeNanoseconds": START * 1_000_000_000,
        }
        self.events = []
        self.correlation = 0

    def add(
        self,
        category: str,
        name: str,
        start: float,
        end: float,
        *,
        tid: int | None = None,
        pid: int | None = None,
        **arguments,
    ):
        self.events.append(
            {
                "ph": "X",
                "cat": category,
                "name": name,
                "pid": self.pid if pid is None else pid,
                "tid": self.pid if tid is None else tid,
                "ts": round(start * 1e6, 3),
                "dur": round((end - start) * 1e6, 3),
                "args": arguments,
            }
        )

    def kernel(self, name: str, launched: float, start: float, end: float, stream: int = 7, **arguments) -> None:
        self.correlation += 1
        common = {"correlation": self.correlation, "External id": self.correlation}
        self.add("cpu_op", "aten::mm", launched, launched + 30e-6, **{"External id": self.correlation})
        self.add("cuda_runtime", "cudaLaunchKernel", launched + 10e-6, launched + 20e-6, **common)
        self.add(
            "kernel",
            name,
            start,
            end,
            pid=self.device,
            tid=stream,
            device=self.device,
            stream=stream,
            context=1,
            **common,
            **arguments,
        )

    def copy(self, kinds: str, start: float, end: float, *, blocking: bool, gigabytes: float, stream: int = 7) -> None:
        """From the CPU to the GPU; a blocking one holds up its call."""
        self.correlation += 1
        common = {"correlation": self.correlation, "External id": self.correlation}
        returns = end if blocking else start + 10e-6
        self.add("cpu_op", "aten::copy_", start - 20e-6, returns + 10e-6, **{"External id": self.correlation})
        self.add("cuda_runtime", "cudaMemcpyAsync", start - 10e-6, returns, **common)
        self.add(
            "gpu_memcpy",
            f"Memcpy HtoD ({kinds} -> Device)",
            start,
            end,
            pid=self.device,
            tid=stream,
            device=self.device,
            stream=stream,
            bytes=round(gigabytes * 1e9),
            **common,
        )

    def write(self, folder: Path) -> None:
        folder = folder / "traces"
        folder.mkdir(exist_ok=True)
        document = {**self.head, "traceEvents": self.events}
        path = folder / f"{self.node}_{self.pid}.{START * 1_000_000_000 + self.rank}.pt.trace.json.gz"
        path.write_bytes(gzip.compress(json.dumps(document).encode(), compresslevel=1, mtime=0))
