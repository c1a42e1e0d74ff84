"""What W&B, MLflow and nvidia-smi leave on disk: every value as an independent reader has it, and which run is taken."""

import datetime
import itertools
import random
import shutil
import sqlite3
import tarfile
from pathlib import Path

import duckdb
import pytest
from conftest import shared
from tracker_files import dmon_rows, mlflow_metrics, nvidia_smi_rows, wandb_history, wandb_stats

MIB = 1024 * 1024


@pytest.fixture
def job(tmp_path) -> Path:
    """ResNet-18, 5,125 steps in 50 s on one H200, logged by W&B and MLflow at once, both sampling every second."""
    with tarfile.open(shared("samples", "live", "trackers.tar.gz")) as archive:
        archive.extractall(tmp_path / "in")
    return tmp_path / "in" / "trackers"


def wandb_file(job) -> Path:
    (path,) = job.glob("wandb/offline-run-*/*.wandb")
    return path


def samples(debrief, job, *options) -> dict:
    """(name, dimension) -> [(time in microseconds, value)] of all series."""
    debrief.run("export", job, "--to", "metrics.parquet", "--quiet", *options)
    rows = duckdb.execute(
        f"select system_metric, dimension, epoch_us(time), value from '{debrief.folder / 'metrics.parquet'}'"
    ).fetchall()
    out = {}
    for name, dimension, time, value in rows:
        out.setdefault((name, dimension), []).append((time, value))
    return out


def scalars(debrief, job, *options) -> dict:
    """(source, name) -> [(step, time in microseconds, value)]."""
    debrief.run("export", job, "--to", "scalars.parquet", "--quiet", *options)
    rows = duckdb.execute(
        f"select source, name, step, epoch_us(time), value from '{debrief.folder / 'scalars.parquet'}'"
    ).fetchall()
    out = {}
    for source, name, *row in rows:
        out.setdefault((source, name), []).append(tuple(row))
    return out


def test_wandb_values(debrief, job):
    logged = scalars(debrief, job)
    expected = wandb_history(wandb_file(job))
    assert set(expected) == {"train/loss", "lr"}
    for name, rows in expected.items():
        assert len(rows) == 512
        assert logged["W&B", name] == rows
    seen = samples(debrief, job)
    stats = wandb_stats(wandb_file(job))
    same = {
        "gpu": "GPUUtilization",
        "memory": "GPUMemoryBusyPercent",
        "memoryAllocated": "GPUMemoryUtilization",
        "memoryAllocatedBytes": "GPUMemoryUsedBytes",
        "temp": "GPUTemperatureCelsius",
        "powerWatts": "GPUPowerWatts",
        "energyJoules": "GPUEnergyJoules",
        "smClock": "GPUSMClockMHz",
        "smActive": "GPUSMActivePercent",
        "pipeTensorActive": "GPUTensorActivePercent",
        "dramActive": "GPUDRAMActivePercent",
        "pcieRxBytes": "GPUPCIeReceiveBytesPerSecond",
    }
    for theirs, ours in same.items():
        assert seen["gpu0", ours] == stats[f"gpu.0.{theirs}"], theirs
    assert len(seen["gpu0", "GPUUtilization"]) == 55
    assert seen["all cores", "CPUUtilization"] == stats["cpu"]
    assert seen["MemoryUsedPercent", ""] == stats["memory_percent"]
    written = stats["disk.vda.out"]
    rates = [
        (t1, pytest.approx((b1 - b0) * MIB / ((t1 - t0) / 1e6))) for (t0, b0), (t1, b1) in itertools.pairwise(written)
    ]
    assert seen["WriteThroughputInBytesPerSecond", ""] == rates


def test_mlflow_values(debrief, job):
    store = job / "mlflow.db"
    expected = mlflow_metrics(store, "trackers")
    assert len(expected["train_loss"]) == 512
    logged = scalars(debrief, store)
    assert set(logged) == {("MLflow", "train_loss")}
    assert logged["MLflow", "train_loss"] == [(step, ms * 1000, value) for step, ms, value in expected["train_loss"]]
    seen = samples(debrief, store)
    same = {
        "gpu_0_utilization_percentage": ("gpu0", "GPUUtilization", 1),
        "gpu_0_memory_usage_percentage": ("gpu0", "GPUMemoryUtilization", 1),
        "gpu_0_memory_usage_megabytes": ("gpu0", "GPUMemoryUsedBytes", 1e6),
        "gpu_0_power_usage_watts": ("gpu0", "GPUPowerWatts", 1),
        "cpu_utilization_percentage": ("all cores", "CPUUtilization", 1),
        "system_memory_usage_percentage": ("MemoryUsedPercent", "", 1),
        "system_memory_usage_megabytes": ("MemoryUsedBytes", "", 1e6),
    }
    for theirs, (name, dimension, scale) in same.items():
        rows = [(ms * 1000, pytest.approx(value * scale)) for _, ms, value in expected[f"system/{theirs}"]]
        assert len(rows) == 49
        assert seen[name, dimension] == rows, theirs
    assert not store.with_name("mlflow.db-wal").exists()


