"""`debrief watch`: the page of a job that runs reloads itself, and the last one is the job's report."""

import json
import subprocess
import sys
import time

from conftest import SAMPLE_JOBS, binary
from test_record import start, wait_for

RELOAD = '<meta http-equiv="refresh" content="1">'


def test_page_follows_a_recording(tmp_path):
    recorder = start(tmp_path, sys.executable, "-c", "import time; time.sleep(5)")
    job = tmp_path / "job"
    wait_for(lambda: list(job.rglob("17*.json")))
    watch = subprocess.Popen(
        [binary(), "watch", job, "--every", "1s"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    page = job / "report.html"
    wait_for(page.exists)
    first = page.read_text()
    assert RELOAD in first
    assert "running, as of" in first.replace("\u00a0", " ")
    wait_for(lambda: page.read_text() != first)  # the job has more samples meanwhile
    recorder.communicate(timeout=600)
    out, err = watch.communicate(timeout=600)
    assert watch.returncode == 0, err
    assert out.splitlines()[-1] == f"report: {page}"
    assert err.splitlines()[0].startswith("debrief: note: the job is running; ")
    last = page.read_text()
    assert 'http-equiv="refresh"' not in last
    assert "running, as of" not in last.replace("\u00a0", " ")
    # The same bytes as the report's own.
    subprocess.run([binary(), "report", job, "-q", "-o", tmp_path / "again.html"], check=True)
    assert (tmp_path / "again.html").read_text() == last


def test_finished_job_is_reported_once(debrief):
    debrief.run("watch", SAMPLE_JOBS / "resnet50-healthy", "-o", "page.html")


def test_job_of_a_killed_recorder_has_ended(tmp_path, debrief):
    """Its description says that it runs, but nothing was recorded for long."""
    job = tmp_path / "job"
    folder = job / "profiler-output/system/incremental/2026111500"
    folder.mkdir(parents=True)
    begin = int(time.time()) - 3600
    line = {"Type": "memory", "Name": "MemoryUsedPercent", "Dimension": "", "Value": 5, "NodeId": "a"}
    lines = [json.dumps({**line, "Timestamp": begin + second}) for second in range(60)]
    (folder / f"{begin}.a.json").write_text("\n".join(lines) + "\n")
    (job / "job.json").write_text(json.dumps({"TrainingJobName": "a", "TrainingJobStatus": "InProgress"}))
    debrief.run("watch", job, "--every", "1s", "-o", "page.html")
    assert 'http-equiv="refresh"' not in (tmp_path / "page.html").read_text()


def test_wrong_usage_of_watch(debrief):
    job = SAMPLE_JOBS / "resnet50-healthy"
    assert debrief.refused("watch", job, "--every", "soon").startswith("--every: invalid time 'soon'")
    assert debrief.refused("watch", job, "--every", "30").startswith("--every: '30' is not between")
    assert debrief.refused("watch", job, "-o", "-").startswith("-o -: the page is written repeatedly")
