"""Puts what a training measured on disk, as the tools that people train with lay it out.

Nothing is measured here. A training's epochs (small_models.py) go to the tool that the log is to come from, under the names
that this tool's users give them."""

import csv
import json
import sqlite3
from pathlib import Path

import numpy as np
import tensorboard_file
import wandb_file

START = 1_723_709_760
SECONDS = 0.25  # a step


def at(step: float) -> float:
    return START + SECONDS * step


# The files themselves


def lightning(folder: Path, rows: list[dict]) -> None:
    """Lightning's CSVLogger: a row for each call of `log_metrics`, cells of other calls empty."""
    path = folder / "lightning_logs/version_0/metrics.csv"
    path.parent.mkdir(parents=True)
    names = sorted({name for row in rows for name in row})
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, names, restval="")
        writer.writeheader()
        writer.writerows(
            {name: value.item() if hasattr(value, "item") else value for name, value in row.items()} for row in rows
        )
    (path.parent / "hparams.yaml").write_text("{}\n")


def trainer(folder: Path, log: list[dict], *, epochs: float, logging_steps: int, batch: int = 8) -> None:
    """Hugging Face's Trainer: `trainer_state.json` of the last checkpoint, with the summary as last entry."""
    last = log[-1]["step"]
    losses = [entry["loss"] for entry in log if "loss" in entry]
    summary = {
        "epoch": float(epochs),
        "step": last,
        "total_flos": 1.2e15,
        "train_loss": float(np.mean(losses)) if losses else 0.0,
        "train_runtime": SECONDS * last,
        "train_samples_per_second": batch / SECONDS,
        "train_steps_per_second": 1 / SECONDS,
    }
    state = {
        "best_metric": None,
        "best_model_checkpoint": None,
        "epoch": float(epochs),
        "eval_steps": 500,
        "global_step": last,
        "is_hyper_param_search": False,
        "is_local_process_zero": True,
        "is_world_process_zero": True,
        "log_history": [*log, summary],
        "logging_steps": logging_steps,
        "max_steps": last,
        "num_train_epochs": int(np.ceil(epochs)),
        "save_steps": 500,
        "total_flos": 1.2e15,
        "train_batch_size": batch,
        "trial_name": None,
        "trial_params": None,
    }
    path = folder / f"outputs/checkpoint-{last}/trainer_state.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(state, indent=2, default=float) + "\n")


def tensorboard(folder: Path, run: str, points: list[tuple[int, dict]], *, number: int = 0, late: float = 0) -> None:
    """A SummaryWriter's file; `points`: (step, {tag: value}), `number` tells files of one run apart."""

    def single(value) -> float:
        with np.errstate(over="ignore"):
            return float(np.float32(value))

    path = folder / run / f"events.out.tfevents.{START + int(late)}.trainer.4242.{number}"
    tensorboard_file.write_scalars(
        path,
        [(at(step) + late, step, {tag: single(value) for tag, value in values.items()}) for step, values in points],
    )


def wandb(folder: Path, points: list[tuple[int, dict]]) -> None:
    path = folder / "wandb/run-20240815_081600-3k9x2m1q/run-3k9x2m1q.wandb"
    path.parent.mkdir(parents=True)
    rows = [
        (number, at(step), {name: plain(value) for name, value in values.items()})
        for number, (step, values) in enumerate(points)
    ]
    path.write_bytes(wandb_file.run_file(rows))


def plain(value):
    return value if isinstance(value, int) else float(value)


RUN = "8f14e45fceea167a5a36dedd4bea2543"


def mlflow_files(folder: Path, points: list[tuple[int, dict]], parameters: dict | None = None) -> None:
    run = folder / "mlruns/0" / RUN
    (run / "metrics").mkdir(parents=True)
    (run / "params").mkdir()
    end = round(1000 * at(points[-1][0]))
    (run / "meta.yaml").write_text(
        f"artifact_uri: file:///mlruns/0/{RUN}/artifacts\nend_time: {end}\nentry_point_name: ''\nexperiment_id: '0'\n"
        f"lifecycle_stage: active\nrun_id: {RUN}\nrun_name: bold-crow-31\nrun_uuid: {RUN}\nsource_name: ''\n"
        f"source_type: 4\nsource_version: ''\nstart_time: {START}000\nstatus: 3\ntags: []\nuser_id: user\n"
    )
    lines = {}
    for step, values in points:
        for name, value in values.items():
            lines.setdefault(name, []).append(f"{round(1000 * at(step))} {float(value)!r} {step}\n")
    for name, texts in lines.items():
        (run / "metrics" / name).write_text("".join(texts))
    for name, value in (parameters or {}).items():
        (run / "params" / name).write_text(str(value))


