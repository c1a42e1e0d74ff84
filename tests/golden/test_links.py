"""Symbolic links: those in a job lead nowhere unless asked for, those that the user names are meant."""

import json
import os
import shutil
import subprocess
import threading

import pytest
from conftest import SAMPLE_JOBS, binary

JOB = SAMPLE_JOBS / "ddp-gloo-straggler"
METRICS = "profiler-output/system/incremental/2026111500"


@pytest.fixture
def job(debrief):
    return shutil.copytree(JOB, debrief.folder / "in" / "job")


def ignored(result: dict) -> dict:
    return {row["path"]: row["reason"] for row in result["data_quality"]["ignored"]}


def samples(result: dict) -> int:
    return sum(row["samples"] for row in result["data_quality"]["sources"])


def test_links_in_a_job_are_not_followed_unless_asked(debrief, job):
    """To a file, to a folder, to a folder above, to itself, to nothing: each is named, none is read."""
    elsewhere = shutil.copytree(JOB / "profiler-output", debrief.folder / "elsewhere")
    whole = samples(debrief.result(job))
    metrics = next((job / METRICS).iterdir())
    (elsewhere / "outside.json").write_bytes(metrics.read_bytes())
    metrics.unlink()
    (job / METRICS / "1737457740.algo-1.json").symlink_to(elsewhere / "outside.json")
    (job / "more").symlink_to(elsewhere)
    (job / "up").symlink_to("..")
    (job / "self").symlink_to("self")
    (job / "nowhere").symlink_to("missing")
    result = debrief.result(job)
    links = {f"{METRICS}/1737457740.algo-1.json", "more", "up", "self", "nowhere"}
    assert {
        path for path, reason in ignored(result).items() if reason == "symbolic link (--follow-links reads it)"
    } == links
    assert samples(result) < whole
    # By its name and place it is the job's; what the others lead to is not known.
    lost = {"data of the job behind a symbolic link (--follow-links reads it)": 1}
    assert {row["reason"]: row["count"] for row in result["data_quality"]["skipped"]} == lost
    debrief.run("report", job, "-o", "page.html", "-q", "--strict", expect=3)

    following = debrief.result(job, "--follow-links")
    assert samples(following) >= whole
    assert {path for path in ignored(following) if path in links} == {"self", "nowhere"}
    assert following["provenance"]["parameters"]["follow-links"] == "true"


def test_what_the_user_names_may_be_a_link(debrief, job):
    plain = debrief.result(job)
    (debrief.folder / "link").symlink_to(job)
    assert samples(debrief.result(debrief.folder / "link")) == samples(plain)
    metrics = next((job / METRICS).iterdir())
    (debrief.folder / metrics.name).symlink_to(metrics)
    assert samples(debrief.result(debrief.folder / metrics.name)) > 0


def test_a_config_may_be_a_link(debrief, job):
    (debrief.folder / "config.json").write_text(json.dumps({"price": 2}))
    (debrief.folder / "debrief.json").symlink_to("config.json")
    assert debrief.result(job)["waste"]["price"] == 2
    (debrief.folder / "debrief.json").unlink()
    (debrief.folder / "debrief.json").symlink_to("debrief.json")
    debrief.run("report", job, "--no-config", "-q")


def test_an_output_behind_a_link_is_replaced_there(debrief, job):
    (debrief.folder / "real").mkdir()
    (debrief.folder / "real/page.html").write_text("old")
    (debrief.folder / "page.html").symlink_to("real/page.html")
    debrief.run("report", job, "-o", "page.html", "-q")
    assert (debrief.folder / "page.html").is_symlink()
    assert (debrief.folder / "real/page.html").read_text().startswith("<!doctype html>")
    assert [path.name for path in (debrief.folder / "real").iterdir()] == ["page.html"]


def test_a_job_cannot_choose_where_rule_outputs_go(debrief, job):
    """Files of rules are named by debrief, whatever rule files the job itself has."""
    reports = job / "rule-output/ProfilerReport/profiler-output/profiler-reports"
    reports.mkdir(parents=True)
    (reports / "..%2f..%2fEvil.json").write_text(
        json.dumps({"RuleTriggered": 1, "Violations": 1, "Details": {}, "Datapoints": 1, "RuleParameters": "x:1"})
    )
    before = set(debrief.folder.rglob("*"))
    debrief.run("report", job, "-o", "page.html", "--rule-outputs", "rules", "-q")
    made = {str(path.relative_to(debrief.folder)) for path in set(debrief.folder.rglob("*")) - before}
    known = json.loads(debrief.run("rules", "--json").stdout)
    rules = {row["rule"] for row in known if row["group"] == "Profiler rules"}  # others need tensors or losses
    assert made == {"page.html", "rules", *(f"rules/{rule}.json" for rule in rules)}


def test_a_folder_swapped_for_a_link_is_not_read(debrief, job):
    """Another process swaps a folder of the job for a link to a secret one, back and forth, while reports are made."""
    secret = debrief.folder / "secret"
    shutil.copytree(job / METRICS, secret)
    for path in secret.iterdir():
        path.write_text(
            '{"Type":"cpu","Name":"secret","Dimension":"CPUUtilization","Value":1,"NodeId":"SECRET","Timestamp":1790000000}\n'
        )
    folder, away = job / METRICS, debrief.folder / "away"
    done = threading.Event()

    def swap():
        while not done.is_set():
            os.rename(folder, away)
            os.symlink(secret, folder)
            os.unlink(folder)
            os.rename(away, folder)

    swapper = threading.Thread(target=swap)
    swapper.start()
    try:
        for _ in range(40):
            outcome = subprocess.run(
                [binary(), "report", job, "-o", "page.html", "--json", "-", "-q"],
                cwd=debrief.folder,
                capture_output=True,
                text=True,
                check=False,
                timeout=600,
            )
            assert "SECRET" not in outcome.stdout
    finally:
        done.set()
        swapper.join()
