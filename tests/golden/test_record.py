"""`debrief record` around real processes: what a command sees, how it ends, and what is left of it on disk."""

import gzip
import itertools
import json
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from conftest import binary

PYTHON = sys.executable


def record(folder: Path, *command, options=(), job="job", interval="100ms", **popen) -> subprocess.CompletedProcess:
    words = [str(binary()), "record", "-o", job, "--interval", interval, *options, "--", *map(str, command)]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=600, check=False, **popen)


def start(folder: Path, *command, options=("--no-report",), **popen) -> subprocess.Popen:
    words = [str(binary()), "record", "-o", "job", "--interval", "100ms", *options, "--", *map(str, command)]
    return subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **popen)


def lines_of(job: Path) -> list[dict]:
    """Every sample of a job, as plain Python reads it."""
    lines = []
    for file in sorted((job / "profiler-output/system/incremental").rglob("*.json*")):
        text = gzip.decompress(file.read_bytes()).decode() if file.suffix == ".gz" else file.read_text()
        lines += [json.loads(line) for line in text.splitlines()]
    return lines


def values(job: Path, kind: str, name: str, dimension: str | None = None) -> list[float]:
    return [
        line["Value"]
        for line in lines_of(job)
        if (line["Type"], line["Name"]) == (kind, name) and dimension in (None, line["Dimension"])
    ]


def description(job: Path) -> dict:
    return json.loads((job / "job.json").read_text())


def wait_for(condition, seconds=300):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


ENDINGS = {
    "done": ("import sys; sys.exit(0)", 0),
    "failed": ("import sys; sys.exit(3)", 3),
    "largest code": ("import sys; sys.exit(255)", 255),
    "killed": ("import os; os.kill(os.getpid(), 9)", 137),
    "terminated": ("import os; os.kill(os.getpid(), 15)", 143),
    "aborted": ("import os; os.abort()", 134),
}


@pytest.mark.parametrize("name", ENDINGS)
def test_exit_code_is_the_commands(tmp_path, name):
    script, code = ENDINGS[name]
    outcome = record(tmp_path, PYTHON, "-c", script, options=["--no-report"])
    assert outcome.returncode == code, outcome.stderr
    recording = description(tmp_path / "job")["Recording"]
    assert recording["ExitCode"] == code
    assert recording.get("Signal") == (code - 128 if code in (137, 143, 134) else None)


def test_command_that_does_not_exist(tmp_path):
    outcome = record(tmp_path, "no-such-program")
    assert outcome.returncode == 127
    assert outcome.stderr.startswith("debrief: no-such-program: cannot be run")
    assert list(tmp_path.iterdir()) == []


def test_command_that_cannot_be_run(tmp_path):
    (tmp_path / "plain").write_text("no program")
    assert record(tmp_path, "./plain").returncode == 126
    assert record(tmp_path, tmp_path).returncode == 126


def test_standard_streams_pass_through(tmp_path):
    script = "import sys; print(sys.stdin.read().upper()); print('to stderr', file=sys.stderr)"
    outcome = record(tmp_path, PYTHON, "-c", script, options=["--no-report", "-q"], input="words")
    assert (outcome.stdout, outcome.stderr) == ("WORDS\n", "to stderr\n")


def test_command_keeps_its_surroundings(tmp_path):
    """Group, session, mask and dispositions of signals, open files: as if debrief were not there."""
    script = textwrap.dedent("""
        import os, signal, json
        status = open('/proc/self/status').read()
        masks = [line for line in status.splitlines() if line.startswith(('SigBlk', 'SigIgn'))]
        print(json.dumps([os.getpgrp(), os.getsid(0), masks, sorted(os.listdir('/proc/self/fd')), os.getcwd()]))
    """)
    plain = [PYTHON, "-c", script]
    words = [str(binary()), "record", "-o", "job", "--no-report", "-q", "--", *plain]
    seen = [
        json.loads(subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout)
        for command in (plain, words)
    ]
    assert seen[0] == seen[1]


SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"]


