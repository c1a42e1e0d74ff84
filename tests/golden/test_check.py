"""debrief check, end to end: every kind of demand passing and failing, the baseline, exit codes, JUnit, config."""

import json
import xml.etree.ElementTree as ElementTree

import pytest
from conftest import SAMPLE_JOBS
from small_job import write_small_job

HEALTHY = SAMPLE_JOBS / "resnet50-healthy"
STARVED = SAMPLE_JOBS / "dataloader-starved"
PASSED, FAILED, INCOMPLETE = 0, 1, 3


def check(debrief, job, *options, expect=PASSED) -> dict:
    """The gate of a result; by name of the assertion."""
    debrief.run("check", job, "--json", "check.json", *options, expect=expect)
    gate = json.loads((debrief.folder / "check.json").read_text())["gate"]
    assert gate["passed"] == (expect != FAILED)
    return {row["name"]: row for row in gate["assertions"]}


def result_of(debrief, job, file) -> dict:
    debrief.run("report", job, "-o", "r.html", "--json", file, "--quiet")
    return json.loads((debrief.folder / file).read_text())


# What is demanded


@pytest.mark.parametrize(
    ("demand", "good", "bad"),
    [
        ("input_bound", HEALTHY, STARVED),
        ("severity>=critical", HEALTHY, STARVED),
        ("severity > info", HEALTHY, STARVED),
        ("LowGPUUtilization", HEALTHY, SAMPLE_JOBS / "small-batch-mlp"),
    ],
)
def test_fail_on(debrief, demand, good, bad):
    assert check(debrief, good, "--fail-on", demand)[demand]["status"] == "passed"
    row = check(debrief, bad, "--fail-on", demand, expect=FAILED)[demand]
    assert row["kind"] == "fail-on" and row["status"] == "failed"
    assert row["expected"] and row["found"] and row["message"].endswith(".")


@pytest.mark.parametrize(
    ("good", "bad", "figure"),
    [
        (
            "gpu.p50 >= 70",
            "gpu.p50 > 90.5%",
            lambda result: next(row for row in result["system_usage"] if row["metric"] == "GPU")["p50"],
        ),
        ("steps.train.p95 < 0.08", "steps.train.p95 < 50ms", lambda result: result["steps"][0]["p95"]),
        ("steps.train.count == 1921", "steps.train.count != 1921", lambda result: result["steps"][0]["count"]),
        ("gpu[algo-1].p50 >= 70", "gpu[algo-1].p50 <= 70", lambda result: 90),
    ],
)
def test_require(debrief, good, bad, figure):
    gate = check(debrief, HEALTHY, "--require", good, "--require", bad, expect=FAILED)
    assert [row["status"] for row in gate.values()] == ["failed", "passed"]
    found = figure(json.loads((debrief.folder / "check.json").read_text()))
    number, *unit = gate[bad]["found"].split()
    scale = {"ms": 1e-3, "us": 1e-6}.get(unit[0] if unit else "", 1)
    assert float(number.rstrip("%")) * scale == pytest.approx(found, rel=1e-3)


def test_without_a_demand_critical_findings_fail(debrief):
    assert list(check(debrief, HEALTHY)) == ["severity>=critical"]
    assert "severity>=critical" in debrief.run("check", STARVED, expect=FAILED).stderr


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--fail-on", "step_stall"), "did you mean 'step_stalls'?"),
        (("--fail-on", "LowGpuUtilization"), "did you mean 'LowGPUUtilization'?"),
        (("--fail-on", "severity>=critcal"), "did you mean 'critical'?"),
        (("--require", "gpu.p5 >= 70"), "unknown metric 'gpu.p5' (did you mean"),
        (("--require", "gpu.p50 is 70"), "not a condition"),
        (("--require", "gpu.p50 >= 70s"), "is not a unit of gpu.p50"),
        (("--require", "steps.eval.p50 < 1"), "this job has no metric steps.eval.p50, which is not a pass"),
        (("--require", "gpu[algo-9].p50 < 1"), "this job has no metric gpu[algo-9].p50"),
        (("--fail-on", "Dataloader"), "could not be evaluated on this job, which is not a pass"),
        (("--tolerance", "5%"), "nothing to compare with; add --baseline"),
        (("--baseline", "none.json"), "none.json"),
        (("--json", "-", "--junit", "-"), "only one can go to stdout"),
    ],
)
def test_what_cannot_be_told_is_an_error_and_never_a_pass(debrief, options, words):
    assert words in debrief.refused("check", HEALTHY, "--quiet", *options)


