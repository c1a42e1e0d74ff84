"""The rules against SageMaker's own files: the ten jobs whose series and outputs are both at hand.

Every field of the rules that the recovered series allow is compared; a difference must be listed in the
tables of docs/sagemaker-differences.md, and a listed one must still be there.
"""

import json
import math
import re

import pytest
from conftest import ROOT, SHARED, shared

JOBS = [f"job-{number:02d}" for number in range(1, 11)]
RULES = [
    "BatchSize",
    "CPUBottleneck",
    "Dataloader",
    "GPUMemoryIncrease",
    "IOBottleneck",
    "LoadBalancing",
    "LowGPUUtilization",
    "MaxInitializationTime",
    "OverallFrameworkMetrics",
    "OverallSystemUsage",
    "StepOutlier",
]
COUNTS = ["RuleTriggered", "Violations", "Datapoints"]


def listed_differences() -> set[tuple[str, str]]:
    """(job, field) of the table rows | `job` | `field` | why |; a star stands for any one part."""
    text = (ROOT / "docs/sagemaker-differences.md").read_text()
    return set(re.findall(r"^\| `(job-\d\d|\*)` \| `([^`]+)` \|", text, re.MULTILINE))


def flatten(value, path=()):
    if isinstance(value, dict) and value:
        for key, member in value.items():
            yield from flatten(member, (*path, key))
    elif isinstance(value, list) and value:
        for index, member in enumerate(value):
            yield from flatten(member, (*path, str(index)))
    else:
        yield path, value


def comparable(rule: str, document: dict) -> dict:
    """The fields that the recovered series (mean CPU, GPUs, GPU memory) determine, flat."""
    fields = {("RuleParameters",): document["RuleParameters"]}
    if rule in ("LowGPUUtilization", "GPUMemoryIncrease", "BatchSize", "LoadBalancing", "OverallSystemUsage"):
        fields |= {(count,): document[count] for count in COUNTS}
    details = document["Details"]
    if rule in ("LowGPUUtilization", "GPUMemoryIncrease", "BatchSize"):
        fields |= dict(flatten(details))
    if rule == "LoadBalancing":
        fields |= {path: value for path, value in flatten(details) if path and int(path[-1]) < 48}
    if rule == "OverallSystemUsage":
        for metric in ("CPU", "GPU", "GPU memory"):
            fields |= dict(flatten(details[metric], (metric,)))
    if rule in ("CPUBottleneck", "IOBottleneck"):
        fields[("low_gpu_utilization",)] = details["low_gpu_utilization"]
    return {(rule, *path): value for path, value in fields.items()}


def same(a, b) -> bool:
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-9)
    return a == b


def matches(field: tuple, listed: str) -> bool:
    parts = listed.split(".")
    return len(parts) == len(field) and all(part in ("*", name) for part, name in zip(parts, field, strict=True))


def test_ten_jobs(debrief, capsys):
    shared("golden")
    listed = listed_differences()
    comparisons, used, wrong = 0, set(), []
    for job in JOBS:
        folder = SHARED / "golden" / job
        debrief.result(folder / "profiler-output", "--rule-outputs", job)
        for rule in RULES:
            expected = comparable(rule, json.loads((folder / "expected-profiler-reports" / f"{rule}.json").read_text()))
            found = comparable(rule, json.loads((debrief.folder / job / f"{rule}.json").read_text()))
            for field in sorted(expected.keys() | found.keys()):
                comparisons += 1
                if field in expected and field in found and same(expected[field], found[field]):
                    continue
                known = {entry for entry in listed if entry[0] in ("*", job) and matches(field, entry[1])}
                used |= known
                if not known:
                    wrong.append(
                        f"{job} {'.'.join(field)}: SageMaker {expected.get(field)}, debrief {found.get(field)}"
                    )
    with capsys.disabled():
        print(f"\n{comparisons} comparisons with SageMaker's files, {len(listed)} listed difference(s)")
    assert not wrong, "\n".join(wrong)
    assert comparisons > 800
    assert used == listed, f"listed, but equal: {listed - used}"


@pytest.mark.parametrize("job", JOBS)
@pytest.mark.parametrize("rule", RULES)
def test_shape_is_sagemakers(debrief, job, rule):
    """One line, the same keys in the same order, numbers written alike."""
    expected = shared("golden", job, "expected-profiler-reports", f"{rule}.json").read_text()
    debrief.run("report", shared("golden", job, "profiler-output"), "-o", "r.html", "--rule-outputs", "out", "-q")
    text = (debrief.folder / "out" / f"{rule}.json").read_text()
    assert "\n" not in text
    document = json.loads(text)
    assert json.dumps(document) == text, "not as Python's json writes it"
    assert list(document) == list(json.loads(expected))