@pytest.mark.parametrize("name", SIGNALS)
def test_signals_are_passed_on(tmp_path, name):
    number = getattr(signal, name)
    script = textwrap.dedent(f"""
        import signal, sys, time
        def got(number, frame):
            print('got', number, flush=True)
            sys.exit(40)
        signal.signal({int(number)}, got)
        print('ready', flush=True)
        while True:  # one sleep of minutes: Python would miss a signal that comes right before it
            time.sleep(0.05)
    """)
    process = start(tmp_path, PYTHON, "-c", script)
    assert process.stdout.readline() == "ready\n"
    process.send_signal(number)
    out, _ = process.communicate(timeout=600)
    assert (out, process.returncode) == (f"got {int(number)}\n", 40)


def test_signal_without_a_handler_ends_both(tmp_path):
    process = start(tmp_path, "sh", "-c", "echo ready; exec sleep 600")
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=600)
    assert process.returncode == 128 + signal.SIGTERM
    assert description(tmp_path / "job")["TrainingJobStatus"] == "Stopped"


def test_program_that_ignores_sigterm(tmp_path):
    script = "import signal, time; signal.signal(15, signal.SIG_IGN); print('ready', flush=True); time.sleep(1.5)"
    process = start(tmp_path, PYTHON, "-c", script)
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=600)
    assert process.returncode == 0


def test_signal_that_is_ignored_stays_so(tmp_path):
    """As under nohup."""
    script = "import signal; print(signal.getsignal(signal.SIGHUP) == signal.SIG_IGN)"
    words = [str(binary()), "record", "-o", "job", "--no-report", "-q", "--", PYTHON, "-c", script]
    ignoring = lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)  # noqa: E731
    outcome = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True, preexec_fn=ignoring)
    assert outcome.stdout == "True\n"


def test_program_that_forks_and_detaches(tmp_path):
    """The recording ends with the command; what it left behind lives on."""
    script = textwrap.dedent("""
        import os, sys, time
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                for stream in (0, 1, 2): os.close(stream)
                open('pid', 'w').write(str(os.getpid()))
                time.sleep(2)
                open('survived', 'w').close()
            os._exit(0)
        while not os.path.exists('pid'): time.sleep(0.01)
        time.sleep(0.5)
    """)
    outcome = record(tmp_path, PYTHON, "-c", script, options=["--no-report"])
    assert outcome.returncode == 0
    assert max(values(tmp_path / "job", "process", "Processes")) == 2  # the orphan is still of the tree
    wait_for((tmp_path / "survived").exists)


def test_ten_thousand_short_children(tmp_path):
    script = textwrap.dedent("""
        import os
        for _ in range(10000):
            child = os.fork()
            if child == 0: os._exit(0)
            os.waitpid(child, 0)
    """)
    outcome = record(tmp_path, PYTHON, "-c", script, options=["--no-report"])
    assert outcome.returncode == 0, outcome.stderr
    assert all(1 <= count <= 3 for count in values(tmp_path / "job", "process", "Processes"))


def test_time_of_short_children_counts(tmp_path):
    """A tree's cores, over its time, are the time that the system says its processes had."""
    script = textwrap.dedent("""
        import os, resource, time
        for _ in range(100):
            if os.fork() == 0:
                end = time.process_time() + 0.02
                while time.process_time() < end: pass
                os._exit(0)
            os.wait()
        own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        print(own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime)
    """)
    outcome = record(tmp_path, PYTHON, "-c", script, options=["--no-report"])
    used = float(outcome.stdout)
    lines = lines_of(tmp_path / "job")
    times = sorted({line["Timestamp"] for line in lines})
    cores = {line["Timestamp"]: line["Value"] for line in lines if line["Name"] == "CPUCores"}
    summed = sum(cores.get(end, 0) * (end - begin) for begin, end in itertools.pairwise(times))
    assert summed == pytest.approx(used, rel=0.1, abs=0.1)