def mlflow_database(folder: Path, points: list[tuple[int, dict]]) -> None:
    rows = []
    for step, values in points:
        for name, value in values.items():
            nan = bool(np.isnan(value))
            number = 0.0 if nan else float(np.clip(value, -1.7976931348623157e308, 1.7976931348623157e308))
            rows.append((name, number, round(1000 * at(step)), RUN, nan, step))
    folder.mkdir(parents=True, exist_ok=True)
    database = sqlite3.connect(folder / "mlflow.db")
    database.executescript(
        """create table experiments (experiment_id integer primary key, name varchar(256), lifecycle_stage varchar(32));
        create table runs (run_uuid varchar(32) primary key, name varchar(250), status varchar(9), start_time bigint,
            end_time bigint, lifecycle_stage varchar(20), artifact_uri varchar(200), experiment_id integer);
        create table metrics (key varchar(250), value double, timestamp bigint, run_uuid varchar(32), is_nan boolean,
            step bigint);
        create table latest_metrics (key varchar(250), value double, timestamp bigint, step bigint, is_nan boolean,
            run_uuid varchar(32));
        create table params (key varchar(250), value varchar(8000), run_uuid varchar(32));
        create table tags (key varchar(250), value varchar(8000), run_uuid varchar(32));"""
    )
    database.execute("insert into experiments values (0, 'Default', 'active')")
    database.execute(
        "insert into runs values (?, 'bold-crow-31', 'FINISHED', ?, ?, 'active', '', 0)",
        (RUN, START * 1000, round(1000 * at(points[-1][0]))),
    )
    database.executemany("insert into metrics values (?, ?, ?, ?, ?, ?)", rows)
    latest = {row[0]: (row[0], row[1], row[2], row[5], row[4], row[3]) for row in rows}
    database.executemany("insert into latest_metrics values (?, ?, ?, ?, ?, ?)", latest.values())
    database.commit()
    database.close()


def evals_result(folder: Path, curves: dict) -> None:
    """XGBoost's `evals_result`: {data set: {metric: list}}."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "evals_result.json").write_text(json.dumps(curves, default=float))


# A classifier's epochs as the users of each tool log them


def as_lightning(folder: Path, epochs: list, *, every: int = 10, accuracy: bool = True) -> None:
    rows = []
    for epoch in epochs:
        for step, loss in zip(epoch.steps, epoch.losses, strict=True):
            if (step + 1) % every == 0:
                rows.append({"epoch": epoch.number, "step": step, "train_loss": loss})
        valid = {"val_loss": epoch.valid_loss, **({"val_acc": epoch.valid_accuracy} if accuracy else {})}
        rows.append({"epoch": epoch.number, "step": epoch.steps[-1], **valid})
    lightning(folder, rows)


def as_trainer(folder: Path, epochs: list, *, every: int = 10, accuracy: bool = True) -> None:
    log, unlogged, per_epoch = [], [], len(epochs[0].steps)
    for epoch in epochs:
        for step, loss, norm, rate in zip(epoch.steps, epoch.losses, epoch.norms, epoch.rates, strict=True):
            unlogged.append(loss)
            if (step + 1) % every == 0:
                mean = round(float(np.mean(unlogged)), 4)
                at_epoch = round((step + 1) / per_epoch, 4)
                log.append(
                    {"epoch": at_epoch, "grad_norm": norm, "learning_rate": rate, "loss": mean, "step": step + 1}
                )
                unlogged = []
        entry = {"epoch": float(epoch.number + 1), "eval_loss": epoch.valid_loss}
        if accuracy:
            entry["eval_accuracy"] = epoch.valid_accuracy
        entry |= {"eval_runtime": 1.9, "eval_samples_per_second": 260.1, "eval_steps_per_second": 32.6}
        log.append({**entry, "step": epoch.steps[-1] + 1})
    trainer(folder, log, epochs=len(epochs), logging_steps=every)


def as_keras(folder: Path, epochs: list) -> None:
    """The TensorBoard callback: training and validation in folders of their own, under the same tags."""
    rows = [(epoch.number, epoch) for epoch in epochs]
    tensorboard(
        folder, "logs/train", [(n, {"epoch_loss": e.train_loss, "epoch_accuracy": e.train_accuracy}) for n, e in rows]
    )
    tensorboard(
        folder,
        "logs/validation",
        [(n, {"epoch_loss": e.valid_loss, "epoch_accuracy": e.valid_accuracy}) for n, e in rows],
        number=1,
    )


def as_summary_writer(folder: Path, epochs: list) -> None:
    """PyTorch's tutorials: one point an epoch."""
    tensorboard(
        folder,
        "runs/Aug15_08-16-00_trainer",
        [
            (
                epoch.number,
                {
                    "Loss/train": epoch.train_loss,
                    "Loss/test": epoch.valid_loss,
                    "Accuracy/train": epoch.train_accuracy,
                    "Accuracy/test": epoch.valid_accuracy,
                    "lr": epoch.rates[-1],
                },
            )
            for epoch in epochs
        ],
    )


def as_wandb(folder: Path, epochs: list, *, every: int = 10) -> None:
    points = []
    for epoch in epochs:
        for step, loss, rate in zip(epoch.steps, epoch.losses, epoch.rates, strict=True):
            if step % every == 0:
                points.append(
                    (step, {"train/loss": loss, "train/lr": rate, "epoch": epoch.number, "global_step": step})
                )
        valid = {"val/loss": epoch.valid_loss, "val/accuracy": epoch.valid_accuracy}
        points.append((epoch.steps[-1], {**valid, "epoch": epoch.number, "global_step": epoch.steps[-1]}))
    wandb(folder, points)


def as_autolog(folder: Path, epochs: list, *, write=mlflow_files) -> None:
    """MLflow's autologging of Keras."""
    write(
        folder,
        [
            (
                epoch.number,
                {
                    "loss": epoch.train_loss,
                    "accuracy": epoch.train_accuracy,
                    "val_loss": epoch.valid_loss,
                    "val_accuracy": epoch.valid_accuracy,
                },
            )
            for epoch in epochs
        ],
    )
