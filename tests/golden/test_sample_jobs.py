"""Job summary and system usage of the sample jobs equal an independent computation."""

import json
import re
from datetime import UTC, datetime

import pytest
from conftest import ROOT, SAMPLE_JOBS, SAMPLES
from independent import events, job_times, system_samples, system_usage


def micros(text: str) -> int:
    moment = datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC)
    return round(moment.timestamp() * 1e6)


@pytest.mark.parametrize("name", SAMPLES)
def test_job_summary(debrief, name):
    job = debrief.result(SAMPLE_JOBS / name)["job"]
    expected = job_times(SAMPLE_JOBS / name)
    assert job["name"] == name
    assert micros(job["start_time"]) == expected["start"]
    assert micros(job["end_time"]) == expected["end"]
    assert micros(job["training_loop_start"]) == expected["loop_start"]
    assert micros(job["training_loop_end"]) == expected["loop_end"]
    whole = (expected["end"] - expected["start"]) / 1e6
    loop = (expected["loop_end"] - expected["loop_start"]) / 1e6
    assert job["job_duration_in_seconds"] == pytest.approx(whole, abs=1e-6)
    assert job["training_loop_duration_in_seconds"] == pytest.approx(loop, abs=1e-6)
    assert job["initialization_in_seconds"] == pytest.approx(
        (expected["loop_start"] - expected["start"]) / 1e6, abs=1e-6
    )
    assert job["training_loop_percent"] == pytest.approx(100 * loop / whole, abs=1e-5)
    assert job["nodes"] == [{"name": "algo-1", "cores": 16, "gpus": 1}]
    description = json.loads((SAMPLE_JOBS / name / "job.json").read_text())
    assert job["framework"] == description["Framework"]
    assert job["hyperparameters"] == description["HyperParameters"]


def test_a_folder_of_jobs_is_not_a_job(debrief):
    sentence = debrief.refused("report", SAMPLE_JOBS)
    assert "has several jobs" in sentence
    assert all(f"{name}/job.json" in sentence for name in SAMPLES)
    assert f"--each {SAMPLE_JOBS}/*" in sentence


@pytest.mark.parametrize("name", SAMPLES)
def test_a_start_chooses_one_of_a_folder_of_jobs(debrief, name):
    alone = debrief.result(SAMPLE_JOBS / name)
    assert debrief.result(SAMPLE_JOBS, "--job-start", alone["job"]["start_time"])["job"] == alone["job"]


@pytest.mark.parametrize("name", SAMPLES)
def test_system_usage(debrief, name):
    rows = debrief.result(SAMPLE_JOBS / name)["system_usage"]
    expected = system_usage(SAMPLE_JOBS / name)
    assert {(row["node"], row["metric"]) for row in rows} == set(expected)
    compared = 0
    for row in rows:
        for figure, value in expected[row["node"], row["metric"]].items():
            assert row[figure] == pytest.approx(value, abs=0.005), (row["metric"], figure)
            compared += 1
    assert compared == 30


@pytest.mark.parametrize("name", SAMPLES)
def test_everything_is_read(debrief, name):
    quality = debrief.result(SAMPLE_JOBS / name)["data_quality"]
    sources = {row["source"]: row for row in quality["sources"]}
    assert sources["SageMaker system metrics"]["samples"] == sum(1 for _ in system_samples(SAMPLE_JOBS / name))
    assert sources["Framework timelines"]["events"] == sum(1 for _ in events(SAMPLE_JOBS / name))
    assert quality["complete"], quality
    assert quality["skipped"] == []
    (node,) = quality["nodes"]
    assert node["interval_in_seconds"]["p50"] == pytest.approx(0.1, abs=0.001)


def test_known_facts(debrief):
    """What was found by hand in these jobs when they were recorded."""
    resnet = debrief.result(SAMPLE_JOBS / "resnet50-healthy")
    assert resnet["job"]["training_loop_duration_in_seconds"] == pytest.approx(119.7, abs=0.05)
    gpu = next(row for row in resnet["system_usage"] if row["metric"] == "GPU")
    assert gpu["p50"] == 90
    gpt = debrief.result(SAMPLE_JOBS / "gpt-train-eval")
    assert gpt["job"]["initialization_in_seconds"] == pytest.approx(13.4, abs=0.1)
    starved = debrief.result(SAMPLE_JOBS / "dataloader-starved")
    gpu = next(row for row in starved["system_usage"] if row["metric"] == "GPU")
    assert gpu["p95"] == 0


@pytest.mark.parametrize("name", SAMPLES)
def test_a_page_is_below_a_megabyte_and_its_shell_below_200_kb(debrief, name):
    """The shell is what every report has: script, style, and the templates but for those of other pages."""
    debrief.result(SAMPLE_JOBS / name)
    page = (debrief.folder / "report.html").read_bytes()
    assert len(page) < 1_000_000
    embedded = re.findall(rb"<(?:script|style)>(.*?)</(?:script|style)>", page, re.DOTALL)
    assert len(embedded) >= 2
    others = {"diff.html", "overview.html", "key_figures.html", "facts.html"}
    templates = [path for path in (ROOT / "templates").rglob("*.html") if path.name not in others]
    assert sum(map(len, embedded)) + sum(path.stat().st_size for path in templates) < 200_000
