"""Runs that diverged, and what stands beside them or behind them: none may pass a gate on divergence, whatever else is logged."""

import json
import math
import sqlite3
import tarfile

import pytest
from conftest import shared
from job_files import START
from small_job import write_small_job
from tensorboard_file import write_scalars
from wandb_file import run_file

FAILED, REFUSED, INCOMPLETE = 1, 2, 3
GATE = ("--fail-on", "diverged", "--strict")
ROWS = 60


def healthy(row: int) -> float:
    return 3 / (1 + row / 10)


def broken(row: int) -> float:
    """A fifth of the rows are good."""
    return healthy(row) if row < ROWS / 5 else math.nan


def risen(row: int) -> float:
    return healthy(row) if row < ROWS / 5 else 40 + row % 3


def csv_rows(folder, rows) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "metrics.csv").write_text("step,loss\n" + "".join(f"{step},{value}\n" for step, value in rows))


def state(folder, rows, steps: int = ROWS) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    entries = [{"step": step, "loss": value} for step, value in rows]
    (folder / "trainer_state.json").write_text(json.dumps({"global_step": steps, "log_history": entries}))


def events(folder, rows, name: str = "events.out.tfevents.1.host", tag: str = "train/loss") -> None:
    write_scalars(folder / name, [(START + row, step, {tag: value}) for row, (step, value) in enumerate(rows)])


def mlflow(folder, run: str, rows, start: int = START, stage: str = "active") -> None:
    (folder / run / "metrics").mkdir(parents=True)
    (folder / run / "meta.yaml").write_text(
        f"run_id: {run}\nrun_name: {run}\nstart_time: {start}000\nstatus: 3\nlifecycle_stage: {stage}\n"
    )
    lines = (f"{start + row}000 {value} {step}\n" for row, (step, value) in enumerate(rows))
    (folder / run / "metrics" / "loss").write_text("".join(lines))


def wandb(folder, rows) -> None:
    folder.mkdir(parents=True)
    (folder / "run-a.wandb").write_bytes(
        run_file((step, START + row, {"loss": value}) for row, (step, value) in enumerate(rows))
    )


def course(loss, count: int = ROWS) -> list:
    return [(row + 1, loss(row)) for row in range(count)]


def last_row_at_an_earlier_step(job, loss):
    csv_rows(job, [*course(loss), (0, 1.0)])


def last_rows_at_earlier_steps(job, loss):
    csv_rows(job, [*course(loss), (0, 1.0), (1, 1.0)])


def last_row_far_on(job, loss):
    csv_rows(job, [*course(loss), (10**9, 1.0)])


def last_row_without_a_step(job, loss):
    events(job, [*course(loss), (0, 1.0)])


def rows_without_steps(job, loss):
    events(job, [(0, value) for _, value in [*course(loss), (0, 1.0)]])


def later_file_of_the_run(job, loss):
    events(job, course(loss))
    events(job, [(1, 1.0)], "events.out.tfevents.2.host")


def longer_run_beside(job, loss):
    events(job / "runs" / "a", course(loss))
    events(job / "runs" / "b", course(healthy, 3 * ROWS))


def other_trainer_state(job, loss):
    state(job, course(loss))
    state(job / "checkpoint-999", course(healthy, 3 * ROWS), 999)


def other_tool(job, loss):
    state(job, course(loss))
    events(job, course(healthy), tag="loss")


def null_for_nan(job, loss):
    rows = [(step, None if math.isnan(value) else value) for step, value in course(loss)]
    state(job, rows)


def summary_in_each_row(job, loss):
    job.mkdir(exist_ok=True)
    entries = [{"step": step, "loss": value, "train_runtime": 1.0} for step, value in course(loss)]
    (job / "trainer_state.json").write_text(json.dumps({"global_step": ROWS, "log_history": entries}))


def later_run_of_mlflow(job, loss):
    mlflow(job / "mlruns/0", "a", course(loss))
    mlflow(job / "mlruns/0", "b", course(healthy), START + 1000)


def deleted_run_of_mlflow(job, loss):
    mlflow(job / "mlruns/0", "a", course(loss), stage="deleted")


def deleted_run_beside_another(job, loss):
    deleted_run_of_mlflow(job, loss)
    mlflow(job / "mlruns/0", "b", course(healthy), START - 1000)


