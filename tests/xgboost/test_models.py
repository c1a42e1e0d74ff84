"""Saved models: trees and feature importance are what XGBoost itself says of them."""

import json

import numpy
import pytest
import xgboost

ROWS, FEATURES = 600, 8

OBJECTIVES = {
    "binary:logistic": {"labels": lambda score: score > 0},
    "multi:softprob": {"labels": lambda score: numpy.digitize(score, [-1, 1]), "num_class": 3},
    "reg:squarederror": {"labels": lambda score: score},
    "reg:logistic": {"labels": lambda score: score > 0},
    "count:poisson": {"labels": lambda score: numpy.floor(numpy.abs(score))},
    "rank:ndcg": {"labels": lambda score: numpy.digitize(score, [-1, 1]), "group": True},
}

BOOSTERS = {
    "plain": {},
    "deep": {"max_depth": 0, "grow_policy": "lossguide", "max_leaves": 40, "tree_method": "hist"},
    "exact": {"tree_method": "exact", "max_depth": 9},
    "pruned": {"tree_method": "exact", "gamma": 20},  # nodes that were deleted again
    "forest": {"num_parallel_tree": 3, "subsample": 0.5},
    "dart": {"booster": "dart", "rate_drop": 0.3},
    "stump": {"max_depth": 1},
}


def trained(objective: str, booster: dict, rounds: int = 12, names: bool = True, **options):
    random = numpy.random.default_rng(5)
    data = random.normal(size=(ROWS, FEATURES))
    data[:, 6] = random.integers(0, 2, ROWS)
    data[:, 7] = 0  # never of use
    score = 2 * data[:, 0] - data[:, 1] + data[:, 2] * data[:, 3] + random.normal(size=ROWS) / 2
    known = dict(OBJECTIVES[objective])
    labels = known.pop("labels")(score).astype(float)
    names = [f"feature & {i}" for i in range(FEATURES)] if names else None
    groups = [50] * (ROWS // 2 // 50) if known.pop("group", False) else None
    half = ROWS // 2
    train = xgboost.DMatrix(data[:half], labels[:half], feature_names=names)
    validation = xgboost.DMatrix(data[half:], labels[half:], feature_names=names)
    for matrix in (train, validation):
        if groups:
            matrix.set_group(groups)
    evals_result: dict = {}
    model = xgboost.train(
        {"objective": objective, "nthread": 1, "seed": 3, **known, **booster},
        train,
        rounds,
        evals=[(train, "train"), (validation, "validation")],
        evals_result=evals_result,
        verbose_eval=False,
        **options,
    )
    return model, evals_result, validation


def shape(node: dict) -> tuple[int, int, int]:
    """Depth, splits and leaves below a node of XGBoost's own dump."""
    if "children" not in node:
        return 0, 0, 1
    below = list(map(shape, node["children"]))
    return 1 + max(row[0] for row in below), 1 + sum(row[1] for row in below), sum(row[2] for row in below)


def check_model(report: dict, model, objective: str) -> None:
    for kind in ("weight", "gain", "cover", "total_gain", "total_cover"):
        found = {row["name"]: row[kind] for row in report["importance"]}
        # XGBoost sums in single precision.
        assert found == pytest.approx(model.get_score(importance_type=kind), rel=1e-5), kind
    shapes = [shape(json.loads(tree)) for tree in model.get_dump(dump_format="json")]
    depths = [row[0] for row in shapes]
    assert report["model"]["trees"] == len(shapes)
    assert report["model"]["trees_by_depth"] == [depths.count(depth) for depth in range(max(depths) + 1)]
    assert report["model"]["splits"] == sum(row[1] for row in shapes)
    assert report["model"]["leaves"] == sum(row[2] for row in shapes)
    assert report["model"]["rounds"] == model.num_boosted_rounds()
    assert report["model"]["features"] == FEATURES
    assert report["model"]["version"] == xgboost.__version__
    assert report["objective"] == objective


@pytest.mark.parametrize("format", ["json", "ubj"])
@pytest.mark.parametrize("booster", BOOSTERS)
def test_trees_of_every_kind(report, tmp_path, booster, format):
    model, _, _ = trained("binary:logistic", BOOSTERS[booster], names=booster != "exact")
    job = tmp_path / "job"
    job.mkdir()
    model.save_model(job / f"model.{format}")
    found = report(job)
    check_model(found, model, "binary:logistic")
    assert found["model"]["booster"] == ("dart" if booster == "dart" else "gbtree")


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_objectives_and_their_losses(report, tmp_path, objective):
    model, evals_result, _ = trained(objective, {})
    job = tmp_path / "job"
    job.mkdir()
    model.save_model(job / "model.ubj")
    (job / "evals_result.json").write_text(json.dumps(evals_result))
    found = report(job)
    check_model(found, model, objective)
    metrics = set(evals_result["train"])
    if objective == "rank:ndcg":
        assert found["problem"] == "ranking"
        assert found["losses"] == []
        return
    assert found["loss"] in metrics
    for row in found["losses"]:
        values = evals_result[row["set"]][found["loss"]]
        assert row["first"] == pytest.approx(values[0], rel=1e-6)
        assert row["last"] == pytest.approx(values[-1], rel=1e-6)
        assert row["best"] == pytest.approx(min(values), rel=1e-6)
        assert row["best_round"] == int(numpy.argmin(values))


def test_training_that_stopped_early(report, tmp_path):
    model, _, _ = trained("binary:logistic", {"eta": 1.5}, rounds=200, early_stopping_rounds=3)
    job = tmp_path / "job"
    job.mkdir()
    model.save_model(job / "model.json")
    assert report(job)["model"]["best_round"] == model.best_iteration


def test_a_linear_model_has_no_trees(report, tmp_path):
    model, _, _ = trained("binary:logistic", {"booster": "gblinear"})
    job = tmp_path / "job"
    job.mkdir()
    model.save_model(job / "model.json")
    found = report(job)
    assert found["model"]["booster"] == "gblinear"
    assert found["model"]["trees"] == 0
    assert "no_importance" in found["gaps"]
