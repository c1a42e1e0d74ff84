"""`debrief record` around scripts that die, and around ones that only look like it: the verdict says why, or nothing."""

import json
import signal
import tarfile
import textwrap

import pytest
from conftest import shared
from test_record import PYTHON, description, record, start, wait_for


def recorded(folder, script: str, *arguments, **options):
    (folder / "train.py").write_text(textwrap.dedent(script))
    return record(folder, PYTHON, "train.py", *arguments, options=["--no-report"], **options)


def failure(result: dict) -> dict | None:
    """The finding, which is the verdict wherever there is one."""
    found = [finding for finding in result["findings"] if finding["kind"] == "failed"]
    assert (result["job"]["failure"] is None) == (found == [])
    if not found:
        return None
    assert result["findings"][0] is found[0]
    assert result["verdict"]["kind"] == "failed"
    return found[0]


RAISES = """
    def load(path):
        raise FileNotFoundError(f"no such file: '{path}' token=abcdef")

    def main():
        load("/home/somebody/data/a.pt")

    main()
"""


def test_an_exception_is_the_verdict_in_every_output(tmp_path, debrief):
    outcome = recorded(tmp_path, RAISES)
    assert outcome.returncode == 1
    result = debrief.result("job")
    finding = failure(result)
    assert finding["title"] == "The job died of FileNotFoundError"
    assert finding["why"] == "It raised FileNotFoundError in load (train.py:3): no such file: 'a.pt' token=***."
    assert [(frame["file"], frame["function"]) for frame in result["job"]["failure"]["frames"]] == [
        ("train.py", "<module>"),
        ("train.py", "main"),
        ("train.py", "load"),
    ]
    assert result["job"]["failure"]["exit_code"] == 1
    texts = [file.read_text() for file in (tmp_path / "job").rglob("*.json")]
    assert not any("abcdef" in text or "somebody" in text or "def load" in text for text in texts)
    shown = debrief.run("report", "job", "-o", "page.html", "--markdown", "page.md")
    page = (tmp_path / "page.html").read_text()
    for text in (shown.stdout + shown.stderr, page, (tmp_path / "page.md").read_text()):
        assert "The job died of FileNotFoundError" in text
    assert "Last calls before the failure" in page


def test_a_gate_fails_on_it(tmp_path, debrief):
    recorded(tmp_path, RAISES)
    gate = debrief.run("check", "job", "--fail-on", "failed", expect=1)
    assert "The job died of FileNotFoundError" in gate.stdout + gate.stderr
    # Nothing else can be judged: it died after less than a second.
    assert "too little data" in debrief.run("check", "job", "--fail-on", "input_bound", expect=2).stderr


def test_a_gate_passes_a_job_that_ended_well(tmp_path, debrief):
    recorded(tmp_path, "print('done')")
    debrief.run("check", "job", "--fail-on", "failed", expect=0)


def test_a_gate_cannot_tell_how_a_job_ends_that_runs(tmp_path, debrief):
    recorded(tmp_path, "print('done')")
    job = description(tmp_path / "job")
    job["TrainingJobStatus"] = "InProgress"
    (tmp_path / "job/job.json").write_text(json.dumps(job))
    assert "not a pass" in debrief.run("check", "job", "--fail-on", "failed", expect=2).stderr


ENDINGS = {
    "a code": ("import sys; sys.exit(3)", "The job exited with code 3"),
    "SIGKILL": ("import os; os.kill(os.getpid(), 9)", "The job was killed by SIGKILL"),
    "a crash": ("import os; os.abort()", "The job was killed by SIGABRT"),
    "an exception in a child": (
        """
        import multiprocessing, sys

        def work():
            raise KeyError("child")

        if __name__ == "__main__":
            process = multiprocessing.get_context("spawn").Process(target=work)
            process.start()
            process.join()
            sys.exit(process.exitcode)
        """,
        "The job died of KeyError",
    ),
    "an exception after one that was caught": (
        """
        import subprocess, sys
        subprocess.run([sys.executable, "-c", "import no_such_module"])
        raise ValueError("later")
        """,
        "The job died of ValueError",
    ),
}