def deleted_run_of_the_database(job, loss):
    with sqlite3.connect(job / "mlflow.db") as database:
        database.executescript(
            "create table latest_metrics(key); create table runs(run_uuid, name, start_time, lifecycle_stage);"
            "create table metrics(run_uuid, key, value, timestamp, step, is_nan);"
        )
        for run, stage, values in (("a", "deleted", loss), ("b", "active", healthy)):
            database.execute("insert into runs values (?, ?, ?, ?)", (run, run, START * 1000, stage))
            for step, value in course(values):
                nan = math.isnan(value)
                row = (run, "loss", 0 if nan else value, (START + step) * 1000, step, nan)
                database.execute("insert into metrics values (?, ?, ?, ?, ?, ?)", row)


def earlier_run_of_wandb(job, loss):
    wandb(job / "wandb/run-a", course(loss))
    mlflow(job / "mlruns/0", "b", course(healthy), START + 100_000)


def later_version_of_lightning(job, loss):
    csv_rows(job / "version_0", course(loss))
    csv_rows(job / "version_1", course(healthy))


def no_loss(job, loss):
    events(job, course(loss), tag="learning_rate")


def few_values(job, loss):
    csv_rows(job, course(loss)[: ROWS // 5 - 3])


WAYS = [
    last_row_at_an_earlier_step,
    last_rows_at_earlier_steps,
    last_row_far_on,
    last_row_without_a_step,
    rows_without_steps,
    later_file_of_the_run,
    longer_run_beside,
    other_trainer_state,
    other_tool,
    null_for_nan,
    summary_in_each_row,
    later_run_of_mlflow,
    deleted_run_of_mlflow,
    deleted_run_beside_another,
    deleted_run_of_the_database,
    earlier_run_of_wandb,
    later_version_of_lightning,
    no_loss,
    few_values,
]


@pytest.mark.parametrize("loss", [broken, risen], ids=lambda loss: loss.__name__)
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_a_diverged_run_does_not_pass(way, loss, debrief, tmp_path):
    job = write_small_job(tmp_path / "job", gpu=100.0)
    way(job, loss)
    debrief.run("check", job, *GATE, expect={FAILED, REFUSED, INCOMPLETE})


def test_a_healthy_run_passes(debrief, tmp_path):
    job = write_small_job(tmp_path / "job", gpu=100.0)
    csv_rows(job, course(healthy))
    debrief.run("check", job, *GATE)


def test_a_run_that_was_resumed_passes(debrief, tmp_path):
    """What it logged again replaces what it had logged, and is counted."""
    job = write_small_job(tmp_path / "job", gpu=100.0)
    csv_rows(job, [*course(broken)[:30], *course(healthy)[10:]])
    debrief.run("check", job, *GATE, "--json", "result.json")
    quality = json.loads((debrief.folder / "result.json").read_text())["data_quality"]
    assert [(row["reason"], row["count"]) for row in quality["repaired"]] == [
        ("logged value that a later attempt logged again", 20)
    ]


def test_checkpoints_of_one_run_are_one_log(debrief, tmp_path):
    job = write_small_job(tmp_path / "job", gpu=100.0)
    for steps in (20, 40, ROWS):
        state(job / f"checkpoint-{steps}", course(healthy, steps), steps)
    debrief.run("check", job, *GATE, "--json", "result.json")
    result = json.loads((debrief.folder / "result.json").read_text())
    assert [(curve["name"], curve["count"]) for curve in result["curves"]["scalars"]] == [("loss", ROWS)]


@pytest.mark.parametrize("name", ["ml1", "ml2", "ts1", "ts2", "tb2"])
def test_found_ways(name, debrief, tmp_path):
    with tarfile.open(shared("samples", "hostile", "second", "gate", f"{name}.tar.gz")) as archive:
        archive.extractall(tmp_path)
    debrief.run("check", tmp_path / name, *GATE, expect={FAILED, REFUSED, INCOMPLETE})


@pytest.mark.parametrize("name", ["losspoint-abort-min", "losspoint-abort-tb"])
def test_steps_beyond_any_count(name, debrief):
    quality = debrief.result(shared("samples", "hostile", "second", name))["data_quality"]
    assert "logged value with a step that is no count" in {row["reason"] for row in quality["skipped"]}


@pytest.mark.parametrize("step", [2**63 - 1, -(2**63), 10**15 + 1])
def test_a_step_that_is_no_count_costs_its_row(step, debrief, tmp_path):
    mlflow(tmp_path / "job", "a", [*course(healthy), (step, 1.0)])
    result = debrief.result(tmp_path / "job")
    assert result["curves"]["scalars"][0]["count"] == ROWS
    assert [row["count"] for row in result["data_quality"]["skipped"]] == [1]
