"""Golden tests: the real binary on real jobs, against figures computed here by other means.

DEBRIEF_BINARY names the binary. Jobs that may not be redistributed are read from ../shared beside the
checkout where that is there; their tests say that they were skipped where it is not.
"""

import gc
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import ClassVar

import pytest
from outputs import check_outputs, files_of

pytest_plugins = ["faults"]

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"
SAMPLE_JOBS = ROOT / "sample_jobs"
SAMPLES = ["resnet50-healthy", "gpt-train-eval", "dataloader-starved", "ddp-gloo-straggler", "small-batch-mlp"]


def pytest_addoption(parser):
    parser.addoption("--update-sentences", action="store_true", help="accept the sentences of the pages (sentences/)")


def binary() -> Path:
    return (ROOT / os.environ.get("DEBRIEF_BINARY", "build/release/debrief")).resolve()


class Debrief:
    """Runs the binary in a folder of the test's own, and looks at everything that it wrote (outputs.py)."""

    made: ClassVar = {}  # pages and results of sample jobs

    def __init__(self, folder: Path):
        self.folder = folder

    def run(self, *arguments, expect: int | set = 0, env: dict | None = None) -> subprocess.CompletedProcess:
        arguments = [str(argument) for argument in arguments]
        old = files_of(arguments, self.folder)
        outcome = subprocess.run(
            [str(binary()), *arguments],
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=600,
            env={**os.environ, **(env or {})},
            check=False,
        )
        assert outcome.returncode in ({expect} if isinstance(expect, int) else expect), (
            f"exit {outcome.returncode}, not {expect}:\n{outcome.stdout}{outcome.stderr}"
        )
        check_outputs(arguments, self.folder, outcome.stdout, old=old)
        return outcome

    def result(self, job, *options) -> dict:
        """The result object of a job; its page is report.html. What samples give is kept: many tests ask for the same."""
        plain = not options and SAMPLE_JOBS in Path(job).parents and not (self.folder / "debrief.json").exists()
        files = [self.folder / name for name in ("report.html", "result.json")]
        if plain and job in self.made:
            for file, content in zip(files, self.made[job], strict=True):
                file.write_bytes(content)
        else:
            self.run("report", job, "-o", "report.html", "--json", "result.json", "--quiet", *options)
            if plain:
                self.made[job] = [file.read_bytes() for file in files]
        return json.loads(files[1].read_text())

    def refused(self, *arguments) -> str:
        """The one sentence with which bad usage or input ends."""
        outcome = self.run(*arguments, expect=2)
        assert outcome.stdout == ""
        lines = outcome.stderr.splitlines()
        assert len(lines) == 1, outcome.stderr
        assert lines[0].startswith("debrief: ")
        return lines[0].removeprefix("debrief: ")


@pytest.fixture(autouse=True)
def own_settings(tmp_path_factory, monkeypatch) -> None:
    """What this user trusts has no part in tests, and they leave nothing there."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("settings")))


@pytest.fixture
def debrief(tmp_path) -> Debrief:
    return Debrief(tmp_path)


@pytest.fixture(scope="session")
def traceable(tmp_path_factory) -> None:
    """Skips where system calls cannot be looked at or made to fail."""
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed")
    tried = subprocess.run(
        ["strace", "-o", tmp_path_factory.mktemp("strace") / "log", "true"], capture_output=True, text=True, check=False
    )
    if tried.returncode != 0:
        pytest.skip(f"processes cannot be traced here ({tried.stderr.strip().splitlines()[-1]})")


def shared(*parts: str) -> Path:
    """A path in the data that is not part of the repository; skips the test where it is not there."""
    path = SHARED.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"shared data '{'/'.join(parts)}' is not at hand")
    return path


# Every page is valid HTML. The process that was started first (pytest-xdist starts others) makes the folder in which all
# keep their pages, and validates them together at the end: starting the validator takes longer than a page.


def pytest_configure(config):
    # Traces and results are millions of objects that hold no cycles: looking for those takes most of the time to load them.
    gc.disable()
    if "DEBRIEF_PAGES" not in os.environ:
        config.debrief_pages = tempfile.mkdtemp(prefix="debrief-pages-")
        os.environ["DEBRIEF_PAGES"] = config.debrief_pages
        (Path(config.debrief_pages) / "results").mkdir()


def pytest_unconfigure(config):
    if hasattr(config, "debrief_pages"):
        shutil.rmtree(config.debrief_pages)
        del os.environ["DEBRIEF_PAGES"]


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session):
    if not hasattr(session.config, "debrief_pages"):
        return
    pages = Path(session.config.debrief_pages)
    session.config.said_of_results = read_back(pages / "results", session)
    count = sum(1 for _ in pages.glob("*.html"))
    if count == 0:
        return
    validated = subprocess.run(
        ["node", ROOT / "tests/browser/validate.mjs", pages], capture_output=True, text=True, check=False
    )
    said = [f"{count} pages are valid HTML"]
    if validated.returncode != 0:
        said = ["pages that are not valid HTML:", validated.stderr]
        for line in validated.stdout.splitlines():
            page, _, mistake = line.partition(" ")
            said.append(f"{(pages / page).with_suffix('.test').read_text()}: {mistake}")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
    session.config.said_of_pages = said


def read_back(folder: Path, session) -> list[str]:
    """What was written as JSON can be read and gives the same JSON."""
    count = sum(1 for _ in folder.glob("*.json"))
    reader = ROOT / "build/release/tests/golden/read_results"
    if count == 0 or not reader.is_file():
        return [f"{count} results were not read back: read_results is not built"] if count else []
    ended = subprocess.run([reader, folder], capture_output=True, text=True, check=False)
    if ended.returncode == 0:
        return [f"{count} results are read as they were written"]
    session.exitstatus = pytest.ExitCode.TESTS_FAILED
    return ["results that are not read as they were written:", ended.stdout + ended.stderr]


def pytest_terminal_summary(terminalreporter, config):
    """Says how many pages were validated and how many broken jobs were run: each test of the fault suite has several."""
    for line in getattr(config, "said_of_results", []) + getattr(config, "said_of_pages", []):
        terminalreporter.write_line(line)
    reports = [report for kind in ("passed", "failed") for report in terminalreporter.getreports(kind)]
    cases = sum(value for report in reports for name, value in report.user_properties if name == "fault_cases")
    if cases > 0:
        terminalreporter.write_line(f"fault suite: {cases} cases")
