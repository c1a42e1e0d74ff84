"""Hostile input costs work in proportion to its size. Instructions are counted, since a clock tells of the machine, too."""

import re
import subprocess
from pathlib import Path

import pytest
from conftest import binary
from job_files import START

TIMES = 4  # as large is the second input; work by the square would be 16 times as much


def instructions(folder: Path, *arguments) -> tuple[int, str]:
    """How many the binary takes, by valgrind, and what it says."""
    counter = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    run = subprocess.run(
        [*counter, binary(), *arguments], cwd=folder, capture_output=True, text=True, check=False, timeout=900
    )
    found = re.search(r"Collected : (\d+)", run.stderr)
    assert found, run.stderr
    return int(found.group(1)), run.stdout + run.stderr


def long_list(folder: Path, size: int) -> list:
    """A config file with a list that no one asks for. The job is not there, so that nothing else is done."""
    (folder / "list.json").write_text('{"$schema": [{}' + ",{}" * size + "]}")
    return ["report", "nowhere", "--config", "list.json"]


def wild_clock(folder: Path, size: int) -> list:
    """A timeline whose events are two hours apart, so that each looks like a job of its own."""
    head = f'[{{"name":"process_name","ph":"M","pid":0,"args":{{"start_time_since_epoch_in_micros":{START}000000}}}}'
    events = "".join(f',\n{{"name":"a","ph":"X","pid":0,"ts":{n * 7_200_000_000},"dur":9}}' for n in range(size))
    job = folder / f"job/framework/pevents/2024081508/{START}000000_7-algo-1_pythontimeline.json"
    job.parent.mkdir(parents=True, exist_ok=True)
    job.write_text(f"{head}{events}]")
    return ["export", "job", "--to", "events.csv"]


@pytest.mark.parametrize(
    ("make", "size", "words"),
    [(long_list, 20_000, "nowhere: cannot be read"), (wild_clock, 8_000, "events.csv")],
)
def test_work_grows_with_size(make, size, words, tmp_path):
    small, said = instructions(tmp_path, *make(tmp_path, size))
    assert words in said
    large, _ = instructions(tmp_path, *make(tmp_path, TIMES * size))
    assert 1.2 * small < large < TIMES * small
