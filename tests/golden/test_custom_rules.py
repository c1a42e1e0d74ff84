"""Rules of the config file: conditions and programs, on real jobs; and whatever a program does, the report is made."""

import json
import os
import re
import signal
import subprocess
import tarfile
import time
from pathlib import Path

import jsonschema_rs
import pytest
from conftest import ROOT, SAMPLE_JOBS, binary, shared
from small_job import write_small_job

JOB = SAMPLE_JOBS / "dataloader-starved"
GUIDE = (ROOT / "docs/custom-rules.md").read_text()
SCHEMA = json.loads((ROOT / "docs/config.schema.json").read_text())
STATUS = {"triggered": "issue_found", "did not trigger": "no_issue", "not evaluated": "not_evaluated"}


def configure(debrief, *rules: dict, **more) -> None:
    config = {"rules": {"custom": list(rules)}, **more}
    jsonschema_rs.validate(SCHEMA, config)
    (debrief.folder / "debrief.json").write_text(json.dumps(config))
    trust(debrief)


def trust(debrief) -> None:
    debrief.run("trust", "--yes")


def custom_rows(debrief, job, *options) -> dict[str, dict]:
    return {row["rule"]: row for row in debrief.result(job, *options)["rules"] if "severity" in row}


def program(script: str, timeout: str = "5min") -> dict:
    return {"name": "Program", "program": ["sh", "-c", script, "sh"], "timeout": timeout}


def outcome_of(debrief, script: str, timeout: str = "5min", job=JOB) -> dict:
    """The row of a program; the report is whole."""
    configure(debrief, program(script, timeout))
    row = custom_rows(debrief, job)["Program"]
    assert (debrief.folder / "report.html").stat().st_size > 10_000
    return row


