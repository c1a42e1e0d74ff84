"""A run that is ended from outside leaves the old output or the new, never a part, and no temporary file."""

import random
import shutil
import signal
import subprocess
import time

import pytest
from conftest import SAMPLE_JOBS, binary
from fault_case import run
from faults import times

JOB = SAMPLE_JOBS / "ddp-gloo-straggler"
COMMANDS = {
    "report": (
        ["report", JOB, "-q", "-o", "out/report.html", "--json", "out/result.json", "--markdown", "out/summary.md"],
        ["report.html", "result.json", "summary.md"],
    ),
    "diff": (["diff", JOB, JOB, "-q", "-o", "out/diff.html"], ["diff.html"]),
    "export": (["export", JOB, "-q", "--to", "out/metrics.parquet"], ["metrics.parquet"]),
    "timeline": (["export", JOB, "-q", "--to", "out/timeline.json.gz"], ["timeline.json.gz"]),
}


def interrupt(command: list, folder, signals: tuple, delay: float) -> int:
    """How the run ended that got `signals` after `delay` seconds."""
    process = subprocess.Popen(
        list(map(str, command)), cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        return process.wait(delay)
    except subprocess.TimeoutExpired:
        for number in signals:
            process.send_signal(number)
        return process.wait(600)


@pytest.mark.parametrize("name", COMMANDS)
def test_signals_at_random_moments(faults, name):
    arguments, outputs = COMMANDS[name]
    command = [binary(), *arguments]
    out = faults.folder / "out"
    out.mkdir()
    began = time.monotonic()
    assert faults.run(*arguments).code == 0
    length = time.monotonic() - began
    new = {output: (out / output).read_bytes() for output in outputs}
    rng = random.Random(name)
    for number in range(times(12 if name == "report" else 5)):
        for output in outputs:
            (out / output).write_text("old")
        signals = (
            (signal.SIGINT,),
            (signal.SIGTERM,),
            (signal.SIGXCPU,),
            (signal.SIGHUP,),
            (signal.SIGINT, signal.SIGTERM),
        )[number % 5]
        # Output is written at the end: half of the moments are there.
        delay = length * (rng.random() if number % 2 else 0.7 + 0.4 * rng.random())
        code = interrupt(command, faults.folder, signals, delay)
        faults.count(1)
        assert code == 0 or -code in signals
        assert sorted(path.name for path in out.iterdir()) == outputs
        for output in outputs:
            assert (out / output).read_bytes() in (b"old", new[output])
            assert code != 0 or (out / output).read_bytes() == new[output]


def test_a_signal_while_the_page_is_written(faults):
    """Stopped in the midst of it by a reader that does not read; the rest of the page is never written."""
    process = subprocess.Popen(
        [str(binary()), "report", str(JOB), "-q", "-o", "-"], cwd=faults.folder, stdout=subprocess.PIPE
    )
    assert process.stdout.read(1000)
    process.send_signal(signal.SIGTERM)
    assert process.wait(600) == -signal.SIGTERM
    process.stdout.close()
    faults.count(1)


def test_a_reader_that_goes_away(faults):
    """As in `debrief report JOB -o - | head`."""
    process = subprocess.Popen(
        [str(binary()), "report", str(JOB), "-q", "-o", "-"],
        cwd=faults.folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdout.read(1000)
    process.stdout.close()
    assert process.wait(600) in (2, -signal.SIGPIPE)
    assert b"internal error" not in process.stderr.read()
    process.stderr.close()
    faults.count(1)


def test_a_reader_that_goes_away_leaves_no_temporary_file(faults):
    """The timeline is written piece by piece, and the program says something on the way: to nobody, which ends it."""
    out = faults.folder / "out"
    out.mkdir()
    for number in (signal.SIGPIPE, signal.SIGXCPU, signal.SIGUSR1):
        process = subprocess.Popen([str(binary()), "export", str(JOB), "-q", "--to", str(out / "timeline.json.gz")])
        while process.poll() is None and not list(out.glob(".debrief-*")):
            time.sleep(0.001)
        process.send_signal(number)
        assert process.wait(600) in (0, -number)
        faults.count(1)
        assert list(out.glob(".debrief-*")) == []


def test_a_signal_that_is_ignored_stays_ignored(faults):
    """As under nohup."""
    (faults.folder / "out").mkdir()
    script = 'trap "" HUP INT; "$0" "$@" & run=$!; sleep 0.05; kill -HUP $run; kill -INT $run; wait $run'
    arguments, outputs = COMMANDS["report"]
    ended = run(["sh", "-c", script, binary(), *arguments], faults.folder)
    faults.count(1)
    assert ended.code == 0, ended
    assert sorted(path.name for path in (faults.folder / "out").iterdir()) == outputs


def test_the_folder_of_the_page_vanishes(faults):
    for number in range(times(4)):
        out = faults.folder / "out"
        out.mkdir()
        process = subprocess.Popen(
            [str(binary()), "report", str(JOB), "-q", "-o", str(out / "report.html")], stderr=subprocess.PIPE, text=True
        )
        time.sleep(0.03 * number)
        shutil.rmtree(out, ignore_errors=True)
        _, said = process.communicate(timeout=600)
        faults.count(1)
        assert process.returncode in (0, 2)
        assert len(said.splitlines()) == (1 if process.returncode == 2 else 0)
        shutil.rmtree(out, ignore_errors=True)
