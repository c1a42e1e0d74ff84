"""Hugging Face's Trainer and Lightning: steps, waits and evaluation lie where the scripts' own callbacks say."""

import pytest
from conftest import Diary, begin_within, end_within
from test_steps import EVAL, TRAIN, step_row

STEPS = 16  # eight in each of two epochs
# In microseconds; sleeps are never shorter than they say.
FORWARD = 40_000  # of a training batch
EVALUATION = 50_000  # of a batch
LOADING = 4 * 2000  # of a batch


def check_steps(recording, diary: Diary, accumulate: int):
    """From when the batch is there to when the optimizer is done, whatever the trainer does before and after that."""
    steps = recording.events()[TRAIN]
    assert len(steps) == STEPS
    assert [step["args"]["step_num"] for step in steps] == list(range(1, STEPS + 1))
    assert all(step["dur"] >= accumulate * FORWARD for step in steps)
    begin_within(steps, diary.before("step begins"))
    end_within(steps, diary.before("step has ended"))
    row = step_row(recording.result(), "TRAIN")
    assert row["count"] == STEPS
    assert row["total_in_seconds"] == pytest.approx(recording.seconds(TRAIN), abs=1e-3)


def check_evaluation(recording, diary: Diary, sizes: list[int]):
    """As many batches in each evaluation as it has, and none elsewhere."""
    evaluated = []
    for name, _ in diary.notes:
        if name == "evaluation begins":
            evaluated.append(0)
        elif name == "evaluated a batch":
            evaluated[-1] += 1
    assert evaluated == sizes
    batches = recording.events()[EVAL]
    assert all(batch["dur"] >= EVALUATION for batch in batches)
    begin_within(batches, diary.before("evaluating a batch"))
    end_within(batches, diary.after("evaluated a batch"))
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
    diary = Diary(script)
    check_steps(recording, diary, accumulate)
    evaluations = diary.count("evaluation begins")
    assert evaluations >= 2  # Transformers 5 evaluates at the end, too
    check_evaluation(recording, diary, [5] * evaluations)
    check_waits(recording, STEPS * accumulate + 5 * evaluations, workers)
    assert len(recording.events()["Backward(post-forward)"]) == STEPS * accumulate
    assert {event["name"] for event in recording.events()["Optimizer"]} == {"AdamW"}
    assert recording.notes == []


@pytest.mark.parametrize(("accumulate", "data"), [(1, "sized"), (2, "sized"), (1, "stream")])
def test_lightning(trainers, accumulate, data):
    """It evaluates two batches before it trains, and asks ahead where it does not know how many batches there are."""
    recording, script = trainers.script("lightning_trainer", accumulate, data)
    diary = Diary(script)
    check_steps(recording, diary, accumulate)
    check_evaluation(recording, diary, [2, 5, 5])
    check_waits(recording, STEPS * accumulate + 12, 0)
    assert len(recording.events()["Backward(post-forward)"]) == STEPS * accumulate
    assert {event["name"] for event in recording.events()["Optimizer"]} == {"SGD"}
    assert recording.notes == []
