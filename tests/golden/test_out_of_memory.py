"""Too little memory, or too few threads: one sentence and exit code 70, or the work is done with what there is; never an
abort, and no part of a file."""

import os
import random
import re
import shutil

import pytest
from conftest import SAMPLE_JOBS, binary
from fault_case import run
from faults import times
from small_job import write_small_job

JOBS = ["dataloader-starved", "ddp-gloo-straggler", "small-batch-mlp", "gpt-train-eval"]
DONE, INCOMPLETE, OUT_OF_MEMORY = 0, 3, 70
SENTENCE = re.compile(r"debrief: (\S+: )?not enough memory for this job; run it on a larger machine")

pytestmark = pytest.mark.skipif(
    "asan" in os.environ.get("DEBRIEF_BINARY", ""), reason="sanitizers take more address space than any limit"
)


def run_limited(faults, limit: str, *arguments):
    """Runs the binary after `ulimit`."""
    faults.count(1)
    return run(["sh", "-c", f'ulimit {limit} && exec "$0" "$@"', binary(), *arguments], faults.folder)


def check_ended(ended, label) -> None:
    assert ended.code in (DONE, INCOMPLETE, OUT_OF_MEMORY), (label, ended)
    if ended.code == OUT_OF_MEMORY:
        assert [line for line in ended.stderr.splitlines() if SENTENCE.fullmatch(line)], (label, ended.stderr)


def test_ordinary_jobs_in_little_memory(faults):
    """From what the program barely starts in to what every job is content with."""
    rng = random.Random("memory")
    commands = {
        "report": ("report", "-q", "-o", "out/report.html", "--json", "out/result.json"),
        "export": ("export", "-q", "--to", "out/slices.parquet"),
        "timeline": ("export", "-q", "--to", "out/timeline.json.gz"),
        "check": ("check", "-q", "--require", "job.duration > 0", "--strict", "--junit", "out/junit.xml"),
    }
    seen = set()
    for number in range(times(24)):
        megabytes = 40 + rng.randrange(260)
        name, job = rng.choice(list(commands)), JOBS[number % len(JOBS)]
        out = faults.folder / "out"
        out.mkdir()
        command, *options = commands[name]
        ended = run_limited(faults, f"-v {megabytes * 1000}", command, SAMPLE_JOBS / job, *options)
        check_ended(ended, (name, job, megabytes))
        assert [path.name for path in out.iterdir() if path.name.startswith(".")] == [], (name, job, megabytes)
        seen.add(ended.code)
        shutil.rmtree(out)
    assert OUT_OF_MEMORY in seen, "no limit was too low"


def test_one_job_of_many_lacks_memory(faults):
    """It alone has no report, and the list says why. Between the lowest limits, which are always too low for the large
    job, and the highest, the outcome depends on how many threads read at once."""
    jobs = [write_small_job(faults.folder / f"of-{steps}-steps", steps=steps) for steps in (50, 120_000)]
    outcomes = set()
    for megabytes in range(40, 330, 20):
        ended = run_limited(faults, f"-v {megabytes * 1000}", "report", "--each", *jobs, "--out-dir", "out")
        check_ended(ended, megabytes)
        pages = sorted(path.name for path in (faults.folder / "out").glob("*.html"))
        if (faults.folder / "out").exists():
            shutil.rmtree(faults.folder / "out")
        if ended.code == OUT_OF_MEMORY and "index.html" in pages:
            lacking = ended.stderr.count("not enough memory")
            assert len(pages) == 3 - lacking, (megabytes, pages, ended.stderr)
        outcomes.add((ended.code, len(pages)))
    assert (DONE, 3) in outcomes
    assert (OUT_OF_MEMORY, 2) in outcomes, outcomes


def test_threads_that_are_refused_mean_fewer_threads(faults, traceable):
    """As by a limit on processes, or for want of memory for their stacks."""
    made = {}
    for refused in (("-e", "inject=clone,clone3:error=EAGAIN"), ()):
        page = faults.folder / f"report-{len(refused)}.html"
        command = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=clone,clone3", *refused]
        ended = run([*command, binary(), "report", SAMPLE_JOBS / "ddp-gloo-straggler", "-q", "-o", page], faults.folder)
        faults.count(1)
        assert ended.code == DONE, ended
        made[refused] = page.read_bytes()
    assert len(set(made.values())) == 1
