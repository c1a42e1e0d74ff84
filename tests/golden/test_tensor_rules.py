"""SageMaker's rules on the model: every job of the sample set gives the steps and tensors of its truth file.

The truth is a plain numpy version of the guide, on an independent reader of the same files.
"""

import json
import shutil
import tarfile
from pathlib import Path

import pytest
from conftest import SAMPLE_JOBS, shared
from debug_output import write_collections, write_step

JOBS = [
    "core-dtypes",
    "pytorch-class-imbalance",
    "pytorch-dead-relu",
    "pytorch-exploding-nan",
    "pytorch-frozen-layer",
    "pytorch-healthy-cnn-reductions",
    "pytorch-healthy-mlp",
    "pytorch-healthy-mlp-rerun",
    "pytorch-input-images",
    "pytorch-killed",
    "pytorch-nlp-padding",
    "pytorch-overfit",
    "pytorch-plateau",
    "pytorch-poor-init",
    "pytorch-saturated-tanh",
    "pytorch-shapes-scalars",
    "pytorch-two-workers",
    "pytorch-vanishing-gradient",
    "tensorflow-keras-healthy",
    "xgboost-binary-healthy",
    "xgboost-class-imbalance",
    "xgboost-feature-overweight",
    "xgboost-multiclass-healthy",
    "xgboost-overfit",
    "xgboost-regression",
]

MODEL_RULES = {
    "AllZero",
    "CheckInputImages",
    "ClassImbalance",
    "Confusion",
    "DeadRelu",
    "ExplodingTensor",
    "FeatureImportanceOverweight",
    "LossNotDecreasing",
    "NLPSequenceRatio",
    "Overfit",
    "Overtraining",
    "PoorWeightInitialization",
    "SaturatedActivation",
    "SimilarAcrossRuns",
    "StalledTrainingRule",
    "TensorVariance",
    "TreeDepth",
    "UnchangedTensor",
    "VanishingGradient",
    "WeightUpdateRatio",
}

# What the truth names after the check and not after a tensor.
NAMED_BY_CHECK = {"ClassImbalance", "Confusion", "FeatureImportanceOverweight", "PoorWeightInitialization"}


def unpacked(name: str, folder: Path) -> Path:
    with tarfile.open(shared("samples", "smdebug-tensors", f"{name}.tar.gz")) as archive:
        archive.extractall(folder)
    return folder / name


def model_rows(debrief, job, *options) -> dict[str, dict]:
    rows = {row["rule"]: row for row in debrief.result(job, *options)["rules"]}
    return {name: row for name, row in rows.items() if name.partition(":")[0] in MODEL_RULES}


def steps_of(row: dict) -> list[int]:
    return row.get("model", {}).get("steps", [])


def steps_by_tensor(row: dict) -> dict[str, list[int]]:
    by_tensor = {}
    for found in row.get("model", {}).get("tensors", []):
        by_tensor.setdefault(found["tensor"], set()).update(found["steps"])
    return {name: sorted(steps) for name, steps in by_tensor.items()}


@pytest.mark.parametrize("name", JOBS)
def test_rules_trigger_at_the_steps_of_the_truth(debrief, tmp_path, name):
    job = unpacked(name, tmp_path)
    truth = json.loads((job / "truth.json").read_text())
    rows = model_rows(debrief, job)
    expected = {rule: found["steps"] for rule, found in truth["rules"].items()}
    assert {rule: steps_of(row) for rule, row in rows.items() if steps_of(row)} == {
        rule: steps for rule, steps in expected.items() if steps
    }
    for rule, found in truth["rules"].items():
        if found["steps"]:
            assert rows[rule]["status"] == "issue_found"
            assert rows[rule]["triggered"] == len(found["steps"])
            if rule not in NAMED_BY_CHECK:
                assert steps_by_tensor(rows[rule]) == found["per_tensor"], rule
    for rule, row in rows.items():
        if rule not in expected:
            assert row["status"] == "not_evaluated" and row["reason"], rule
    for fires in truth["label"]["must_fire"]:
        assert steps_of(rows[fires["rule"]])[0] == fires["first_step"]
        assert len(steps_of(rows[fires["rule"]])) == fires["n_steps"]


