"""docs/ci.md and docs/config.schema.json: snippets that can be pasted, a schema that says what the binary takes."""

import json
import re
import shutil
import subprocess

import jsonschema_rs
import pytest
import yaml
from conftest import ROOT, SAMPLE_JOBS, binary

GUIDE = (ROOT / "docs/ci.md").read_text()
SCHEMA = json.loads((ROOT / "docs/config.schema.json").read_text())
RESULT_SCHEMA = json.loads((ROOT / "docs/result.schema.json").read_text())


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)


def scripts(node) -> list[str]:
    """Every shell script of a pipeline, wherever it stands."""
    if isinstance(node, list):
        return [script for item in node for script in scripts(item)]
    if not isinstance(node, dict):
        return []
    found = []
    for key, value in node.items():
        if key == "run":
            found.append(value)
        elif key == "script":
            found.append("\n".join(value))
        else:
            found += scripts(value)
    return found


@pytest.fixture
def workspace(tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/debrief").symlink_to(binary())
    shutil.copytree(SAMPLE_JOBS / "resnet50-healthy", tmp_path / "work/my-job")
    return tmp_path


def run(workspace, shell: str, script: str):
    environment = {"PATH": f"{workspace / 'bin'}:/usr/bin:/bin", "GITHUB_STEP_SUMMARY": str(workspace / "summary")}
    outcome = subprocess.run(
        [shell, "-e", "-c", script],
        cwd=workspace / "work",
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert outcome.returncode == 0, outcome.stderr
    return outcome.stdout


@pytest.mark.parametrize(
    ("snippet", "shell"), zip(blocks("yaml"), ("bash", "sh"), strict=True), ids=("github", "gitlab")
)
def test_a_pipeline_runs_as_it_stands(workspace, snippet, shell):
    commands = scripts(yaml.safe_load(snippet))
    checking = [script for script in commands if "debrief check" in script]
    assert len(checking) == 1
    assert "baseline:" not in run(workspace, shell, checking[0])  # the first run has none
    work = workspace / "work"
    for file in ("report.html", "result.json", "summary.md", "junit.xml"):
        assert (work / file).exists()
    (work / "result.json").rename(work / "main.json")
    assert "baseline: resnet50-healthy" in run(workspace, shell, checking[0])
    for script in commands:
        if "GITHUB_STEP_SUMMARY" in script:
            run(workspace, shell, script)
            assert (workspace / "summary").read_text() == (work / "summary.md").read_text()


def test_the_commands_of_jenkins_run(workspace):
    commands = re.findall(r"sh '(debrief [^']*)'", blocks("groovy")[0])
    assert len(commands) == 1
    run(workspace, "sh", commands[0])
    assert (workspace / "work/junit.xml").exists()


def test_the_example_config_is_one(workspace):
    example = blocks("json")[0]
    jsonschema_rs.validate(SCHEMA, json.loads(example))
    assert set(json.loads(example)) | {"baseline"} == set(SCHEMA["properties"])
    (workspace / "work/debrief.json").write_text(example)
    assert "gate: passed" in run(workspace, "sh", "debrief check my-job")


def test_the_guide_names_every_kind():
    for kind in kinds():
        assert f"`{kind}`" in GUIDE


def kinds() -> list[str]:
    return RESULT_SCHEMA["$defs"]["finding_kind"]["enum"]


def test_the_schema_is_what_the_rules_declare(debrief):
    jsonschema_rs.meta.validate(SCHEMA)
    declared = {row["rule"]: row for row in json.loads(debrief.run("rules", "--json").stdout)}
    described = SCHEMA["properties"]["rules"]["properties"]
    assert set(described) == set(declared) | {"custom"}
    for rule, row in declared.items():
        parameters = {parameter["name"]: parameter for parameter in row["parameters"]}
        assert set(described[rule]["properties"]) == set(parameters)
        for name, parameter in parameters.items():
            validator = jsonschema_rs.Draft202012Validator(described[rule]["properties"][name])
            assert validator.is_valid(parameter["default"])
            if "max" in parameter:
                assert validator.is_valid(parameter["max"]) and not validator.is_valid(parameter["max"] * 2 + 1)
    failing = SCHEMA["properties"]["fail_on"]["items"]["anyOf"]
    assert failing[0]["enum"] == kinds()
    assert set(failing[1]["enum"]) == set(declared)


@pytest.mark.parametrize(
    "config",
    [
        {"fail_on": ["severity>=critical", "severity > info", "step_stalls", "StepOutlier"]},
        {"require": ["gpu.p50 >= 70", "steps.train.p95<80ms", "gpu[algo-1].p50 != 0"]},
        {"tolerance": {"default": "5%", "steps.train.p50": "2ms", "gpu.p50": "3pp"}},
        {"rules": {"StepOutlier": {"stddev": "5", "mode": None}}, "price": 0},
        {"rules": {"ExplodingTensor": {"only_nan": True}, "DeadRelu:strict": {"threshold_layer": 20}}},
        {"rules": {"TensorVariance": {"max_threshold": "None", "tensor_regex": ".*weight"}}},
        {"rules": {"custom": [{"name": "Mine", "when": "gpu.util.p50 < 30 for 5min"}]}, "fail_on": ["Mine", "idle"]},
        {"rules": {"custom": [{"name": "a-b_1", "program": ["true"], "timeout": "1min", "severity": "info"}]}},
    ],
)
def test_what_the_schema_takes_the_binary_takes(debrief, config):
    jsonschema_rs.validate(SCHEMA, config)
    (debrief.folder / "debrief.json").write_text(json.dumps(config))
    debrief.run("report", SAMPLE_JOBS / "ddp-gloo-straggler", "--quiet", "-o", "r.html")


@pytest.mark.parametrize(
    "config",
    [
        {"fail_on": ["step_stall"]},
        {"fail_on": ["severity>critical"]},
        {"fail_on": "step_stalls"},
        {"require": ["gpu.p50"]},
        {"require": ["gpu.p50 >= x"]},
        {"tolerance": {"default": "5"}},
        {"tolerance": {"gpu.p50": 5}},
        {"price": -1},
        {"rules": {"StepOutlier": {"stdev": 5}}},
        {"rules": {"Outlier": {}}},
        {"rules": {"StepOutlier:strict": {"stddev": 5}}},
        {"rules": {"ExplodingTensor": {"only_nan": "maybe"}}},
        {"rules": {"custom": {}}},
        {"rules": {"custom": [{"when": "gpu.util < 5"}]}},
        {"rules": {"custom": [{"name": "a b", "when": "gpu.util < 5"}]}},
        {"rules": {"custom": [{"name": "A"}]}},
        {"rules": {"custom": [{"name": "A", "when": "gpu.util"}]}},
        {"rules": {"custom": [{"name": "A", "when": "gpu.util < 5", "program": ["true"]}]}},
        {"rules": {"custom": [{"name": "A", "when": "gpu.util < 5", "timeout": "5s"}]}},
        {"rules": {"custom": [{"name": "A", "program": []}]}},
        {"rules": {"custom": [{"name": "A", "when": "gpu.util < 5", "severity": "bad"}]}},
        {"rules": {"custom": [{"name": "A", "when": "gpu.util < 5", "sevrity": "info"}]}},
        {"failon": []},
        {"baseline": 1},
    ],
)
def test_what_the_schema_refuses_the_binary_refuses(debrief, config):
    with pytest.raises(jsonschema_rs.ValidationError):
        jsonschema_rs.validate(SCHEMA, config)
    (debrief.folder / "debrief.json").write_text(json.dumps(config))
    assert "debrief.json" in debrief.refused("report", SAMPLE_JOBS / "ddp-gloo-straggler")
