"""Steps, waits and evaluation agree with the script's own clock."""

import subprocess

import pytest
from conftest import PYTHON, ROOT

TRAIN = "Step:ModeKeys.TRAIN"
EVAL = "Step:ModeKeys.EVAL"


def step_row(result: dict, mode: str) -> dict:
    rows = [row for row in result["steps"] if row["mode"] == mode]
    assert len(rows) == 1, "one process trains"
    return rows[0]


@pytest.mark.parametrize("arguments", [(0,), (2,), (2, "spawn")], ids=["no workers", "forked", "spawned"])
def test_plain_loop(recorder, arguments):
    recording, script = recorder.script("plain", *arguments)
    events = recording.events()
    assert [event["args"]["step_num"] for event in events[TRAIN]] == list(range(1, 61))
    assert recording.seconds(TRAIN) == pytest.approx(script["seconds"]["step"], rel=0.01)
    assert len(events["DataLoaderIter"]) == script["counts"]["wait"] == 60
    assert recording.seconds("DataLoaderIter") == pytest.approx(script["seconds"]["wait"], rel=0.02, abs=0.01)
    assert len(events["Forward"]) == len(events["Backward(post-forward)"]) == len(events["Optimizer"]) == 60
    assert {event["name"] for event in events["Optimizer"]} == {"SGD"}
    assert recording.notes == []

    row = step_row(recording.result(), "TRAIN")
    assert row["count"] == 60
    assert row["total_in_seconds"] == pytest.approx(script["seconds"]["step"], rel=0.01)


def test_parts_of_a_step_lie_within_it(recorder):
    recording, _ = recorder.script("plain", 0)
    events = recording.events()
    for step, forward, backward, optimizer in zip(
        events[TRAIN], events["Forward"], events["Backward(post-forward)"], events["Optimizer"], strict=True
    ):
        parts = [forward, backward, optimizer]
        assert all(part["args"]["step_num"] == step["args"]["step_num"] for part in parts)
        moments = [step["ts"]] + [m for part in parts for m in (part["ts"], part["ts"] + part["dur"])]
        assert moments == sorted(moments)
        assert moments[-1] <= step["ts"] + step["dur"] + 1


@pytest.mark.parametrize("context", ["fork", "spawn"])
def test_workers(recorder, context):
    """What workers load belongs to the process that trains."""
    recording, _ = recorder.script("plain", 2, context)
    events = recording.events()
    setups = events["DataLoaderIterInitialize"]
    assert [(e["args"]["num_workers"], e["args"]["pin_memory"], e["args"]["prefetch_factor"]) for e in setups] == [
        (2, False, 2)
    ] * 2
    work = events["DataLoaderWorker"]
    assert len(work) == 60
    assert {event["args"]["worker_id"] for event in work} == {0, 1}
    trainers = {event["args"]["pid"] for event in events[TRAIN]}
    assert len(trainers) == 1
    assert {int(file.name.split("_")[1].split("-")[0]) for file in recording.files} == trainers
    # Eight samples of 2 ms: a sleep is never shorter than it says.
    assert all(event["dur"] >= 8 * 2000 for event in work)

    result = recording.result()
    assert result["data_loading"]["num_workers"] == 2
    assert result["data_loading"]["pin_memory"] is False
    assert len(result["job"]["processes"]) == 1


def test_gradient_accumulation(recorder):
    recording, script = recorder.script("accumulate")
    assert len(recording.events()[TRAIN]) == script["counts"]["step"] == 20
    assert len(recording.events()["Backward(post-forward)"]) == 80
    # The script counts zero_grad() after the optimizer's step, too.
    assert recording.seconds(TRAIN) == pytest.approx(script["seconds"]["step"], rel=0.01)
    assert step_row(recording.result(), "TRAIN")["count"] == 20


@pytest.mark.parametrize("source", ["loader", "made"])
def test_two_optimizers_share_a_step(recorder, source):
    recording, script = recorder.script("two_optimizers", source)
    events = recording.events()
    assert len(events[TRAIN]) == script["counts"]["step"] == 40
    assert [event["name"] for event in events["Optimizer"]] == ["SGD", "Adam"] * 40
    steps = [event["dur"] / 1e6 for event in events[TRAIN]]
    # Without a loader nothing says when the first step began but its first backward pass.
    tolerance = 0.01 if source == "loader" else 0.03
    assert sum(steps) == pytest.approx(script["seconds"]["step"], rel=tolerance)


