"""The critical path of a step in plain Python: a walk back from its end, one cause at a time.

Times are whole nanoseconds. Where debrief builds a graph and follows it, this asks at each moment what was waited for.
"""

import bisect
from collections import defaultdict
from itertools import pairwise

from trace_independent import communicates
from trace_loading import NESTING, WORK, Slice, Trace, parents

PARTS = (
    "CPU operators",
    "data loader",
    "other host code",
    "runtime calls",
    "launch",
    "compute",
    "communication",
    "copy",
    "kernel gaps",
    "sync wait",
)
COPYING = ("aten::item", "aten::_local_scalar_dense", "aten::to", "aten::_to_copy", "aten::copy_")
IDLE = "other host code"


def part_on_host(each: Slice | None) -> str:
    if each is None:
        return IDLE
    if each.kind == "annotation" and each.name.startswith("enumerate(DataLoader)"):
        return "data loader"
    if communicates(each):
        return "communication"
    return {"op": "CPU operators", "runtime": "runtime calls"}.get(each.kind, IDLE)


def part_of_work(each: Slice) -> str:
    if each.kind != "kernel":
        return "copy"
    return "communication" if communicates(each) else "compute"


def stretches(slices: list, begin: int, end: int) -> list:
    """[(start, end, innermost slice)] of a thread without gaps, from `begin` to `end`."""
    inside = [each for each in slices if each.start <= end and each.end > begin and each.length > 0]
    inside.sort(key=lambda each: (each.start, -each.length))
    moments = sorted({begin, end, *(m for each in inside for m in (each.start, each.end) if begin < m < end)})
    out, opened, at = [], [], 0
    for low, high in pairwise(moments):
        while at < len(inside) and inside[at].start <= low:
            opened.append(inside[at])
            at += 1
        opened = [each for each in opened if each.end > low]
        inner = opened[-1] if opened else None
        if out and out[-1][2] is inner:
            out[-1] = (out[-1][0], high, inner)
        else:
            out.append((low, high, inner))
    return out