@pytest.mark.parametrize("name", ENDINGS)
def test_a_job_that_dies_says_of_what(tmp_path, debrief, name):
    script, title = ENDINGS[name]
    recorded(tmp_path, script)
    assert failure(debrief.result("job"))["title"] == title


WELL = {
    "the end": "",
    "exit code 0": "import sys; sys.exit(0)",
    "an exception that was caught": """
        try:
            raise MemoryError("CUDA out of memory")
        except MemoryError:
            pass
    """,
    "an exception of a thread": """
        import threading
        thread = threading.Thread(target=lambda: 1 / 0)
        thread.start()
        thread.join()
    """,
    "a child that failed": """
        import subprocess, sys
        subprocess.run([sys.executable, "-c", "import no_such_module"])
    """,
}


@pytest.mark.parametrize("name", WELL)
def test_a_job_that_ends_well_has_not_failed(tmp_path, debrief, name):
    assert recorded(tmp_path, WELL[name]).returncode == 0
    assert failure(debrief.result("job")) is None


CLEANS_UP = """
    import signal, sys, time
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        print("ready", flush=True)
        for _ in range(600):  # a signal right before a sleep begins waits for its end
            time.sleep(0.1)
    except KeyboardInterrupt:
        raise RuntimeError("while it was cleaning up")
"""


@pytest.mark.parametrize("asked", [signal.SIGINT, signal.SIGTERM])
def test_a_job_that_was_asked_to_end_has_not_failed(tmp_path, debrief, asked):
    (tmp_path / "train.py").write_text(textwrap.dedent(CLEANS_UP))
    process = start(tmp_path, PYTHON, "train.py")
    assert process.stdout.readline() == "ready\n"
    process.send_signal(asked)
    process.communicate(timeout=60)
    assert process.returncode == 1
    assert description(tmp_path / "job")["TrainingJobStatus"] == "Stopped"
    assert failure(debrief.result("job")) is None


def test_a_time_limit_is_no_failure(tmp_path, debrief):
    outcome = record(tmp_path, "timeout", "1", "sleep", "60", options=["--no-report"])
    assert outcome.returncode == 124
    assert failure(debrief.result("job")) is None


def test_ranks_without_a_description_of_their_own_are_told_of(tmp_path, debrief):
    (tmp_path / "train.py").write_text("import os, sys\nif os.environ['SLURM_PROCID'] == '1':\n    sys.exit(7)\n")
    for rank in ("0", "1"):
        variables = {"SLURM_PROCID": rank, "SLURM_NTASKS": "2", "SLURM_NNODES": "1", "PATH": "/usr/bin:/bin"}
        record(tmp_path, PYTHON, "train.py", options=["--no-report"], env=variables)
    finding = failure(debrief.result("job"))
    assert finding["title"] == "The job exited with code 7"


def test_a_failure_is_seen_while_the_others_still_run(tmp_path):
    script = """
        import multiprocessing, time

        def work():
            raise KeyError("child")

        if __name__ == "__main__":
            multiprocessing.get_context("spawn").Process(target=work).start()
            time.sleep(600)
    """
    (tmp_path / "train.py").write_text(textwrap.dedent(script))
    process = start(tmp_path, PYTHON, "train.py", options=("--live", "1s"))
    folder = tmp_path / "job/failures"
    wait_for(lambda: folder.exists() and any(folder.iterdir()))
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)


def test_a_recording_without_its_exception_says_what_it_has(tmp_path, debrief):
    """Of an older debrief: exit code 1, and GPU memory that climbed until it was full."""
    with tarfile.open(shared("samples/faulty-scripts/runs_out_of_memory-25s.tar.gz")) as archive:
        archive.extractall(tmp_path)
    finding = failure(debrief.result("runs_out_of_memory"))
    assert finding["title"] == "The job likely died of GPU out of memory"
    assert finding["confidence"] == "medium"
    assert "GPU memory grew by 14.6 GB per second from the start, up to 150 GB" in finding["why"]
