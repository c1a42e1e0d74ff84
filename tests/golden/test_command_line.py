"""The command line: help, exit codes, one sentence per error, nothing half-written."""

import gzip
import json
import re
import shutil
import subprocess

import pytest
from conftest import ROOT, SAMPLE_JOBS, binary

JOB = SAMPLE_JOBS / "ddp-gloo-straggler"
ERROR_H = ROOT / "src/util/error.h"


def test_help_and_version(debrief):
    for arguments in (
        (),
        ("--help",),
        ("report", "--help"),
        ("check", "--help"),
        ("diff", "--help"),
        ("export", "--help"),
        ("record", "--help"),
    ):
        outcome = debrief.run(*arguments, expect=0 if arguments else 2)
        assert "debrief" in outcome.stdout
    version = debrief.run("--version").stdout.strip()
    assert re.fullmatch(r"debrief \d+\.\d+\.\d+", version)
    assert "Examples:" in debrief.run("report", "--help").stdout


def test_the_man_page_knows_every_option(debrief):
    man = (ROOT / "docs/debrief.1").read_text().replace("\\-", "-")
    for command in ("report", "check", "diff", "export", "rules", "record", "watch", "trust"):
        text = re.sub(r" -- .*", "", debrief.run(command, "--help").stdout)  # what is recorded has options of its own
        for option in re.findall(r"(--[a-z-]+)", text):
            assert option in man, f"{option} of {command}"


def test_help_and_man_page_say_that_a_job_can_be_a_pytorch_trace(debrief):
    man = (ROOT / "docs/debrief.1").read_text().replace("\\-", "-")
    description = man[man.index(".SH DESCRIPTION") : man.index(".SH COMMANDS")]
    for command in ("report", "check", "export"):
        job = re.search(r"\n  JOB\b.*?(?=\n\S|\n  -)", debrief.run(command, "--help").stdout, re.DOTALL).group()
        assert "PyTorch" in job and "*.pt.trace.json" in job, job
    assert "PyTorch" in description and "*.pt.trace.json" in description


def test_every_exit_code_is_documented(debrief):
    codes = set(
        re.findall(r"= (\d+),", re.search(r"enum class ExitCode \{.*?\};", ERROR_H.read_text(), re.DOTALL).group())
    )
    man = (ROOT / "docs/debrief.1").read_text()
    ci = (ROOT / "docs/ci.md").read_text()
    readme = (ROOT / "README.md").read_text()
    assert "70" in codes
    for code in codes:
        assert f".TP\n.B {code}\n" in man[man.index(".SH EXIT STATUS") :]
        assert f"\n| {code} | " in ci[ci.index("## Exit codes") :]
        assert re.search(rf"\b{code} ", readme[readme.index("Exit codes:") :].split("\n\n")[0])
        assert re.search(rf"\b{code} ", debrief.run("--help").stdout.split("Exit codes:")[1])


def with_memory(kilobytes: int, *arguments, folder) -> subprocess.CompletedProcess:
    return subprocess.run(
        ["sh", "-c", f'ulimit -v {kilobytes}; exec "$0" "$@"', binary(), *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


def test_out_of_memory_is_70_and_one_sentence(tmp_path):
    """With a little more than it takes to start. The C library reserves memory in steps, so several amounts are tried."""
    least, enough = 1_000, 4_000_000
    while enough - least > 1_000:
        middle = (least + enough) // 2
        if with_memory(middle, "--version", folder=tmp_path).returncode == 0:
            enough = middle
        else:
            least = middle
    codes = []
    for more in range(12_000, 40_000, 4_000):
        if with_memory(enough + more, "--version", folder=tmp_path).returncode == 0:
            run = with_memory(enough + more, "report", JOB, "-o", "report.html", "-q", folder=tmp_path)
            codes.append(run.returncode)
            if run.returncode:
                assert run.returncode == 70, f"{enough + more} kB: {run.stderr}"
                assert re.fullmatch(r"debrief: not enough memory [^\n]+\n", run.stderr), run.stderr
                assert list(tmp_path.iterdir()) == []
            else:
                (tmp_path / "report.html").unlink()
    assert 70 in codes


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("report",), "JOB is required"),
        (("report", JOB, "--jsn", "x"), "unknown option '--jsn' (did you mean '--json'?)"),
        (("report", "--frobnicate"), "unknown option '--frobnicate'"),
        (("reprot", JOB), "unknown command 'reprot' (did you mean 'report'?)"),
        (("report", JOB, "another"), "unexpected argument 'another'"),
        (("report", JOB, "-o"), "--output"),
        (("report", JOB, "--job-start", "yesterday"), "--job-start: invalid time 'yesterday'"),
        (("report", JOB, "--job-start", ""), "is empty"),
        (
            ("report", JOB, "--job-start", "1794703217294"),
            "is not in this century; use unix seconds, not milliseconds",
        ),
        (("report", JOB, "--job-start", "2001-01-01"), "no job ran then; the data's jobs start at 2026-11-15T00:"),
        (("export", JOB), "--to is required"),
        (("export", JOB, "--to", "metrics.xlsx"), "unknown file type"),
        (("export", JOB, "--to", "x.csv"), "cannot guess the table"),
        (("export", JOB, "--to", "x.csv", "--table", "metric"), "did you mean 'metrics'"),
        (("report", "no/such/job"), "no/such/job: cannot be read (No such file or directory)"),
        (("report", "/dev/null"), "neither a folder nor a file"),
        (("report", JOB, "-o", "no/such/folder/report.html"), "cannot be written (No such file or directory)"),
    ],
)
def test_bad_usage_is_one_sentence(debrief, arguments, words):
    assert words in debrief.refused(*arguments)
    assert list(debrief.folder.iterdir()) == []


