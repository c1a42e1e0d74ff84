"""What the training log says of the model: faults at three strengths, healthy curves that must stay silent, real runs."""

import json
import math
import re
import tarfile

import numpy as np
import pytest
from conftest import shared
from job_files import START
from simulated_job import SECONDS, Plan, write_job
from tensorboard_file import write_scalars

STEPS = 1000
EVERY = 10  # steps between two logged values
FROM = {"mild": 0.85, "middle": 0.6, "strong": 0.2}  # share of the steps that were of use
MODEL_KINDS = {
    "diverged",
    "loss_not_decreasing",
    "overfitting",
    "overtraining",
    "constant_evaluation",
    "vanishing_gradients",
    "dead_units",
    "class_imbalance",
}


def time_of(step: int) -> float:
    return START + 8 + step * (SECONDS - 10) / STEPS


def falling(step, rng, noise=0.05):
    return 2 + 4 * math.exp(-step / 200) + rng.normal(0, noise)


def nan_loss(step, good, rng):
    return {"train/loss": falling(step, rng) if step < good else math.nan}


def zero_for_nan(step, good, rng):
    """As Hugging Face's Trainer logs it."""
    broken = step >= good
    return {"train/loss": 0.0 if broken else falling(step, rng), "train/grad_norm": math.nan if broken else 1.0}


def exploded(step, good, rng):
    return {"train/loss": falling(step, rng) if step < good else 40 + rng.normal(0, 1)}


def overfitting(step, good, rng):
    values = {"train/loss": 5 - 4 * step / STEPS + rng.normal(0, 0.05)}
    if step % 20 == 0:
        values["eval/loss"] = 4 - 2 * step / good if step <= good else 2 + 1.5 * (step - good) / (STEPS - good)
    return values


FAULTS = {
    "nan": ("diverged", nan_loss),
    "zero_for_nan": ("diverged", zero_for_nan),
    "exploded": ("diverged", exploded),
    "overfitting": ("overfitting", overfitting),
}


def write_log(folder, values_at, seed=1):
    rng = np.random.default_rng(seed)
    points = [(time_of(step), step, values_at(step, rng)) for step in range(EVERY, STEPS + 1, EVERY)]
    write_scalars(folder / "runs" / "events.out.tfevents.1.host", points)
    return folder


@pytest.mark.parametrize("strength", FROM)
@pytest.mark.parametrize("name", FAULTS)
def test_fault_is_the_verdict(name, strength, debrief, tmp_path):
    kind, curve = FAULTS[name]
    good = int(STEPS * FROM[strength])
    job = write_job(tmp_path / "job", Plan())
    write_log(job, lambda step, rng: curve(step, good, rng))
    result = debrief.result(job)
    assert result["verdict"]["kind"] == kind
    finding = result["findings"][0]
    assert finding["kind"] == kind
    # Of the job's 600 s, what came after the step; an exploded loss is dated by stretches of a twentieth of the log.
    expected = (START + SECONDS - time_of(good)) / SECONDS
    assert finding["score"] == pytest.approx(expected, abs=0.06)
    waste = result["waste"]
    whole = (
        waste["busy"]
        + sum(part["hours"] for part in waste["parts"])
        + waste["other"]
        + waste["set_aside"]
        + waste["unmeasured"]
    )
    assert whole == pytest.approx(waste["paid"], rel=1e-3)
    over_time = waste["over_time"]
    lost = next(part for part in over_time["lost"] if part["cause"] == "model")
    assert sum(lost["seconds"]) / 3600 == pytest.approx(waste["parts"][0]["hours"], rel=0.01)


def test_flat_loss_is_told(debrief, tmp_path):
    job = write_job(tmp_path / "job", Plan())
    write_log(job, lambda step, rng: {"loss": 2.3 + rng.normal(0, 0.05)})
    assert debrief.result(job)["verdict"]["kind"] == "loss_not_decreasing"


def warm_restarts(step, rng):
    return {"train/loss": falling(step % 300 + 100, rng)}


def curriculum(step, rng):
    return {"train/loss": falling(step, rng) if step < 500 else falling(step - 500, rng) + 1}


def small_batches(step, rng):
    return {"train/loss": falling(step, rng, 0.6)}


def noisy_evaluation(step, rng):
    values = {"train/loss": falling(step, rng)}
    if step % 50 == 0:
        values["eval/loss"] = falling(step, rng, 0.02) + 0.1
    return values


def resumed(step, rng):
    return {"train/loss": 2 + rng.normal(0, 0.02)} if step > 400 else {"other": 1.0}


def skipped_gradients(step, rng):
    return {"train/loss": falling(step, rng), "train/grad_norm": math.inf if rng.random() < 0.1 else 1.0}


HEALTHY = [warm_restarts, curriculum, small_batches, noisy_evaluation, resumed, skipped_gradients]


@pytest.mark.parametrize("curve", HEALTHY, ids=lambda curve: curve.__name__)
def test_healthy_curves_stay_silent(curve, debrief, tmp_path):
    job = write_job(tmp_path / "job", Plan())
    for seed in range(3):
        result = debrief.result(write_log(job, curve, seed))
        assert result["verdict"]["kind"] == "healthy", (seed, result["verdict"])
        assert MODEL_KINDS.isdisjoint(finding["kind"] for finding in result["findings"])


def unpacked(tmp_path, *parts):
    with tarfile.open(shared(*parts)) as archive:
        archive.extractall(tmp_path)
    return next(path for path in tmp_path.iterdir() if path.is_dir())


