"""The steps in the page are those of the trace file, slice by slice."""

import gzip
import json
from collections import Counter
from decimal import Decimal
from functools import lru_cache

import pytest
from conftest import SAMPLE_JOBS
from page_samples import Page

KINDS = {
    "cpu_op": "operator",
    "user_annotation": "annotation",
    "cuda_runtime": "runtime",
    "cuda_driver": "runtime",
    "overhead": "overhead",
    "kernel": "kernel",
    "gpu_memcpy": "memcpy",
    "gpu_memset": "memset",
}
GPU = ("kernel", "memcpy", "memset")


def nanoseconds(microseconds) -> int:
    return int(Decimal(microseconds) * 1000)


@lru_cache(maxsize=4)
def recorded(job) -> list[dict]:
    """Complete events of all traces, with times in nanoseconds, and the file they are of."""
    events = []
    for path in sorted((job / "traces").iterdir()):
        document = json.loads(gzip.decompress(path.read_bytes()), parse_float=Decimal)
        for event in document["traceEvents"]:
            if event["ph"] == "X" and event.get("cat") in KINDS:
                start, length = nanoseconds(event["ts"]), nanoseconds(event["dur"])
                events.append(
                    event | {"file": path.name, "start": start, "end": start + length, "kind": KINDS[event["cat"]]}
                )
    return events


@pytest.mark.parametrize("which", ["slowest", "median", "fastest"])
@pytest.mark.parametrize("name", ["gpt-train-eval", "resnet50-healthy", "small-batch-mlp", "ddp-gloo-straggler"])
def test_a_step_is_the_trace(debrief, name, which):
    debrief.result(SAMPLE_JOBS / name)
    page = Page(debrief.folder / "report.html")
    assert len(page.html.encode()) <= 1_000_000
    view, found = page.step(which)
    events = recorded(SAMPLE_JOBS / name)

    steps = [event for event in events if event["kind"] == "annotation" and event["name"].startswith("ProfilerStep#")]
    steps.sort(key=lambda step: step["end"] - step["start"])
    step = {"slowest": steps[-1], "median": steps[(len(steps) - 1) // 2], "fastest": steps[0]}[which]
    assert view["step"] == int(step["name"].split("#")[1])
    assert view["length"] * 1000 == pytest.approx(step["end"] - step["start"])

    own = [event for event in events if event["file"] == step["file"]]
    calls = {
        event["args"]["correlation"]: event
        for event in own
        if event["kind"] == "runtime" and "correlation" in event["args"]
    }

    def belongs(event) -> bool:
        if event["start"] < step["end"] and max(event["end"], event["start"] + 1) > step["start"]:
            return True
        call = calls.get(event["args"]["correlation"]) if event["kind"] in GPU else None
        return call is not None and step["start"] <= call["start"] < step["end"]

    inside = [event for event in own if belongs(event)]
    wanted = Counter(
        (event["kind"], event["name"], event["start"] - step["start"], event["end"] - event["start"])
        for event in inside
    )
    assert Counter((kind, name, start, duration) for _, kind, name, start, duration, _, _ in found) == wanted
    assert view["dropped"] == 0
    assert len(found) > 100

    # What is on one level of a track does not overlap, and a slice lies below what holds it.
    last = {}
    for track, _, _, start, duration, depth, _ in found:
        assert last.get((track, depth), start) <= start
        last[track, depth] = start + duration
    assert view["shown"] * 1000 == pytest.approx(
        max([step["end"]] + [event["end"] for event in inside if event["kind"] in GPU]) - step["start"]
    )

    # Launches are those of the same correlation.
    launched = Counter()
    for event in inside:
        call = calls.get(event["args"]["correlation"]) if event["kind"] in GPU else None
        if call is not None and belongs(call):
            launched[event["name"], event["start"] - step["start"], call["name"], call["start"] - step["start"]] += 1
    assert launched.total() > 10
    assert (
        Counter(
            (name, start, found[launch][2], found[launch][3])
            for _, _, name, start, _, _, launch in found
            if launch is not None
        )
        == launched
    )


def test_steps_give_way_where_there_is_no_room_and_the_page_says_so(debrief):
    job = SAMPLE_JOBS / "gpt-train-eval"
    debrief.run("report", job, "-o", "page.html", "--quiet")
    whole = Page(debrief.folder / "page.html")
    most = {view["which"]: sum(track["slices"] for track in view["tracks"]) for view in whole.steps["views"]}
    text = len(whole.html.encode()) - sum(len(script) for script in whole.html.split("application/")[1:])
    debrief.run("report", job, "-o", "page.html", "--quiet", "--max-size", str(text + 250_000))
    page = Page(debrief.folder / "page.html")
    assert len(page.html.encode()) <= text + 250_000
    chosen = [view for view in page.steps["views"] if view["which"] in most]  # others take the room that is left
    assert len(chosen) == len(most)
    for view in chosen:
        shown = sum(track["slices"] for track in view["tracks"])
        assert view["dropped"] > 0
        assert shown + view["dropped"] == most[view["which"]]
        assert f"The {view['which']} step is shown without its {view['dropped']} shortest slices." in page.html
    debrief.run("report", job, "-o", "page.html", "--quiet", "--max-size", "1")
    page = Page(debrief.folder / "page.html")
    assert page.steps is None
    assert "Steps are left out to keep the page within its size" in page.html
