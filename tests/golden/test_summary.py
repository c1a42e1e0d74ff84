"""What a reader gets before the page: the summary in Markdown, and the lines at the terminal."""

import html
import itertools
import json
import os
import pty
import re
import subprocess

import pytest
from conftest import SAMPLE_JOBS, SAMPLES, binary

JOB = SAMPLE_JOBS / "dataloader-starved"
HOSTILE = "@team <img src=x> [a](https://x.org) | **b** `c` #12 www.x.org\n# heading"


def hostile_job(folder):
    job = folder / "job"
    job.mkdir()
    (job / "profiler-output").symlink_to(JOB / "profiler-output")
    (job / "job.json").write_text(json.dumps({"TrainingJobName": HOSTILE}))
    return job


@pytest.mark.parametrize("name", SAMPLES)
def test_markdown_has_the_verdict_and_keeps_to_its_lines(debrief, name):
    result = debrief.result(SAMPLE_JOBS / name, "--markdown", "summary.md", "--price", "3.5")
    text = (debrief.folder / "summary.md").read_text()
    lines = text.splitlines()
    assert lines[0] == f"## Report of {name}"
    assert len(lines) <= 60
    plain = html.unescape(re.sub(r"\\([^A-Za-z0-9\s])", r"\1", text)).replace("\u200b", "")
    for part in ("title", "why", "next"):
        assert result["verdict"][part][:400] in plain
    for finding in result["findings"][:5]:
        assert finding["title"] in plain
    assert "| Iteration |" in text
    assert "| Total | " in text
    # tables are whole: each row has the cells of its head
    for head, rule in itertools.pairwise(lines):
        if rule.startswith("|---"):
            assert head.count("|") == rule.count("|")


def test_a_hostile_name_is_only_text_in_markdown(debrief):
    debrief.run("report", hostile_job(debrief.folder), "--follow-links", "--markdown", "summary.md", "-q")
    text = (debrief.folder / "summary.md").read_text()
    first = text.splitlines()[0]
    assert first.startswith(
        "## Report of @&#8203;team &lt;img src=x&gt; \\[a\\](https&#58;//x.org) \\| \\*\\*b\\*\\* \\`c\\` "
    )
    assert first.endswith("\\#&#8203;12 www\\.x.org\\\\n\\# heading")
    assert "\n# " not in text
    assert not re.search(r"(?<!\\)[<`]|(?<!\\)\[|@\w|https?://|www\.\w", text)


def test_only_one_output_goes_to_stdout(debrief):
    summary = debrief.run("report", JOB, "-o", "report.html", "--markdown", "-")
    assert summary.stdout.startswith("## Report of dataloader-starved\n")
    assert "report: " not in summary.stdout
    assert "only one can go to stdout" in debrief.refused("report", JOB, "-o", "-", "--markdown", "-")
    assert "--json - and --markdown -" in debrief.refused("report", JOB, "--json", "-", "--markdown", "-")


@pytest.mark.parametrize("name", SAMPLES)
def test_the_terminal_gets_verdict_findings_figures_and_path(debrief, name):
    outcome = debrief.run("report", SAMPLE_JOBS / name, "-o", "report.html", "--json", "result.json")
    result = json.loads((debrief.folder / "result.json").read_text())
    lines = outcome.stdout.splitlines()
    verdict, findings = result["verdict"], result["findings"]
    assert lines[0] == f"{verdict['kind']}: {verdict['title']}"
    assert lines[1] == f"  {verdict['why']}"
    assert lines[2] == f"  next: {verdict['next']}"
    for line, finding in zip(lines[3:], findings[:3], strict=False):
        assert line.split()[0] == finding["severity"]
        assert finding["title"] in line
    rest = lines[3 + min(3, len(findings)) :]
    if len(findings) > 3:
        assert rest.pop(0) == f"  and {len(findings) - 3} more"
    assert rest[0].startswith(f"{name}: ran for ")
    assert rest[1:] == ["report: report.html"]
    assert "\x1b" not in outcome.stdout


def at_a_terminal(folder, *options, **env) -> str:
    """What the binary prints where stdout is a terminal."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [str(binary()), "report", str(JOB), "-o", "report.html", *options],
        cwd=folder,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **env},
    ) as process:
        os.close(theirs)
        out = b""
        while True:
            try:
                piece = os.read(ours, 4096)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            out += piece
    os.close(ours)
    assert process.returncode == 0
    return out.decode()


def test_color_only_where_a_terminal_wants_it(debrief):
    environment = {"NO_COLOR": ""}
    colored = at_a_terminal(debrief.folder, **environment)
    assert colored.startswith("\x1b[1;3")
    assert "\x1b[0m: " in colored
    assert "\x1b" not in at_a_terminal(debrief.folder, "--no-color", **environment)
    assert "\x1b" not in at_a_terminal(debrief.folder, NO_COLOR="1")
