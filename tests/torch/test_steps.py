"""Steps, waits and evaluation lie where the script says."""

import subprocess

import pytest
from conftest import PYTHON, ROOT, SCRIPTS, Diary, begin_within, end_within

TRAIN = "Step:ModeKeys.TRAIN"
EVAL = "Step:ModeKeys.EVAL"


def step_row(result: dict, mode: str) -> dict:
    rows = [row for row in result["steps"] if row["mode"] == mode]
    assert len(rows) == 1, "one process trains"
    return rows[0]


@pytest.mark.parametrize("arguments", [(0,), (2,), (2, "spawn")], ids=["no workers", "forked", "spawned"])
def test_plain_loop(recorder, arguments):
    recording, script = recorder.script("plain", *arguments)
    events, diary = recording.events(), Diary(script)
    steps, waits = events[TRAIN], events["DataLoaderIter"]
    assert [step["args"]["step_num"] for step in steps] == list(range(1, 61))
    begin_within(steps, diary.before("got"))
    end_within(steps, diary.before("stepped"))
    begin_within(waits, diary.before("got"))
    end_within(waits, diary.before("got"))
    assert all(wait["ts"] + wait["dur"] <= step["ts"] + 1 for wait, step in zip(waits, steps, strict=True))
    if arguments == (0,):  # eight samples of 2 ms: a sleep is never shorter than it says
        assert all(wait["dur"] >= 8 * 2000 for wait in waits)
    assert len(events["Forward"]) == len(events["Backward(post-forward)"]) == len(events["Optimizer"]) == 60
    assert {event["name"] for event in events["Optimizer"]} == {"SGD"}
    assert recording.notes == []

    row = step_row(recording.result(), "TRAIN")
    assert row["count"] == 60
    assert row["total_in_seconds"] == pytest.approx(recording.seconds(TRAIN), abs=1e-3)


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
    steps, diary = recording.events()[TRAIN], Diary(script)
    assert len(steps) == 20
    begin_within(steps, diary.before("got"))
    end_within(steps, diary.before("stepped"))
    assert len(recording.events()["Backward(post-forward)"]) == 80
    assert step_row(recording.result(), "TRAIN")["count"] == 20


@pytest.mark.parametrize("source", ["loader", "made"])
def test_two_optimizers_share_a_step(recorder, source):
    recording, script = recorder.script("two_optimizers", source)
    events, diary = recording.events(), Diary(script)
    steps = events[TRAIN]
    assert len(steps) == 40
    assert [event["name"] for event in events["Optimizer"]] == ["SGD", "Adam"] * 40
    end_within(steps, diary.before("stepped"))
    if source == "loader":
        begin_within(steps, diary.before("got"))
    else:  # nothing says when the first step began but its first backward pass; the others begin where one ended
        begin_within(steps[:1], diary.before("backward of SGD")[:1])
        begin_within(steps[1:], diary.before("stepped")[:-1])


def test_evaluation_is_no_step(recorder):
    recording, script = recorder.script("evaluating")
    events, diary = recording.events(), Diary(script)
    assert len(events[TRAIN]) == 30
    assert len(events[EVAL]) == 15
    begin_within(events[TRAIN], diary.before("got"))
    end_within(events[TRAIN], diary.before("stepped"))
    begin_within(events[EVAL], diary.before("got to evaluate"))
    # A batch is done with when another is asked for; six times in each evaluation of five.
    asked = diary.after("asked to evaluate")
    end_within(events[EVAL], [gap for number, gap in enumerate(asked) if number % 6 > 0])
    result = recording.result()
    assert step_row(result, "EVAL")["count"] == 15


def test_a_step_without_a_loader_begins_after_evaluation(recorder):
    code = """
import torch
from torch.utils.data import DataLoader
from training import Diary
weight = torch.nn.Parameter(torch.zeros(1))
optimizer = torch.optim.SGD([weight], lr=1)
diary = Diary()
for _ in range(4):
    diary.note("begins")
    weight.sum().backward()
    diary.note("stepping")
    optimizer.step()
    diary.note("stepped")
    with torch.no_grad():
        for batch in diary.asking(DataLoader(list(range(4)), batch_size=2)):
            pass
diary.tell()
"""
    path = f"{recorder.environment()['PYTHONPATH']}:{SCRIPTS}"
    recording, script = recorder.run("-c", code, PYTHONPATH=path)
    events, diary = recording.events(), Diary(script)
    assert len(events[TRAIN]) == 4
    assert len(events[EVAL]) == 8
    # The last of the three times that an evaluation asks is where it ends.
    begin_within(events[TRAIN][1:], diary.before("no more")[:-1])
    end_within(events[TRAIN], diary.before("stepped"))


def test_checkpoints_take_their_share(recorder):
    """Three in the loop and one that fails; what a background thread saves keeps nobody waiting."""
    recording, script = recorder.script("saving")
    saves = recording.events()["Checkpoint"]
    assert [event["name"] for event in saves] == ["save"] * 4
    assert script["error"] == "RuntimeError"
    diary = Diary(script)
    begin_within(saves, diary.after("saving") + diary.after("failing"))
    end_within(saves, diary.before("saved") + diary.before("failed"))
    speed = recording.result()["curves"]["speed"]
    assert speed["checkpoints"] == 4
    assert speed["checkpoint_in_seconds"] == pytest.approx(recording.seconds("Checkpoint"), abs=1e-3)
    assert 0 < speed["checkpoint_percent"] < 100


def test_an_optimizer_that_calls_the_model(recorder):
    recording, script = recorder.script("closure")
    events, diary = recording.events(), Diary(script)
    assert len(events[TRAIN]) == 20
    begin_within(events[TRAIN], diary.after("stepping")[:1] + diary.before("stepped")[:-1])
    end_within(events[TRAIN], diary.before("stepped"))
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
