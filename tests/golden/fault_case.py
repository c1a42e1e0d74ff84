"""One broken job: written, run through the binary, and held to what holds for every job, however broken.

Runs in processes of their own, which are small: a child's peak memory counts that of the process that started it."""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import traceback
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path

from jsonschema_rs import ValidationError
from outputs import check_outputs

MEMORY = 300e6  # bytes; a job may take this much and its own size
SECONDS = 600  # a guard against what never ends, on a machine however busy


@dataclass
class Case:
    """`files` are the job's, by path; or `job` is one that is there already, of `size` bytes."""

    label: str
    files: dict = field(default_factory=dict)
    job: str | None = None
    size: int = 0  # of what is read, unpacked
    options: tuple = ()
    only: str | None = None  # the file of the job that is given instead of its folder
    seconds: float = SECONDS
    memory: float = MEMORY


@dataclass
class Outcome:
    label: str
    code: int
    sentence: str  # with which it was refused, or empty
    result: dict | None
    page: str
    memory: int  # bytes, at most
    seconds: float

    @property
    def quality(self) -> dict:
        return self.result["data_quality"]

    def lost(self, what: str = "skipped") -> dict:
        """Reason -> count."""
        return {row["reason"]: row["count"] for row in self.quality[what]}

    def read(self, source: str) -> dict:
        return next(
            (row for row in self.quality["sources"] if row["source"] == source),
            dict.fromkeys(("files", "bytes", "decoded_bytes", "records", "samples", "events"), 0),
        )


@dataclass
class Ended:
    code: int
    stdout: str
    stderr: str
    memory: int
    seconds: float


def run(command: list, folder: Path, seconds: float = SECONDS, env: dict | None = None) -> Ended:
    """Runs a command to its end; one that takes too long is ended by a signal, which no case allows."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(
            list(map(str, command)), cwd=folder, stdout=out, stderr=err, env={**os.environ, **(env or {})}
        )
        watch = threading.Timer(seconds, process.kill)
        watch.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        finally:
            watch.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for stream in (out, err):
            stream.seek(0)
            texts.append(stream.read().decode(errors="replace"))
        return Ended(process.returncode, *texts, usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime)


def refuse_constant(name: str):
    raise AssertionError(f"{name} in the result")


def read_result(path: Path) -> dict:
    return json.loads(path.read_text(), parse_constant=refuse_constant)


def section(page: str, name: str) -> str:
    """The text of a section of the page, without its tags."""
    start = page.index(f'<section id="{name}"')
    return unescape(re.sub(r"<[^>]*>", " ", page[start : page.index("</section>", start)]))


def check_page(page: str, result: dict) -> None:
    assert page.endswith("</html>\n")
    for drawing in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
        assert not re.search(r'[=" ,(]-?(nan|inf)[" ,)]', re.sub(r">[^<]*<", "><", drawing)), (
            "a drawing without numbers"
        )
    said = section(page, "data-quality")
    quality = result["data_quality"]
    for row in [*quality["skipped"], *quality["damaged_files"]]:
        assert row["reason"] in said, f"the page does not say '{row['reason']}'"
    assert ("Nothing was skipped" in said) == quality["complete"]


def check_refusal(ended: Ended) -> str:
    """The one sentence of it."""
    lines = ended.stderr.splitlines()
    assert len(lines) == 1, ended.stderr
    assert lines[0].startswith("debrief: "), ended.stderr
    assert "internal error" not in lines[0], ended.stderr
    assert ended.stdout == ""
    return lines[0].removeprefix("debrief: ")


def check_memory(ended: Ended, size: int, most: float = MEMORY) -> None:
    if "asan" not in os.environ.get("DEBRIEF_BINARY", ""):  # sanitizers take memory of their own
        assert ended.memory <= most + size, f"{ended.memory / 1e6:.0f} MB for {size / 1e6:.0f} MB"


def write_files(folder: Path, files: dict) -> int:
    for path, content in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return sum(map(len, files.values()))


def run_case(binary: str, case: Case) -> Outcome:
    """Throws AssertionError where something that holds for every job does not hold for this one."""
    folder = Path(tempfile.mkdtemp(prefix="debrief-fault-"))
    try:
        job, out, size = Path(case.job or folder / "job"), folder / "out", case.size
        out.mkdir()
        if case.job is None:
            job.mkdir()
            size = max(size, write_files(job, case.files))
        return report(binary, case, job / case.only if case.only else job, out, size)
    except (AssertionError, ValidationError) as failure:
        where = traceback.extract_tb(failure.__traceback__)[-1]  # pytest shows none of another process
        raise AssertionError(f"{case.label}: {failure} ({where.filename}, line {where.lineno}: {where.line})") from None
    finally:
        shutil.rmtree(folder)


def report(binary: str, case: Case, job: Path, out: Path, size: int) -> Outcome:
    command = [binary, "report", job, "-o", "report.html", "--json", "result.json", "--strict", *case.options]
    ended = run(command, out, case.seconds)
    assert ended.code != -signal.SIGKILL, f"took more than {case.seconds} s"
    assert ended.code in (0, 2, 3), f"exit {ended.code}: {ended.stderr}"
    check_memory(ended, size, case.memory)
    made = sorted(path.name for path in out.iterdir())
    if ended.code == 2:
        assert made == []
        return Outcome(case.label, 2, check_refusal(ended), None, "", ended.memory, ended.seconds)
    assert made == ["report.html", "result.json"]
    assert all(line.startswith("debrief: note: ") for line in ended.stderr.splitlines()), ended.stderr
    check_outputs([str(argument) for argument in command[1:]], out, "", case.label)
    result = read_result(out / "result.json")
    assert ended.code == (0 if result["data_quality"]["complete"] else 3)
    page = (out / "report.html").read_text()
    check_page(page, result)
    return Outcome(case.label, ended.code, "", result, page, ended.memory, ended.seconds)