def test_a_page_is_there_though_a_demand_cannot_be_told(debrief):
    debrief.run("check", HEALTHY, "--require", "steps.eval.p50 < 1", "-o", "page.html", "--junit", "j.xml", expect=2)
    assert (debrief.folder / "page.html").exists()
    assert not (debrief.folder / "j.xml").exists()


def test_strict_comes_after_a_failure(debrief):
    job = write_small_job(debrief.folder / "job")
    metrics = next((job / "profiler-output/system").rglob("*.json"))
    metrics.write_text("{broken}\n" + metrics.read_text())
    check(debrief, job, "--require", "gpu.p50 >= 0")
    check(debrief, job, "--require", "gpu.p50 >= 0", "--strict", expect=INCOMPLETE)
    check(debrief, job, "--require", "gpu.p50 >= 100", "--strict", expect=FAILED)


# The baseline


def test_a_job_is_no_worse_than_itself(debrief):
    before = result_of(debrief, HEALTHY, "before.json")
    for baseline in ("before.json", HEALTHY):
        gate = check(debrief, HEALTHY, "--baseline", baseline, "--tolerance", "0%")
        assert {"gpu.p50", "gpu.mean", "steps.train.p50", "steps.train.mean", "waste.lost_percent"} <= set(gate)
        assert {row["status"] for row in gate.values()} == {"passed"}
    result = json.loads((debrief.folder / "check.json").read_text())
    assert result["gate"]["baseline"] == before["job"]["name"]


def test_slower_steps_fail_and_faster_ones_pass(debrief):
    write_small_job(debrief.folder / "before", name="before")
    slower = write_small_job(debrief.folder / "slower", step=0.055, seed=2)
    faster = write_small_job(debrief.folder / "faster", step=0.045, seed=3)
    result_of(debrief, "before", "before.json")
    row = check(debrief, slower, "--baseline", "before.json", expect=FAILED)["steps.train.p50"]
    assert row["status"] == "failed" and "worse" in row["message"] and "p " in row["message"]
    assert (
        check(debrief, slower, "--baseline", "before.json", "--tolerance", "15%")["steps.train.p50"]["status"]
        == "passed"
    )
    own = ("--tolerance", "steps.train.p50=6ms", "--tolerance", "steps.train.mean=15%")
    assert check(debrief, slower, "--baseline", "before.json", *own)["steps.train.p50"]["status"] == "passed"
    assert "improved" in check(debrief, faster, "--baseline", "before.json")["steps.train.p50"]["message"]


def test_longer_waits_between_steps_fail(debrief):
    """Steps that are as fast as before, after waits for data that are not; the GPU says nothing of it."""
    write_small_job(debrief.folder / "before", gpu=0.0, wait=0.02)
    write_small_job(debrief.folder / "after", gpu=0.0, wait=0.04, seed=2)
    rows = check(debrief, "after", "--baseline", "before", expect=FAILED)
    failed = {name for name, row in rows.items() if row["kind"] == "baseline" and row["status"] == "failed"}
    assert failed == {"job.seconds_per_step"}
    assert rows["job.seconds_per_step"]["value"] == pytest.approx(0.09, rel=0.02)
    for row in rows.values():
        if row["kind"] == "baseline" and row["name"].endswith(("percent", "gpu.p50", "gpu.mean")):
            assert 0 <= row["bound"] <= 100, row


def test_what_is_within_the_noise_of_the_steps_passes(debrief):
    """Ten per cent slower, in jobs whose speed wanders by a quarter; the same without wandering fails."""
    write_small_job(debrief.folder / "before", drift=0.25, noise=0.05)
    after = write_small_job(debrief.folder / "after", drift=0.25, noise=0.05, step=0.055, seed=2)
    gate = check(debrief, after, "--baseline", "before", "--tolerance", "1%")
    assert "within noise" in gate["steps.train.p50"]["message"]
    before, found = (
        float(text)
        for text in (
            gate["steps.train.p50"]["expected"].split("baseline ")[1].split()[0],
            gate["steps.train.p50"]["found"].split()[0],
        )
    )
    assert found > before * 1.01  # beyond the tolerance: it is the noise that it passes by