def test_trackers_are_one_job(debrief, job):
    result = debrief.result(job)
    assert result["job"]["name"] == "trackers"
    assert result["job"]["status"] == "Completed"
    assert result["job"]["nodes"] == [{"name": "vm", "cores": None, "gpus": 1}]  # 16 cores, which no series says
    usage = {row["metric"]: row for row in result["system_usage"]}
    assert usage["GPU"]["samples"] == 55  # of W&B, not of both
    assert usage["GPU"]["max"] == 85
    assert usage["CPU"]["max"] == pytest.approx(6.32, abs=0.01)
    ignored = {row["path"]: row["reason"] for row in result["data_quality"]["ignored"]}
    (mlflow,) = (path for path in ignored if path.startswith("MLflow: "))
    assert "GPUUtilization" in mlflow
    assert ignored[mlflow] == "sampled by W&B, too, which is used"
    assert result["data_quality"]["complete"]
    page = (debrief.folder / "report.html").read_text()
    assert "1 core" not in page


def test_nvidia_smi_values(debrief, tmp_path):
    log = shared("samples", "live", "gpu-logs", "nvidia-smi.csv")
    rows = nvidia_smi_rows(log)
    seen = samples(debrief, log)

    def microseconds(row):
        time = datetime.datetime.strptime(row["timestamp"] + " +0000", "%Y/%m/%d %H:%M:%S.%f %z")
        return round(time.timestamp() * 1e6)

    def column(name, scale=1.0):
        return [(microseconds(row), pytest.approx(float(row[name].split()[0]) * scale)) for row in rows]

    assert len(rows) == 266
    assert seen["gpu0", "GPUUtilization"] == column("utilization.gpu [%]")
    assert seen["gpu0", "GPUMemoryBusyPercent"] == column("utilization.memory [%]")
    assert seen["gpu0", "GPUPowerWatts"] == column("power.draw [W]")
    assert seen["gpu0", "GPUMemoryUsedBytes"] == column("memory.used [MiB]", MIB)
    assert seen["gpu0", "GPUMemoryUtilization"] == column("memory.used [MiB]", 100 / 143771)
    assert seen["gpu0", "GPUTemperatureCelsius"] == column("temperature.gpu")
    assert seen["gpu0", "GPUSMClockMHz"] == column("clocks.current.sm [MHz]")


def test_dmon_values(debrief):
    log = shared("samples", "live", "gpu-logs", "dmon.log")
    rows = dmon_rows(log)
    seen = samples(debrief, log)
    assert len(rows) == 253
    for theirs, ours, scale in [
        ("sm", "GPUUtilization", 1),
        ("mem", "GPUMemoryBusyPercent", 1),
        ("pwr", "GPUPowerWatts", 1),
        ("gtemp", "GPUTemperatureCelsius", 1),
        ("pclk", "GPUSMClockMHz", 1),
        ("fb", "GPUMemoryUsedBytes", MIB),
        ("txpci", "GPUPCIeTransmitBytesPerSecond", 1e6),
    ]:
        assert [value for _, value in seen["gpu0", ours]] == [float(row[theirs]) * scale for row in rows], theirs


def test_gpu_logs_together(debrief):
    result = debrief.result(shared("samples", "live", "gpu-logs"))
    assert {row["metric"]: row["samples"] for row in result["system_usage"]}["GPU"] == 266  # of the CSV
    quality = result["data_quality"]
    assert any(row["path"].startswith("nvidia-smi dmon: ") for row in quality["ignored"])
    assert {row["reason"] for row in quality["repaired"]} == {
        "nvidia-smi log has no time zone: read as UTC",
        "nvidia-smi dmon log has no time zone: read as UTC",
    }


def test_local_times_follow_the_job(debrief, job, tmp_path):
    """A log in the time of Kathmandu beside W&B's run: its other data says when it was."""
    log = "timestamp, index, clocks.max.sm [MHz]\n"
    for second in range(10):
        log += f"2026/11/16 11:59:{second:02}.000, 0, 1980 MHz\n"  # UTC+5:45
    (job / "gpu.csv").write_text(log)
    times = [time for time, _ in samples(debrief, job)["gpu0", "GPUSMClockMaxMHz"]]
    start = datetime.datetime(2026, 11, 16, 6, 14, 0, tzinfo=datetime.UTC).timestamp()
    assert times[0] == start * 1e6
    (repaired,) = debrief.result(job)["data_quality"]["repaired"]
    assert repaired["reason"].startswith("nvidia-smi log has no time zone: read as UTC+5:45")