@pytest.mark.skipif(os.geteuid() != 0, reason="a file system can be mounted by root alone")
def test_full_disk(tmp_path):
    small = tmp_path / "small"
    small.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=40k", "none", small], capture_output=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip("a file system cannot be mounted here")
    try:
        script = "import time; time.sleep(6); print('trained')"
        outcome = record(small, PYTHON, "-c", script)
        assert (outcome.returncode, outcome.stdout) == (0, "trained\n")
        assert "could not be written (No space left on device)" in outcome.stderr
        assert len(lines_of(small / "job")) > 50  # whole lines, all of them
    finally:
        subprocess.run(["umount", "-l", small], check=True)


def test_killed_recorder_leaves_command_and_job(tmp_path, debrief):
    script = textwrap.dedent("""
        import os, time
        print('ready', flush=True)
        while not os.path.exists('enough'): time.sleep(0.05)
        open('trained', 'w').close()
    """)
    process = start(tmp_path, PYTHON, "-c", script)
    assert process.stdout.readline() == "ready\n"
    wait_for(lambda: len(values(tmp_path / "job", "memory", "MemoryUsedPercent")) >= 5)
    process.kill()
    (tmp_path / "enough").touch()
    process.communicate(timeout=600)
    wait_for((tmp_path / "trained").exists)
    result = debrief.result(tmp_path / "job", "--strict")
    assert result["job"]["status"] == "InProgress"
    assert result["data_quality"]["complete"]


def test_killed_command_loses_at_most_an_interval(tmp_path):
    """Every sample is on disk before the next is taken: some look at it finds one more, however slow the machine is."""
    process = start(tmp_path, "sh", "-c", "echo $$; exec sleep 600")
    pid = int(process.stdout.readline())
    seen = [set()]

    def one_by_one():
        times = {line["Timestamp"] for line in lines_of(tmp_path / "job")}
        if times != seen[-1]:
            seen.append(times)
        return sum(len(after - before) == 1 for before, after in itertools.pairwise(seen)) >= 5

    wait_for(one_by_one)
    os.kill(pid, signal.SIGKILL)
    process.communicate(timeout=600)
    assert process.returncode == 137
    assert {line["Timestamp"] for line in lines_of(tmp_path / "job")} >= seen[-1]


def test_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "job").write_text("a file")
    outcome = record(tmp_path, "touch", "started")
    assert outcome.returncode == 2
    assert outcome.stderr.startswith("debrief: job: cannot be written")
    assert not (tmp_path / "started").exists()


def test_recording_is_a_job(tmp_path, debrief):
    """Each core's mean is that of the samples as plain Python reads them, and the page is made."""
    script = "import time; end = time.time() + 2\nwhile time.time() < end: pass"
    outcome = record(tmp_path, PYTHON, "-c", script, options=["--name", "spin"], job="runs/1")
    job = tmp_path / "runs/1"
    assert outcome.returncode == 0
    assert outcome.stderr.splitlines()[-1] == "report: runs/1/report.html"
    assert (job / "report.html").stat().st_size > 10_000
    result = debrief.result(job, "--strict")
    assert result["job"]["name"] == "spin"
    assert result["job"]["status"] == "Completed"
    usage = {(row["metric"], row["node"]): row for row in result["system_usage"]}
    node = description(job)["Recording"]["Host"]
    memory = values(job, "memory", "MemoryUsedPercent")
    assert usage[("CPU memory", node)]["max"] == pytest.approx(max(memory), abs=0.01)
    assert all(0 <= line["Value"] <= 100 for line in lines_of(job) if line["Dimension"].endswith("Percent"))
    assert [file.name for file in job.rglob("*.json")] == ["job.json"]  # the last minute is compressed too


def test_next_recording_takes_another_folder(tmp_path):
    for _ in range(2):
        assert record(tmp_path, "true", options=["--no-report"]).returncode == 0
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["job", "job-2"]


