"""debrief against XGBoost and scikit-learn (requirements.txt): models that XGBoost trains and saves here, predictions that it
makes, and what both packages compute of them. DEBRIEF_BINARY names the binary.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/golden"))  # debug_output.py

os.environ["OMP_NUM_THREADS"] = "1"


def binary() -> Path:
    return (ROOT / os.environ.get("DEBRIEF_BINARY", "build/release/debrief")).resolve()


@pytest.fixture
def report(tmp_path):
    """A function: a job's folder -> the report on its model."""

    def run(job: Path) -> dict:
        arguments = ["report", job, "-o", "report.html", "--json", "result.json", "--quiet"]
        subprocess.run([binary(), *map(str, arguments)], cwd=tmp_path, check=True, timeout=600)
        result = json.loads((tmp_path / "result.json").read_text())
        assert result["data_quality"]["complete"], result["data_quality"]
        return result["xgboost"]

    return run