@pytest.fixture
def store(tmp_path, job) -> Path:
    """The sample's database with a second run, an hour later, and a deleted one."""
    path = tmp_path / "store.db"
    shutil.copy(job / "mlflow.db", path)
    with sqlite3.connect(path) as database:
        for name, stage, hours in [("later", "active", 1), ("gone", "deleted", 2)]:
            late = hours * 3_600_000
            database.execute(
                "insert into runs (run_uuid, name, status, start_time, end_time, lifecycle_stage, experiment_id) "
                f"select '{name}-id', '{name}', 'FAILED', start_time + {late}, end_time + {late}, '{stage}', "
                "experiment_id from runs where name = 'trackers'"
            )
            database.execute(
                "insert into metrics (key, value, timestamp, run_uuid, step, is_nan) "
                f"select key, value, timestamp + {late}, '{name}-id', step, is_nan from metrics "
                "where run_uuid = (select run_uuid from runs where name = 'trackers')"
            )
    return path


def test_one_run_of_several(debrief, store):
    latest = debrief.result(store)
    assert (latest["job"]["name"], latest["job"]["status"]) == ("later", "Failed")
    ignored = {row["path"]: row["reason"] for row in latest["data_quality"]["ignored"]}
    assert ignored == {
        "gone": "a deleted run",
        "trackers": "another run; --run NAME chooses it, --each reports on all",
    }
    assert debrief.result(store, "--run", "trackers")["job"]["name"] == "trackers"
    assert debrief.result(store, "--run", "later-id")["job"]["name"] == "later"
    sentence = debrief.refused("report", store, "--run", "gone")
    assert sentence == "--run gone: there is no such run; there are later, trackers"
    debrief.run("diff", store, store, "--run", "trackers", "--run-b", "later", "-o", "diff.html")
    debrief.run("check", store, "--run", "trackers", "--require", "gpu.p50 >= 10")


def test_each_run_of_a_store(debrief, store, job):
    debrief.run("report", "--each", store, job, "--out-dir", "out")
    pages = sorted(path.name for path in (debrief.folder / "out").glob("*.html"))
    assert pages == ["index.html", "later.html", "trackers-2.html", "trackers.html"]
    assert "--run" in debrief.refused("report", "--each", store, "--run", "later", "--out-dir", "out")


def text_store(job, folder: Path) -> None:
    """The run of the sample as MLflow's older store has it."""
    run = folder / "mlruns" / "1" / "8189b5e699694076a24f6255a744de72"
    for key, rows in mlflow_metrics(job / "mlflow.db", "trackers").items():
        path = run / "metrics" / key
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{ms} {value} {step}\n" for step, ms, value in rows))
    (run / "params").mkdir()
    (run / "params" / "lr").write_text("0.1")
    (run / "meta.yaml").write_text(
        f"run_id: {run.name}\nrun_name: trackers\nstatus: 3\nlifecycle_stage: active\n"
        "start_time: 1794809617517\nend_time: 1794809668064\n"
    )


def test_text_store_is_as_the_database(debrief, job, tmp_path):
    text_store(job, tmp_path / "text")
    for table in (samples, scalars):
        assert table(debrief, tmp_path / "text") == table(debrief, job / "mlflow.db")
    result = debrief.result(tmp_path / "text")
    assert result["job"]["name"] == "trackers"
    assert result["job"]["hyperparameters"] == {"lr": "0.1"}


def test_truncated_files(debrief, job, tmp_path):
    """A file that is still written, or was cut off, gives a part of the whole's values and no others."""
    whole = wandb_file(job)
    content = whole.read_bytes()
    rows = {name: set(values) for name, values in wandb_history(whole).items()}
    for size in [40_000, 65_536, 65_537, 131_070, 200_001, len(content) - 1]:
        part = tmp_path / "part.wandb"
        part.write_bytes(content[:size])
        for (_, name), values in scalars(debrief, part).items():
            assert set(values) <= rows[name]
    content = (job / "mlflow.db").read_bytes()
    for size in [100, 4096, 100_000, len(content) // 2, len(content) - 1]:
        part = tmp_path / "part.db"
        part.write_bytes(content[:size])
        debrief.run("report", part, "-o", "part.html", "--quiet", expect={0, 2})


def test_flipped_bits(debrief, job, tmp_path):
    """Checksums of a .wandb file keep wrong values out; a database has none, and has to be read around."""
    whole = wandb_file(job)
    rows = {name: set(values) for name, values in wandb_history(whole).items()}
    rng = random.Random(4)
    for _ in range(8):
        content = bytearray(whole.read_bytes())
        content[rng.randrange(7, len(content))] ^= 1 << rng.randrange(8)
        part = tmp_path / "part.wandb"
        part.write_bytes(content)
        for (_, name), values in scalars(debrief, part).items():
            assert len(rows[name]) > len(values) > len(rows[name]) / 2 or set(values) == rows[name]
            assert set(values) <= rows[name]
        skipped = {row["reason"] for row in debrief.result(part)["data_quality"]["skipped"]}
        assert skipped == {"damaged part of a W&B run"}
    for _ in range(8):
        content = bytearray((job / "mlflow.db").read_bytes())
        for _ in range(20):
            content[rng.randrange(100, len(content))] ^= 1 << rng.randrange(8)
        part = tmp_path / "part.db"
        part.write_bytes(content)
        debrief.run("report", part, "-o", "part.html", "--quiet", expect={0, 2})
