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
        (("check", "{job}", "--require", "job.duration > 0", "--junit", "junit.xml"), 3),
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
        *(("-o", "page.html") if code in (0, 3) else ()),
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
    assert list(made) == (["page.html"] if code in (0, 3) else sorted(made))
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
        ("check", JOB, "-q", "--baseline", job, "--json", trace),
        ("export", job, "--to", trace),
        ("export", trace, "--to", trace),
        ("report", "--each", job, "--out-dir", "out", "--json", job),  # its job.json
        ("report", "--each", JOB, job, "--out-dir", "out", "--json", job),
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


def test_no_rule_file_takes_the_place_of_a_rule_output(faults):
    job = faults.folder / "job"
    shutil.copytree(JOB, job)
    assert faults.run("report", job, "-q", "-o", "r.html", "--rule-outputs", job / "rules").code == 0
    before = {path: path.read_bytes() for path in job.rglob("*") if path.is_file()}
    for arguments in (
        ("report", job, "-o", "r.html", "--rule-outputs", job / "rules"),
        ("report", "--each", job / "rules", job, "--out-dir", "out", "--rule-outputs", job),
        ("check", job, "-q", "--rule-outputs", job / "rules"),
    ):
        assert "own files; write elsewhere" in check_refusal(faults.run(*arguments))
    assert {path: path.read_bytes() for path in job.rglob("*") if path.is_file()} == before


def test_no_output_takes_the_place_of_the_config_or_of_a_file_behind_a_link(faults):
    config = faults.folder / "debrief.json"
    config.write_text("{}")
    for arguments in (
        ("report", JOB, "-o", "r.html", "--json", config),
        ("check", JOB, "-q", "--config", config, "--json", config),
        ("report", "--each", JOB, "--out-dir", "out", "--config", config, "--json", faults.folder),
    ):
        if "--each" in arguments:
            (faults.folder / "debrief").symlink_to(JOB)
            arguments = ("report", "--each", "debrief", *arguments[3:])
        assert "is the config file; write elsewhere" in check_refusal(faults.run(*arguments))
    config.unlink()
    job = faults.folder / "job"
    shutil.copytree(JOB, job)
    (trace,) = job.glob("traces/rank0*")
    aside = faults.folder / "aside.json.gz"
    trace.rename(aside)
    trace.symlink_to(aside)
    before = aside.read_bytes()
    refusal = check_refusal(faults.run("report", job, "--follow-links", "-q", "-o", aside))
    assert "own files; write elsewhere" in refusal
    assert aside.read_bytes() == before


def test_a_link_that_leads_nowhere_yet(faults):
    """What it leads to is made, and the link stays."""
    (faults.folder / "pages").mkdir()
    link = faults.folder / "report.html"
    link.symlink_to("pages/today.html")
    assert faults.run("report", JOB, "-q", "-o", link).code == 0
    assert link.is_symlink()
    assert (faults.folder / "pages/today.html").read_text().startswith("<!doctype html>")
    circle = faults.folder / "circle.html"
    circle.symlink_to("circle.html")
    assert "circle.html: cannot be written" in check_refusal(faults.run("report", JOB, "-q", "-o", circle))
    assert circle.is_symlink()


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "-"])
def test_standard_output_by_any_name_is_appended_to(faults, name):
    log = faults.folder / "log.txt"
    log.write_text("before\n")
    ended = run(["sh", "-c", f'exec "$0" "$@" -o {name} >> log.txt', binary(), "report", JOB], faults.folder)
    faults.count(1)
    assert ended.code == 0
    text = log.read_text()
    assert text.startswith("before\n<!doctype html>")
    assert text.endswith("</html>\n")  # and nothing of the verdict between or after
    assert [path.name for path in faults.folder.iterdir()] == ["log.txt"]


def test_a_config_that_is_a_pipe(faults):
    """One that nobody writes to is not waited for; one that somebody does is read."""
    os.mkfifo(faults.folder / "debrief.json")
    for arguments in (("report", JOB, "-q"), ("check", JOB, "-q", "--config", "debrief.json")):
        assert "debrief.json" in check_refusal(faults.run(*arguments, seconds=60))
    (faults.folder / "debrief.json").unlink()
    script = '(sleep 0.2; echo \'{"require": ["job.duration < 0"]}\') | "$0" check "$1" -q --config /dev/fd/0'
    assert run(["sh", "-c", script, binary(), JOB], faults.folder).code == 1
    faults.count(2)


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
