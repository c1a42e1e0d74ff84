"""Golden tests: the real binary on real jobs, against figures computed here by other means.

DEBRIEF_BINARY names the binary. Jobs that may not be redistributed are read from ../shared beside the
checkout where that is there; their tests say that they were skipped where it is not.
"""

import json
import os
import subprocess
from pathlib import Path

import pytest
from invariants import check_invariants

pytest_plugins = ["faults"]

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
SAMPLE_JOBS = ROOT / "sample_jobs"
SAMPLES = ["resnet50-healthy", "gpt-train-eval", "dataloader-starved", "ddp-gloo-straggler", "small-batch-mlp"]


def binary() -> Path:
    return (ROOT / os.environ.get("DEBRIEF_BINARY", "build/default/debrief")).resolve()


class Debrief:
    """Runs the binary in a folder of the test's own."""

    def __init__(self, folder: Path):
        self.folder = folder

    def run(self, *arguments, expect: int = 0, env: dict | None = None) -> subprocess.CompletedProcess:
        outcome = subprocess.run(
            [str(binary()), *map(str, arguments)],
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=120,
            env={**os.environ, **(env or {})},
            check=False,
        )
        assert outcome.returncode == expect, f"exit {outcome.returncode}, not {expect}:\n{outcome.stdout}{outcome.stderr}"
        return outcome

    def result(self, job, *options) -> dict:
        """The result object of a job, checked against what holds for every result."""
        self.run("report", job, "-o", "report.html", "--json", "result.json", "--quiet", *options)
        result = json.loads((self.folder / "result.json").read_text())
        check_invariants(result)
        return result

    def refused(self, *arguments) -> str:
        """The one sentence with which bad usage or input ends."""
        outcome = self.run(*arguments, expect=2)
        assert outcome.stdout == ""
        lines = outcome.stderr.splitlines()
        assert len(lines) == 1, outcome.stderr
        assert lines[0].startswith("debrief: ")
        return lines[0].removeprefix("debrief: ")


@pytest.fixture
def debrief(tmp_path) -> Debrief:
    return Debrief(tmp_path)


def shared(*parts: str) -> Path:
    """A path in the data that is not part of the repository; skips the test where it is not there."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"shared data '{'/'.join(parts)}' is not at hand")
    return path


def pytest_terminal_summary(terminalreporter):
    """Says how many broken jobs were run: each test of the fault suite has several."""
    reports = [report for kind in ("passed", "failed") for report in terminalreporter.getreports(kind)]
    cases = sum(value for report in reports for name, value in report.user_properties if name == "fault_cases")
    if cases > 0:
        terminalreporter.write_line(f"fault suite: {cases} cases")
