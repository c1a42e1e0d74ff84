"""Output that cannot be written: one sentence, exit code 2, the old report stays, and no temporary file is left."""

import os
import shutil
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from conftest import SAMPLE_JOBS, binary
from fault_case import check_refusal, run
from faults import times
from test_changing_files import without_rights

JOB = SAMPLE_JOBS / "ddp-gloo-straggler"
FULL = "No space left on device"
OUTPUTS = {
    "page": ("report", JOB, "-q", "-o", "{}/report.html"),
    "result": ("report", JOB, "-q", "-o", "/dev/null", "--json", "{}/report.html"),
    "rules": ("report", JOB, "-q", "-o", "/dev/null", "--rule-outputs", "{}"),
    "check": ("check", JOB, "-q", "-o", "{}/report.html"),
    "diff": ("diff", JOB, JOB, "-q", "-o", "{}/report.html"),
    "parquet": ("export", JOB, "-q", "--to", "{}/metrics.parquet"),
    "arrow": ("export", JOB, "-q", "--to", "{}/metrics.arrow"),
    "csv": ("export", JOB, "-q", "--to", "{}/metrics.csv"),
    "timeline": ("export", JOB, "-q", "--to", "{}/timeline.json"),
    "packed timeline": ("export", JOB, "-q", "--to", "{}/timeline.json.gz"),
}


def in_place(command, folder) -> list:
    return [str(part).format(folder) for part in command]


@contextmanager
def small_disk(folder, size: int):
    """A file system of `size` kB."""
    folder.mkdir()
    mounted = (
        shutil.which("mount")
        and subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={size}k", "debrief-test", str(folder)],
            capture_output=True,
            check=False,
        ).returncode
        == 0
    )
    if not mounted:
        pytest.skip("a small file system can only be mounted by root")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.parametrize("output", OUTPUTS)
def test_a_full_disk(faults, output):
    with small_disk(faults.folder / "disk", 40) as disk:
        command = in_place(OUTPUTS[output], disk)
        target = disk / os.path.basename(command[-1])
        if output != "rules":
            target.write_text("old")
        (disk / "filler").write_bytes(b"x" * (24_000 if output != "rules" else 36_000))
        sentence = check_refusal(faults.run(*command))
        assert FULL in sentence
        assert "cannot be written" in sentence
        if output != "rules":
            assert sorted(path.name for path in disk.iterdir()) == ["filler", target.name]
            assert target.read_text() == "old"
        assert not [path for path in disk.iterdir() if path.name.startswith(".debrief")]


def test_a_disk_without_any_room(faults):
    """Not even the temporary file can be made."""
    with small_disk(faults.folder / "disk", 4) as disk:
        for number in range(100):
            try:
                (disk / f"{number}").write_text("x" * 4096)
            except OSError:
                break
        assert FULL in check_refusal(faults.run(*in_place(OUTPUTS["page"], disk)))
        assert not [path for path in disk.iterdir() if "report" in path.name or path.name.startswith(".")]


@pytest.mark.parametrize("output", OUTPUTS)
def test_a_read_only_folder(faults, output):
    folder = faults.folder / "out"
    folder.mkdir()
    command = in_place(OUTPUTS[output], folder)
    old = folder / os.path.basename(command[-1])
    if output != "rules":
        old.write_text("old")
    folder.chmod(0o555)
    ended = run([*without_rights(), binary(), *command], faults.folder)
    faults.count(1)
    folder.chmod(0o755)
    assert ended.code == 2
    assert "cannot be written (Permission denied)" in check_refusal(ended)
    assert list(folder.iterdir()) == ([] if output == "rules" else [old])
    assert output == "rules" or old.read_text() == "old"


def test_a_read_only_file_system(faults):
    with small_disk(faults.folder / "disk", 4000) as disk:
        (disk / "report.html").write_text("old")
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        assert "Read-only file system" in check_refusal(faults.run(*in_place(OUTPUTS["page"], disk)))
        assert [path.name for path in disk.iterdir()] == ["report.html"]
        assert (disk / "report.html").read_text() == "old"


@pytest.mark.parametrize("output", ["page", "result", "csv", "parquet"])
def test_a_limit_on_the_size_of_files(faults, output):
    """ulimit -f: a signal by default."""
    folder = faults.folder / "out"
    folder.mkdir()
    command = in_place(OUTPUTS[output], folder)
    old = folder / os.path.basename(command[-1])
    old.write_text("old")
    ended = run(["sh", "-c", 'ulimit -f 8; exec "$0" "$@"', binary(), *command], faults.folder)
    faults.count(1)
    assert ended.code == 2, ended
    assert "File too large" in check_refusal(ended)
    assert list(folder.iterdir()) == [old]
    assert old.read_text() == "old"