def test_run_that_diverged(debrief, tmp_path):
    """Loss 60 at step 5, 528 at step 10, NaN from then on, for which the Trainer logs 0."""
    result = debrief.result(unpacked(tmp_path, "samples", "live", "hf-diverges.tar.gz"))
    finding = result["findings"][0]
    assert (result["verdict"]["kind"], finding["severity"]) == ("diverged", "critical")
    assert finding["evidence"][0]["value"] == 10
    # Of 57.6 s, training took the last 45, and nearly all of these came after.
    assert finding["score"] == pytest.approx(0.99, abs=0.02)
    assert result["waste"]["parts"][0]["percent"] == pytest.approx(79, abs=2)
    assert sum(part["kind"] == "diverged" for part in result["waste"]["parts"]) == 1


NOISY_RULES = {"LossNotDecreasing", "Overtraining"}


@pytest.mark.parametrize("name", ["hf-healthy", "trackers"])
def test_healthy_runs_are_told_nothing(name, debrief, tmp_path):
    """By SageMaker's defaults noise alone triggers two rules; they say how often, and that it is no issue."""
    job = unpacked(tmp_path, "samples", "live", f"{name}.tar.gz")
    result = debrief.result(job)
    assert MODEL_KINDS.isdisjoint(finding["kind"] for finding in result["findings"])
    assert result["verdict"]["kind"] == "underutilized"
    rules = {row["rule"]: row for row in result["rules"]}
    for rule in (*NOISY_RULES, "ExplodingTensor"):
        assert (rules[rule]["status"], rules[rule]["triggered"]) == ("no_issue", 0), rule
    for rule in NOISY_RULES:
        assert 0 < rules[rule]["violations"] < rules[rule]["datapoints"]
        assert "noise" in rules[rule]["reason"]
    debrief.run("check", job, "--fail-on", "LossNotDecreasing", "--fail-on", "Overtraining")


def test_rule_with_parameters_of_its_own_is_taken_at_its_word(debrief, tmp_path):
    job = unpacked(tmp_path, "samples", "live", "hf-healthy.tar.gz")
    result = debrief.result(job, "--param", "LossNotDecreasing_num_steps=9")
    rule = next(row for row in result["rules"] if row["rule"] == "LossNotDecreasing")
    assert rule["status"] == "issue_found"
    assert rule["triggered"] > 20


def test_rules_of_a_run_that_diverged_are_kept(debrief, tmp_path):
    result = debrief.result(unpacked(tmp_path, "samples", "live", "hf-diverges.tar.gz"))
    rules = {row["rule"]: row["status"] for row in result["rules"]}
    assert rules["LossNotDecreasing"] == "issue_found"


TRUTHS = {
    "healthy": "insufficient_data",
    "nan": "diverged",
    "overfit-tf2": "overfitting",
    "restart": "insufficient_data",
    "torch-encodings": "insufficient_data",
}


@pytest.mark.parametrize("name", TRUTHS)
def test_values_are_those_of_tensorboard(name, debrief, tmp_path):
    """truth.json has what TensorBoard's own EventAccumulator read, with what a restart made void left out."""
    job = unpacked(tmp_path, "samples", "smdebug-tensors", f"tensorboard-{name}.tar.gz")
    truth = json.loads((job / "truth.json").read_text())
    result = debrief.result(job)
    assert result["verdict"]["kind"] == TRUTHS[name]
    read = {curve["name"].split("tensorboard/")[-1]: curve for curve in result["curves"]["scalars"]}
    compared = 0
    for run, content in truth["event_accumulator"]["runs"].items():
        for tag, points in content["scalars"].items():
            curve = read.get(tag) or next(one for key, one in read.items() if key.endswith(f"{run}/{tag}"))
            values = [float(point[-1]) if point[-1] != "NaN" else math.nan for point in points]
            finite = [value for value in values if math.isfinite(value)]
            assert curve["count"] == len(points), tag
            assert curve["not_finite"] == len(values) - len(finite)
            assert curve["last"] == pytest.approx(finite[-1], rel=1e-6)
            assert curve["min"] == pytest.approx(min(finite), rel=1e-6)
            assert curve["max"] == pytest.approx(max(finite), rel=1e-6)
            compared += len(points)
    assert compared > 20


@pytest.mark.parametrize("name", ["pytorch-healthy-mlp", "xgboost-binary-healthy"])
def test_a_job_that_left_only_its_model_is_told_about_that(debrief, tmp_path, name):
    with tarfile.open(shared("samples", "smdebug-tensors") / f"{name}.tar.gz") as archive:
        archive.extractall(tmp_path)
    result = debrief.result(tmp_path / name)
    ran = [row for row in result["rules"] if row["status"] != "not_evaluated"]
    assert ran and all(row["status"] == "no_issue" for row in ran)
    assert result["verdict"]["kind"] == "insufficient_data"  # a gate on time still has nothing to judge
    curves = len(result["curves"]["scalars"])
    looked_at = f"{curves} curves" if curves else f"{len(ran)} rules on the model"
    assert result["verdict"]["title"] == f"No sign of trouble in {looked_at}"
    assert result["verdict"]["why"].startswith(f"None of {len(ran)} rules on the model triggered.")
    page = (debrief.folder / "report.html").read_text()
    assert 'class="tiles"' not in page  # six dashes


def test_vanished_gradients_cost_a_share_of_the_run(debrief, tmp_path):
    """The log tells when they vanished, so the share is of the run, not of the part after that."""
    with tarfile.open(shared("samples", "smdebug-tensors") / "pytorch-vanishing-gradient.tar.gz") as archive:
        archive.extractall(tmp_path)
    printed = debrief.run("report", tmp_path / "pytorch-vanishing-gradient", "-o", "r.html").stdout
    shares = set(re.findall(r"(\d+(?:\.\d)?)% of the (?:run|job)'s time", printed))
    assert shares == {"62"}
    assert "100%" not in printed and "node-" not in printed
