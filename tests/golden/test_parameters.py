"""Rules' parameters: listed, set from three places, validated once."""

import json

import pytest
from conftest import ROOT, SAMPLE_JOBS

JOB = SAMPLE_JOBS / "dataloader-starved"


def rule(result: dict, name: str) -> dict:
    return next(row for row in result["rules"] if row["rule"] == name)


def declared(debrief) -> list[dict]:
    return json.loads(debrief.run("rules", "--json").stdout)


def test_the_documentation_is_the_declaration(debrief):
    assert debrief.run("rules", "--markdown").stdout == (ROOT / "docs/rules.md").read_text(), "run ./dev docs"


def test_every_rule_declares_what_a_reader_needs(debrief):
    rules = declared(debrief)
    assert len(rules) == 31
    assert [row["group"] for row in rules].count("Profiler rules") == 11
    text = debrief.run("rules").stdout
    for row in rules:
        assert row["description"] and row["recommendation"]
        assert row["rule"] in text
        for parameter in row["parameters"]:
            assert parameter["set_as"] == f"{row['rule']}_{parameter['name']}"
            assert parameter["set_as"] in text
            assert parameter["meaning"] and parameter["default"] is not None


def test_defaults_are_those_of_production(debrief):
    defaults = {
        parameter["set_as"]: parameter["default"]
        for row in declared(debrief)
        if row["group"] == "Profiler rules"
        for parameter in row["parameters"]
        if parameter["name"] != "scan_interval_us"
    }
    assert defaults == {
        "BatchSize_cpu_threshold_p95": 70,
        "BatchSize_gpu_threshold_p95": 70,
        "BatchSize_gpu_memory_threshold_p95": 70,
        "BatchSize_patience": 1000,
        "BatchSize_window": 500,
        "CPUBottleneck_threshold": 50,
        "CPUBottleneck_cpu_threshold": 90,
        "CPUBottleneck_gpu_threshold": 10,
        "CPUBottleneck_patience": 1000,
        "Dataloader_min_threshold": 70,
        "Dataloader_max_threshold": 200,
        "GPUMemoryIncrease_increase": 5,
        "GPUMemoryIncrease_patience": 1000,
        "GPUMemoryIncrease_window": 10,
        "IOBottleneck_threshold": 50,
        "IOBottleneck_io_threshold": 50,
        "IOBottleneck_gpu_threshold": 10,
        "IOBottleneck_patience": 1000,
        "LoadBalancing_threshold": 0.2,
        "LoadBalancing_patience": 1000,
        "LowGPUUtilization_threshold_p95": 70,
        "LowGPUUtilization_threshold_p5": 10,
        "LowGPUUtilization_window": 500,
        "LowGPUUtilization_patience": 1000,
        "MaxInitializationTime_threshold": 20,
        "StepOutlier_stddev": 3,
        "StepOutlier_mode": "None",
        "StepOutlier_n_outliers": 10,
    }


