"""Labels and predictions as SageMaker Debugger's hook saves them: every number is scikit-learn's."""

import numpy
import pytest
from debug_output import write_step
from sklearn import metrics
from test_models import trained


def about(value):
    return pytest.approx(value, rel=1e-5, abs=1.5e-6)


def saved(folder, labels, predictions, objective: str):
    """`predictions`: round -> what the model says in it."""
    for step, values in predictions.items():
        first = {"hyperparameters/objective": objective} if step == min(predictions) else {}
        tensors = {**first, "labels": labels.tolist(), "predictions": numpy.asarray(values, numpy.float32).tolist()}
        write_step(folder, step, tensors)
    return folder


def check_classes(report: dict, labels, predicted) -> None:
    found = report["classification"]
    classes = sorted({*labels.tolist(), *predicted.tolist()})
    assert [row["label"] for row in found["classes"]] == classes
    assert found["matrix"] == metrics.confusion_matrix(labels, predicted).tolist()
    assert found["accuracy"] == about(metrics.accuracy_score(labels, predicted))
    for average in ("micro", "macro", "weighted"):
        expected = metrics.precision_recall_fscore_support(labels, predicted, average=average, zero_division=0)
        assert [found[average][key] for key in ("precision", "recall", "f1")] == about(list(expected[:3]))
    per_class = metrics.precision_recall_fscore_support(labels, predicted, zero_division=numpy.nan)
    for at, row in enumerate(found["classes"]):
        for key, values in zip(("precision", "recall", "f1"), per_class, strict=False):
            assert row[key] == about(values[at]) or (row[key] is None and numpy.isnan(values[at]))
        assert row["rows"] == per_class[3][at]


def check_roc(report: dict, labels, scores) -> None:
    roc = report["roc"]
    assert roc["auc"] == about(metrics.roc_auc_score(labels, scores))
    false, true, thresholds = metrics.roc_curve(labels, scores, drop_intermediate=False)
    for point in roc["points"][1:]:
        at = numpy.flatnonzero(numpy.isclose(thresholds, point["threshold"], rtol=1e-6, atol=1e-9))
        assert any(
            false[i] == about(point["false_positive_rate"]) and true[i] == about(point["true_positive_rate"])
            for i in at
        )
    best = numpy.max(true - false)
    assert roc["best"]["true_positive_rate"] - roc["best"]["false_positive_rate"] == about(best)


def test_a_binary_classifier(report, tmp_path):
    model, _, validation = trained("binary:logistic", {})
    labels = validation.get_label()
    rounds = {at: model.predict(validation, iteration_range=(0, at + 1)) for at in range(12)}
    found = report(saved(tmp_path / "job", labels, rounds, "binary:logistic"))
    assert found["problem"] == "binary"
    check_classes(found, labels.astype(int), (rounds[11] > 0.5).astype(int))
    check_roc(found, labels, rounds[11])
    for at, round in enumerate(found["rounds"]):
        recall = metrics.recall_score(labels, rounds[round] > 0.5, average=None)
        assert [row["values"][at] for row in found["classification"]["accuracy_over_rounds"]] == about(recall.tolist())


def test_margins(report, tmp_path):
    model, _, validation = trained("binary:logistic", {})
    labels = validation.get_label()
    margins = model.predict(validation, output_margin=True)
    found = report(saved(tmp_path / "job", labels, {0: margins}, "binary:logitraw"))
    check_classes(found, labels.astype(int), (margins > 0).astype(int))
    check_roc(found, labels, margins)


@pytest.mark.parametrize("objective", ["multi:softprob", "multi:softmax"])
def test_several_classes(report, tmp_path, objective):
    model, _, validation = trained("multi:softprob", {})
    labels = validation.get_label()
    shares = {at: model.predict(validation, iteration_range=(0, at + 1)) for at in (0, 11)}
    classes = {at: values.argmax(axis=1) for at, values in shares.items()}
    found = report(saved(tmp_path / "job", labels, shares if objective == "multi:softprob" else classes, objective))
    assert found["problem"] == "multiclass"
    check_classes(found, labels.astype(int), classes[11])
    for at, round in enumerate((0, 11)):
        recall = metrics.recall_score(labels, classes[round], average=None)
        assert [row["values"][at] for row in found["classification"]["accuracy_over_rounds"]] == about(recall.tolist())


def test_a_regression(report, tmp_path):
    model, _, validation = trained("reg:squarederror", {})
    labels = validation.get_label()
    rounds = {at: model.predict(validation, iteration_range=(0, at + 1)) for at in (0, 5, 11)}
    found = report(saved(tmp_path / "job", labels, rounds, "reg:squarederror"))
    values = found["regression"]
    labels = labels.astype(float)
    last = rounds[11].astype(float)
    assert values["rmse"] == about(metrics.root_mean_squared_error(labels, last))
    assert values["mae"] == about(metrics.mean_absolute_error(labels, last))
    assert values["r2"] == about(metrics.r2_score(labels, last))
    residuals = labels - last
    assert values["residuals"]["mean"] == about(residuals.mean())
    assert values["residuals"]["stddev"] == about(residuals.std())
    counts, edges = numpy.histogram(residuals, 40)
    assert values["residuals"]["histogram"]["counts"] == counts.tolist()
    assert values["residuals"]["histogram"]["edges"] == about(edges.tolist())
    counts, edges = numpy.histogram(labels, 10)
    assert [row["rows"] for row in values["label_bins"]] == counts.tolist()
    places = numpy.clip(numpy.digitize(labels, edges) - 1, 0, 9)
    for at, round in enumerate((0, 5, 11)):
        errors = numpy.abs(labels - rounds[round].astype(float))
        for place, row in enumerate(values["label_bins"]):
            expected = errors[places == place]
            assert row["errors"][at] == (about(expected.mean()) if len(expected) else None)


@pytest.mark.parametrize("seed", range(12))
def test_made_up_predictions(report, tmp_path, seed):
    """Ties, classes that are never predicted or never there, few rows and many."""
    random = numpy.random.default_rng(seed)
    rows = int(random.choice([2, 10, 300, 3000]))
    classes = int(random.choice([2, 2, 3, 12]))
    labels = random.integers(0, classes, rows).astype(float)
    labels[:2] = [0, 1]
    if classes == 2:
        scores = numpy.round(random.random(rows) * 0.7 + labels * 0.3, int(random.integers(1, 8))).astype(numpy.float32)
        found = report(saved(tmp_path / "job", labels, {0: scores}, "binary:logistic"))
        check_classes(found, labels.astype(int), (scores > 0.5).astype(int))
        check_roc(found, labels, scores)
    else:
        predicted = numpy.where(random.random(rows) < 0.7, labels, random.integers(0, classes, rows))
        predicted[predicted == 2] = 0
        labels[labels == classes - 1] = 0
        found = report(saved(tmp_path / "job", labels, {0: predicted}, "multi:softmax"))
        check_classes(found, labels.astype(int), predicted.astype(int))
