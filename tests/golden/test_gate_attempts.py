"""Jobs that try to pass a gate that they should fail: by thresholds of their own, by values that are no measurement, by
data that is left out or cut off, by too few steps. None may end with 0."""

import gzip
import json
import random
import shutil

import pytest
from conftest import SAMPLE_JOBS, shared
from small_job import START, write_small_job

STARVED = SAMPLE_JOBS / "dataloader-starved"
FAILED, REFUSED, INCOMPLETE = 1, 2, 3


def metrics_of(job):
    return next((job / "profiler-output/system").rglob("*.json"))


def timeline_of(job):
    return next((job / "profiler-output/framework").rglob("*.json"))


def change_metrics(job, change) -> None:
    """Rewrites each line of the samples."""
    file = metrics_of(job)
    lines = [change(json.loads(line)) for line in file.read_text().splitlines()]
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))


def describe(job, **more) -> None:
    file = job / "job.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | more))


def idle(folder, steps=400):
    """What all attempts would hide: a GPU that works a tenth of the time."""
    return write_small_job(folder, gpu=10.0, steps=steps)


def long_idle(folder):
    """As many samples as the rule on low utilization waits for."""
    return idle(folder, steps=4200)


def own_thresholds(folder):
    job = long_idle(folder)
    parameters = {"LowGPUUtilization_threshold_p95": "0", "LowGPUUtilization_threshold_p5": "0"}
    describe(job, ProfilerRuleConfigurations=[{"RuleParameters": parameters}])
    return job


def values(value, every=1):
    """The GPU's samples that say the truth become what is no measurement."""

    def write(folder):
        job, seen = idle(folder), 0

        def change(line):
            nonlocal seen
            if line["Dimension"] != "GPUUtilization":
                return line
            seen += 1
            return line | {"Value": value} if seen % every == 0 else line | {"Value": 95.0}

        change_metrics(job, change)
        return job

    return write


def another_stretch(folder):
    """Hours of an idle GPU after a short while of good work, which is all that the description names."""
    job = write_small_job(folder, gpu=100.0)
    later = write_small_job(folder.with_name("later"), gpu=10.0, steps=2000)
    change_metrics(later, lambda line: line | {"Timestamp": line["Timestamp"] + 10_000})
    shutil.copy(metrics_of(later), metrics_of(job).with_name(f"{START + 10_000}.algo-1.json"))
    return job


def another_time_without_a_description(folder):
    """The other way round: a larger stretch of good work before the one that matters."""
    job = write_small_job(folder, gpu=100.0, steps=2000)
    (job / "job.json").unlink()
    later = idle(folder.with_name("later"))
    change_metrics(later, lambda line: line | {"Timestamp": line["Timestamp"] + 10_000})
    shutil.copy(metrics_of(later), metrics_of(job).with_name(f"{START + 10_000}.algo-1.json"))
    return job


def cut_metrics(folder):
    """The samples end within a line, before the work that is slow."""
    job = write_small_job(folder, gpu=100.0)
    file = metrics_of(job)
    file.write_text(file.read_text()[:-100])
    return job


