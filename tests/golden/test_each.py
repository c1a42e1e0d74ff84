"""`debrief report --each`: a report of each of many jobs, and the page that lists them."""

import html
import json
import re
import shutil
import signal
import subprocess
import time

import pytest
from conftest import SAMPLE_JOBS, SAMPLES, binary
from invariants import check_invariants
from small_job import write_small_job

HOSTILE = ['"><img src=x onerror=alert(1)>', "{{ 7*7 }}", "-o", ".hidden", "line\nbreak", "index", "узел", "a" * 200]


def rows_of(page: str, table: str) -> list[dict]:
    """The rows of a table by its id, as the page shows them: cell by column, and "link" of the first."""
    part = re.search(rf'<table id="{table}".*?</table>', page, re.DOTALL).group(0)
    heads = re.findall(r'<th [^>]*scope="col"[^>]*>(.*?)</th>', part)
    rows = []
    for row in re.findall(r"<tr>(.*?)</tr>", part.split("<tbody>")[1], re.DOTALL):
        cells = re.findall(r"<t[hd]\b([^>]*)>(.*?)</t[hd]>", row, re.DOTALL)
        texts = [html.unescape(re.sub(r"<[^>]*>", "", text)).strip() for _, text in cells]
        raws = [re.search(r'data-raw="([^"]*)"', attributes) for attributes, _ in cells]
        link = re.search(r'href="([^"]*)"', row)
        rows.append(
            {
                **dict(zip(heads, texts, strict=True)),
                "raw": {head: raw.group(1) for head, raw in zip(heads, raws, strict=True) if raw},
                "link": html.unescape(link.group(1)) if link else None,
            }
        )
    return rows


