"""`debrief record --live`: the report while the command runs, in which the recorder's own work does not show."""

import pytest
from test_record import PYTHON, description, record, start, values, wait_for


def test_report_appears_while_the_command_runs(tmp_path):
    script = "import pathlib, time\nwhile not pathlib.Path('enough').exists(): time.sleep(0.05)"
    process = start(tmp_path, PYTHON, "-c", script, options=("--live", "1s"))
    page = tmp_path / "job/report.html"
    wait_for(page.exists)
    first = page.read_text()
    assert "running, as of" in first
    assert '<meta http-equiv="refresh" content="1">' in first
    assert first.endswith("</html>\n")
    wait_for(lambda: page.read_text() != first)
    assert page.read_text().endswith("</html>\n")  # replaced whole
    (tmp_path / "enough").touch()
    _, errors = process.communicate(timeout=600)
    assert process.returncode == 0
    last = page.read_text()
    assert "running, as of" not in last
    assert 'http-equiv="refresh"' not in last
    assert errors.splitlines()[-1] == "report: job/report.html"
    assert [file.name for file in page.parent.iterdir() if "report" in file.name] == ["report.html"]


def test_looks_are_not_of_the_command(tmp_path):
    """What makes the report is a process of the recorder, and takes CPU time; the command only sleeps."""
    outcome = record(tmp_path, "sleep", "6", options=["--live", "1s"])
    assert outcome.returncode == 0, outcome.stderr
    assert set(values(tmp_path / "job", "process", "Processes")) == {1}
    assert max(values(tmp_path / "job", "process", "CPUCores")) < 0.1
    assert not any("look" in note for note in description(tmp_path / "job")["Recording"]["Notes"])


def test_exit_code_and_output_stay_the_commands(tmp_path):
    script = "import sys, time; print('trained'); print('oops', file=sys.stderr); time.sleep(2.5); sys.exit(7)"
    outcome = record(tmp_path, PYTHON, "-c", script, options=["--live", "1s", "--quiet"])
    assert (outcome.returncode, outcome.stdout, outcome.stderr) == (7, "trained\n", "oops\n")


REFUSED = {
    "no time": (["--live", "often"], "--live often: is not a time"),
    "too often": (["--live", "100ms"], "--live 100ms: is not between"),
    "no report": (["--live", "30s", "--no-report"], "--no-report excludes --live"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_wrong_usage(debrief, name):
    options, sentence = REFUSED[name]
    assert debrief.refused("record", *options, "--", "true").startswith(sentence)
