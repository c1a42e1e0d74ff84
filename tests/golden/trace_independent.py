"""A plain, slow second computation of what debrief says about PyTorch traces: sorted lists and loops.

Times are whole nanoseconds; figures come out in microseconds, as debrief's.
"""

import bisect
from collections import defaultdict
from itertools import accumulate

from trace_loading import WORK, Slice, Trace, parents

# Sets of intervals: sorted, disjoint (start, end).


def union(spans) -> list:
    merged = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        elif end > start:
            merged.append((start, end))
    return merged


def length(spans) -> float:
    return sum(end - start for start, end in spans) / 1000


def clip(spans, window) -> list:
    """`spans` within the (disjoint, sorted) `window`."""
    out = []
    starts = [start for start, _ in window]
    for start, end in spans:
        at = max(bisect.bisect_right(starts, start) - 1, 0)
        while at < len(window) and window[at][0] < end:
            low, high = max(start, window[at][0]), min(end, window[at][1])
            if high > low:
                out.append((low, high))
            at += 1
    return out


def spans_of(slices) -> list:
    return [(each.start, each.end) for each in slices]


def communicates(each: Slice) -> bool:
    """Kernels of NCCL and RCCL, and ranges of what communicates on the CPU; ranges of NCCL only launch its kernels."""
    if each.kind == "kernel":
        return "nccl" in each.name or "rccl" in each.name or "Collective name" in each.args
    return each.kind == "annotation" and each.name.startswith(("gloo:", "mpi:", "ucc:", "c10d::"))


def communication(trace: Trace) -> list:
    return [each for each in trace.slices if communicates(each)]


def computes(trace: Trace) -> list:
    return [each for each in trace.of("kernel") if not communicates(each)]


def breakdown(trace: Trace, window: tuple) -> dict:
    """{part: us} of one step: every moment belongs to the first part that goes on."""
    parts = {
        "kernel": computes(trace),
        "memcpy": trace.of("memcpy"),
        "memset": trace.of("memset"),
        "communication": communication(trace),
        "runtime": trace.of("runtime"),
        "data loader": [each for each in trace.of("annotation") if each.name.startswith("enumerate(DataLoader)")],
        "CPU operators": trace.of("op"),
    }
    covered, so_far, out = [], 0.0, {}
    for part, slices in parts.items():
        covered = union([*covered, *clip(spans_of(slices), [window])])
        out[part] = length(covered) - so_far
        so_far = length(covered)
    out["other"] = length([window]) - so_far
    return out


def busy(trace: Trace, window: list, device=None) -> list:
    work = [each for each in trace.of(*WORK) if device is None or each.track[1] == device]
    return union(clip(spans_of(work), window))


def ran(trace: Trace) -> list:
    """(start, end, number) of the steps as they ran: each ends where the GPU turns to the work of the next."""
    if trace.steps[0][2] is None:
        return trace.steps
    own = [
        sorted(
            (each.start, each.end, each.launch.end)
            for each in trace.of(*WORK)
            if each.launch and start <= each.launch.start < end
        )
        for start, end, _ in trace.steps
    ]
    steps, turn, behind = [], None, 0
    if own[0] and 2 * (own[0][0][0] - own[0][0][2]) >= own[0][0][0] - trace.steps[0][0]:
        turn = own[0][0][0]  # its first work was queued behind that of steps before
    for at, (start, end, number) in enumerate(trace.steps):
        low = start if turn is None else max(start, turn)
        high = max(end, low)
        if own[at]:
            done = max(last for _, last, _ in own[at])
            if at + 1 < len(own) and own[at + 1]:
                done = min(done, own[at + 1][0][0])
            elif at > 0:
                done = min(done, end + 2 * behind)
            high = max(high, done)
        behind = max(behind, high - end)
        turn = high
        steps.append((low, high, number))
    return steps


def profiled(trace: Trace) -> list:
    return union([(start, end) for start, end, _ in ran(trace)])


def operators(traces: list) -> dict:
    """{name: calls, host total, host self, device total, device self} over all traces, in us."""
    out = defaultdict(lambda: defaultdict(float))
    for trace in traces:
        for each in trace.of("op"):
            row = out[each.name]
            row["calls"] += 1
            row["host_self_us"] += each.length / 1000
            around = [other for other in parents(each) if other.kind == "op"]
            if around:
                out[around[0].name]["host_self_us"] -= each.length / 1000
            if all(other.name != each.name for other in around):
                row["host_total_us"] += each.length / 1000
        for each in trace.of(*WORK):
            if each.op is None:
                continue
            out[each.op.name]["device_self_us"] += each.length / 1000
            for name in {each.op.name, *(other.name for other in parents(each.op) if other.kind == "op")}:
                out[name]["device_total_us"] += each.length / 1000
    return out


def modules(traces: list) -> dict:
    """The same of nn.Modules, whose work on a GPU is what was launched within them on their own thread."""
    out = defaultdict(lambda: defaultdict(float))
    for trace in traces:
        for each in trace.of("module"):
            row, around = out[each.name], [other for other in parents(each) if other.kind == "module"]
            row["calls"] += 1
            row["host_self_us"] += each.length / 1000
            if around:
                out[around[0].name]["host_self_us"] -= each.length / 1000
            if all(other.name != each.name for other in around):
                row["host_total_us"] += each.length / 1000
        for each in trace.of(*WORK):
            around = [other.name for other in parents(each.launch) if other.kind == "module"] if each.launch else []
            for name in set(around):
                out[name]["device_total_us"] += each.length / 1000
            if around:
                out[around[0]]["device_self_us"] += each.length / 1000
    return {name.removeprefix("nn.Module: "): row for name, row in out.items()}