def test_evaluation_is_no_step(recorder):
    recording, script = recorder.script("evaluating")
    events = recording.events()
    assert len(events[TRAIN]) == script["counts"]["step"] == 30
    assert len(events[EVAL]) == script["counts"]["evaluation"] == 15
    assert recording.seconds(TRAIN) == pytest.approx(script["seconds"]["step"], rel=0.01)
    assert recording.seconds(EVAL) == pytest.approx(script["seconds"]["evaluation"], rel=0.01)
    result = recording.result()
    assert step_row(result, "EVAL")["count"] == 15


def test_a_step_without_a_loader_begins_after_evaluation(recorder):
    code = """
import time, torch
from torch.utils.data import DataLoader
weight = torch.nn.Parameter(torch.zeros(1))
optimizer = torch.optim.SGD([weight], lr=1)
for _ in range(4):
    time.sleep(0.02)
    weight.sum().backward()
    optimizer.step()
    with torch.no_grad():
        for batch in DataLoader(list(range(4)), batch_size=2):
            time.sleep(0.2)
"""
    recording, _ = recorder.run("-c", code)
    events = recording.events()
    assert len(events[TRAIN]) == 4
    assert len(events[EVAL]) == 8
    for step in events[TRAIN][1:]:
        assert 20_000 <= step["dur"] < 200_000


def test_checkpoints_take_their_share(recorder):
    """Three in the loop and one that fails; what a background thread saves keeps nobody waiting."""
    recording, script = recorder.script("saving")
    saves = recording.events()["Checkpoint"]
    assert [event["name"] for event in saves] == ["save"] * 4
    assert script["error"] == "RuntimeError"
    assert sum(event["dur"] for event in saves[:3]) / 1e6 == pytest.approx(script["seconds"]["checkpoint"], rel=0.05)
    speed = recording.result()["curves"]["speed"]
    assert speed["checkpoints"] == 4
    assert speed["checkpoint_in_seconds"] == pytest.approx(recording.seconds("Checkpoint"), abs=1e-3)
    assert 0 < speed["checkpoint_percent"] < 100


def test_an_optimizer_that_calls_the_model(recorder):
    recording, script = recorder.script("closure")
    events = recording.events()
    assert len(events[TRAIN]) == script["counts"]["step"] == 20
    assert recording.seconds(TRAIN) == pytest.approx(script["seconds"]["step"], rel=0.02)
    backwards = sum(event["dur"] for event in events["Backward(post-forward)"])
    assert backwards > 0


def test_rank_and_world_size_are_noted(recorder):
    recording, _ = recorder.script("plain", 0, RANK="1", WORLD_SIZE="2", LOCAL_RANK="1")
    head = recording.files[0].read_text().splitlines()[2]
    assert '"rank":1,"local_rank":1,"world_size":2' in head


def test_an_old_pytorch_is_not_asked_for_traces(recorder):
    """Its libkineto may crash the process."""
    out = subprocess.run(
        [PYTHON, "-c", "import torch; print(torch.__version__)"], capture_output=True, text=True, check=True
    )
    version = out.stdout.strip()
    if tuple(map(int, version.split(".")[:2])) >= (2, 7):
        pytest.skip(f"PyTorch {version} is new enough for traces")
    recording, _ = recorder.script("closure", traces=True)
    assert recording.notes == [
        f"No traces were recorded: PyTorch {version} is older than 2.7. Ask for them with --trace."
    ]
    assert not (recording.folder / "job" / "traces").exists()


def test_the_tutorials_script(recorder):
    """The one that docs/tutorial.md shows runs, and its loader is recorded. Batches are smaller, so that it takes seconds."""
    text = (ROOT / "docs/tutorial.md").read_text()
    script = recorder.folder / "train.py"
    code = text.split("```python\n")[1].split("```")[0]
    assert "batch_size=64" in code
    script.write_text(code.replace("batch_size=64", "batch_size=4"))
    recording, _ = recorder.run(script, "--steps", "2", "--workers", "1")
    assert len(recording.events()[TRAIN]) == 2
    loading = recording.result()["data_loading"]
    assert (loading["num_workers"], loading["batch_size"]) == (1, 4)
