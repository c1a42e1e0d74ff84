"""Everything in the shared data reads without error, and the counts are what they were found to be."""

import json
import tarfile

import pytest
from conftest import shared
from independent import events, read_text, system_samples


def read(debrief, path) -> dict:
    return {row["source"]: row for row in debrief.result(path)["data_quality"]["sources"]}


def test_gpu_job_of_2020(debrief):
    job = shared("samples", "gpu-job-2020-06-23")
    result = debrief.result(job)
    sources = {row["source"]: row for row in result["data_quality"]["sources"]}
    assert sources["Framework timelines"]["events"] == 19_599  # TRAIN steps, and nothing else
    assert sources["SageMaker system metrics"]["samples"] == sum(1 for _ in system_samples(job))
    assert result["job"]["nodes"] == [{"name": "algo-1", "cores": 4, "gpus": 1}]
    assert result["job"]["job_duration_in_seconds"] == pytest.approx(4834, abs=1)
    assert result["data_quality"]["nodes"][0]["not_recorded"] == ["CPU memory", "GPU memory", "I/O", "Network"]


def test_job_with_stacks(debrief, tmp_path):
    """The one recorded job that is too large for sample_jobs; its plain files, not compressed."""
    with tarfile.open(shared("jobs", "gpt-with-stacks.tar.gz")) as archive:
        archive.extractall(tmp_path / "in")
    job = tmp_path / "in" / "gpt-with-stacks"
    result = debrief.result(job)
    sources = {row["source"]: row for row in result["data_quality"]["sources"]}
    assert sources["Framework timelines"]["events"] == 12  # TRAIN steps
    assert sources["SageMaker system metrics"]["samples"] == sum(1 for _ in system_samples(job))
    assert sources["PyTorch traces"]["records"] == 287_868
    assert result["data_quality"]["ignored"] == []


def test_metrics_of_smdebug(debrief):
    path = shared("samples", "smdebug-resources", "1591160699.algo-1.json")
    (source,) = debrief.result(path)["data_quality"]["sources"]
    assert source["samples"] == len(path.read_text().splitlines())


def exported(debrief, job, phase: str) -> int:
    import duckdb

    debrief.run("export", job, "--to", "events.parquet", "--quiet")
    query = f"select count(*) from '{debrief.folder / 'events.parquet'}' where process = ?"
    return duckdb.execute(query, [phase]).fetchone()[0]


def test_merge_traces(debrief):
    job = shared("samples", "smdebug-resources", "merge_traces")
    assert exported(debrief, job, "Step:ModeKeys.TRAIN") == 30
    assert exported(debrief, job, "Step:ModeKeys.EVAL") == 10
    assert read(debrief, job)["Framework timelines"]["events"] == sum(1 for _ in events(job))


def test_large_horovod_timeline(debrief):
    path = shared("samples", "smdebug-history", "tests", "profiler", "8278c748", "horovod_timeline_small.json")
    counts = read(debrief, path)["Framework timelines"]
    assert counts["records"] == 605
    assert counts["events"] == 198 + 108  # whole events, and begins with their ends


def test_rotated_horovod_timeline_with_absurd_durations(debrief):
    result = debrief.result(shared("samples", "smdebug-resources", "horovod_timeline_traces"))
    counts = {row["reason"]: row["count"] for list in ("skipped", "repaired") for row in result["data_quality"][list]}
    assert counts == {
        "absurd duration of a tick set to 0": 19,
        "event has a begin and no end": 4,
        "event has an end and no begin": 2,
    }
    assert not result["data_quality"]["complete"]


def whole_events(path) -> int:
    """Events with a begin and a duration, counted by Python's own parser."""
    listed = json.loads(read_text(path))
    listed = listed["traceEvents"] if isinstance(listed, dict) else listed
    return sum(1 for event in listed if event.get("ph") == "X")


