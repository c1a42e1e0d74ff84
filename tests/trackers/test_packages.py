"""What the trackers' own packages wrote, and what they read, is what debrief reads."""

import json
import math
import struct
import zlib
from pathlib import Path

import pandas
import pytest
from conftest import sample, unpacked

STEPS = 50


def loss(step: int) -> float:
    return math.nan if step == 7 else 4 / math.sqrt(step + 1)


def same(found: list[tuple[int, float]], expected: list[tuple[int, float]], rel: float = 0.0) -> bool:
    """Step by step; NaN is as good as NaN."""
    assert [step for step, _ in found] == [step for step, _ in expected]
    assert [value for _, value in found] == pytest.approx([value for _, value in expected], rel=rel, abs=0, nan_ok=True)
    return True


def test_wandb_writes(debrief, tmp_path):
    import wandb

    folder = tmp_path / "wandb"
    folder.mkdir()
    with wandb.init(project="p", dir=folder, name="a run", config={"lr": 0.1, "model": {"depth": 3}}) as run:
        for step in range(STEPS):
            run.log({"train/loss": loss(step), "nested": {"a": step}})
        run.log({"words": "not a number", "late": 2}, step=99)
    scalars = debrief.scalars(folder)
    assert same(scalars["train/loss"], [(step, loss(step)) for step in range(STEPS)])
    assert same(scalars["nested.a"], [(step, step) for step in range(STEPS)])
    assert same(scalars["late"], [(99, 2)])
    job = debrief.result(folder)["job"]
    assert job["name"] == "a run"
    assert job["hyperparameters"]["lr"] == "0.1"


def wandb_records(path: Path):
    """Records of a .wandb file by W&B's own schema; its package no longer has a reader in Python."""
    from wandb.proto.wandb_internal_pb2 import Record

    content = path.read_bytes()
    at, payload = 7, b""
    while at < len(content):
        left = 32768 - at % 32768
        if left < 7:
            at += left
            continue
        crc, length, kind = struct.unpack_from("<IHB", content, at)
        data = content[at + 7 : at + 7 + length]
        assert zlib.crc32(bytes([kind]) + data) == crc
        at += 7 + length
        payload = data if kind in (1, 2) else payload + data
        if kind in (1, 4):
            yield Record.FromString(payload)


def test_wandb_reads(debrief, tmp_path):
    (path,) = unpacked(sample("live", "trackers.tar.gz"), tmp_path / "in").glob("*/wandb/*/*.wandb")
    expected: dict[str, list] = {}
    for record in wandb_records(path):
        row = {item.key or ".".join(item.nested_key): json.loads(item.value_json) for item in record.history.item}
        for name, value in row.items():
            if not name.startswith("_") and isinstance(value, int | float) and not isinstance(value, bool):
                expected.setdefault(name, []).append((row["_step"], float(value)))
    assert expected
    scalars = debrief.scalars(path)
    for name, rows in expected.items():
        assert same(scalars[name], rows), name


@pytest.mark.parametrize("store", ["database", "files"])
def test_mlflow_writes_and_reads(debrief, tmp_path, monkeypatch, store):
    import mlflow

    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")  # in maintenance, and on many disks
    folder = tmp_path / "in"
    folder.mkdir()
    uri = f"sqlite:///{folder}/mlflow.db" if store == "database" else f"file://{folder}/mlruns"
    mlflow.set_tracking_uri(uri)
    mlflow.set_experiment("e")
    with mlflow.start_run(run_name="an older run"):
        mlflow.log_metric("loss", 9, step=0)
    with mlflow.start_run(run_name="a run") as run:
        mlflow.log_param("lr", 0.1)
        for step in range(STEPS):
            mlflow.log_metric("loss", loss(step), step=step)
            mlflow.log_metric("val/acc", step / STEPS, step=step)
    client = mlflow.MlflowClient(uri)
    scalars = debrief.scalars(folder)
    for name in ("loss", "val/acc"):
        history = client.get_metric_history(run.info.run_id, name)
        assert len(history) == STEPS
        assert same(scalars[name], sorted((metric.step, metric.value) for metric in history)), name
    job = debrief.result(folder)["job"]
    assert (job["name"], job["hyperparameters"]) == ("a run", {"lr": "0.1"})