class Path:
    def __init__(self, trace: Trace, host: tuple, begin: int, end: int) -> None:
        self.begin, self.end = begin, end
        threads = defaultdict(list)
        for each in trace.of(*NESTING):
            threads[each.track].append(each)
        self.threads = {track: stretches(slices, begin, end) for track, slices in threads.items()}
        self.ends = {track: [high for _, high, _ in own] for track, own in self.threads.items()}
        self.autograd = {
            each.track
            for each in trace.of("op")
            if each.name.startswith(("autograd::engine::evaluate_function", "torch::autograd::AccumulateGrad"))
            and each.start <= end
            and each.end > begin
        }
        self.main = next(each.track for each in trace.of("annotation") if (each.start, each.end) == host)
        self.autograd.discard(self.main)
        self.work = [each for each in trace.of(*WORK) if each.start <= end and each.end > begin]
        self.idle = {False: sorted(self.idle_moments({self.main})), True: sorted(self.idle_moments(self.autograd))}
        self.copies = {id(each.launch): each for each in self.work if self.blocks(each)}
        self.streams = defaultdict(list)
        for each in self.work:
            self.streams[each.track].append(each)
        for own in self.streams.values():
            own.sort(key=lambda each: each.end)
        self.waits = {each.args.get("correlation"): each for each in trace.of("gpu wait")}
        self.records = {
            each.args.get("correlation"): each for each in trace.of("runtime") if "EventRecord" in each.name
        }
        self.sources = defaultdict(list)
        if any("wait_on_cuda_event_record_corr_id" in each.args for each in self.waits.values()):
            for call in trace.of("runtime"):
                if "StreamWaitEvent" in call.name and call.args.get("correlation") in self.waits:
                    self.add_source(call)
        else:
            self.by_end = sorted(self.work, key=lambda each: min(each.end, end))
            for each in self.work:
                if each.launch is not None:
                    self.guess_source(each)

    def idle_moments(self, tracks: set):
        """(time, thread) where one of them ceases to do something."""
        for track in tracks:
            own = self.threads[track]
            for (_, end, one), (_, _, two) in pairwise(own):
                if part_on_host(one) != IDLE and part_on_host(two) == IDLE:
                    yield end, track

    @staticmethod
    def blocks(copy: Slice) -> bool:
        """Whether the host waits for it."""
        call = copy.launch
        if call is None or copy.kind != "memcpy" or "DtoH" not in copy.name:
            return False
        if "Pinned" in copy.name and "Async" in call.name:
            return False
        return any(each.kind == "op" and each.name in COPYING for each in parents(call))

    def launched(self, test) -> list:
        return sorted((each for each in self.work if each.launch and test(each)), key=lambda each: each.launch.start)

    def source_of(self, wait: Slice) -> Slice | None:
        record = self.records.get(wait.args.get("wait_on_cuda_event_record_corr_id"))
        stream = (True, wait.track[1], wait.args.get("wait_on_stream"))
        if record is None:
            return None
        before = self.launched(lambda each: each.track == stream and each.launch.start <= record.start)
        return before[-1] if before else None

    def add_source(self, call: Slice) -> None:
        wait = self.waits[call.args["correlation"]]
        later = self.launched(
            lambda each: each.launch.track == call.track and each.launch.start > call.start and each.track == wait.track
        )
        source = self.source_of(wait)
        if later and source is not None and source.end <= later[0].start:
            self.sources[id(later[0])].append(source)

    def guess_source(self, work: Slice) -> None:
        """Without records: what starts late waits for the last that ended before, if it was launched before, too."""
        ready = max([work.launch.start, *(each.end for each in self.before(work))])
        if work.start - ready <= 30_000:
            return
        at = bisect.bisect_right(self.by_end, work.start, key=lambda each: min(each.end, self.end))
        for other in reversed(self.by_end[max(0, at - 64) : at]):
            if min(other.end, self.end) <= ready:
                return
            if other.track == work.track or other.track[1] != work.track[1] or other.launch is None:
                continue
            if other.launch.start < work.launch.start:
                self.sources[id(work)].append(other)
                return

    def before(self, work: Slice) -> list:
        """What its stream ended last before it began, if anything."""
        own = self.streams[work.track]
        at = bisect.bisect_right(own, work.start, key=lambda each: each.end)
        earlier = (own[place] for place in range(at - 1, -1, -1))
        found = next((each for each in earlier if each is not work and each.start <= work.start), None)
        return [] if found is None else [found]

    def awaited(self, call: Slice) -> Slice | None:
        """The work whose end lets the call return."""
        if id(call) in self.copies:
            return self.copies[id(call)]
        if not call.name.endswith("Synchronize"):
            return None
        wait = self.waits.get(call.args.get("correlation"))
        if wait is not None and "wait_on_cuda_event_record_corr_id" in wait.args:
            return self.source_of(wait)
        done = [
            each
            for each in self.work
            if min(each.end, self.end) <= call.end and (each.launch is None or each.launch.start < call.start)
        ]
        if wait is not None and any(
            each.track == wait.track and each.launch and each.launch.start <= call.start for each in self.work
        ):
            done = [each for each in done if each.track == wait.track]
        return max(done, key=lambda each: each.end, default=None)

    def on_thread(self, track: tuple, time: int) -> tuple:
        """What the thread waited for: (segment, next place)."""
        own = self.threads[track]
        at = bisect.bisect_left(self.ends[track], time)
        low, _, inner = own[at]
        part = part_on_host(inner)
        if inner is not None and inner.kind == "runtime" and inner.end == time:
            work = self.awaited(inner)
            if work is not None and low < min(work.end, self.end) <= time:
                return (work.end, time, "sync wait", inner), ("work", work)
        if part == IDLE and track in {self.main, *self.autograd}:
            first, last = at, at  # all of the time in which the thread is idle
            while first > 0 and part_on_host(own[first - 1][2]) == IDLE:
                first -= 1
            while last + 1 < len(own) and part_on_host(own[last + 1][2]) == IDLE:
                last += 1
            ends = self.idle[track == self.main]
            place = bisect.bisect_left(ends, (own[last][1],)) - 1
            if place >= 0 and own[first][0] < ends[place][0] and low <= ends[place][0] < time:
                return (ends[place][0], time, IDLE, inner), ("thread", ends[place][1], ends[place][0])
        return (low, time, part, inner), ("thread", track, low)

    def to_work(self, work: Slice) -> tuple:
        """What its start waited for."""
        causes = []
        call = work.launch
        if call is not None and call.start >= self.begin:
            causes.append((min(call.start, work.start), 3, "launch", ("thread", call.track)))
        before = self.before(work)
        if before:
            last = max(before, key=lambda each: each.end)
            causes.append((last.end, 2, "kernel gaps", ("work", last)))
        for source in self.sources[id(work)]:
            causes.append((source.end, 1, "kernel gaps", ("work", source)))
        if not causes:
            return (self.begin, work.start, "kernel gaps", work), None
        time, _, part, place = max(causes, key=lambda cause: cause[:2])
        if place[0] == "thread":
            at = bisect.bisect_right(self.ends[place[1]], time)
            time = self.ends[place[1]][at - 1] if at > 0 else self.begin
            place = (*place, time)
        return (time, work.start, part, work), place

    def walk(self, from_host: bool) -> list:
        if from_host:
            place = ("thread", self.main, self.end)
        else:
            ends = [each for each in self.work if each.end == self.end]
            begins = [each for each in self.work if each.start == self.end]
            cut = [each for each in self.work if each.start < self.end < each.end]
            place = ("work", ends[0]) if ends else ("start", begins[0]) if begins else ("work", cut[0])
        segments = []
        while place is not None:
            if place[0] == "work":
                work = place[1]
                low = max(work.start, self.begin)
                segments.append((low, min(work.end, self.end), part_of_work(work), work))
                place = ("start", work) if work.start > self.begin else None
                continue
            segment, place = self.to_work(place[1]) if place[0] == "start" else self.on_thread(*place[1:])
            segments.append(segment)
            if segment[0] <= self.begin:
                break
        return [each for each in reversed(segments) if each[1] > each[0]]


def critical_path(trace: Trace, ran: tuple, host: tuple) -> list:
    """[(start, end, part, slice or None)] without gaps; `ran` and `host` are (start, end) of the step."""
    return Path(trace, host, *ran).walk(ran[1] == host[1])


def by_part(path: list) -> dict:
    out = dict.fromkeys(PARTS, 0.0)
    for start, end, part, _ in path:
        out[part] += (end - start) / 1000
    return out
