"""Logs of which a wrong conclusion was drawn once, or of which nothing is to be said."""

import math
import random
import re

import pytest
from conftest import shared
from simulated_job import Plan, write_job
from test_model_findings import MODEL_KINDS

SILENT = [
    "r1_sb3_entropy_loss",
    "r2_val_loss_zero",
    "r9_gan",
    "r9b_gan_names",
    "r10_vae",
    "r11_ppo",
    "r12_restarts",
    "r18_ppo_tfevents",
]
TOLD = {"r3_overfit_five_evals": "overfitting", "r4_val_loss_constant": "constant_evaluation"}


def kinds_of(result: dict) -> set:
    return MODEL_KINDS & {finding["kind"] for finding in result["findings"]}


@pytest.mark.parametrize("name", SILENT)
def test_nothing_is_said_of_a_healthy_log(name, debrief):
    result = debrief.result(shared("samples", "wrong-conclusions", name))
    assert kinds_of(result) == set()
    count = len(result["curves"]["scalars"])
    assert result["verdict"]["title"] == f"No sign of trouble in {count} curves"


@pytest.mark.parametrize("name", TOLD)
def test_trouble_is_told(name, debrief):
    result = debrief.result(shared("samples", "wrong-conclusions", name))
    assert kinds_of(result) == {TOLD[name]}


def test_only_parts_of_a_loss_are_no_verdict(debrief):
    result = debrief.result(shared("samples", "wrong-conclusions", "r9_gan"))
    assert "The log has 2 parts of a loss and no total" in result["verdict"]["why"]
    said = debrief.refused("check", shared("samples", "wrong-conclusions", "r9_gan"), "--fail-on", "severity>=critical")
    assert "too little data" in said


def csv_log(folder, columns: str, rows):
    write_job(folder, Plan())
    text = "\n".join(",".join(f"{value:.6g}" for value in row) for row in rows)
    (folder / "metrics.csv").write_text(f"step,{columns}\n{text}\n")
    return folder


def language_model(end: float, rows: int = 300):
    noise = random.Random(1).gauss
    return [(10 * row, end + (10.9 - end) * math.exp(-row / 10) + noise(0, 0.02)) for row in range(rows)]


def test_a_language_model_that_learned_only_frequencies(debrief, tmp_path):
    result = debrief.result(csv_log(tmp_path / "job", "train/loss", language_model(math.log(1900))))
    assert kinds_of(result) == {"loss_not_decreasing"}
    why = next(finding["why"] for finding in result["findings"] if finding["kind"] == "loss_not_decreasing")
    assert re.search(r"perplexity of 1,[89]\d\d,", why)
    assert kinds_of(debrief.result(csv_log(tmp_path / "other", "train/loss", language_model(3.3)))) == set()


def test_a_flat_loss_in_a_warm_up_is_nothing(debrief, tmp_path):
    noise = random.Random(1).gauss
    rows = [(row, math.log(4096) + noise(0, 0.02), 1e-9 * row) for row in range(120)]
    assert kinds_of(debrief.result(csv_log(tmp_path / "job", "train/loss,lr", rows))) == set()


def test_a_rising_loss_with_a_rising_accuracy_is_said_with_both(debrief, tmp_path):
    rows = []
    for epoch in range(1, 13):
        loss = 0.30 if epoch == 3 else 0.36 - 0.03 * epoch if epoch < 3 else 0.30 + 0.035 * (epoch - 3)
        rows += [(100 * epoch, 1.2 * math.exp(-epoch / 2.5) + 0.002, loss, 0.86 + 0.09 * (1 - math.exp(-epoch / 4)))]
    result = debrief.result(csv_log(tmp_path / "job", "loss,eval_loss,eval_accuracy", rows))
    (finding,) = (one for one in result["findings"] if one["kind"] in MODEL_KINDS)
    assert (finding["kind"], finding["severity"]) == ("overfitting", "info")
    assert "eval_loss" in finding["why"] and "eval_accuracy still rose" in finding["why"]
