"""SageMaker's rule files: written, read back, and its own read alone."""

import json

import pytest
from conftest import SAMPLE_JOBS, SAMPLES, shared

RULES = 11


def by_rule(result: dict) -> dict:
    return {row["rule"]: row for row in result["rules"]}


@pytest.mark.parametrize("name", SAMPLES)
def test_what_was_written_reads_back(debrief, name):
    whole = debrief.result(SAMPLE_JOBS / name, "--rule-outputs", "written")
    files = sorted((debrief.folder / "written").iterdir())
    assert len(files) == RULES
    for path in files:
        assert json.dumps(json.loads(path.read_text())) == path.read_text()  # as Python writes it
    back = debrief.result(debrief.folder / "written")

    for rule, row in by_rule(back).items():
        original = by_rule(whole)[rule]
        for key in ("triggered", "violations", "datapoints", "parameters"):
            assert row[key] == original[key], (rule, key)
        if rule != "Dataloader":  # its patience is in seconds, which the file does not have
            assert row["status"] == original["status"], rule
        if rule not in ("LoadBalancing", "MaxInitializationTime"):
            assert row["recorded_by_sagemaker"]
    for ours, its in zip(whole["system_usage"], back["system_usage"], strict=True):
        assert (ours["node"], ours["metric"]) == (its["node"], its["metric"])
        for figure in ("max", "p99", "p95", "p50", "min"):
            assert its[figure] == pytest.approx(ours[figure], abs=0.00501)
    evaluated = [row for row in whole["steps"] if row["threshold"] is not None]
    for ours, its in zip(evaluated, back["steps"], strict=True):
        for figure in ("process", "mode", "mean", "max", "p99", "p95", "p50", "min", "outliers", "histogram"):
            assert its[figure] == ours[figure], figure
        assert {step["step"] for step in its["outlying"]} == {step["step"] for step in ours["outlying"]}
    for key in ("start_time", "end_time", "training_loop_start"):
        assert back["job"][key] == whole["job"][key]
    phases = {row["name"]: row["percent"] for row in back["framework"]["phase"]}
    if len({row["process"] for row in whole["framework"]["phase"]}) == 1:
        assert phases == pytest.approx({row["name"]: row["percent"] for row in whole["framework"]["phase"]}, abs=1e-5)
    totals = {row["operator"]: row["total_us"] for row in whole["framework"]["cpu_operators"]}
    for row in back["framework"]["cpu_operators"]:
        assert row["total_us"] == totals[row["operator"]]
        assert row["self_us"] is None
    if whole["data_loading"]:
        for key in ("num_workers", "cores", "pin_memory", "loaders"):
            assert back["data_loading"][key] == whole["data_loading"][key]
        load = next(row for row in whole["data_loading"]["times"] if row["what"] == "load")
        for key in ("count", "p25", "p50", "p95", "histogram"):
            assert back["data_loading"]["times"][0][key] == load[key]


JOBS = [f"job-{number:02d}" for number in range(1, 15)]


@pytest.mark.parametrize("job", JOBS)
def test_sagemakers_own_files(debrief, job):
    """Counts are SageMaker's; what is not in the files is absent, and a page is made."""
    folder = shared("rule-outputs", job)
    result = debrief.result(folder)
    for rule, row in by_rule(result).items():
        file = json.loads((folder / f"{rule}.json").read_text())
        if row["recorded_by_sagemaker"]:
            assert (row["triggered"], row["violations"]) == (file["RuleTriggered"], file["Violations"]), rule
            assert row["incidents"] == []
        assert row["datapoints"] == file["Datapoints"], rule
    assert len(result["rules"]) == RULES
    framework = json.loads((folder / "OverallFrameworkMetrics.json").read_text())["Details"]
    found = {row["name"]: row["percent"] for row in result["framework"]["phase"]}
    assert found == pytest.approx(framework["phase"], abs=1e-6)
    steps = json.loads((folder / "StepOutlier.json").read_text())["Details"]["step_details"]
    assert {row["process"] for row in result["steps"]} == set(steps)
    assert (debrief.folder / "report.html").stat().st_size > 10_000


def test_four_gpus_three_of_them_idle(debrief):
    """SageMaker's LoadBalancing is blind to it (error 1)."""
    folder = shared("rule-outputs", "job-02")
    assert json.loads((folder / "LoadBalancing.json").read_text())["RuleTriggered"] == 0
    result = debrief.result(folder)
    rule = by_rule(result)["LoadBalancing"]
    assert (rule["status"], rule["triggered"]) == ("issue_found", 3)
    apart = [(row["first"], row["second"], round(row["distance"], 3)) for row in result["load_balance"]["pairs"][:3]]
    assert sorted(apart) == [("gpu0", "gpu1", 0.497), ("gpu0", "gpu2", 0.495), ("gpu0", "gpu3", 0.495)]


def test_an_hour_without_a_step(debrief):
    """SageMaker's MaxInitializationTime is dead (error 6)."""
    folder = shared("rule-outputs", "job-03")
    assert json.loads((folder / "MaxInitializationTime.json").read_text())["RuleTriggered"] == 0
    rule = by_rule(debrief.result(folder))["MaxInitializationTime"]
    assert (rule["status"], rule["triggered"]) == ("issue_found", 1)


def test_cpu_only_jobs_evaluate_no_gpu_rule(debrief):
    rules = by_rule(debrief.result(shared("rule-outputs", "job-13")))
    for rule in (
        "LowGPUUtilization",
        "BatchSize",
        "GPUMemoryIncrease",
        "LoadBalancing",
        "CPUBottleneck",
        "IOBottleneck",
    ):
        assert rules[rule]["status"] == "not_evaluated", rule
        assert "GPU" in rules[rule]["reason"]


def test_there_is_nothing_to_write_for_sagemakers_own_files(debrief):
    folder = shared("rule-outputs", "job-03")
    sentence = debrief.refused("report", folder, "-o", "r.html", "--rule-outputs", "out")
    assert "no data to compute them from" in sentence
    assert not (debrief.folder / "out").exists()
    assert not (debrief.folder / "r.html").exists()


def test_a_job_with_series_and_sagemakers_outputs_writes_all_eleven(debrief):
    job = shared("golden", "job-04")
    result = debrief.result(job, "--rule-outputs", "out")
    assert len(list((debrief.folder / "out").iterdir())) == RULES
    recorded = [row["rule"] for row in result["rules"] if row["recorded_by_sagemaker"]]
    assert set(recorded) == {"Dataloader", "StepOutlier", "OverallFrameworkMetrics"}
    for rule in [*recorded, "MaxInitializationTime"]:  # from SageMaker's own files, as they are
        file = job / "expected-profiler-reports" / f"{rule}.json"
        assert (debrief.folder / "out" / f"{rule}.json").read_bytes() == file.read_bytes()


def test_parameters_do_nothing_to_sagemakers_own_counts_and_that_is_said(debrief):
    folder = shared("rule-outputs", "job-02")
    result = debrief.result(folder, "--param", "LowGPUUtilization_threshold_p95=0")
    assert result["provenance"]["parameters"] == {}
    (ignored,) = result["provenance"]["ignored_parameters"]
    assert ignored["name"] == "LowGPUUtilization_threshold_p95"
    assert by_rule(result)["LowGPUUtilization"]["status"] == "issue_found"