def accumulated(folder: Path) -> dict[str, list[tuple[int, float]]]:
    """All scalars by TensorBoard's own loader, in both encodings."""
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
    from tensorboard.util.tensor_util import make_ndarray

    loaded = EventAccumulator(str(folder), size_guidance={"scalars": 0, "tensors": 0})
    loaded.Reload()
    out = {tag: [(event.step, event.value) for event in loaded.Scalars(tag)] for tag in loaded.Tags()["scalars"]}
    for tag in loaded.Tags()["tensors"]:
        arrays = [(event.step, make_ndarray(event.tensor_proto)) for event in loaded.Tensors(tag)]
        if all(array.size == 1 and array.dtype.kind in "fiu" for _, array in arrays):
            out[tag] = [(step, float(array.reshape(()))) for step, array in arrays if array.shape in ((), (1,))]
    return out


def test_tensorboard_writes(debrief, tmp_path):
    from tensorboard.compat.proto.event_pb2 import Event
    from tensorboard.compat.proto.summary_pb2 import Summary
    from tensorboard.summary.writer.event_file_writer import EventFileWriter

    writer = EventFileWriter(str(tmp_path / "tb"))
    for step in range(STEPS):
        value = Summary.Value(tag="loss", simple_value=loss(step))
        writer.add_event(Event(wall_time=1.7e9 + step, step=step, summary=Summary(value=[value])))
    writer.close()
    expected = accumulated(tmp_path / "tb")["loss"]
    assert len(expected) == STEPS
    assert same(debrief.scalars(tmp_path / "tb")["loss"], expected)


TENSORBOARD = ["tensorboard-healthy", "tensorboard-nan", "tensorboard-overfit-tf2", "tensorboard-torch-encodings"]


@pytest.mark.parametrize("name", TENSORBOARD)
def test_tensorboard_reads(debrief, tmp_path, name):
    """Restarts are left out: the package keeps what a resumed run logged again in some versions, and drops it in others."""
    folder = unpacked(sample("smdebug-tensors", f"{name}.tar.gz"), tmp_path / "in")
    runs = sorted({path.parent for path in folder.rglob("*tfevents*")})
    assert runs
    compared = 0
    for run in runs:
        scalars = debrief.scalars(run)
        for tag, rows in accumulated(run).items():
            assert same(scalars[tag], rows), f"{run.name}: {tag}"
            compared += len(rows)
    assert compared > 20


def test_an_old_tensorboard_file(debrief):
    folder = sample("live", "tensorboard")
    scalars = debrief.scalars(folder)
    expected = accumulated(folder)
    assert expected
    for tag, rows in expected.items():
        assert same(scalars[tag], rows), tag


def test_pandas_reads_lightning(debrief, tmp_path):
    (path,) = unpacked(sample("live", "lightning-csv.tar.gz"), tmp_path / "in").rglob("metrics.csv")
    table = pandas.read_csv(path, float_precision="round_trip")
    scalars = debrief.scalars(path)
    names = [name for name in table.columns if name not in ("step", "epoch")]
    assert set(scalars) == set(names)
    for name in names:
        rows = table[["step", name]].dropna()
        assert same(scalars[name], list(rows.itertuples(index=False, name=None))), name


def test_pandas_reads_nvidia_smi(debrief):
    path = sample("live", "gpu-logs", "nvidia-smi.csv")
    table = pandas.read_csv(path, skipinitialspace=True)
    debrief.run("export", path, "--to", "metrics.csv", "--quiet")
    metrics = pandas.read_csv(debrief.folder / "metrics.csv")
    for theirs, ours in [
        ("utilization.gpu [%]", "GPUUtilization"),
        ("power.draw [W]", "GPUPowerWatts"),
        ("temperature.gpu", "GPUTemperatureCelsius"),
    ]:
        expected = table[theirs].astype(str).str.split().str[0].astype(float).tolist()
        assert metrics[metrics["dimension"] == ours]["value"].tolist() == pytest.approx(expected), ours