def test_defaults_of_rules_on_the_model_are_those_of_the_guide(debrief):
    """Where the guide has none and demands one, those of its samples (docs/sagemaker-differences.md)."""
    defaults = {
        parameter["set_as"]: parameter["default"]
        for row in declared(debrief)
        if row["group"] != "Profiler rules"
        for parameter in row["parameters"]
    }
    assert {name: value for name, value in defaults.items() if value != "None"} == {
        "AllZero_tensor_regex": ".*",
        "AllZero_threshold": 100,
        "CheckInputImages_channel": 1,
        "CheckInputImages_regex": ".*hybridsequential0_input_0",
        "CheckInputImages_threshold_mean": 0.2,
        "CheckInputImages_threshold_samples": 500,
        "ClassImbalance_argmax": "False",
        "ClassImbalance_labels_regex": ".*labels",
        "ClassImbalance_predictions_regex": ".*predictions",
        "ClassImbalance_samples": 500,
        "ClassImbalance_threshold_imbalance": 10,
        "ClassImbalance_threshold_misprediction": 0.7,
        "Confusion_labels": "labels",
        "Confusion_labels_collection": "labels",
        "Confusion_max_off_diag": 0.1,
        "Confusion_min_diag": 0.9,
        "Confusion_predictions": "predictions",
        "Confusion_predictions_collection": "predictions",
        "DeadRelu_tensor_regex": ".*relu_output",
        "DeadRelu_threshold_inactivity": 1,
        "DeadRelu_threshold_layer": 50,
        "ExplodingTensor_only_nan": "False",
        "FeatureImportanceOverweight_nfeatures": 3,
        "FeatureImportanceOverweight_tensor_regex": ".*feature_importance/weight",
        "FeatureImportanceOverweight_threshold": 0.8,
        "LossNotDecreasing_diff_percent": 0.1,
        "LossNotDecreasing_increase_threshold_percent": 5,
        "LossNotDecreasing_mode": "GLOBAL",
        "LossNotDecreasing_num_steps": 10,
        "LossNotDecreasing_use_losses_collection": "True",
        "NLPSequenceRatio_tensor_regex": ".*embedding0_input_0",
        "NLPSequenceRatio_token_thresholds_percent": "50",
        "NLPSequenceRatio_token_values": "0",
        "Overfit_patience": 1,
        "Overfit_ratio_threshold": 0.1,
        "Overfit_start_step": 0,
        "Overtraining_delta": 0.01,
        "Overtraining_patience_train": 5,
        "Overtraining_patience_validation": 10,
        "PoorWeightInitialization_activation_inputs_regex": ".*relu_input",
        "PoorWeightInitialization_distribution_range": 0.001,
        "PoorWeightInitialization_patience": 5,
        "PoorWeightInitialization_steps": 10,
        "PoorWeightInitialization_threshold": 10,
        "SaturatedActivation_tensor_regex": ".*tanh_input|.*sigmoid_input",
        "SaturatedActivation_threshold_inactivity": 1,
        "SaturatedActivation_threshold_layer": 50,
        "SaturatedActivation_threshold_sigmoid_max": 16.99999,
        "SaturatedActivation_threshold_sigmoid_min": -23,
        "SaturatedActivation_threshold_tanh_max": 9.4999,
        "SaturatedActivation_threshold_tanh_min": -9.4999,
        "StalledTrainingRule_stop_training_on_fire": "False",
        "StalledTrainingRule_threshold": 1800,
        "TensorVariance_collection_names": "weights",
        "TensorVariance_max_threshold": 10,
        "TensorVariance_min_threshold": 1e-05,
        "TreeDepth_depth": 4,
        "UnchangedTensor_atol": 1e-08,
        "UnchangedTensor_collection_names": "losses",
        "UnchangedTensor_equal_nan": "False",
        "UnchangedTensor_num_steps": 3,
        "UnchangedTensor_rtol": 1e-05,
        "VanishingGradient_threshold": 1e-07,
        "WeightUpdateRatio_epsilon": 1e-09,
        "WeightUpdateRatio_large_threshold": 10,
        "WeightUpdateRatio_small_threshold": 1e-08,
    }


def test_a_parameter_changes_the_outcome(debrief):
    assert rule(debrief.result(JOB), "MaxInitializationTime")["status"] == "no_issue"  # first step after 19 s
    result = debrief.result(JOB, "--param", "MaxInitializationTime_threshold=0.3")
    assert rule(result, "MaxInitializationTime")["status"] == "issue_found"
    assert rule(result, "MaxInitializationTime")["parameters"] == {"threshold": "0.3"}
    assert result["provenance"]["parameters"] == {"MaxInitializationTime_threshold": "0.3"}
    result = debrief.result(JOB, "--param", "Dataloader_min_threshold=10")  # 2 loaders of 16 cores
    assert rule(result, "Dataloader")["status"] == "no_issue"