def index_of(folder) -> str:
    return (folder / "index.html").read_text()


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    """All samples in one call, with everything that there is to write."""
    folder = tmp_path_factory.mktemp("samples")
    outcome = subprocess.run(
        [
            binary(),
            "report",
            "--each",
            *(SAMPLE_JOBS / name for name in SAMPLES),
            "--out-dir",
            "out/reports",
            "--json",
            "out/json",
            "--markdown",
            "out/json",
            "--price",
            "2.5",
        ],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    return folder / "out", outcome


def test_each_report_is_the_one_that_the_job_has_by_itself(samples, debrief):
    out, _ = samples
    for name in SAMPLES:
        debrief.run(
            "report",
            SAMPLE_JOBS / name,
            "-o",
            "page.html",
            "--json",
            "r.json",
            "--markdown",
            "r.md",
            "--price",
            "2.5",
            "--quiet",
        )
        for made, alone in (
            (out / f"reports/{name}.html", "page.html"),
            (out / f"json/{name}.json", "r.json"),
            (out / f"json/{name}.md", "r.md"),
        ):
            assert made.read_bytes() == (debrief.folder / alone).read_bytes(), made.name
        check_invariants(json.loads((out / f"json/{name}.json").read_text()))
    assert sorted(path.name for path in (out / "reports").iterdir()) == sorted(
        ["index.html", *(f"{name}.html" for name in SAMPLES)]
    )


def test_the_index_has_the_figures_of_the_reports(samples):
    out, outcome = samples
    results = {name: json.loads((out / f"json/{name}.json").read_text()) for name in SAMPLES}
    rows = rows_of(index_of(out / "reports"), "table-jobs")
    assert sorted(row["link"] for row in rows) == sorted(f"{name}.html" for name in SAMPLES)
    paid = lost = 0
    for row in rows:
        result = results[row["link"].removesuffix(".html")]
        waste = result["waste"]
        hours = waste["paid"] - waste["busy"] - waste["set_aside"] - waste["unmeasured"]
        assert row["Job"] == result["job"]["name"]
        assert row["What"] == result["verdict"]["title"]
        assert float(row["raw"]["Duration"]) == pytest.approx(result["job"]["job_duration_in_seconds"], abs=1e-5)
        assert row["Start (UTC)"] == result["job"]["start_time"][:16].replace("T", " ")
        assert waste["unit"] == "GPU-hours"  # of the samples, which are minutes long: their sum is the column's unit
        assert float(row["raw"]["GPU-minutes lost"]) == pytest.approx(60 * hours, abs=1e-4)
        assert float(row["Lost (%)"]) == pytest.approx(waste["lost_percent"], abs=0.051)
        assert float(row["raw"].get("Lost (USD)", row["Lost (USD)"])) == pytest.approx(2.5 * hours, abs=6e-3)
        healthy = result["verdict"]["kind"] == "healthy"
        assert (row["Verdict"] == "Healthy") == healthy
        paid, lost = paid + waste["paid"], lost + hours
    order = [float(row["raw"]["GPU-minutes lost"]) for row in rows]
    assert order == sorted(order, reverse=True)
    parts = rows_of(index_of(out / "reports"), "table-gpu-time-by-cause")
    amounts = {row["Cause"]: float(row["raw"]["GPU-minutes"]) / 60 for row in parts}
    assert amounts.pop("Total") == pytest.approx(paid, abs=1e-5)
    assert sum(amounts.values()) == pytest.approx(paid, abs=1e-5)
    assert outcome.stderr == ""
    assert re.fullmatch(r"5 reports: .*\nindex: out/reports/index.html\n", outcome.stdout)


def test_two_calls_give_the_same_bytes_and_old_reports_stay_whole(samples, debrief):
    out, _ = samples
    jobs = [SAMPLE_JOBS / name for name in SAMPLES]
    for _ in range(2):
        debrief.run("report", "--each", *jobs, "--out-dir", "reports", "--price", "2.5", "--quiet")
        assert index_of(debrief.folder / "reports") == index_of(out / "reports")
    debrief.run("report", "--each", *reversed(jobs), "--out-dir", "reports", "--price", "2.5", "--quiet")
    assert index_of(debrief.folder / "reports") == index_of(out / "reports"), "the order of jobs does not matter"


def test_a_broken_job_does_not_stop_the_others(debrief):
    jobs = debrief.folder / "jobs"
    write_small_job(jobs / "good")
    (jobs / "empty").mkdir()
    (jobs / "notes.txt").write_text("no job")
    outcome = debrief.run(
        "report",
        "--each",
        jobs / "empty",
        jobs / "good",
        jobs / "missing",
        jobs / "notes.txt",
        "--out-dir",
        "out",
        expect=2,
    )
    lines = outcome.stderr.splitlines()
    assert [line.split(": ")[1].rsplit("/", 1)[1] for line in lines] == ["empty", "missing", "notes.txt"]
    assert outcome.stdout.startswith("1 report: 1 ") and "; 3 jobs failed\n" in outcome.stdout
    assert sorted(path.name for path in (debrief.folder / "out").iterdir()) == ["good.html", "index.html"]
    failed = rows_of(index_of(debrief.folder / "out"), "table-jobs-without-a-report")
    assert {row["Job"] for row in failed} == {str(jobs / name) for name in ("empty", "missing", "notes.txt")}
    assert all(f"debrief: {row['Why']}" in lines for row in failed)


def test_nothing_but_broken_jobs(debrief):
    (debrief.folder / "empty").mkdir()
    outcome = debrief.run("report", "--each", "empty", "--out-dir", "out", expect=2)
    assert outcome.stdout == "0 reports; 1 job failed\nindex: out/index.html\n"
    assert "No job has a report." in index_of(debrief.folder / "out")


def test_jobs_called_alike_keep_their_reports_apart(debrief):
    for at, folder in enumerate(("x", "y", "z")):
        write_small_job(debrief.folder / folder / "run", name=f"job {folder}", gpu=20.0 + 30 * at, seed=at)
    debrief.run("report", "--each", "x/run", "y/run/", "z/run", "--out-dir", "out", "--quiet")
    listed = rows_of(index_of(debrief.folder / "out"), "table-jobs")
    assert all(row["Page"] == row["link"] for row in listed)
    rows = {row["Job"]: row["link"] for row in listed}
    assert rows == {"job x": "run.html", "job y": "run-2.html", "job z": "run-3.html"}
    for name, page in rows.items():
        assert f"<h1>{name}</h1>" in (debrief.folder / "out" / page).read_text()


def test_hostile_names_stay_names(debrief):
    jobs = debrief.folder / "jobs"
    for at, name in enumerate(HOSTILE):
        write_small_job(jobs / name, name=name, steps=60, seed=at)
    paths = [f"jobs/{name}" for name in HOSTILE]
    debrief.run("report", "--each", "--out-dir", "out", "--quiet", *paths)
    assert sorted(path.name for path in debrief.folder.iterdir()) == ["jobs", "out"]
    files = {path.name for path in (debrief.folder / "out").iterdir()}
    assert len(files) == len(HOSTILE) + 1
    assert all(re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*\.html", file) for file in files), files
    page = index_of(debrief.folder / "out")
    assert "<img" not in page and "<script>alert" not in page and ">49<" not in page
    rows = rows_of(page, "table-jobs")
    assert {row["link"] for row in rows} == files - {"index.html"}
    assert {row["Job"] for row in rows} == {name.replace("\n", "\\n") for name in HOSTILE}


def test_strict_says_that_something_was_lost(debrief):
    write_small_job(debrief.folder / "whole")
    shutil.copytree(debrief.folder / "whole", debrief.folder / "cut")
    metrics = next((debrief.folder / "cut").rglob("*.algo-1.json"))
    metrics.write_bytes(metrics.read_bytes()[:-20])
    debrief.run("report", "--each", "whole", "--out-dir", "out", "--strict", "--quiet")
    debrief.run("report", "--each", "whole", "cut", "--out-dir", "out", "--strict", "--quiet", expect=3)
    rows = rows_of(index_of(debrief.folder / "out"), "table-jobs")
    assert {row["link"]: row["Input"] for row in rows} == {"whole.html": "", "cut.html": "incomplete"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--each", "a", "b"), "--each needs --out-dir"),
        (("a", "--out-dir", "out"), "--out-dir is for the reports of --each"),
        (("a", "b"), "unexpected argument 'b'; --each reports on several jobs"),
        (("--each", "--out-dir", "out"), "JOB is required"),
        (("--each", "a", "--out-dir", ""), "--out-dir"),
        (("--each", "a", "--out-dir", "out", "-o", "x.html"), "use --out-dir instead of -o"),
        (
            ("--each", "a", "--out-dir", "out", "--job-start", "2026-01-01"),
            "--job-start does not work with --each",
        ),
        (("--each", "a", "--out-dir", "out", "--json", "-"), "--json -: with --each this must be a folder"),
        (("--each", "a", "--out-dir", "out", "--max-size", "big"), "--max-size: invalid size 'big'"),
        (("--each", "a", "--out-dir", "file/out"), "--out-dir file/out: cannot create the folder"),
    ],
)
def test_what_does_not_go_together_is_one_sentence(debrief, arguments, words):
    (debrief.folder / "file").write_text("")
    assert words in debrief.refused("report", *arguments)
    assert [path.name for path in debrief.folder.iterdir()] == ["file"]


def test_settings_rule_outputs_and_statistics_are_of_all_jobs(debrief):
    for name in ("a", "b"):
        write_small_job(debrief.folder / name, name=name)
    outcome = debrief.run(
        "report",
        "--each",
        "a",
        "b",
        "--out-dir",
        "out",
        "--rule-outputs",
        "rules",
        "--json",
        "out",
        "--stats",
        "--param",
        "LowGPUUtilization_threshold_p95=50",
    )
    for name in ("a", "b"):
        assert len(list((debrief.folder / "rules" / name).glob("*.json"))) == 11
        result = json.loads((debrief.folder / f"out/{name}.json").read_text())
        assert result["provenance"]["parameters"] == {"LowGPUUtilization_threshold_p95": "50"}
    stages = [line.split()[0] for line in outcome.stderr.splitlines()]
    assert stages == ["stage", "ingest", "aggregate", "rules", "findings", "render", "embed", "index", "all"]


def test_an_interrupt_leaves_whole_files_only(debrief):
    jobs = [write_small_job(debrief.folder / f"jobs/{at}", name=f"job {at}", seed=at) for at in range(12)]
    for wait in (0.05, 0.15, 0.3):
        out = debrief.folder / f"out-{wait}"
        process = subprocess.Popen([binary(), "report", "--each", *jobs * 5, "--out-dir", out, "--quiet"])
        time.sleep(wait)
        process.send_signal(signal.SIGINT)
        process.wait(timeout=600)
        for path in out.glob("*") if out.exists() else ():
            assert path.suffix == ".html", path
            assert path.read_text().endswith("</html>\n"), path