def test_description_has_no_secret(tmp_path):
    env = {**os.environ, "WANDB_API_KEY": "s3cr3t", "SLURM_JOB_ID": "77", "HF_TOKEN": "s3cr3t"}
    outcome = record(
        tmp_path, "true", "--api-key=s3cr3t", "--token", "s3cr3t", "--lr", "1", options=["--no-report"], env=env
    )
    assert outcome.returncode == 0
    text = (tmp_path / "job/job.json").read_text()
    assert "s3cr3t" not in text
    recording = json.loads(text)["Recording"]
    assert recording["Command"] == ["true", "--api-key=***", "--token", "***", "--lr", "1"]
    assert recording["Environment"]["SLURM_JOB_ID"] == "77"


def test_description_has_no_secret_in_disguise(tmp_path):
    """User info in URLs, Bearer, and whole words of names; what only looks like one of these stays readable."""
    secret = ["https://me:s3cr3t@host/x", "Authorization: Bearer s3cr3t", "hubToken=s3cr3t", "--db_pwd", "s3cr3t"]
    plain = ["--max_tokens", "100", "--tokenizer", "gpt2", "--sort-key", "name", "--compat", "old"]
    env = {**os.environ, "SLURM_JOB_NAME": "tcp://me:s3cr3t@host"}
    assert record(tmp_path, "true", *secret, *plain, options=["--no-report"], env=env).returncode == 0
    text = (tmp_path / "job/job.json").read_text()
    assert "s3cr3t" not in text
    hidden = ["https://***@host/x", "Authorization: ***", "hubToken=***", "--db_pwd", "***"]
    assert json.loads(text)["Recording"]["Command"] == ["true", *hidden, *plain]


def test_description_names_the_commit(tmp_path):
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run([*git, "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "one"], cwd=tmp_path, check=True)
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=tmp_path, capture_output=True, text=True, check=True)
    for packed in (False, True):
        if packed:
            subprocess.run(["git", "pack-refs", "--all"], cwd=tmp_path, check=True)
        job = f"job{packed}"
        assert record(tmp_path, "true", options=["--no-report"], job=job).returncode == 0
        assert description(tmp_path / job)["Recording"]["GitCommit"] == commit.stdout.strip()


def test_process_that_runs_already(tmp_path):
    with subprocess.Popen([PYTHON, "-c", "import time; time.sleep(1.5)"]) as running:
        words = [str(binary()), "record", "-o", "job", "--interval", "100ms", "--no-report", "--pid", str(running.pid)]
        with subprocess.Popen(words, cwd=tmp_path) as recorder:
            running.wait(60)
            assert recorder.wait(60) == 0
    assert set(values(tmp_path / "job", "process", "Processes")) == {1}
    assert "time.sleep" in description(tmp_path / "job")["Recording"]["Command"][-1]


def test_ranks_of_one_machine_share_one_recording(tmp_path):
    """srun starts one recorder per rank: one samples, one describes, all run their command."""
    script = "import time; time.sleep(1)"
    env = {"SLURM_JOB_NUM_NODES": "2", "SLURM_NNODES": "2"}
    ranks = [
        start(tmp_path, PYTHON, "-c", script, env={**os.environ, **env, "SLURM_PROCID": str(rank)}) for rank in range(3)
    ]
    for process in ranks:
        process.communicate(timeout=600)
        assert process.returncode == 0
    times = values(tmp_path / "job", "memory", "MemoryUsedPercent")
    assert 5 <= len(times) <= 14
    assert description(tmp_path / "job")["Recording"]["Environment"]["SLURM_PROCID"] == "0"


REFUSED = {
    "no command": ([], "there is no command to record"),
    "no command after the mark": (["--"], "there is no command to record"),
    "interval without a meaning": (["--interval", "often", "--", "true"], "--interval often: is not a time"),
    "interval too short": (["--interval", "5ms", "--", "true"], "--interval 5ms: is not between"),
    "no such process": (["--pid", "4194303"], "--pid 4194303: there is no such process"),
    "process and command": (["--pid", "1", "--", "true"], "--pid and a command exclude each other"),
    "misspelled option": (["--intervall", "1s", "--", "true"], "unknown option '--intervall'"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_wrong_usage(debrief, name):
    arguments, sentence = REFUSED[name]
    assert debrief.refused("record", *arguments).startswith(sentence)