def test_few_steps_are_judged_and_too_few_refused(debrief):
    """Fifteen steps can be told apart by their ranks; of four nobody can tell, so the gate does not pass."""
    write_small_job(debrief.folder / "before", steps=15)
    after = write_small_job(debrief.folder / "after", steps=15, step=0.1)
    gate = check(debrief, after, "--baseline", "before", "--tolerance", "110%")
    assert gate["steps.train.p50"]["status"] == "passed"  # within the tolerance, noise or not
    gate = check(debrief, after, "--baseline", "before", "--tolerance", "90%", expect=FAILED)
    assert "worse, more than noise" in gate["steps.train.p50"]["message"]
    write_small_job(debrief.folder / "short", steps=4)
    slower = write_small_job(debrief.folder / "slower", steps=4, step=0.1)
    refused = debrief.refused("check", slower, "--quiet", "--baseline", "short", "--tolerance", "10%")
    assert "steps.train" in refused and "too few steps" in refused and "record at least 5 steps" in refused


def test_a_figure_that_was_lost_fails(debrief):
    result_of(debrief, HEALTHY, "before.json")
    job = write_small_job(debrief.folder / "job", step=0.05)
    for file in (job / "profiler-output/framework").rglob("*.json"):
        file.unlink()
    row = check(debrief, job, "--baseline", "before.json", expect=FAILED)["steps.train.p50"]
    assert row["found"] == "no such metric"


def test_a_baseline_of_another_kind_is_refused(debrief):
    result = result_of(debrief, HEALTHY, "before.json")
    (debrief.folder / "new.json").write_text(json.dumps({**result, "schema": "debrief.result/9"}))
    (debrief.folder / "cut.json").write_text((debrief.folder / "before.json").read_text()[:5000])
    (debrief.folder / "other.json").write_text('{"a": 1}')
    for file in ("new.json", "cut.json", "other.json"):
        assert file in debrief.refused("check", HEALTHY, "--quiet", "--baseline", file)


# What comes out


def junit(path) -> ElementTree.Element:
    return ElementTree.parse(path).getroot()


def test_junit_has_a_case_per_assertion(debrief):
    job = write_small_job(debrief.folder / "job", name='"><x y="1"/>&\x01 ]]> \u202e\uffff')
    gate = check(
        debrief,
        job,
        "--require",
        "gpu.p50 >= 99.9",
        "--require",
        "gpu.p50 < 99.9",
        "--fail-on",
        "memory_growth",
        "--junit",
        "junit.xml",
        expect=FAILED,
    )
    root = junit(debrief.folder / "junit.xml")
    suite = root.find("testsuite")
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("3", "1", "0")
    assert "timestamp" not in (debrief.folder / "junit.xml").read_text()
    cases = suite.findall("testcase")
    assert [case.get("name") for case in cases] == list(gate)
    for case in cases:
        row = gate[case.get("name")]
        assert case.get("classname") == f"debrief.{row['kind']}"
        assert (case.find("failure") is not None) == (row["status"] == "failed")
    failure = cases[0].find("failure")
    assert failure.get("message") == gate["gpu.p50 >= 99.9"]["message"]
    assert "expected: at least 99.9%" in failure.text and "found: " in failure.text


def test_junit_says_what_cannot_be_judged(debrief):
    """Three EVAL steps are too few to tell that they are slower; the TRAIN steps are judged. That is no pass."""
    write_small_job(debrief.folder / "before", evals=[0.05] * 3)
    after = write_small_job(debrief.folder / "after", evals=[0.1] * 3)
    debrief.run("check", after, "--quiet", "--baseline", "before", "--junit", "junit.xml", expect=FAILED)
    suite = junit(debrief.folder / "junit.xml").find("testsuite")
    failures = suite.findall("testcase/failure")
    assert len(failures) == int(suite.get("failures")) > 0
    assert "too few steps" in failures[0].get("message")