@pytest.mark.parametrize(
    "arguments",
    [
        ("report", JOB, "-o", "-"),
        ("report", JOB, "-o", "/dev/null"),
        ("report", JOB, "-q", "-o", "/dev/full"),
        ("rules", "--json"),
        ("rules",),
        ("--help",),
        ("report", "--help"),
        ("--version",),
        ("report", JOB, "-q", "-o", "/dev/null", "--json", "-"),
    ],
)
def test_a_full_device_behind_standard_output(faults, arguments):
    with open("/dev/full", "w") as full:
        outcome = subprocess.run(
            [str(binary()), *map(str, arguments)],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=600,
            cwd=faults.folder,
            check=False,
        )
    faults.count(1)
    assert outcome.returncode == 2, outcome.stderr
    (sentence,) = outcome.stderr.splitlines()
    assert FULL in sentence
    assert "internal error" not in sentence
    assert list(faults.folder.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("report", "{job}", "--stats"), 0),
        (("check", "{job}", "--require", "job.duration > 0", "--junit", "junit.xml"), 0),
        (("report", "missing"), 2),
        (("report", "--each", "{job}", "missing", "--out-dir", "reports"), 2),
        (("--nonsense",), 2),
    ],
)
@pytest.mark.parametrize("stderr", ["full", "closed"])
def test_a_standard_error_that_nobody_reads(faults, arguments, code, stderr):
    """Notes are lost, the work is not: a log's full disk does not cost reports, and no file takes the place of a closed stderr."""
    job = faults.folder / "job"
    shutil.copytree(JOB, job)
    with (job / "profiler-output/system/incremental/2026111500/1794703200.algo-1.json.gz").open("ab") as file:
        file.write(b"junk")  # which is worth a note
    command = [
        str(binary()),
        *(argument.format(job=job) for argument in arguments),
        *(("-o", "page.html") if code == 0 else ()),
    ]
    redirect = {"full": "2>/dev/full", "closed": "2>&-"}[stderr]
    outcome = subprocess.run(
        ["sh", "-c", f'exec "$0" "$@" {redirect}', *command],
        stdout=subprocess.PIPE,
        timeout=600,
        cwd=faults.folder,
        check=False,
    )
    faults.count(1)
    assert outcome.returncode == code
    made = {path.name: path.read_text() for path in faults.folder.rglob("*.html")}
    assert list(made) == (["page.html"] if code == 0 else sorted(made))
    assert "--each" not in arguments or sorted(made) == ["index.html", "job.html"]
    for text in made.values():
        assert text.startswith("<!doctype html>")
        assert text.rstrip().endswith("</html>")


def test_no_output_takes_the_place_of_an_input(faults):
    job = faults.folder / "job"
    shutil.copytree(JOB, job)
    (trace,) = job.glob("traces/rank0*")
    before = {path: path.read_bytes() for path in job.rglob("*") if path.is_file()}
    for arguments in (
        ("report", job, "-o", job / "job.json"),
        ("report", job, "-o", "r.html", "--json", trace),
        ("report", trace, "-o", trace),
        ("check", job, "-q", "--markdown", trace),
        ("diff", job, JOB, "-o", trace),
        ("diff", JOB, job, "-o", "d.html", "--json", trace),
    ):
        sentence = check_refusal(faults.run(*arguments))
        assert "is one of the job's own files; write elsewhere" in sentence
    assert {path: path.read_bytes() for path in job.rglob("*") if path.is_file()} == before
    assert faults.run("report", job, "-q", "-o", job / "report.html", "--json", job / "result.json").code == 0
    assert (
        faults.run("report", job, "-q", "-o", job / "report.html", "--json", job / "result.json").code == 0
    )  # its own outputs
    baseline = (job / "result.json").read_bytes()
    for arguments in (
        ("check", job, "-q", "--baseline", job / "result.json", "--json", job / "result.json"),
        ("diff", job / "result.json", JOB, "--json", job / "result.json"),
    ):
        assert "is what is compared with; write elsewhere" in check_refusal(faults.run(*arguments))
    assert (job / "result.json").read_bytes() == baseline


def test_who_may_read_a_report_stays(faults):
    page = faults.folder / "report.html"
    page.write_text("old")
    page.chmod(0o640)
    link = faults.folder / "link.html"
    link.symlink_to("report.html")
    for name in ("report.html", "link.html"):
        assert faults.run("report", JOB, "-q", "-o", name).code == 0
        assert page.stat().st_mode & 0o777 == 0o640
        assert link.is_symlink()
        assert page.read_text() != "old"


def test_a_folder_in_the_place_of_a_page(faults):
    (faults.folder / "report.html").mkdir()
    assert "Is a directory" in check_refusal(faults.run("report", JOB, "-o", "report.html"))
    assert list((faults.folder / "report.html").iterdir()) == []


def test_two_runs_that_write_one_page(faults):
    """At any moment the page is one of the two's, and whole."""
    jobs = [JOB, SAMPLE_JOBS / "resnet50-healthy"]
    pages = []
    for job in jobs:
        assert faults.run("report", job, "-q", "-o", "alone.html").code == 0
        pages.append((faults.folder / "alone.html").read_bytes())
    page = faults.folder / "report.html"
    for _ in range(times(4)):
        page.unlink(missing_ok=True)
        with ThreadPoolExecutor(4) as pool:
            runs = [pool.submit(run, [binary(), "report", job, "-q", "-o", page], faults.folder) for job in jobs * 2]
            while not all(outcome.done() for outcome in runs):
                time.sleep(0.002)
                if page.exists():
                    assert page.read_bytes() in pages
        faults.count(len(runs))
        assert [outcome.result().code for outcome in runs] == [0] * 4
        assert page.read_bytes() in pages
        assert sorted(path.name for path in faults.folder.iterdir()) == ["alone.html", "report.html"]