def test_command_line_goes_over_config_goes_over_job(debrief):
    job = debrief.folder / "job"
    job.mkdir()
    (job / "profiler-output").symlink_to(JOB / "profiler-output")
    description = {
        "TrainingJobName": "j",
        "ProfilerRuleConfigurations": [
            {
                "RuleConfigurationName": "ProfilerReport",
                "RuleParameters": {
                    "rule_to_invoke": "ProfilerReport",
                    "BatchSize_window": "400",
                    "LowGPUUtilization_window": "400",
                    "StepOutlier_n_outliers": "4",
                    "CPUBottleneck_cpu_treshold": "80",
                    "Nonsense": "1",
                },
            }
        ],
    }
    (job / "job.json").write_text(json.dumps(description))
    (debrief.folder / "debrief.json").write_text(
        json.dumps(
            {"rules": {"LowGPUUtilization": {"window": 300}, "StepOutlier": {"n_outliers": "3", "mode": "TRAIN"}}}
        )
    )
    result = debrief.result(job, "--follow-links", "--config", "debrief.json", "--param", "StepOutlier_n_outliers=2")
    assert result["provenance"]["parameters"] == {
        "follow-links": "true",
        "BatchSize_window": "400",
        "LowGPUUtilization_window": "300",
        "StepOutlier_mode": "TRAIN",
        "StepOutlier_n_outliers": "2",
    }
    ignored = {row["name"]: row["reason"] for row in result["provenance"]["ignored_parameters"]}
    assert ignored.keys() == {"CPUBottleneck_cpu_treshold", "Nonsense"}
    assert "did you mean 'cpu_threshold'?" in ignored["CPUBottleneck_cpu_treshold"]


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("CPUBotleneck_cpu_threshold=80", ["unknown rule 'CPUBotleneck'", "did you mean 'CPUBottleneck'?"]),
        ("CPUBottleneck_cpu_treshold=80", ["no parameter 'cpu_treshold'", "did you mean 'cpu_threshold'?"]),
        ("CPUBottleneck_cpu_threshold=high", ["'high' is not a number", "0 to 100"]),
        ("CPUBottleneck_cpu_threshold=101", ["101 is out of range", "0 to 100"]),
        ("CPUBottleneck_cpu_threshold=-1", ["out of range"]),
        ("CPUBottleneck_cpu_threshold=nan", ["not a number"]),
        ("LowGPUUtilization_window=0", ["out of range", "1 to 100000"]),
        ("LowGPUUtilization_patience=1.5", ["not a whole number"]),
        ("StepOutlier_mode=TRIAN", ["is not a mode", "did you mean 'TRAIN'?"]),
        ("CPUBottleneck=80", ["is not a parameter"]),
        ("CPUBottleneck:strict_cpu_threshold=80", ["only rules on the model"]),
        ("DeadRelu_tensor_regex=relu(", ["is not a regular expression"]),
        ("ExplodingTensor_only_nan=maybe", ["neither true nor false"]),
        ("CPUBottleneck_cpu_threshold", ["has no value"]),
        ("OverallSystemUsage_threshold=1", ["has no parameter 'threshold'", "scan_interval_us"]),
    ],
)
def test_wrong_parameters_are_one_sentence(debrief, setting, words):
    sentence = debrief.refused("report", JOB, "-o", "r.html", "--param", setting)
    for word in words:
        assert word in sentence
    assert not (debrief.folder / "r.html").exists()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", ["c.json", "not valid JSON"]),
        ("[]", ["c.json", "not an object"]),
        ('{"ruls": {}}', ["'ruls'", "did you mean 'rules'?"]),
        ('{"rules": {"CPUBotleneck": {}}}', ["did you mean 'CPUBottleneck'?"]),
        (
            '{"rules": {"CPUBottleneck": {"cpu_threshold": 101}}}',
            ["c.json, rules.CPUBottleneck.cpu_threshold", "0 to 100"],
        ),
        ('{"rules": {"CPUBottleneck": {"cpu_threshold": [1]}}}', ["neither a number nor a text"]),
    ],
)
def test_wrong_configs_are_one_sentence(debrief, text, words):
    (debrief.folder / "c.json").write_text(text)
    sentence = debrief.refused("report", JOB, "-o", "r.html", "--config", "c.json")
    for word in words:
        assert word in sentence


def test_a_config_that_is_not_there_is_one_sentence(debrief):
    assert "c.json: cannot be read as a config file" in debrief.refused("report", JOB, "--config", "c.json")


def test_an_unknown_rule_is_one_sentence(debrief):
    assert "did you mean 'StepOutlier'?" in debrief.refused("rules", "StepOutliers")
