"""What holds for every report on an XGBoost model."""

from holding import about, check_ascending, check_unique


def check_xgboost(report: dict) -> None:
    check_unique(report["gaps"])
    assert (report["loss"] is None) == (not report["losses"]) == ("no_loss" in report["gaps"])
    assert (report["importance_source"] is None) == (not report["importance"]) == ("no_importance" in report["gaps"])
    ranks = [row["total_gain"] for row in report["importance"] if row["total_gain"] is not None]
    assert ranks == sorted(ranks, reverse=True)
    check_ascending(report["rounds"])
    if report["rounds"]:
        assert report["rounds"][-1] == report["round"]
        assert len(report["rounds"]) <= report["saved_rounds"]
    if report["model"] is not None:
        model = report["model"]
        assert sum(model["trees_by_depth"]) == model["trees"]
        assert model["leaves"] == model["splits"] + model["trees"]  # each split makes one leaf more
    if report["labels"] is not None:
        check_distribution(report["labels"])
    if report["classification"] is not None:
        check_classification(report["classification"], report)
    if report["roc"] is not None:
        check_roc(report["roc"], report)
    if report["regression"] is not None:
        check_distribution(report["regression"]["residuals"])
        bins = report["regression"]["label_bins"]
        assert not bins or sum(row["rows"] for row in bins) == report["rows"]
        for row in bins:
            assert len(row["errors"]) == len(report["rounds"])


def check_distribution(values: dict) -> None:
    check_ascending([values[key] for key in ("min", "p05", "p50", "p95", "max")])
    if values["histogram"]["counts"]:
        assert sum(values["histogram"]["counts"]) == values["count"]
        assert len(values["histogram"]["edges"]) == len(values["histogram"]["counts"]) + 1


def check_classification(found: dict, report: dict) -> None:
    classes = found["classes"]
    labels = [row["label"] for row in classes]
    assert labels == sorted(set(labels))
    assert sum(row["rows"] for row in classes) == report["rows"]
    if found["accuracy"] is None:
        assert not found["matrix"] and not found["mistakes"]
        return
    assert sum(row["predicted"] for row in classes) == report["rows"]
    assert found["accuracy"] == about(sum(row["right"] for row in classes) / report["rows"], 1e-6)
    assert found["micro"] == dict.fromkeys(("precision", "recall", "f1"), found["accuracy"])
    assert found["weighted"]["recall"] == about(found["accuracy"], 2e-6)
    if found["matrix"]:
        for at, row in enumerate(classes):
            assert sum(found["matrix"][at]) == row["rows"]
            assert sum(line[at] for line in found["matrix"]) == row["predicted"]
            assert found["matrix"][at][at] == row["right"]
    for row in found["accuracy_over_rounds"]:
        assert len(row["values"]) == len(report["rounds"])


def check_roc(roc: dict, report: dict) -> None:
    assert roc["positives"] + roc["negatives"] == report["rows"]
    points = roc["points"]
    ends = [(points[at]["false_positive_rate"], points[at]["true_positive_rate"]) for at in (0, -1)]
    assert ends == [(0, 0), (1, 1)]
    for key in ("false_positive_rate", "true_positive_rate"):
        check_ascending([point[key] for point in points])