def cut_archive(folder):
    job = write_small_job(folder, gpu=100.0)
    file = metrics_of(job)
    packed = gzip.compress(file.read_bytes())
    file.unlink()
    file.with_suffix(".json.gz").write_bytes(packed[: len(packed) * 9 // 10])
    return job


def cut_timeline(between: bool):
    def write(folder):
        job = write_small_job(folder, gpu=100.0)
        file = timeline_of(job)
        text = file.read_text()
        file.write_text(text[: text.rindex("}, {") + (1 if between else 10)])
        return job

    return write


LOW = ("--fail-on", "LowGPUUtilization")
MEAN = ("--require", "gpu.mean >= 70")


@pytest.mark.parametrize(
    ("write", "options", "expected"),
    [
        (long_idle, LOW, {FAILED}),
        (idle, MEAN, {FAILED}),
        (own_thresholds, LOW, {FAILED}),
        (values(4294967295), MEAN, {FAILED, REFUSED}),
        (values(4294967295, every=2), (*MEAN, "--strict"), {FAILED, INCOMPLETE}),
        (values(255, every=10), (*MEAN, "--strict"), {FAILED, INCOMPLETE}),
        (values(-1, every=10), (*MEAN, "--strict"), {FAILED, INCOMPLETE}),
        (values(1e308, every=10), (*MEAN, "--strict"), {FAILED, INCOMPLETE}),
        (another_stretch, (*MEAN, "--strict"), {INCOMPLETE}),
        (another_time_without_a_description, (*MEAN, "--strict"), {INCOMPLETE}),
        (cut_metrics, MEAN, {INCOMPLETE}),
        (cut_metrics, (*MEAN, "--strict"), {INCOMPLETE}),
        (cut_archive, MEAN, {INCOMPLETE}),
        (cut_timeline(between=False), MEAN, {INCOMPLETE}),
        (cut_timeline(between=True), MEAN, {INCOMPLETE}),
    ],
)
def test_attempts(debrief, write, options, expected):
    debrief.run("check", write(debrief.folder / "job"), "--quiet", *options, expect=expected)


def test_what_is_cut_off_nowhere_passes(debrief):
    """Without the attempts' faults the same job is good, so that it is these which are seen."""
    job = write_small_job(debrief.folder / "job", gpu=100.0)
    debrief.run("check", job, "--quiet", "--strict", *MEAN)


def test_thresholds_of_the_job_are_named_and_those_of_the_user_hold(debrief):
    job = own_thresholds(debrief.folder / "job")
    outcome = debrief.run("check", job, *LOW, expect=FAILED)
    assert "LowGPUUtilization_threshold_p95 is ignored: a check does not use thresholds" in outcome.stderr
    debrief.run(
        "check",
        job,
        *LOW,
        "--param",
        "LowGPUUtilization_threshold_p95=0",
        "--param",
        "LowGPUUtilization_threshold_p5=0",
    )
    result = debrief.result(job)  # a report is no gate: what the job was profiled with holds
    assert result["provenance"]["parameters"]["LowGPUUtilization_threshold_p95"] == "0"


def test_a_stretch_that_the_user_chose_is_complete(debrief):
    job = another_stretch(debrief.folder / "job")
    debrief.run("check", job, "--quiet", "--strict", *MEAN, "--job-start", START)
    debrief.run("check", job, "--quiet", "--strict", *MEAN, "--job-start", START + 10_000, expect=FAILED)


def test_few_steps_of_one_mode_hide_nothing_behind_another(debrief):
    """Three TRAIN steps, ten times slower, beside hundreds of EVAL steps that are as fast as before."""
    before = write_small_job(debrief.folder / "before", steps=200, evals=[0.05] * 200)
    slow = write_small_job(debrief.folder / "slow", steps=3, step=0.5, evals=[0.05] * 200)
    debrief.run("check", slow, "--quiet", "--baseline", before, expect=FAILED)


def test_a_job_that_fails_does_not_pass_when_it_is_cut(debrief):
    """Every file of a job that fails, cut anywhere."""
    rng = random.Random("cut")
    for number, file in enumerate(sorted(file for file in STARVED.rglob("*") if file.stat().st_size > 0)):
        if not file.is_file():
            continue
        for size in (rng.randrange(file.stat().st_size), file.stat().st_size - 1):
            job = debrief.folder / f"cut-{number}-{size}"
            shutil.copytree(STARVED, job)
            (job / file.relative_to(STARVED)).write_bytes(file.read_bytes()[:size])
            debrief.run("check", job, "--quiet", expect={FAILED, REFUSED, INCOMPLETE})
            shutil.rmtree(job)


@pytest.mark.parametrize(
    ("job", "options", "expected"),
    [
        ("gate-c", LOW, FAILED),
        ("gate-j", ("--require", "gpu.mean >= 20"), REFUSED),
        ("gate-j", ("--strict",), INCOMPLETE),
        ("rule-percent", ("--require", "gpu.p50 >= 70"), REFUSED),
        ("gate-hide", ("--strict",), FAILED),  # its status says so
    ],
)
def test_attempts_that_passed(debrief, job, options, expected):
    debrief.run("check", shared("samples", "hostile", job), "--quiet", *options, expect=expected)


def test_a_slow_job_does_not_pass_by_few_steps(debrief):
    baseline = shared("samples", "hostile", "gate-base.json")
    debrief.run("check", shared("samples", "hostile", "gate-slow20"), "--quiet", "--baseline", baseline, expect=FAILED)


def test_numbers_of_rule_outputs_that_are_none_are_lost(debrief):
    result = debrief.result(shared("samples", "hostile", "rule-percent"))
    assert result["system_usage"] == []
    assert not result["data_quality"]["complete"]
    assert {row["reason"] for row in result["data_quality"]["skipped"]} == {
        "number of a rule output that is not a measurement"
    }