def test_bad_inputs_are_one_sentence(debrief):
    inputs = debrief.folder / "inputs"
    inputs.mkdir()
    (inputs / "empty").mkdir()
    assert "it has no file" in debrief.refused("report", inputs / "empty")
    (inputs / "page.json").write_text("<html></html>")
    assert "not a format that debrief reads" in debrief.refused("report", inputs / "page.json")
    (inputs / "broken.json.gz").write_bytes(gzip.compress(b"x" * 1000)[:10] + b"\xff" * 20)
    assert "compressed data is broken" in debrief.refused("report", inputs / "broken.json.gz")
    (inputs / "loop").symlink_to("loop")
    assert "Too many levels of symbolic links" in debrief.refused("report", inputs / "loop")
    (inputs / "circle").mkdir()
    (inputs / "circle" / "again").symlink_to(inputs / "circle")
    assert "it has no file" in debrief.refused("report", inputs / "circle", "--follow-links")


def test_default_output_is_named_after_the_job(debrief):
    outcome = debrief.run("report", JOB)
    assert (debrief.folder / "ddp-gloo-straggler-report.html").exists()
    assert "report: ddp-gloo-straggler-report.html" in outcome.stdout
    assert outcome.stderr == ""


def test_the_name_of_a_job_cannot_leave_the_folder(debrief):
    job = debrief.folder / "in" / "job"
    shutil.copytree(JOB, job)
    (job / "job.json").write_text('{"TrainingJobName": "../../../outside\\u202e<b>"}')
    debrief.run("report", job)
    assert (debrief.folder / "outside-b-report.html").exists()


def test_a_job_may_begin_with_a_dash(debrief):
    shutil.copytree(JOB, debrief.folder / "-dash")
    debrief.run("report", "-o", "report.html", "--", "-dash")
    assert "unknown option '-dash'" in debrief.refused("report", "-dash")
    assert "unexpected argument 'another'" in debrief.refused("report", "--", "-dash", "another")


def test_a_job_that_failed_is_called_so(debrief):
    job = debrief.folder / "job"
    shutil.copytree(JOB, job)
    description = json.loads((job / "job.json").read_text())
    for status, said in (("Failed", True), ("Completed", False)):
        (job / "job.json").write_text(json.dumps(description | {"TrainingJobStatus": status}))
        outcome = debrief.run("report", job, "-o", "report.html")
        assert (f", status {status}" in outcome.stdout) == said


def test_stdout_carries_only_results(debrief):
    page = debrief.run("report", JOB, "-o", "-")
    assert page.stdout.startswith("<!doctype html>")
    assert page.stdout.endswith("</html>\n")
    result = debrief.run("report", JOB, "-o", "report.html", "--json", "-")
    assert result.stdout.startswith("{")
    assert result.stdout.endswith("}\n")
    quiet = debrief.run("report", JOB, "--quiet")
    assert quiet.stdout == quiet.stderr == ""


def test_stats_name_every_stage(debrief):
    outcome = debrief.run("report", JOB, "--stats")
    for word in ("stage", "ingest", "aggregate", "render", "all", "peak memory"):
        assert word in outcome.stderr
    assert "\x1b" not in outcome.stderr


def test_links_in_the_job_are_not_followed_unless_asked(debrief):
    job = debrief.folder / "job"
    job.mkdir()
    (job / "profiler-output").symlink_to(JOB / "profiler-output")
    assert "nothing to report on" in debrief.refused("report", job)
    result = debrief.result(job, "--follow-links")
    assert result["provenance"]["parameters"] == {"follow-links": "true"}


def test_an_old_report_stays_where_the_new_one_fails(debrief):
    (debrief.folder / "report.html").write_text("old")
    assert "nothing to report on" in debrief.refused("report", debrief.folder, "-o", "report.html")
    assert (debrief.folder / "report.html").read_text() == "old"


def test_the_binary_needs_no_file_beside_it(debrief):
    alone = debrief.folder / "alone"
    alone.mkdir()
    shutil.copy(binary(), alone / "debrief")
    subprocess.run([str(alone / "debrief"), "report", str(JOB), "-o", "report.html", "--quiet"], cwd=alone, check=True)
    assert (alone / "report.html").stat().st_size > 10_000


def test_stdout_is_written_where_it_leads(debrief):
    """What others write to the same file stays, before and after."""
    path = debrief.folder / "all.txt"
    script = f"echo before; {binary()} report {SAMPLE_JOBS / 'ddp-gloo-straggler'} -o - -q; echo after"
    with path.open("w") as file:
        subprocess.run(["sh", "-c", script], stdout=file, check=True, cwd=debrief.folder)
    text = path.read_text()
    assert text.startswith("before\n<!doctype html>")
    assert text.endswith("</html>\nafter\n")
    assert "only one" in debrief.refused("report", SAMPLE_JOBS / "ddp-gloo-straggler", "-o", "-", "--json", "-")
