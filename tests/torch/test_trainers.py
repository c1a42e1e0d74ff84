"""Hugging Face's Trainer and Lightning: steps, waits and evaluation agree with the scripts' own callbacks."""

import pytest
from test_steps import EVAL, TRAIN, step_row

STEPS = 16  # eight in each of two epochs
# In microseconds; sleeps are never shorter than they say.
FORWARD = 40_000  # of a training batch
EVALUATION = 50_000  # of a batch
LOADING = 4 * 2000  # of a batch
SLACK = 50_000  # between a callback and what it tells of; an evaluation takes five times as long


def seconds(spans: list) -> float:
    return sum(end - begin for begin, end in spans) / 1e6


def check_steps(recording, spans: list, accumulate: int):
    steps = recording.events()[TRAIN]
    assert len(steps) == len(spans) == STEPS
    assert [step["args"]["step_num"] for step in steps] == list(range(1, STEPS + 1))
    assert all(step["dur"] >= accumulate * FORWARD for step in steps)
    for step, (begin, end) in zip(steps, spans, strict=True):
        assert step["ts"] == pytest.approx(begin, abs=SLACK)
        assert step["ts"] + step["dur"] == pytest.approx(end, abs=SLACK)
    # Between a step's ends and the callbacks trainers do a little: 0.2 ms, more in the first one.
    assert recording.seconds(TRAIN) == pytest.approx(seconds(spans), rel=0.03)
    row = step_row(recording.result(), "TRAIN")
    assert row["count"] == STEPS
    assert row["total_in_seconds"] == pytest.approx(recording.seconds(TRAIN), abs=1e-3)


def check_evaluation(recording, times: dict, sizes: list[int]):
    """As many batches in each evaluation as it has, none elsewhere, and no step while it lasts."""
    batches = recording.events()[EVAL]
    spans = times["evaluation"]
    inside = [
        sum(begin <= batch["ts"] + 1000 and batch["ts"] + batch["dur"] <= end + 1000 for batch in batches)
        for begin, end in spans
    ]
    assert inside == sizes
    assert len(batches) == sum(sizes)
    assert all(batch["dur"] >= EVALUATION for batch in batches)
    for batch, (begin, end) in zip(batches, times["evaluation batch"], strict=True):
        assert batch["ts"] == pytest.approx(begin, abs=SLACK)
        assert batch["ts"] + batch["dur"] == pytest.approx(end, abs=SLACK)
    assert recording.seconds(EVAL) == pytest.approx(seconds(times["evaluation batch"]), rel=0.05)
    assert step_row(recording.result(), "EVAL")["count"] == sum(sizes)


def check_waits(recording, count: int, workers: int):
    waits = recording.events()["DataLoaderIter"]
    assert len(waits) == count
    if workers == 0:
        assert all(wait["dur"] >= LOADING for wait in waits)
    loading = recording.result()["data_loading"]
    assert (loading["num_workers"], loading["batch_size"]) == (workers, 4)


@pytest.mark.parametrize(("accumulate", "workers"), [(1, 0), (2, 2)])
def test_hugging_face(trainers, accumulate, workers):
    recording, script = trainers.script("huggingface", accumulate, workers)
    check_steps(recording, script["times"]["step"], accumulate)
    evaluations = len(script["times"]["evaluation"])
    assert evaluations >= 2  # Transformers 5 evaluates at the end, too
    check_evaluation(recording, script["times"], [5] * evaluations)
    check_waits(recording, STEPS * accumulate + 5 * evaluations, workers)
    assert len(recording.events()["Backward(post-forward)"]) == STEPS * accumulate
    assert {event["name"] for event in recording.events()["Optimizer"]} == {"AdamW"}
    assert recording.notes == []


@pytest.mark.parametrize(("accumulate", "data"), [(1, "sized"), (2, "sized"), (1, "stream")])
def test_lightning(trainers, accumulate, data):
    """It evaluates two batches before it trains, and asks ahead where it does not know how many batches there are."""
    recording, script = trainers.script("lightning_trainer", accumulate, data)
    check_steps(recording, script["times"]["step"], accumulate)
    check_evaluation(recording, script["times"], [2, 5, 5])
    check_waits(recording, STEPS * accumulate + 12, 0)
    assert len(recording.events()["Backward(post-forward)"]) == STEPS * accumulate
    assert {event["name"] for event in recording.events()["Optimizer"]} == {"SGD"}
    assert recording.notes == []