def kernels(traces: list) -> dict:
    """{name: durations in us}."""
    out = defaultdict(list)
    for trace in traces:
        for each in trace.of("kernel"):
            out[each.name].append(each.length / 1000)
    return out


def idle(trace: Trace, device) -> dict:
    """Why a GPU was idle while it was profiled, by the work after each gap."""
    window = profiled(trace)
    work = sorted((each for each in trace.of(*WORK) if each.track[1] == device), key=lambda each: each.start)
    starts = [each.start for each in work]
    reasons = {"host_wait_us": 0.0, "kernel_wait_us": 0.0, "other_wait_us": 0.0}
    for low, high in window:
        at = low
        for start, end in [*busy(trace, [(low, high)], device), (high, high)]:
            if start > at:
                for why, us in parts_of_gap(work, starts, at, start).items():
                    reasons[why] += us / 1000
            at = max(at, end)
    return reasons


def parts_of_gap(work: list, starts: list, begin: int, end: int) -> dict:
    """The host is late up to where its launch returned (for a copy that it waits for: was called); the rest waits."""
    following = bisect.bisect_left(starts, end)
    then = work[following] if following < len(work) else None
    if then is None or then.launch is None:
        return {"other_wait_us": end - begin}
    waits = then.kind == "memcpy" and then.launch.end >= then.end
    launched = min(max(then.launch.start if waits else then.launch.end, begin), end)
    usual = then.start == end and end - launched < 30_000  # else the profiled time ended first, or it is long
    return {"host_wait_us": launched - begin, "kernel_wait_us" if usual else "other_wait_us": end - launched}


DIRECTIONS = {
    "HtoD": "Host to device",
    "DtoH": "Device to host",
    "DtoD": "Device to device",
    "PtoP": "Peer to peer",
    "HtoH": "Host to host",
}


def copies(trace: Trace) -> dict:
    """{direction: [calls, us, bytes]}."""
    out = defaultdict(lambda: [0, 0.0, 0])
    for each in trace.of("memcpy", "memset"):
        known = next((words for short, words in DIRECTIONS.items() if short in each.name), each.name)
        row = out["Memset" if each.kind == "memset" else known]
        row[0] += 1
        row[1] += each.length / 1000
        row[2] += each.args.get("bytes", 0)
    return dict(out)


def memory(trace: Trace) -> dict:
    """{device: peak, held at its first moment by blocks of the trace, events}. Totals mean something on GPUs only."""
    by_device = defaultdict(list)
    for _, event in trace.memory:
        args = event["args"]
        by_device["CPU" if args["Device Type"] == 0 else f"GPU {args['Device Id']}"].append(args)
    out = {}
    for device, listed in by_device.items():
        totals = [args.get("Total Allocated", 0) for args in listed]
        if device == "CPU":
            totals = list(accumulate(args["Bytes"] for args in listed))
            totals = [total - min(0, *totals) for total in totals]  # what is freed first was there before
        held = {}
        for args in listed[: totals.index(max(totals)) + 1]:
            if args["Bytes"] > 0:
                held[args["Addr"]] = args["Bytes"]
            else:
                held.pop(args["Addr"], None)
        reserved = 0 if device == "CPU" else max(args.get("Total Reserved", 0) for args in listed)
        out[device] = {
            "peak_allocated": max(totals),
            "peak_reserved": reserved,
            "held": sum(held.values()),
            "events": len(listed),
        }
    return out


def overlap(trace: Trace) -> dict:
    window = profiled(trace)
    compute = union(clip(spans_of(computes(trace)), window))
    collectives = union(clip(spans_of(communication(trace)), window))
    return {
        "profiled_us": length(window),
        "compute_us": length(compute),
        "communication_us": length(collectives),
        "hidden_us": length(clip(collectives, compute)),
    }


def starts_of_collectives(trace: Trace) -> dict:
    """{(step, name): starts by time}."""
    out = defaultdict(list)
    for each in communication(trace):
        for start, end, number in trace.steps:
            if start <= (each.launch or each).start < end:
                out[number, each.name].append(each.start)
    return {key: sorted(starts) for key, starts in out.items()}


def lateness(traces: dict) -> dict:
    """{process: mean us behind the first} over the collectives that all have, matched by step, name and order."""
    starts = {process: starts_of_collectives(trace) for process, trace in traces.items()}
    late = {process: [] for process in traces}
    for name in set.intersection(*(set(by_name) for by_name in starts.values())):
        for moments in zip(*(by_name[name] for by_name in starts.values()), strict=False):
            for process, moment in zip(traces, moments, strict=True):
                late[process].append((moment - min(moments)) / 1000)
    return {process: sum(each) / len(each) for process, each in late.items() if each}


def annotations(trace: Trace) -> dict:
    """{name: durations in us}."""
    out = defaultdict(list)
    for each in trace.of("annotation"):
        out["ProfilerStep" if each.name.startswith("ProfilerStep#") else each.name].append(each.length / 1000)
    return out
