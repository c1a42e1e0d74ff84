"""`debrief record` as libkineto's daemon: windows, refusals, and what becomes of the traces."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import binary

CLIENT = Path(__file__).parent / "kineto_client.py"


def record(folder: Path, *command, options=(), env=None) -> subprocess.CompletedProcess:
    return subprocess.run(
        [binary(), "record", "-o", "job", "--no-report", *options, "--", *map(str, command)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=600,
        env=env,
        check=False,
    )


@pytest.fixture
def job(tmp_path) -> Path:
    return tmp_path / "job"


def environment(**more) -> dict:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("KINETO", "DEBRIEF_RECORD"))}
    return {**kept, **more}


def test_a_process_that_steps_is_given_a_window(tmp_path, job):
    outcome = record(
        tmp_path, sys.executable, CLIENT, 50, options=["--trace", "steps=2"], env=environment(RANK="1", WORLD_SIZE="2")
    )
    assert outcome.returncode == 0, outcome.stderr
    told = json.loads(outcome.stdout)
    assert told["registered"] == 1
    assert told["busy"] == ""
    assert "/window-2/" in told["again"]  # in ten minutes
    config = told["config"]
    assert told["window"] == "1 0 2\n"
    assert Path(config["ACTIVITIES_LOG_FILE"]).parent == job / "traces" / "window-1"
    (trace,) = job.glob("traces/window-1/*.gz")
    assert trace.name.endswith(f"_{told['pid']}.pt.trace.json.gz")
    content = json.loads(gzip.decompress(trace.read_bytes()))
    assert content["distributedInfo"] == {"rank": 1, "world_size": 2}
    assert list(job.glob("traces/**/*.json")) == []


def test_the_rank_that_was_added_is_the_trace_s(tmp_path, job, debrief):
    record(
        tmp_path, sys.executable, CLIENT, 50, options=["--trace", "steps=2"], env=environment(RANK="1", WORLD_SIZE="2")
    )
    (file,) = debrief.result(job)["traces"]["files"]
    assert (file["rank"], file["world_size"]) == (1, 2)


def test_no_window_before_its_steps(tmp_path, job):
    outcome = record(tmp_path, sys.executable, CLIENT, 19, options=["--trace", "after=20"], env=environment())
    assert json.loads(outcome.stdout)["window"] == ""
    assert "the command ended after 19 optimizer steps" in (job / "job.json").read_text()


def test_odd_packets_are_refused(tmp_path, job):
    outcome = record(tmp_path, sys.executable, CLIENT, 50, "odd", options=["--trace", "steps=2"], env=environment())
    assert outcome.returncode == 0, outcome.stderr
    told = json.loads(outcome.stdout)
    assert told["refused"] == 12
    assert told["window"] == "1 0 2\n"
    assert told["slowest"] < 9


def test_nothing_is_left_outside_the_job(tmp_path, job):
    private = tmp_path / "private"
    private.mkdir()
    code = "import os, json; print(json.dumps([os.environ['KINETO_IPC_SOCKET_DIR'], os.environ['PYTHONPATH']]))"
    outcome = record(tmp_path, sys.executable, "-c", code, env=environment(TMPDIR="/tmp"))
    for folder in json.loads(outcome.stdout):
        assert not Path(folder.split(":")[0]).exists()


def test_another_daemon_is_left_alone(tmp_path, job):
    code = "import os; print(os.environ.get('KINETO_IPC_SOCKET_DIR'))"
    outcome = record(tmp_path, sys.executable, "-c", code, env=environment(KINETO_USE_DAEMON="1"))
    assert outcome.stdout.strip() == "None"
    assert "another daemon" in (job / "job.json").read_text()


def test_a_wrong_window_starts_nothing(tmp_path, job):
    outcome = record(tmp_path, "touch", "started", options=["--trace", "steps=0"], env=environment())
    assert outcome.returncode == 2
    assert "steps=0" in outcome.stderr
    assert not (tmp_path / "started").exists()


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ([sys.executable, "-I", "-c", "pass"], "-I, -E or -S"),
        ([sys.executable, "-c", "pass"], "did not import PyTorch"),
        (["true"], "ran no Python"),
    ],
    ids=["isolated", "no torch", "no Python"],
)
def test_the_report_says_why_there_are_no_steps(tmp_path, job, debrief, command, why):
    record(tmp_path, *command, env=environment())
    notes = debrief.result(job)["data_quality"]["recorder_notes"]
    assert len(notes) == 1 and why in notes[0]
    assert why in (debrief.folder / "report.html").read_text()
