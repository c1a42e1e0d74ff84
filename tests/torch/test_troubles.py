"""The labels of the scripts with one known trouble: of every script one, in words that mean something, naming what is there."""

import ast
import json
import re
from pathlib import Path

import pytest

TROUBLES = Path(__file__).parent / "troubles"
LABELS = json.loads((TROUBLES / "labels.json").read_text())
SHARED = {"common", "nets", "ranks"}
CAUSE = re.compile(
    r"healthy|python|copy|compiling|saving|garbage_collection|lock|sleep|network_io|file_io|input|host_sync|launch_bound"
    r"|communication|imbalance|idle_gpu|hung|failed:\w+"
)


def test_every_script_has_a_label():
    assert {path.stem for path in TROUBLES.glob("*.py")} - SHARED == LABELS.keys()


@pytest.mark.parametrize("name", LABELS)
def test_a_label_names_causes_and_functions_that_there_are(name):
    label = LABELS[name]
    tree = ast.parse((TROUBLES / f"{name}.py").read_text())
    functions = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    assert label["cpu"] or label["gpu"]
    for answer in filter(None, (label["cpu"], label["gpu"])):
        assert all(CAUSE.fullmatch(cause) for cause in [answer["cause"], *answer["also_right"]])
        assert set(answer["functions"]) <= functions
    imports = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert label["torch"] == ("torch" in imports)
