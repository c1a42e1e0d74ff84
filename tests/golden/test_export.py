"""Exported tables hold what was recorded, read back with readers that are not Arrow's."""

import csv

import duckdb
import pytest
from conftest import SAMPLE_JOBS
from independent import events, system_samples

METRIC_COLUMNS = ["timestamp", "timestamp_us", "value", "system_metric", "dimension", "nodeID", "type"]
EVENT_COLUMNS = [
    "start_time",
    "end_time",
    "start_time_us",
    "end_time_us",
    "tid",
    "pid",
    "framework_metric",
    "step",
    "bytes",
    "process",
    "nodeID",
]


def columns(path) -> list[str]:
    return [row[0] for row in duckdb.execute(f"describe select * from '{path}'").fetchall()]


@pytest.mark.parametrize("name", ["resnet50-healthy", "dataloader-starved"])
def test_metrics_as_parquet(debrief, name):
    job = SAMPLE_JOBS / name
    debrief.run("export", job, "--to", "metrics.parquet", "--quiet")
    path = debrief.folder / "metrics.parquet"
    assert columns(path)[:7] == METRIC_COLUMNS
    found = duckdb.execute(
        f"select type, system_metric, dimension, nodeID, epoch_us(time), value from '{path}'"
    ).fetchall()
    assert sorted(found) == sorted(system_samples(job))
    first = duckdb.execute(
        f"select timestamp, epoch_us(time), timestamp_us from '{path}' order by time limit 1"
    ).fetchone()
    assert first[2] == first[1] % 60_000_000  # counted from the first file's minute
    assert first[0][19] == ":" and len(first[0]) == 26


def test_events_as_parquet(debrief):
    job = SAMPLE_JOBS / "dataloader-starved"
    debrief.run("export", job, "--to", "events.parquet", "--quiet")
    path = debrief.folder / "events.parquet"
    assert columns(path)[:11] == EVENT_COLUMNS
    found = duckdb.execute(f"select process, framework_metric, epoch_us(time), duration_us from '{path}'").fetchall()
    assert sorted(found) == sorted(event[:4] for event in events(job))
    loader = duckdb.execute(
        f"select num_workers, pin_memory, nodeID from '{path}' where process = 'DataLoaderIterInitialize'"
    )
    assert loader.fetchall() == [(2, False, "algo-1-605")]
    assert duckdb.execute(f"select count(*) from '{path}' where step is null").fetchone()[0] > 0
    assert (
        duckdb.execute(f"select count(*) from '{path}' where end_time_us - start_time_us <> duration_us").fetchone()[0]
        == 0
    )


def test_all_formats_hold_the_same(debrief):
    job = SAMPLE_JOBS / "ddp-gloo-straggler"
    for name in ("metrics.parquet", "metrics.csv", "metrics.arrow", "study.feather"):
        debrief.run("export", job, "--to", name, "--table", "metrics", "--quiet")
    parquet = duckdb.execute(
        f"select timestamp, value, system_metric from '{debrief.folder / 'metrics.parquet'}'"
    ).fetchall()
    with open(debrief.folder / "metrics.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["timestamp"], float(row["value"]), row["system_metric"]) for row in rows] == parquet
    for name in ("metrics.arrow", "study.feather"):
        assert (debrief.folder / name).read_bytes().startswith(b"ARROW1")


def test_every_sample_job_exports_both_tables(debrief):
    for job in sorted(SAMPLE_JOBS.iterdir()):
        if job.is_dir():
            for table in ("metrics", "events"):
                assert " rows: " in debrief.run("export", job, "--to", f"{table}.parquet").stdout


def test_a_table_that_a_job_does_not_have_is_an_error(debrief):
    job = debrief.folder / "job"
    job.mkdir()
    (job / "1737457740.algo-1.json").write_text(
        '{"Type":"cpu","Name":"cpu0","Dimension":"CPUUtilization","Value":1,"NodeId":"algo-1","Timestamp":1737457754.5}\n'
    )
    assert "the job has no events" in debrief.refused("export", job, "--to", "events.csv")
    assert not (debrief.folder / "events.csv").exists()