FINDINGS = {
    "pytorch-class-imbalance": {"class_imbalance"},
    "pytorch-dead-relu": {"dead_units"},
    "pytorch-exploding-nan": {"diverged"},
    "pytorch-overfit": {"overfitting"},
    "pytorch-plateau": {"loss_not_decreasing"},  # a learning rate of 2e-6: from 3.8646 to 3.8582
    "pytorch-saturated-tanh": {"vanishing_gradients", "dead_units"},
    "pytorch-vanishing-gradient": {"vanishing_gradients"},
    "xgboost-class-imbalance": {"class_imbalance"},
    "xgboost-overfit": {"overfitting"},
}


@pytest.mark.parametrize("name", JOBS)
def test_findings_about_the_model(debrief, tmp_path, name):
    """Those whose fault lasts; healthy jobs, and faults that a rule sees and that cost nothing, stay silent."""
    result = debrief.result(unpacked(name, tmp_path))
    found = {finding["kind"] for finding in result["findings"]} - {"insufficient_data"}
    assert found == FINDINGS.get(name, set())
    if found:
        assert result["verdict"]["kind"] in found


def test_time_after_gradients_vanish_in_most_layers_is_lost(debrief, tmp_path):
    result = debrief.result(unpacked("pytorch-vanishing-gradient", tmp_path))
    (finding,) = [finding for finding in result["findings"] if finding["kind"] == "vanishing_gradients"]
    assert finding["severity"] == "critical"
    assert "steps after that were wasted" in finding["why"]
    result = debrief.result(unpacked("pytorch-saturated-tanh", tmp_path))
    assert {finding["score"] for finding in result["findings"]} == {0}


def test_saved_losses_are_curves(debrief, tmp_path):
    job = unpacked("pytorch-exploding-nan", tmp_path)
    (loss,) = [curve for curve in debrief.result(job)["curves"]["scalars"] if curve["topic"] == "loss"]
    assert loss["source"] == "SageMaker Debugger"
    assert loss["name"] == "train/MSELoss_output_0"
    assert loss["first_not_finite_step"] == 30 and loss["count"] == 40


def test_values_and_thresholds_are_those_of_the_truth(debrief, tmp_path):
    job = unpacked("pytorch-vanishing-gradient", tmp_path)
    rows = model_rows(debrief, job)
    for found in rows["VanishingGradient"]["model"]["tensors"]:
        assert found["relation"] == "below" and found["value"] < found["threshold"] == 1e-7
    job = unpacked("xgboost-class-imbalance", tmp_path)
    truth = json.loads((job / "truth.json").read_text())["rules"]["ClassImbalance"]
    (imbalance, *_) = model_rows(debrief, job)["ClassImbalance"]["model"]["tensors"]
    assert imbalance["value"] == pytest.approx(truth["largest_over_smallest"])


def test_two_runs_of_one_seed_differ_from_the_step_of_the_truth(debrief, tmp_path):
    job = unpacked("pytorch-healthy-mlp", tmp_path)
    other = unpacked("pytorch-healthy-mlp-rerun", tmp_path)
    truth = json.loads((job / "truth.json").read_text())["similar_across_runs"]
    row = model_rows(debrief, job, "--param", f"SimilarAcrossRuns_other_trials={other}")["SimilarAcrossRuns"]
    assert steps_of(row) == truth["different_steps"]
    first = [found["tensor"] for found in row["model"]["tensors"] if found["steps"][0] == truth["first_different_step"]]
    assert sorted(first) == truth["tensors_at_first"]