@pytest.mark.parametrize(
    "parts",
    [
        ("smdebug-resources", "model_timeline_traces"),
        ("smdebug-resources", "1589314018481947000_1234-testhost_model_timeline.json"),
        ("smdebug-resources", "tfprofiler_local_missing_metadata"),
        ("smdebug-resources", "tfprofiler_timeline_traces"),
        ("smdebug-resources", "horovod_timeline_small.json"),
        ("smdebug-history", "tests", "profiler", "5a9c0805", "ip-172-31-19-241.trace.json"),
        ("smdebug-history", "tests", "profiler", "ddc85062", "ip-172-31-19-241.trace.json"),
        ("smdebug-history", "tests", "profiler", "model_timeline_traces"),
    ],
)
def test_timelines(debrief, parts):
    job = shared("samples", *parts)
    files = [job] if job.is_file() else [*job.glob("**/*timeline.json"), *job.glob("**/*.trace.json.gz")]
    pairs = 2 if parts[-1] == "horovod_timeline_small.json" else 0  # begins that have an end
    assert read(debrief, job)["Framework timelines"]["events"] == sum(map(whole_events, files)) + pairs


def test_tensorflow_trace_is_placed_by_its_neighbor(debrief):
    job = debrief.result(shared("samples", "smdebug-resources", "tfprofiler_timeline_traces"))["job"]
    assert job["start_time"].startswith("2020-08-05T20:37:44")
    assert job["processes"] == ["80807-8c859046be41.ant.amazon.com"]
    adrift = debrief.result(shared("samples", "smdebug-resources", "tfprofiler_local_missing_metadata"))["job"]
    assert adrift["start_time"] is None


def test_cut_off_metrics(debrief):
    result = debrief.result(shared("samples", "smdebug-resources", "1591160699.algo-1.json.corrupt"))
    (source,) = result["data_quality"]["sources"]
    assert source["samples"] == source["records"] - 1
    assert [row["reason"] for row in result["data_quality"]["skipped"]] == ["last line is cut off"]
    outcome = debrief.run(
        "report",
        shared("samples", "smdebug-resources", "1591160699.algo-1.json.corrupt"),
        "-o",
        "strict.html",
        "--strict",
        expect=3,
    )
    assert "last line is cut off" in outcome.stderr
    assert (debrief.folder / "strict.html").exists()


def test_production_lines(debrief):
    result = debrief.result(shared("samples", "1737457740.algo-1.head.json"))
    assert result["data_quality"]["sources"][0]["samples"] == 10
    assert result["job"]["nodes"] == [{"name": "algo-1", "cores": 2, "gpus": 0}]
    memory = next(row for row in result["system_usage"] if row["metric"] == "CPU memory")
    assert (memory["min"], memory["max"]) == (6.33, 6.67)


def test_several_jobs_in_one_folder(debrief):
    folder = shared("samples", "smdebug-resources", "test_traces")
    result = debrief.result(folder)
    others = result["data_quality"]["other_jobs"]
    assert len(others) == 2
    assert result["job"]["start_time"].startswith("2020-06-10T00:15")
    first = others[0]["span"]["start"]
    assert debrief.result(folder, "--job-start", first)["job"]["start_time"] == first


@pytest.mark.parametrize("number", range(1, 11))
def test_golden_jobs_equal_sagemaker(debrief, number):
    """OverallSystemUsage as SageMaker computed it, for what the recovered series hold."""
    job = shared("golden", f"job-{number:02}")
    result = debrief.result(job / "profiler-output")
    official = json.loads((job / "expected-profiler-reports" / "OverallSystemUsage.json").read_text())["Details"]
    compared = 0
    for row in result["system_usage"]:
        for figure in ("max", "p99", "p95", "p50", "min"):
            assert round(row[figure], 2) == pytest.approx(official[row["metric"]][row["node"]][figure], abs=0.0051), row
            compared += 1
    assert compared >= 5


@pytest.mark.parametrize("number", range(1, 15))
def test_rule_outputs(debrief, number):
    folder = shared("rule-outputs", f"job-{number:02}")
    result = debrief.result(folder)
    assert [row["source"] for row in result["data_quality"]["sources"]] == ["SageMaker rule outputs"]
    assert result["data_quality"]["sources"][0]["files"] == 11
    official = json.loads((folder / "OverallSystemUsage.json").read_text())["Details"]
    assert len(result["system_usage"]) == sum(len(nodes) for nodes in official.values())
    for row in result["system_usage"]:
        assert row["p95"] == official[row["metric"]][row["node"]]["p95"]
    times = json.loads((folder / "MaxInitializationTime.json").read_text())["Details"]
    assert result["job"]["job_duration_in_seconds"] == pytest.approx(times["job_end"] - times["job_start"], abs=1e-5)
