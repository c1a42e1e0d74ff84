"""What debrief says of traces is what HTA 0.5 says, where both mean the same; docs/hta-differences.md has the rest."""

import json
import os
import subprocess
from importlib.metadata import Distribution
from pathlib import Path

import pytest
from conftest import shared

PEERS = Path(os.environ.get("DEBRIEF_DEPS", Path.home() / ".cache" / "debrief")) / "peers"


def hta(trace: Path) -> dict:
    installed = sorted(PEERS.glob("lib/python*/site-packages/HolisticTraceAnalysis-*.dist-info")) + sorted(
        PEERS.glob("lib/python*/site-packages/holistictraceanalysis-*.dist-info")
    )
    if not installed:
        pytest.skip("HTA is not installed: scripts/setup bench")
    assert Distribution.at(installed[0]).version == "0.5.0"
    script = Path(__file__).with_name("hta_figures.py")
    done = subprocess.run(
        [PEERS / "bin" / "python", script, trace], capture_output=True, text=True, timeout=600, check=True
    )
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("name", ["hta_diff_control", "kin_resnet50_num_workers_0"])
def test_figures_are_htas(debrief, name):
    folder = shared("samples", "traces-in-the-wild", name)
    (trace,) = folder.glob("*.json.gz")
    theirs = hta(trace)
    traces = debrief.result(folder)["traces"]
    (gpu,) = traces["gpus"]
    (launches,) = traces["launches"]
    assert gpu["busy_us"] == pytest.approx(theirs["span"] - theirs["idle"], abs=1)
    assert gpu["kernel_us"] == pytest.approx(theirs["compute"], abs=1)
    assert launches["queue_max"] == theirs["queue_max"]
    overlaps = [row["overlap_percent"] for row in traces["communication"]["overlap"]]
    assert overlaps == ([] if theirs["overlap"] is None else [pytest.approx(theirs["overlap"], abs=0.01)])
    # HTA's span is from the first work to the end of the last; debrief's idle time is of the steps.
    assert gpu["idle_us"] >= theirs["idle"]


def test_reasons_of_idle_time_of_one_stream(debrief):
    """The gaps are the same; debrief has the host late only up to where its call returned, HTA up to the work's start."""
    folder = shared("samples", "traces-in-the-wild", "kin_resnet50_num_workers_0")
    (trace,) = folder.glob("*.json.gz")
    theirs = hta(trace)["idle_by_reason"]
    assert set(theirs) == {"7 host_wait", "7 kernel_wait", "7 other"}
    (gpu,) = debrief.result(folder)["traces"]["gpus"]
    before_first = gpu["idle_us"] - sum(theirs.values())
    assert before_first > 0
    assert gpu["host_wait_us"] == pytest.approx(theirs["7 host_wait"] + before_first, rel=0.01)
    assert gpu["other_wait_us"] == theirs["7 other"] == 0
