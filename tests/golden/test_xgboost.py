"""The report on an XGBoost model: numbers of recorded jobs against their truth files, and what jobs may lack.

tests/xgboost compares with scikit-learn and XGBoost itself.
"""

import json
import math
import random
import tarfile
from pathlib import Path

import pytest
from conftest import shared
from debug_output import write_collections, write_step
from fault_case import Case
from faults import times
from tree_model import model, tree, ubjson

JOBS = [
    "xgboost-binary-healthy",
    "xgboost-class-imbalance",
    "xgboost-feature-overweight",
    "xgboost-multiclass-healthy",
    "xgboost-overfit",
    "xgboost-regression",
]


def about(value):
    return pytest.approx(value, rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("name", JOBS)
def test_recorded_jobs_have_the_numbers_of_their_truth(debrief, tmp_path, name):
    with tarfile.open(shared("samples", "smdebug-tensors", f"{name}.tar.gz")) as archive:
        archive.extractall(tmp_path)
    truth = json.loads((tmp_path / name / "truth.json").read_text())["xgboost_report"]
    report = debrief.result(tmp_path / name)["xgboost"]
    assert report["problem"] == truth["type"]
    assert report["round"] == truth["last_step"]
    assert report["gaps"] == []
    assert report["losses"]
    for kind, features in truth["feature_importance_last_step"].items():
        found = {row["name"]: row[kind] for row in report["importance"] if row[kind] is not None}
        assert found == about(features), kind
    if truth["type"] == "regression":
        check_regression(report["regression"], truth)
    else:
        check_classification(report, truth)


def check_classification(report: dict, truth: dict) -> None:
    found = report["classification"]
    assert [row["rows"] for row in found["classes"]] == truth["label_counts"]
    assert found["matrix"] == truth["confusion_matrix_rows_labels"]
    assert found["accuracy"] == about(truth["accuracy"])
    for key in ("precision", "recall", "f1"):
        for row, value in zip(found["classes"], truth[key], strict=True):
            assert row[key] == about(value) or (row[key] is None and value == 0)
    for average in ("micro", "macro", "weighted"):
        assert found[average] == about(truth[average])
    over_rounds = list(zip(*(row["values"] for row in found["accuracy_over_rounds"]), strict=True))
    expected = truth["per_class_accuracy_over_steps"]
    assert report["rounds"] == [int(step) for step in expected]
    for values, wanted in zip(over_rounds, expected.values(), strict=True):
        assert list(values) == about(wanted)
    if truth["type"] == "binary":
        assert report["roc"]["auc"] == about(truth["auc"])
    else:
        assert report["roc"] is None


def check_regression(found: dict, truth: dict) -> None:
    assert found["rmse"] == about(truth["rmse"])
    assert found["mae"] == about(truth["mae"])
    residuals = found["residuals"]
    assert residuals["mean"] == about(truth["residual_mean"])
    assert residuals["stddev"] == about(truth["residual_std"])
    assert residuals["skewness"] == about(truth["residual_skewness"])
    bins = found["label_bins"]
    assert [row["from"] for row in bins] + [bins[-1]["to"]] == about(truth["bins"]["edges"])
    assert [row["rows"] for row in bins] == truth["bins"]["counts"]
    assert [row["errors"][-1] for row in bins] == about(truth["bins"]["mean_abs_error"])


def made_up(folder: Path, rounds: list[dict], objective: str = "binary:logistic") -> Path:
    for step, tensors in enumerate(rounds):
        first = {"hyperparameters/objective": objective, "feature_importance/weight/f0": 1.0} if step == 0 else {}
        write_step(folder, step, {**first, **tensors})
    write_collections(folder, {"metrics": "^[a-zA-Z]+-[a-zA-Z0-9]+$"})
    return folder


HEALTHY = {"labels": [0.0, 1.0, 1.0, 0.0], "predictions": [0.25, 0.75, 0.5, 0.625], "validation-logloss": 0.5}


def without(*names: str) -> dict:
    return {name: values for name, values in HEALTHY.items() if name not in names}


@pytest.mark.parametrize(
    ("tensors", "gaps"),
    [
        (HEALTHY, []),
        (without("labels"), ["no_labels"]),
        (without("predictions"), ["no_predictions"]),
        (without("labels", "predictions"), ["no_labels", "no_predictions"]),
        ({**HEALTHY, "labels": [0.0, 1.0]}, ["rows_differ"]),
        ({**HEALTHY, "labels": [1.0] * 4}, ["one_class"]),
        ({**HEALTHY, "predictions": [0.25, math.nan, 0.5, math.inf]}, ["not_finite"]),
        ({**HEALTHY, "predictions": [math.nan] * 4}, ["not_finite"]),
        ({**HEALTHY, "labels": [0.5, 1.0, 1.0, 0.0]}, ["labels_not_whole"]),
        ({**HEALTHY, "predictions": [-2.0, 3.0, 0.5, -1.0]}, ["margins"]),
        (without("validation-logloss"), ["no_loss"]),
    ],
)
def test_what_is_missing_is_said(debrief, tmp_path, tensors, gaps):
    report = debrief.result(made_up(tmp_path / "job", [tensors, tensors]))["xgboost"]
    assert report["gaps"] == gaps
    assert '<section id="xgboost"' in (tmp_path / "report.html").read_text()


def test_a_damaged_round_costs_itself_only(debrief, tmp_path):
    job = made_up(tmp_path / "job", [HEALTHY] * 3)
    file = job / "debug-output/events/000000000001/000000000001_worker_0.tfevents"
    file.write_bytes(file.read_bytes()[:100])
    result = debrief.result(job)
    assert not result["data_quality"]["complete"]
    values = [row["values"] for row in result["xgboost"]["classification"]["accuracy_over_rounds"]]
    assert [value is None for value in values[0]] == [False, True, False]


def test_workers_with_rows_of_their_own_are_put_together(debrief, tmp_path):
    job = made_up(tmp_path / "job", [HEALTHY])
    write_step(job, 0, {"labels": [1.0], "predictions": [0.75]}, worker="worker_1")
    report = debrief.result(job)["xgboost"]
    assert (report["rows"], report["workers"], report["gaps"]) == (5, 2, ["workers_joined"])


def test_many_classes(debrief, tmp_path):
    labels = [float(i % 60) for i in range(600)]
    predictions = [float((i % 60) if i % 7 else (i + 1) % 60) for i in range(600)]
    rounds = [{"labels": labels, "predictions": predictions, "validation-mlogloss": 1.0}] * 2
    report = debrief.result(made_up(tmp_path / "job", rounds, "multi:softmax"))["xgboost"]
    assert report["classification"]["matrix"] == []
    assert len(report["classification"]["classes"]) == 60
    assert len(report["classification"]["accuracy_over_rounds"]) == 50


def test_a_saved_model_alone(debrief, tmp_path):
    folder = tmp_path / "job"
    folder.mkdir()
    split = tree((0, 4.5, 10.0))
    broken = {**split, "left_children": [0, 0, 0]}
    (folder / "a.json").write_text(json.dumps(model([split], ["</script><b>"])))
    (folder / "b.json").write_text(json.dumps(model([split, split, broken], ["</script><b>"])))
    (folder / "evals.json").write_text('{"train": {"rmse": [2.5, 1.5]}, "test": {"rmse": [2.75, NaN]}}')
    result = debrief.result(folder)
    report = result["xgboost"]
    assert report["model"]["file"] == "b.json"
    assert report["model"]["trees"] == 2
    assert report["importance"] == [
        {"name": "</script><b>", "weight": 2, "gain": 4.5, "cover": 10, "total_gain": 9, "total_cover": 20}
    ]
    assert [(row["set"], row["last"]) for row in report["losses"]] == [("train", 1.5), ("test", 2.75)]
    assert report["gaps"] == ["no_labels", "no_predictions"]
    assert [row["reason"] for row in result["data_quality"]["skipped"]] == [
        "tree of a saved model whose nodes do not fit together"
    ]
    assert "<b>" not in (tmp_path / "report.html").read_text().split('<section id="xgboost"')[1].split("</section>")[0]


TREES = [tree(*((feature, 1.0 + at, 8.0) for feature in range(at % 3 + 1))) for at in range(40)]
FORMATS = {"json": lambda document: json.dumps(document).encode(), "ubj": ubjson}


@pytest.mark.parametrize("format", FORMATS)
def test_a_model_that_is_cut_off_or_changed(faults, format):
    """Trees before the damage are read, what is lost is said, and no feature has more splits than the whole model gives it."""
    content = FORMATS[format](model(TREES, ["a", "b", "c"]))
    name = f"model.{format}"
    whole = faults.one("whole", {name: content})
    assert whole.quality["complete"]
    assert whole.result["xgboost"]["model"]["trees"] == len(TREES)
    rng = random.Random(5)
    cuts = sorted(rng.sample(range(len(content)), k=times(30)))
    cases = [Case(f"{name} cut at {place}", {name: content[:place]}) for place in cuts]
    for at in range(times(30)):
        damaged = bytearray(content)
        damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        cases.append(Case(f"{name} with a flipped bit, {at}", {name: bytes(damaged)}))
    trees = []
    for case, outcome in zip(cases, faults.all(cases), strict=True):
        found = (outcome.result or {}).get("xgboost")
        count = found["model"]["trees"] if found and found["model"] else 0
        assert count <= len(TREES)
        if "cut" in case.label:
            trees.append(count)
            assert outcome.code != 0 or not outcome.quality["complete"], f"{case.label}: nothing is said of the cut"
    assert trees == sorted(trees)
    assert trees[-1] > len(TREES) / 2


def test_evals_result_that_is_cut_off(faults):
    values = [round(4 / (step + 1), 3) for step in range(50)]
    content = json.dumps({"train": {"rmse": values}, "test": {"rmse": values}}).encode()
    cases = [Case(f"cut at {place}", {"evals_result.json": content[:place]}) for place in range(40, len(content), 37)]
    for case, outcome in zip(cases, faults.all(cases), strict=True):
        assert not outcome.quality["complete"], case.label
        for row in outcome.result["curves"]["scalars"]:
            assert row["values"] == values[: row["count"]]
