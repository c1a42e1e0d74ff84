"""Numbers of a trace that nothing can have measured: they are lost and counted, and no sum of them overflows."""

import json

from conftest import shared


def lost(result: dict) -> dict:
    return {row["reason"]: row["count"] for row in result["data_quality"]["skipped"]}


def write_trace(folder, events: list):
    path = folder / "t.pt.trace.json"
    path.write_text(json.dumps({"schemaVersion": 1, "traceEvents": events}))
    return path


def kernel(at, duration, **args) -> dict:
    args = {"device": 0, "stream": 7, "correlation": 1, **args}
    return {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": at, "dur": duration, "args": args}


def test_copies_that_are_larger_than_any_memory(debrief):
    result = debrief.result(shared("samples", "hostile", "copies-overflow"))
    (copies,) = result["traces"]["copies"]
    assert (copies["calls"], copies["bytes"], copies["bandwidth"]) == (2, None, None)
    (row,) = result["traces"]["kernels"]["rows"]
    assert (row["occupancy"], row["blocks_per_sm"]) == (None, None)
    assert lost(result) == {"value of an event that is not a measurement": 3}
    assert not result["data_quality"]["complete"]


def test_sums_of_sizes_do_not_overflow(debrief):
    """Each is as large as one may be."""
    copy = {"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD (Pageable -> Device)", "pid": 0, "tid": 7, "dur": 5}
    events = [{**copy, "ts": 10 * number, "args": {"device": 0, "stream": 7, "bytes": 2**50}} for number in range(9000)]
    result = debrief.result(write_trace(debrief.folder, events))
    (copies,) = result["traces"]["copies"]
    assert copies["bytes"] == 2**63 - 1


def test_sums_of_times_do_not_overflow(debrief):
    """Events as long as a century, in few and in many."""
    for count in (3, 40):
        spread = [kernel(number * 4e15 / count, 4e15) for number in range(count)]
        result = debrief.result(write_trace(debrief.folder, [*spread, kernel(0, 5), kernel(20, 5)]))
        (row,) = result["traces"]["kernels"]["rows"]
        assert 0 <= row["total_us"] <= 2**60 / 1e3
        assert sum(lost(result).values()) >= count - 1


def test_events_of_a_timeline_do_not_overflow(debrief):
    events = [{"name": "s", "ph": "X", "pid": 0, "ts": (number - 300) * 3e13, "dur": 1e15} for number in range(600)]
    path = debrief.folder / "1700000000_27-algo-1_pythontimeline.json"
    path.write_text(json.dumps(events))
    result = debrief.result(path)
    assert lost(result)["event time overflows"] > 300