@pytest.fixture
def temporary(tmp_path, monkeypatch) -> Path:
    """A TMPDIR of the test's own: other tests make folders in /tmp at the same time."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    return folder


# The document's examples, as they stand.


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)


def promised() -> dict[str, tuple[str, str]]:
    """What the document says of each rule: status and note."""
    found = re.findall(r"^\| `(\w+)` \| ([a-z ]+) \| (.+) \|$", GUIDE, re.MULTILINE)
    return {rule: (STATUS[status], note) for rule, status, note in found if status in STATUS}


@pytest.fixture
def with_pyarrow(monkeypatch) -> None:
    """python3 is one that has pyarrow (scripts/setup test brings it)."""
    deps = Path(os.environ.get("DEBRIEF_DEPS", Path.home() / ".cache/debrief"))
    assert (deps / "arrow/bin/python3").exists(), "run 'scripts/setup test'"
    monkeypatch.setenv("PATH", f"{deps / 'arrow/bin'}:{os.environ['PATH']}")


def test_the_guide_says_what_its_conditions_find(debrief):
    (debrief.folder / "debrief.json").write_text(blocks("json")[0])
    jsonschema_rs.validate(SCHEMA, json.loads(blocks("json")[0]))
    rows = custom_rows(debrief, JOB)
    assert set(rows) == {"IdleGPU", "BusyCore", "WastedTime", "LargeGradients"}
    for rule, row in rows.items():
        assert (row["status"], row["reason"]) == promised()[rule]
    assert "gate: failed" in debrief.run("check", JOB, expect=1).stdout


def test_the_guide_says_what_its_program_finds(debrief, with_pyarrow):
    (debrief.folder / "debrief.json").write_text(blocks("json")[1])
    (debrief.folder / "slow_batches.py").write_text(blocks("python")[0])
    trust(debrief)
    jsonschema_rs.validate(SCHEMA, json.loads(blocks("json")[1]))
    rows = custom_rows(debrief, JOB)
    assert (rows["SlowBatches"]["status"], rows["SlowBatches"]["reason"]) == promised()["SlowBatches"]
    assert rows["SlowBatches"]["datapoints"] == 64
    assert [row["node"] for row in rows["SlowBatches"]["incidents"]] == ["algo-1-605"]
    assert all(row["seconds"] > 5.3 for row in rows["SlowBatches"]["incidents"])


def test_the_guides_program_says_where_it_cannot_judge(debrief, with_pyarrow, tmp_path):
    """A job of metrics alone has no data-loader events."""
    job = tmp_path / "job"
    (job / "profiler-output").mkdir(parents=True)
    (job / "profiler-output/system").symlink_to(JOB / "profiler-output/system")
    (debrief.folder / "debrief.json").write_text(blocks("json")[1])
    (debrief.folder / "slow_batches.py").write_text(blocks("python")[0])
    trust(debrief)
    row = custom_rows(debrief, job, "--follow-links")["SlowBatches"]
    assert (row["status"], row["reason"]) == ("not_evaluated", "the job has no data-loader events")


# Conditions.


def unpacked(name: str, folder: Path) -> tuple[Path, dict]:
    with tarfile.open(shared("samples", "smdebug-tensors", f"{name}.tar.gz")) as archive:
        archive.extractall(folder)
    return folder / name, json.loads((folder / name / "truth.json").read_text())


def in_a_row(steps: list[int], saved: list[int], count: int) -> list[int]:
    """Those of the steps that are the last of so many saved ones that are all among them."""
    places = range(count - 1, len(saved))
    return [saved[i] for i in places if all(saved[i - back] in steps for back in range(count))]


def test_a_condition_on_tensors_is_true_at_the_steps_of_the_truth(debrief):
    """VanishingGradient is such a condition; an independent reader says where it is true."""
    job, truth = unpacked("pytorch-vanishing-gradient", debrief.folder)
    expected = truth["rules"]["VanishingGradient"]
    saved = expected["steps"]  # at each of them some gradient vanishes
    configure(
        debrief,
        {"name": "Once", "when": "gradient/*.abs_mean < 1e-7"},
        {"name": "Thrice", "when": "gradient/*.abs_mean < 1e-7 for 3 steps"},
        {"name": "AllSteps", "when": f"gradient/*.abs_mean < 1e-7 for {len(saved)} steps"},
        {"name": "OneMore", "when": f"gradient/*.abs_mean < 1e-7 for {len(saved) + 1} steps"},
        {"name": "Missing", "when": "no-such/*.abs_mean < 1e-7"},
    )
    rows = custom_rows(debrief, job)
    for rule, count in (("Once", 1), ("Thrice", 3), ("AllSteps", len(saved))):
        found = {tensor["tensor"]: tensor["steps"] for tensor in rows[rule]["model"]["tensors"]}
        wanted = {name: in_a_row(steps, saved, count) for name, steps in expected["per_tensor"].items()}
        assert found == {name: steps for name, steps in wanted.items() if steps}
        assert found
    assert rows["OneMore"]["reason"] == f"{len(saved)} steps saved, and the condition needs {len(saved) + 1}"
    assert rows["Missing"]["reason"] == "no saved tensor matches 'no-such/*'"


def test_a_condition_on_saved_reductions_needs_that_one(debrief):
    job, truth = unpacked("pytorch-healthy-cnn-reductions", debrief.folder)
    least = truth["rules"]["VanishingGradient"]["min_abs_mean"]
    configure(
        debrief,
        {"name": "Above", "when": f"gradient/*.abs_mean < {least * 1.0001:.9g}"},
        {"name": "Below", "when": f"gradient/*.abs_mean < {least * 0.9999:.9g}"},
        {"name": "NotSaved", "when": "gradient/*.abs_prod > 0"},
    )
    rows = custom_rows(debrief, job)
    assert rows["Above"]["status"] == "issue_found" and rows["Above"]["violations"] == 1
    assert rows["Below"]["status"] == "no_issue"
    assert rows["NotSaved"]["reason"] == "abs_prod of the tensors that match 'gradient/*' was not saved"


def test_a_rule_is_listed_written_and_named_in_checks(debrief):
    configure(
        debrief,
        {"name": "IdleGPU", "when": "gpu.util < 50", "description": "Seeks idle GPUs.", "severity": "critical"},
        {"name": "Never", "when": "gpu.util > 101"},
        {"name": "Unknown", "when": "scalar.loss > 1", "severity": "info"},
    )
    declared = {row["rule"]: row for row in json.loads(debrief.run("rules", "--json").stdout)}
    assert declared["IdleGPU"]["group"] == "Custom rules"
    assert declared["IdleGPU"]["settings"] == {"when": "gpu.util < 50", "severity": "critical"}
    assert "Seeks idle GPUs." in debrief.run("rules", "IdleGPU").stdout
    assert "IdleGPU" not in {row["rule"] for row in json.loads(debrief.run("rules", "--json", "--no-config").stdout)}
    debrief.run("report", JOB, "-o", "r.html", "--rule-outputs", "rules")
    written = json.loads((debrief.folder / "rules/IdleGPU.json").read_text())
    assert written["RuleTriggered"] == 1 and written["RuleParameters"] == "when:gpu.util < 50"
    assert (debrief.folder / "rules/Never.json").exists()
    page = (debrief.folder / "r.html").read_text()
    assert 'data-rule="IdleGPU"' in page and "Seeks idle GPUs." in page and "gpu.util &lt; 50" in page
    debrief.run("check", JOB, "--fail-on", "IdleGPU", expect=1)
    debrief.run("check", JOB, "--fail-on", "Never")
    assert "Unknown" in debrief.refused("check", JOB, "--quiet", "--fail-on", "Unknown")
    assert "the custom rule Unknown could not be evaluated" in debrief.refused(
        "check", JOB, "--quiet", "--fail-on", "severity>=info"
    )
    outcome = debrief.run("check", JOB, "--fail-on", "severity>=critical", expect=1)
    assert "1 finding and 1 custom rule: input_bound, IdleGPU" in outcome.stdout


def test_severity_alone_lets_a_healthy_job_fail(debrief):
    healthy = SAMPLE_JOBS / "resnet50-healthy"
    debrief.run("check", healthy, "--fail-on", "severity>=critical")
    configure(debrief, {"name": "Mine", "when": "gpu.util >= 0", "severity": "critical"})
    debrief.run("check", healthy, "--fail-on", "severity>=critical", expect=1)


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ({"name": "A", "when": "gpu.utl < 5"}, ["rules.custom[0].when 'gpu.utl < 5'", "did you mean 'gpu.util'?"]),
        ({"name": "A", "when": "gpu.util < 5 for 3 steps"}, ["is sampled over time", "for 5min"]),
        ({"name": "A"}, ["neither a condition nor a program"]),
        ({"name": "StepOutlier", "when": "gpu.util < 5"}, ["choose another name"]),
        ({"name": "A", "program": "rm -rf /"}, ["rules.custom[0].program", "is not a list"]),
        ({"name": "A", "when": "gpu.util < 5", "severity": "bad"}, ["info, warning or critical"]),
    ],
)
def test_a_wrong_rule_is_one_sentence(debrief, rule, words):
    (debrief.folder / "debrief.json").write_text(json.dumps({"rules": {"custom": [rule]}}))
    for command in (["report", JOB, "-o", "r.html"], ["check", JOB], ["rules"]):
        sentence = debrief.refused(*command)
        for word in ["debrief.json, rules.custom[0]", *words]:
            assert word in sentence
    assert not (debrief.folder / "r.html").exists()


def test_no_rule_file_takes_the_place_of_another_output(debrief):
    configure(debrief, {"name": "Mine", "when": "gpu.util < 5"})
    sentence = debrief.refused("report", JOB, "-q", "-o", "r.html", "--json", "out/Mine.json", "--rule-outputs", "out")
    assert "Mine.json" in sentence


# Programs: whatever they do, the row says so.

GOOD = """printf '{"triggered": true}'"""


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("exit 3", "the program ended with exit code 3"),
        ("echo a >&2; echo ValueError: b >&2; exit 1", "the program ended with exit code 1: ValueError: b"),
        ("kill -SEGV $$", "the program was ended by signal 11 (Segmentation fault)"),
        ("yes", "the program wrote more than 1.05 MB and was stopped"),
        ("echo '{'", "the program wrote what is not JSON at byte 3"),
        ("true", "the program wrote nothing"),
        (r"""printf '{"triggered": true, "reason": "\377"}'""", "the program wrote what is not JSON at byte 32"),
        (r"""printf '\377\376'; printf '\303(' >&2; exit 2""", r"the program ended with exit code 2: \x{c3}("),
        ("""echo '{"triggered": "yes"}'""", 'the program wrote no "triggered" that is true, false or null'),
        ("""echo '{"triggered": true, "rows": [{}]}'""", "wrote rows[0] without a step or a time, or with both"),
        (
            """echo '{"triggered": true, "rows": [{"time": 1700000000}]}'""",
            "wrote rows[0] with a time at which the job did not run",
        ),
    ],
)
def test_a_program_that_fails_is_not_evaluated(debrief, script, reason):
    job = write_small_job(debrief.folder / "job")
    row = outcome_of(debrief, script, job=job)
    assert row["status"] == "not_evaluated" and row["triggered"] == 0
    assert reason in row["reason"]
    assert "which is not a pass" in debrief.refused("check", job, "--quiet", "--fail-on", "Program")


def test_a_program_that_does_not_exist_is_not_evaluated(debrief):
    configure(debrief, {"name": "Program", "program": ["./no-such-program"]})
    row = custom_rows(debrief, JOB)["Program"]
    assert row["status"] == "not_evaluated"
    assert row["reason"] == "the program ./no-such-program could not be started: No such file or directory"


def test_a_program_that_hangs_is_stopped(debrief):
    row = outcome_of(debrief, "trap '' TERM; while :; do sleep 0.1; done", "200ms")
    assert row["reason"] == "the program took longer than 200 ms and was stopped"


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_child_that_stays_neither_holds_up_the_report_nor_lives_on(debrief):
    row = outcome_of(debrief, f"sleep 6000 & echo $! > {debrief.folder}/pid; {GOOD}")
    assert row["status"] == "issue_found"
    assert not is_alive(int((debrief.folder / "pid").read_text()))


def test_a_program_gets_the_tables_in_a_folder_that_is_gone_afterwards(debrief, temporary):
    row = outcome_of(
        debrief,
        f"""dirname "$1" > {debrief.folder}/where; ls "$1" > {debrief.folder}/listing; stat -c %a "$1" >> {debrief.folder}/listing; pwd >> {debrief.folder}/listing;
        cp "$1/result.json" {debrief.folder}/seen.json; {GOOD}""",
    )
    assert row["status"] == "issue_found" and row["reason"] == "the program says so"
    assert (debrief.folder / "listing").read_text().split() == [
        "events.arrow",
        "metrics.arrow",
        "result.json",
        "scalars.arrow",
        "slices.arrow",
        "700",
        str(debrief.folder),
    ]
    assert json.loads((debrief.folder / "seen.json").read_text())["findings"]
    assert (debrief.folder / "where").read_text().strip() == str(temporary)
    assert list(temporary.iterdir()) == []


def test_text_of_a_program_is_shown_and_does_nothing(debrief):
    answer = {
        "triggered": True,
        "reason": "<script>alert(1)</script>\u202e\n\x1b[31m",
        "description": "</title><b>",
        "recommendation": "{{ 7*7 }}",
        "rows": [{"step": 1, "name": "<i>", "what": "{% raw %}", "value": 1e300}],
    }
    (debrief.folder / "answer").write_text(json.dumps(answer))
    row = outcome_of(debrief, f"cat {debrief.folder}/answer")
    assert row["reason"] == r"<script>alert(1)</script>\u{202e}\n\u{001b}[31m"
    page = (debrief.folder / "report.html").read_text()
    assert "<script>alert(1)" not in page and "</title><b>" not in page and "<i>" not in page
    assert "{{ 7*7 }}" in page
    outcome = debrief.run("check", JOB, "--fail-on", "Program", expect=1)
    assert "\x1b[31m" not in outcome.stdout and "\u202e" not in outcome.stdout


def test_rows_of_a_program_are_bounded(debrief):
    rows = [{"step": step, "name": f"t{step % 300}"} for step in range(5000)]
    (debrief.folder / "answer").write_text(json.dumps({"triggered": True, "rows": rows}))
    row = outcome_of(debrief, f"cat {debrief.folder}/answer")
    assert row["triggered"] == 5000
    assert len(row["model"]["steps"]) == 1000 and len(row["model"]["tensors"]) == 100


def test_a_signal_ends_the_program_and_leaves_nothing_behind(debrief, temporary):
    configure(debrief, program(f"echo $$ > {debrief.folder}/pid; sleep 6000", "1h"))
    process = subprocess.Popen(
        [binary(), "report", JOB, "-o", "r.html"],
        cwd=debrief.folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    pid = debrief.folder / "pid"
    for _ in range(3000):
        if pid.exists() and pid.read_text():
            break
        time.sleep(0.1)
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=600) == -signal.SIGTERM
    for _ in range(3000):
        if not is_alive(int(pid.read_text())):
            break
        time.sleep(0.1)
    assert not is_alive(int(pid.read_text()))
    assert list(temporary.iterdir()) == []
    assert not (debrief.folder / "r.html").exists()


# Which programs run.


@pytest.fixture
def job_with_config(debrief) -> Path:
    """A job whose folder has a debrief.json that would run a program."""
    job = debrief.folder / "job"
    job.mkdir()
    (job / "profiler-output").symlink_to(JOB / "profiler-output")
    configure(debrief, program(f"touch {debrief.folder}/ran; {GOOD}"))
    (debrief.folder / "debrief.json").rename(job / "debrief.json")
    return job


def run_in(folder: Path, *arguments) -> subprocess.CompletedProcess:
    return subprocess.run(
        [binary(), *map(str, arguments)], cwd=folder, capture_output=True, text=True, timeout=600, check=False
    )


def test_a_config_that_is_named_is_trusted(debrief, job_with_config):
    outcome = run_in(
        job_with_config, "report", ".", "--follow-links", "--config", "debrief.json", "-o", debrief.folder / "r.html"
    )
    assert outcome.returncode == 0, outcome.stderr
    assert (debrief.folder / "ran").exists()


def test_without_the_config_the_job_has_its_report(debrief, job_with_config):
    outcome = run_in(job_with_config, "report", ".", "--follow-links", "--no-config", "-o", debrief.folder / "r.html")
    assert outcome.returncode == 0, outcome.stderr
    assert not (debrief.folder / "ran").exists()


def test_conditions_of_a_jobs_own_folder_are_read(debrief, job_with_config):
    (job_with_config / "debrief.json").write_text('{"rules": {"custom": [{"name": "A", "when": "gpu.util < 5"}]}}')
    outcome = run_in(job_with_config, "report", ".", "--follow-links", "-o", debrief.folder / "r.html")
    assert outcome.returncode == 0, outcome.stderr


def test_a_program_runs_for_each_job_and_not_for_a_baseline(debrief):
    configure(debrief, program(f"echo x >> {debrief.folder}/ran; {GOOD}"))
    other = SAMPLE_JOBS / "ddp-gloo-straggler"
    debrief.run("report", "--each", JOB, other, "--out-dir", "out", "--json", "json")
    assert (debrief.folder / "ran").read_text().split() == ["x", "x"]
    for name in ("dataloader-starved", "ddp-gloo-straggler"):
        rows = {row["rule"]: row for row in json.loads((debrief.folder / f"json/{name}.json").read_text())["rules"]}
        assert rows["Program"]["status"] == "issue_found"
    debrief.run("check", JOB, "--baseline", JOB, "--fail-on", "slow_finish", expect={0, 1})
    assert len((debrief.folder / "ran").read_text().split()) == 3
    debrief.run("rules")
    debrief.run("export", JOB, "--to", "metrics.csv")
    assert len((debrief.folder / "ran").read_text().split()) == 3


def test_a_program_sees_the_job_that_options_choose(debrief):
    """The tables are of the same part of the input as the report."""
    configure(debrief, program("""printf '{"triggered": false, "samples": %s}' "$(stat -c %s "$1/metrics.arrow")" """))
    first = custom_rows(debrief, JOB)["Program"]["datapoints"]
    debrief.run("export", JOB, "--to", "tables/")
    assert first == (debrief.folder / "tables/metrics.arrow").stat().st_size


def test_without_the_program_that_writes_tables_the_rule_says_so(debrief):
    lonely = debrief.folder / "bin/debrief"
    lonely.parent.mkdir()
    lonely.write_bytes(binary().read_bytes())
    lonely.chmod(0o755)
    configure(debrief, program(GOOD))
    outcome = subprocess.run(
        [lonely, "report", JOB, "-o", "r.html", "--json", "r.json"],
        cwd=debrief.folder,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "LD_LIBRARY_PATH": str(binary().parent)},
    )
    assert outcome.returncode == 0, outcome.stderr
    rows = {row["rule"]: row for row in json.loads((debrief.folder / "r.json").read_text())["rules"]}
    assert rows["Program"]["reason"].startswith("the job's tables could not be written: tables are written by")


# Tables in a folder.


def test_a_folder_gets_every_table(debrief, with_pyarrow):
    script = "import pyarrow.ipc, sys; print(pyarrow.ipc.open_file(sys.argv[1]).read_all().num_rows)"
    debrief.run("export", JOB, "--to", "new/tables/")
    for table in ("metrics", "events", "slices"):
        debrief.run("export", JOB, "--to", f"{table}.csv")
        rows = subprocess.run(
            ["python3", "-c", script, debrief.folder / f"new/tables/{table}.arrow"],
            check=True,
            capture_output=True,
            text=True,
            env=os.environ,
        )
        assert int(rows.stdout) > 0
        assert int(rows.stdout) == (debrief.folder / f"{table}.csv").read_text().count("\n") - 1
    assert (debrief.folder / "new/tables/scalars.arrow").exists()
    assert "leave out --table" in debrief.refused("export", JOB, "--to", "tables/", "--table", "events")
