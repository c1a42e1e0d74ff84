"""The same job gives the same bytes, in every output: run again, on one core or on all, from another folder, in another
language and time zone, and with its files in another order on the disk."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import SAMPLE_JOBS, SAMPLES, binary, shared

EXPORTS = [
    "metrics.parquet",
    "metrics.csv",
    "events.arrow",
    "events.csv",
    "slices.csv",
    "timeline.json",
    "timeline.json.gz",
]


def make_all(
    job: Path, folder: Path, exports: list[str], env: dict | None = None, cores: set | None = None
) -> dict[str, bytes]:
    """Everything that debrief writes of a job, by name, and what it says. What a job has no data for is not made."""
    folder.mkdir(parents=True)
    (folder / "job").symlink_to(job)
    commands = [
        [
            "check",
            "job",
            "-o",
            "page.html",
            "--json",
            "result.json",
            "--markdown",
            "summary.md",
            "--junit",
            "junit.xml",
            "--require",
            "job.duration > 0",
            "--price",
            "3.5",
        ],
        ["report", "job", "-o", "small.html", "--rule-outputs", "rules", "--max-size", "300kB"],
        [
            "diff",
            "job",
            SAMPLE_JOBS / "ddp-gloo-straggler",
            "-o",
            "diff.html",
            "--json",
            "diff.json",
            "--markdown",
            "diff.md",
        ],
        *(["export", "job", "--to", name] for name in exports),
    ]
    for at, command in enumerate(commands):
        outcome = subprocess.run(
            [binary(), *command],
            cwd=folder,
            capture_output=True,
            check=False,
            timeout=600,
            env={**os.environ, **(env or {})},
            preexec_fn=(lambda: os.sched_setaffinity(0, cores)) if cores else None,
        )
        assert outcome.returncode in (0, 1, 2), outcome.stderr
        (folder / f"said-{at}.txt").write_bytes(outcome.stdout + outcome.stderr)
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def copy_backwards(job: Path, to: Path) -> Path:
    """The same files, made in the reverse order, which file systems list otherwise."""
    for path in sorted(job.rglob("*"), reverse=True):
        if path.is_file():
            (to / path.relative_to(job)).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, to / path.relative_to(job))
    return to


def check_everywhere(job: Path, folder: Path, exports: list[str]) -> set[str]:
    """Returns what was made."""
    one_core = {next(iter(os.sched_getaffinity(0)))}
    first = make_all(job, folder / "first", exports)
    (folder / "temporary").mkdir()
    copy = copy_backwards(job, folder / "copy" / job.name)
    env = {
        "TZ": "Pacific/Chatham",
        "LC_ALL": "de_DE.UTF-8",
        "LANG": "tr_TR.UTF-8",
        "TMPDIR": str(folder / "temporary"),
        "HOME": "/",
    }
    second = make_all(copy, folder / "another folder/second", exports, env, one_core)
    assert set(first) == set(second)
    assert [name for name in first if first[name] != second[name]] == []
    assert list((folder / "temporary").iterdir()) == []
    return set(first)


PAGES = {
    "page.html",
    "small.html",
    "result.json",
    "summary.md",
    "junit.xml",
    "rules/BatchSize.json",
    "diff.html",
    "diff.json",
    "diff.md",
}


@pytest.mark.parametrize("name", SAMPLES)
def test_samples(tmp_path, name):
    made = check_everywhere(SAMPLE_JOBS / name, tmp_path, EXPORTS)
    assert PAGES | {"metrics.parquet", "metrics.csv", "events.csv", "timeline.json", "timeline.json.gz"} <= made


@pytest.mark.parametrize("number", range(1, 11))
def test_golden_jobs(tmp_path, number):
    """Their exports are made as those of samples are."""
    assert check_everywhere(shared("golden", f"job-{number:02d}", "profiler-output"), tmp_path, []) >= PAGES