def test_every_output_tells_of_the_gate(debrief):
    outcome = debrief.run(
        "check",
        HEALTHY,
        "--require",
        "gpu.p50 >= 99",
        "-o",
        "page.html",
        "--markdown",
        "s.md",
        "--rule-outputs",
        "rules",
        expect=FAILED,
    )
    for text in (outcome.stdout, (debrief.folder / "page.html").read_text(), (debrief.folder / "s.md").read_text()):
        assert "gpu.p50" in text and "at least 99" in text.replace("\u202f", " ").replace("\u00a0", " ")
    assert "gate: failed; 1 of 1 check failed" in outcome.stdout
    assert "\x1b" not in outcome.stdout
    assert len(list((debrief.folder / "rules").iterdir())) == 11
    assert debrief.run("check", HEALTHY, "--quiet").stdout == ""
    assert json.loads(debrief.run("check", HEALTHY, "--json", "-").stdout)["gate"]["passed"]
    again = debrief.run("check", HEALTHY, "--require", "gpu.p50 >= 99", "--junit", "-", expect=FAILED).stdout
    assert again == debrief.run("check", HEALTHY, "--require", "gpu.p50 >= 99", "--junit", "-", expect=FAILED).stdout


# The config file


def test_a_config_in_the_current_folder_holds(debrief):
    config = debrief.folder / "debrief.json"
    config.write_text(json.dumps({"require": ["gpu.p50 >= 99"], "price": 2.0, "rules": {"StepOutlier": {"stddev": 5}}}))
    outcome = debrief.run("check", HEALTHY, "--json", "check.json", expect=FAILED)
    assert "using ./debrief.json" in outcome.stderr
    result = json.loads((debrief.folder / "check.json").read_text())
    assert result["waste"]["price"] == 2.0
    assert result["provenance"]["parameters"]["StepOutlier_stddev"] == "5"
    assert debrief.run("check", HEALTHY, "--quiet", expect=FAILED).stderr == ""
    assert debrief.run("check", HEALTHY, "--no-config").stderr.count("current folder") == 0
    assert check(debrief, HEALTHY, "--no-config", "--price", "3")  # severity>=critical
    result = debrief.result(HEALTHY, "--price", "3")  # a report takes it too, the command line over it
    assert result["waste"]["price"] == 3.0
    assert result["provenance"]["parameters"] == {"StepOutlier_stddev": "5"}
    assert debrief.result(HEALTHY, "--no-config")["provenance"]["parameters"] == {}


def test_a_config_by_name_and_the_command_line_add_up(debrief):
    folder = debrief.folder / "ci"
    folder.mkdir()
    result_of(debrief, HEALTHY, "ci/main.json")
    (folder / "gate.json").write_text(
        json.dumps(
            {
                "fail_on": ["step_stalls"],
                "baseline": "main.json",
                "tolerance": {"default": "10%", "steps.train.p95": "20%"},
            }
        )
    )
    gate = check(debrief, HEALTHY, "--config", "ci/gate.json", "--require", "gpu.p50 >= 50")
    assert {"step_stalls", "gpu.p50 >= 50", "steps.train.p95", "steps.train.p50"} <= set(gate)
    assert "tolerance 10%" in gate["steps.train.p50"]["expected"]
    gate = check(debrief, HEALTHY, "--config", "ci/gate.json", "--tolerance", "20%")
    assert "tolerance 20%" in gate["steps.train.p50"]["expected"]


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"fail-on": []}, "did you mean 'fail_on'?"),
        ({"fail_on": ["x"]}, "debrief.json, fail_on[0] 'x': not a finding"),
        ({"require": ["gpu.p50"]}, "debrief.json, require[0] 'gpu.p50': not a condition"),
        ({"tolerance": {"gpu.p51": "1%"}}, "debrief.json, tolerance.gpu.p51: unknown metric"),
    ],
)
def test_a_wrong_config_is_an_error_of_check_and_report(debrief, config, words):
    (debrief.folder / "debrief.json").write_text(json.dumps(config))
    assert words in debrief.refused("check", HEALTHY)
    assert words in debrief.refused("report", HEALTHY)
