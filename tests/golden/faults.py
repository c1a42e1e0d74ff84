"""The fault suite's fixture: runs broken jobs side by side and counts them."""

import os
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import pytest
from conftest import binary
from fault_case import Case, Ended, Outcome, run, run_case

MORE = float(os.environ.get("DEBRIEF_FAULT_CASES", "1"))  # times as many random cases


def times(count: int) -> int:
    """How many random cases to run where `count` are enough every day."""
    return max(1, round(count * MORE))


class Faults:
    def __init__(self, folder: Path, pool: ProcessPoolExecutor, record):
        self.folder = folder
        self.pool = pool
        self.record = record

    def count(self, cases: int) -> None:
        """For the summary: this many broken jobs, or runs that were disturbed."""
        self.record("fault_cases", cases)

    def all(self, cases) -> list[Outcome]:
        outcomes = list(self.pool.map(partial(run_case, str(binary())), cases))
        self.count(len(outcomes))
        return outcomes

    def one(self, label: str, files: dict | None = None, **more) -> Outcome:
        return self.all([Case(label, files or {}, **more)])[0]

    def run(self, *command, **more) -> Ended:
        """Another command than a report, or one with a particular place for its output."""
        self.count(1)
        return self.pool.submit(run, [binary(), *command], self.folder, **more).result()


@pytest.fixture(scope="session")
def fault_pool():
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        yield pool


@pytest.fixture
def faults(tmp_path, fault_pool, record_property):
    return Faults(tmp_path, fault_pool, record_property)
