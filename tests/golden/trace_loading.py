"""PyTorch traces read by Python's own parser: slices in whole nanoseconds, and how they hang together."""

import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

from independent import read_text

KINDS = {
    "cpu_op": "op",
    "user_annotation": "annotation",
    "cuda_runtime": "runtime",
    "cuda_driver": "runtime",
    "overhead": "overhead",
    "kernel": "kernel",
    "gpu_memcpy": "memcpy",
    "gpu_memset": "memset",
    "gpu_user_annotation": "gpu annotation",
    "cuda_sync": "gpu wait",
}
WORK = ("kernel", "memcpy", "memset")
NESTING = ("op", "annotation", "module", "runtime")


@dataclass(eq=False)
class Slice:
    kind: str
    name: str
    start: int
    end: int
    track: tuple
    args: dict
    parent: "Slice | None" = None  # innermost slice of the same thread that holds it
    op: "Slice | None" = None  # of GPU work: that launched it
    launch: "Slice | None" = None

    @property
    def length(self) -> int:
        return self.end - self.start


@dataclass
class Trace:
    events: list
    slices: list = field(default_factory=list)
    memory: list = field(default_factory=list)  # (time, event) by time
    steps: list = field(default_factory=list)  # (start, end, number) by time

    def of(self, *kinds) -> list:
        return [each for each in self.slices if each.kind in kinds]


def nanoseconds(value, base: int = 0) -> int:
    return int(Decimal(value) * 1000) + base


def events_of(path: Path) -> tuple[list, int]:
    document = json.loads(read_text(path), parse_float=Decimal)
    return document["traceEvents"], document.get("baseTimeNanoseconds", 0)


def category_counts(trace: "Trace") -> dict:
    """{"X kernel": events}."""
    return dict(Counter(f"{event['ph']} {event.get('cat', '')}".strip() for event in trace.events))


def kind_of(event: dict) -> str | None:
    if event.get("cat") == "python_function":
        return "module" if event["name"].startswith("nn.Module: ") else None
    return KINDS.get(event.get("cat"))


def load(path: Path) -> Trace:
    events, base = events_of(path)
    trace = Trace(events)
    seen = set()
    for event in events:
        if event["ph"] == "i" and event["name"] == "[memory]":
            trace.memory.append((nanoseconds(event["ts"], base), event))
        if event["ph"] != "X" or (kind := kind_of(event)) is None:
            continue
        args = event.get("args", {})
        start = nanoseconds(event["ts"], base)
        gpu = kind in (*WORK, "gpu annotation", "gpu wait")
        track = (
            gpu,
            args.get("device", event["pid"]) if gpu else event["pid"],
            args.get("stream", event["tid"]) if gpu else event["tid"],
        )
        same = (track, start, event["dur"], kind, args.get("External id"), args.get("correlation"), event["name"])
        if same not in seen:
            seen.add(same)
            trace.slices.append(Slice(kind, event["name"], start, start + nanoseconds(event["dur"]), track, args))
    trace.memory.sort(key=lambda pair: pair[0])
    trace.steps = find_steps(trace)
    tie(trace)
    return trace


def find_steps(trace: Trace) -> list:
    steps = [
        (each.start, each.end, int(each.name.split("#")[1]))
        for each in trace.of("annotation")
        if each.name.startswith("ProfilerStep#") and each.length > 0
    ]
    if not steps:  # what lies between the ends of two calls of the optimizer
        ends = sorted(each.end for each in trace.of("annotation") if each.name.startswith("Optimizer.step#"))
        pairs = list(pairwise(ends)) if len(ends) > 2 else []
        steps = [(start, end, number) for number, (start, end) in enumerate(pairs, 1)]
    if not steps:
        steps = [(min(each.start for each in trace.slices), max(each.end for each in trace.slices), None)]
    return sorted(steps)


def tie(trace: Trace) -> None:
    """Finds what holds what on threads, and which call and operator started which work."""
    threads = defaultdict(list)
    for each in trace.of(*NESTING):
        threads[each.track].append(each)
    for listed in threads.values():
        listed.sort(key=lambda each: (each.start, -each.end))
        active = []
        for each in listed:
            active = [other for other in active if other.end > each.start]
            holding = [other for other in active if other.end >= each.end]
            each.parent = holding[-1] if holding else None
            active.append(each)
    calls, ops = {}, {}
    for each in trace.of("runtime"):
        each.op = next((other for other in parents(each) if other.kind == "op"), None)
        calls.setdefault(each.args.get("correlation"), each)
    for each in trace.of("op"):
        ops.setdefault(each.args.get("External id"), each)
    calls.pop(None, None)
    ops.pop(None, None)
    for each in trace.of(*WORK):
        each.launch = calls.get(each.args.get("correlation"))
        each.op = each.launch.op if each.launch else None
        if each.op is None:
            each.op = ops.get(each.args.get("External id"))


def parents(each: Slice):
    while each := each.parent:
        yield each