def test_parameters_and_several_instances(debrief, tmp_path):
    job = unpacked("pytorch-healthy-mlp", tmp_path)
    (tmp_path / "debrief.json").write_text(
        json.dumps({"rules": {"VanishingGradient:strict": {"threshold": "20.0"}, "AllZero": {"threshold": 1}}})
    )
    rows = model_rows(debrief, job, "--config", tmp_path / "debrief.json")
    assert rows["VanishingGradient"]["status"] == "no_issue"
    assert rows["VanishingGradient:strict"]["status"] == "issue_found"
    assert rows["VanishingGradient:strict"]["parameters"]["threshold"] == "20"
    assert rows["AllZero"]["parameters"]["threshold"] == "1"


@pytest.mark.parametrize(
    ("name", "rule", "first", "count"),
    [
        ("tensorboard-healthy", "ExplodingTensor", None, 0),
        ("tensorboard-nan", "ExplodingTensor", 440, None),
        ("tensorboard-overfit-tf2", "Overfit", None, 48),
        ("tensorboard-healthy", "Overfit", None, 0),
    ],
)
def test_rules_that_need_only_losses_run_on_a_log(debrief, tmp_path, name, rule, first, count):
    rows = model_rows(debrief, unpacked(name, tmp_path))
    assert set(rows) == {"ExplodingTensor", "LossNotDecreasing", "Overfit", "Overtraining", "StalledTrainingRule"}
    steps = steps_of(rows[rule])
    if count is not None:
        assert len(steps) == count
    if first is not None:
        assert steps[0] == first


def saved_job(folder: Path, steps: int) -> Path:
    """One gradient, which is zero from step 3 on."""
    for step in range(steps):
        values = [0.5, 0.25] if step < 3 else [0.0, 0.0]
        write_step(folder, step, {"gradient/w": values}, mode="TRAIN")
    write_collections(folder, {"gradients": "^gradient"})
    return folder


def test_damaged_files_cost_their_steps_only(debrief, tmp_path):
    job = saved_job(tmp_path / "job", 6)
    assert steps_of(model_rows(debrief, job)["VanishingGradient"]) == [3, 4, 5]
    events = job / "debug-output/events"
    cut = events / "000000000003/000000000003_worker_0.tfevents"
    cut.write_bytes(cut.read_bytes()[:-5])
    shutil.rmtree(events / "000000000004")
    (job / "debug-output/index/000000000/000000000001_worker_0.json").write_text("{")
    result = debrief.result(job)
    (row,) = [row for row in result["rules"] if row["rule"] == "VanishingGradient"]
    assert steps_of(row) == [5]
    assert not result["data_quality"]["complete"]
    assert {row["reason"] for row in result["data_quality"]["damaged_files"]} == {
        "is missing: its step's tensors are lost",
        "is not a valid index of tensors: its step is lost",
        "has no index: its tensors are lost",
    }
    assert {row["reason"] for row in result["data_quality"]["skipped"]} == {
        "tensor beyond the end of its file: cut off"
    }


@pytest.mark.parametrize(
    "file",
    [
        "events/000000000004/000000000004_worker_0.tfevents",
        "index/000000000/000000000004_worker_0.json",
        "collections/000000000/worker_0_collections.json",
    ],
)
def test_files_cut_anywhere(debrief, tmp_path, file):
    job = saved_job(tmp_path / "job", 6)
    path = job / "debug-output" / file
    whole = path.read_bytes()
    for size in {0, 1, 11, 12, 30, len(whole) // 2, len(whole) - 4, len(whole) - 1}:
        path.write_bytes(whole[:size])
        rows = model_rows(debrief, job)
        if file.startswith("collections"):
            assert rows["VanishingGradient"]["status"] == "not_evaluated"
            assert steps_of(rows["AllZero"]) == [3, 4, 5]
        else:
            assert steps_of(rows["VanishingGradient"]) == [3, 5]


def test_a_job_without_tensors_and_losses_has_no_row_of_them(debrief):
    assert model_rows(debrief, SAMPLE_JOBS / "dataloader-starved") == {}
