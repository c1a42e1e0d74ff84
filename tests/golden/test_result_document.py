"""The schema and the invariants themselves, on a document in which nothing is absent (a unit test makes the same)."""

import copy
import json

import pytest
from conftest import ROOT
from invariants import check_invariants, validator
from jsonschema_rs import ValidationError

FULL = json.loads((ROOT / "tests/unit/result/full_result.json").read_text())
FREE = {"hyperparameters", "parameters", "figures"}  # objects whose keys the job or a rule chooses


def objects(value, key=""):
    """Every object of a document whose keys the schema knows."""
    if isinstance(value, dict) and key not in FREE:
        yield value
        for name, member in value.items():
            yield from objects(member, name)
    elif isinstance(value, list):
        for member in value:
            yield from objects(member)


def test_full_document():
    check_invariants(FULL)


def test_schema_knows_every_key():
    document = copy.deepcopy(FULL)
    schema = validator("result.schema.json")
    tried = 0
    for row in objects(document):
        row["surplus"] = 0
        assert not schema.is_valid(document), row
        del row["surplus"]
        for key in list(row):
            value = row.pop(key)
            assert not schema.is_valid(document), f"without {key}: {row}"
            row[key] = value
            tried += 1
    assert schema.is_valid(document)
    assert tried > 200


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("time_accounting.total_in_seconds", 99),
        ("time_accounting.parts.0.seconds", 11),
        ("devices.0.p05", 61),
        ("devices.0.upper", 79),
        ("devices.0.histogram.edges", [0, 100]),
        ("devices.0.histogram.counts", [3, 8]),
        ("load_balance.pair_count", 2),
        ("load_balance.pairs.0.distance", 0.9),
        ("model.measures.0.layer_count", 2),
        ("python_stacks.waited_seconds", 121),
        ("python_stacks.profiles.0.seconds", 130),
        ("python_stacks.profiles.0.functions.0.self_seconds", 31),
        ("python_stacks.profiles.0.functions.1.total_seconds", 61),
        ("model.tensors.0.mean.0", 3),
        ("framework.phase.0.percent", -1),
        ("framework.phase.1.process", "algo-1-28"),
        ("framework.ratio.0.percent", 26),
        ("framework.cpu_operators.1.self_us", 1001),
        ("framework.gpu_operator_count", 0),
        ("steps.0.p99", 3.5),
        ("steps.0.count", 9),
        ("steps.0.outliers", 2),
        ("steps.0.histogram.edges", [0.5, 2.5, 1.5]),
        ("data_loading.times.0.p95", 0.6),
        ("steps.0.source", "somewhere"),
        ("xgboost.rows", 11),
        ("xgboost.round", 8),
        ("xgboost.gaps", ["no_loss"]),
        ("xgboost.model.leaves", 7),
        ("xgboost.model.trees", 2),
        ("xgboost.importance.0.total_gain", 1e-9),
        ("xgboost.classification.accuracy", 0.8),
        ("xgboost.classification.matrix.0", [4, 1]),
        ("xgboost.classification.classes.1.right", 3),
        ("xgboost.roc.positives", 6),
        ("xgboost.roc.points.1.true_positive_rate", 0.9),
        ("xgboost.regression.residuals.p50", 2),
        ("xgboost.regression.label_bins.0.rows", 4),
        ("xgboost.labels.count", 9),
        ("traces.files", []),
        ("traces.steps.0.parts.0.us", 250),
        ("traces.steps.1.gpu_busy_us", 601),
        ("traces.processes.0.steps", 3),
        ("traces.processes.0.parts.1.percent", 10),
        ("traces.steps.0.waited_us", -1),
        ("traces.slowest.0.median_us", 501),
        ("traces.critical_paths.0.us", 601),
        ("traces.critical_paths.0.parts.0.gain_us", 61),
        ("traces.critical_paths.0.parts.1.us", 61),
        ("traces.recomputation.0.kernel_percent", 101),
        ("traces.graphs.mapped_us", 81),
        ("traces.operators.names", 3),
        ("traces.operators.by_name.0.host_self_us", 101),
        ("traces.kernels.rows.0.max_us", 99),
        ("traces.kernels.rows.1.total_us", 101),
        ("traces.kernels.calls", 7),
        ("traces.kernels.precision.0.percent", 99),
        ("traces.launches.0.delay_p95_us", 96),
        ("traces.launches.0.short_kernels", 7),
        ("traces.steps.0.gpu_busy_us", 279),
        ("traces.gpus.0.occupancy", 101),
        ("traces.gpus.0.kernel_us", 721),
        ("traces.gpus.0.idle_us", 281),
        ("traces.gpus.0.host_wait_us", 201),
        ("traces.communication.overlap.0.hidden_us", 21),
        ("traces.communication.overlap.0.overlap_percent", 101),
        ("traces.communication.collectives.0.max_us", 49),
        ("traces.communication.stragglers.0.last", 3),
        ("traces.communication.missing_count", 2),
        ("traces.memory.0.holders.0.bytes", 4_000_001),
        ("traces.memory.0.before_trace", -1),
        ("traces.annotations.0.total_us", 901),
        ("traces.annotations.0.histogram.counts", [1, 2]),
        ("rules.0.datapoints", 999),
        ("rules.0.incidents.0.start", "2023-11-14T22:13:19.999999Z"),
        ("rules.0.incidents.0.end", "2023-11-14T22:13:39.000000Z"),
        ("rules.0.incidents.1.end", "2023-11-14T22:15:00.000001Z"),
        ("rules.2.triggered", 1),
        ("rules.2.reason", None),
        ("job.job_duration_in_seconds", 100.1),
        ("job.training_loop_start", "2023-11-14T22:13:19.000000Z"),
        ("job.training_loop_end", "2023-11-14T22:15:01.000000Z"),
        ("job.finalization_percent", 6),
        ("job.processes", ["algo-1-27", "algo-1-27"]),
        ("time_accounting.parts.1.percent", 61),
        ("time_accounting.parts.1.part", "EVAL"),
        ("system_usage.0.unit", "%"),
        ("devices.0.mean", 100.5),
        ("devices.0.samples", 11),
        ("load_balance.pairs.0.second", "gpu0"),
        ("framework.phase.0.seconds", 71.5),
        ("framework.phase.1.name", "TRAIN"),
        ("framework.operator_source", None),
        ("framework.cpu_operators.0.self_percent", 89),
        ("framework.cpu_operators.1.operator", "aten::_convolution"),
        ("steps.0.mean", 0.4),
        ("steps.0.first", 3.5),
        ("steps.0.block_medians.0", 0.4),
        ("steps.0.outlying.0.seconds", 2.7),
        ("steps.0.outlying.0.start", "2023-11-14T22:13:19.999999Z"),
        ("data_loading.times.0.mean", 0.6),
        ("data_loading.times.0.outliers", 5),
        ("traces.files.0.duration_us", 1010),
        ("traces.files.0.span.seconds", 0.002),
        ("traces.steps.0.start", "2023-11-14T22:13:19.999999Z"),
        ("traces.operators.host_self_us", 181),
        ("traces.operators.by_name.0.tensor_core_us", 401),
        ("traces.kernels.rows.0.launch_shapes", 5),
        ("traces.launches.0.queue_max", 7),
        ("traces.copies.0.bandwidth", 0),
        ("traces.communication.collectives.0.total_us", 110),
        ("rules.0.incidents.0.seconds", 31),
        ("rules.0.incident_seconds", 29),
        ("rules.0.clock_seconds", 31),
        ("rules.0.explained_by", "nothing_known"),
        ("gate.assertions.0.bound", 60),
        ("rules.0.parts.0.percent", 26),
        ("rules.1.rule", "Dataloader"),
        ("findings.0.windows.0.seconds", 26),
        ("findings.0.windows.0.end", "2023-11-14T22:15:00.000001Z"),
        ("findings.0.window_seconds", 101),
        ("findings.0.next", "Set num_workers."),
        ("verdict.score", 0.3),
        ("verdict.finding", None),
        ("waste.busy", 0.05),
        ("waste.parts.0.percent", 31),
        ("waste.causes.0.hours", 0.02),
        ("waste.over_time.busy.0", 45),
        ("headline.step.p50", 0.6),
        ("headline.cores_busy", 17),
        ("headline.gpu_memory.bytes", 41),
        ("findings.0.actions.0", "Set num_workers=9."),
        ("gate.passed", True),
        ("gate.assertions.0.status", "passed"),
        ("gate.baseline", None),
        ("data_quality.complete", True),
        ("data_quality.ignored_count", 2),
        ("data_quality.sources.0.files", 0),
        ("data_quality.nodes.0.span.end", "2023-11-14T22:15:00.000001Z"),
        ("data_quality.nodes.0.interval_in_seconds.p50", 0.3),
        ("data_quality.nodes.0.gap_seconds", 44),
        ("data_quality.nodes.0.unsampled_at_start_seconds", 21),
        ("data_quality.nodes.0.unsampled_at_end_seconds", 31),
        ("data_quality.nodes.0.less_sampled.0.unsampled_seconds", 51),
        ("data_quality.nodes.0.less_sampled.0.samples", 11),
        ("data_quality.nodes.0.less_sampled_count", 2),
        ("data_quality.nodes.0.gaps.0.end", "2023-11-14T22:14:58.000000Z"),
    ],
)
def test_what_is_wrong_is_seen(path, value):
    document = copy.deepcopy(FULL)
    *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    place = document
    for step in way:
        place = place[step]
    assert place[last] != value
    place[last] = value
    with pytest.raises((AssertionError, ValidationError)):
        check_invariants(document)


def test_shares_of_sagemaker_may_be_wrong():
    document = copy.deepcopy(FULL)
    document["framework"]["recorded_by_sagemaker"] = True
    document["framework"]["phase"][0]["percent"] = 113.2
    document["framework"]["phase"][1]["percent"] = -29.7
    check_invariants(document)
