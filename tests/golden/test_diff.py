"""`debrief diff` on real jobs, against figures computed here from the two result documents."""

import json
import re
import subprocess

import pytest
from conftest import ROOT, SAMPLE_JOBS, binary, shared
from welch import p_value

HEALTHY = SAMPLE_JOBS / "resnet50-healthy"
STARVED = SAMPLE_JOBS / "dataloader-starved"
GPT = SAMPLE_JOBS / "gpt-train-eval"


def diff(debrief, before, after, *options) -> dict:
    debrief.run(
        "diff", before, after, "-o", "diff.html", "--json", "diff.json", "--markdown", "diff.md", "-q", *options
    )
    return json.loads((debrief.folder / "diff.json").read_text())


def figures(document: dict) -> dict:
    return {row["name"]: row for row in document["figures"]}


@pytest.fixture
def results(debrief):
    """Result documents of two jobs, on disk, by name."""
    out = {}
    for job in (HEALTHY, STARVED):
        out[job.name] = debrief.result(job)
        (debrief.folder / "result.json").rename(debrief.folder / f"{job.name}.json")
    return out


@pytest.mark.parametrize("job", [HEALTHY, GPT, STARVED])
def test_a_job_has_not_changed_from_itself(debrief, job):
    document = diff(debrief, job, job)
    assert document["outcome"] == {"word": "no_change", "decided_by": [], "largest": None}
    assert len(document["figures"]) > 60
    for row in document["figures"]:
        assert (row["difference"], row["word"]) == (0, "no_change"), row
    assert document["only_before"] == document["only_after"] == []
    for row in document["findings"]:
        assert (row["status"], row["word"]) == ("stayed", "no_change")
    for work in document["work"]:
        assert work["rows"]
        for row in work["rows"]:
            assert (row["difference"], row["word"]) == (0, "no_change"), row
    for row in document["rules"]:
        assert row["word"] in ("no_change", "incomparable"), row
    assert "No change within noise" in (debrief.folder / "diff.md").read_text()


def test_figures_of_two_jobs(debrief, results):
    before, after = results[HEALTHY.name], results[STARVED.name]
    document = diff(debrief, f"{HEALTHY.name}.json", f"{STARVED.name}.json")
    found = figures(document)

    def usage(result, metric):
        return next(row for row in result["system_usage"] if row["metric"] == metric)

    for name, metric in {
        "gpu": "GPU",
        "cpu": "CPU",
        "io": "I/O",
        "network": "Network",
        "gpu_memory": "GPU memory",
    }.items():
        for statistic in ("p50", "p95", "p99", "max", "min"):
            row = found[f"{name}.{statistic}"]
            assert row["before"] == pytest.approx(usage(before, metric)[statistic])
            assert row["after"] == pytest.approx(usage(after, metric)[statistic])
            assert row["difference"] == pytest.approx(row["after"] - row["before"], abs=2e-6)
            if row["before"]:
                assert row["relative"] == pytest.approx(row["difference"] / row["before"], abs=2e-6)
            else:
                assert row["relative"] is None
    assert found["gpu.p50"]["word"] == "worse"

    first, second = before["steps"][0], after["steps"][0]
    step = found["steps.train.p50"]
    assert (step["before"], step["after"]) == (first["p50"], second["p50"])
    assert step["p_value"] == pytest.approx(p_value(first["block_medians"], second["block_medians"]), abs=2e-6)
    pace = found["job.seconds_per_step"]
    for side, result in (("before", before), ("after", after)):
        loop = result["job"]["training_loop_duration_in_seconds"]
        assert pace[side] == pytest.approx(loop / result["steps"][0]["count"], abs=1e-6)
    assert document["outcome"]["word"] == "worse"
    assert document["outcome"]["decided_by"] == ["job.samples_per_second"]  # their batch sizes differ

    waste = before["waste"]
    lost = waste["other"] + sum(part["hours"] for part in waste["parts"])
    assert found["waste.lost"]["before"] == pytest.approx(lost, abs=1e-5)
    assert document["after"]["verdict"]["kind"] == after["verdict"]["kind"]
    kinds = {row["kind"]: row["status"] for row in document["findings"]}
    for kind in {row["kind"] for result in (before, after) for row in result["findings"]}:
        sides = [any(row["kind"] == kind for row in result["findings"]) for result in (before, after)]
        assert kinds[kind] == {(True, True): "stayed", (True, False): "gone", (False, True): "new"}[tuple(sides)]


def test_largest_is_the_figure_that_changed_the_most(debrief):
    document = diff(debrief, HEALTHY, STARVED)

    def far(row):
        most = max(abs(row["before"]), abs(row["after"]))
        return min(1, abs(row["difference"]) / most) if most else 0

    judged = [row for row in document["figures"] if row["word"] in ("improved", "worse") and "[" not in row["name"]]
    largest = figures(document)[document["outcome"]["largest"]]
    assert far(largest) == pytest.approx(max(far(row) for row in judged), abs=1e-5)


def test_operators_and_kernels(debrief, results):
    before, after = results[HEALTHY.name], results[STARVED.name]
    document = diff(debrief, f"{HEALTHY.name}.json", f"{STARVED.name}.json")
    work = {row["list"]: row for row in document["work"]}

    def listing(result, kind):
        if kind == "kernels":
            return {row["name"]: row for row in result["traces"]["kernels"]["rows"]}
        return {row["operator"]: row for row in result["framework"][kind]}

    for kind in ("cpu_operators", "kernels"):
        first, second = listing(before, kind), listing(after, kind)
        rows = {row["name"]: row for row in work[kind]["rows"]}
        assert set(rows) == set(first) | set(second)
        for name, row in rows.items():
            assert (row["before"] is None, row["after"] is None) == (name not in first, name not in second)
            if row["before"] and row["after"]:
                steps = sum(process["steps"] for process in before["traces"]["processes"])
                by = steps if work[kind]["per"] == "step" else first[name]["calls"]
                self_us = first[name].get("self_us", first[name]["total_us"])
                assert row["before"]["each_us"] == pytest.approx(self_us / by, abs=1e-5)
                far = abs(row["after"]["each_us"] / row["before"]["each_us"] - 1) if row["before"]["each_us"] else 0
                little = max(row["before"]["percent"], row["after"]["percent"]) < 0.5
                if abs(far - 0.1) > 1e-6:
                    assert (row["word"] == "no_change") == (far <= 0.1 or little), row
    assert work["kernels"]["per"] == "step"


def test_jobs_and_results_give_the_same(debrief, results):
    assert diff(debrief, HEALTHY, STARVED) == diff(debrief, f"{HEALTHY.name}.json", STARVED)
    page = (debrief.folder / "diff.html").read_bytes()
    diff(debrief, f"{HEALTHY.name}.json", f"{STARVED.name}.json")
    assert (debrief.folder / "diff.html").read_bytes() == page


def halves(result: dict) -> list[dict]:
    """The result as if the job's first and its second half had been jobs of their own, as far as steps go."""
    out = []
    for part in range(2):
        copy = json.loads(json.dumps(result))
        for row in copy["steps"]:
            blocks = row["block_medians"]
            half = blocks[: len(blocks) // 2] if part == 0 else blocks[len(blocks) // 2 :]
            row["block_medians"] = half
            row["p50"] = row["mean"] = sum(half) / len(half)
        out.append(copy)
    return out


@pytest.mark.parametrize("job", [HEALTHY, GPT, SAMPLE_JOBS / "small-batch-mlp"])
def test_halves_of_a_job_differ_by_noise_only(debrief, job):
    for name, document in zip(("first", "second"), halves(debrief.result(job)), strict=True):
        (debrief.folder / f"{name}.json").write_text(json.dumps(document))
    document = diff(debrief, "first.json", "second.json")
    found = figures(document)
    row = found["steps.train.p50"]
    assert row["difference"] != 0
    assert row["p_value"] is not None
    assert row["word"] == "no_change", row
    assert document["outcome"]["word"] == "no_change"


def test_a_slower_job_is_worse_and_a_noisy_one_is_not(debrief, results):
    base = results[HEALTHY.name]
    for name, change in (
        ("slower", lambda at, value: value * 1.2),
        ("noisy", lambda at, value: value * (1.9 if at % 2 else 0.5)),
    ):
        copy = json.loads(json.dumps(base))
        row = copy["steps"][0]
        row["block_medians"] = [change(at, value) for at, value in enumerate(row["block_medians"])]
        row["p50"] *= 1.2
        (debrief.folder / f"{name}.json").write_text(json.dumps(copy))
    slower = figures(diff(debrief, f"{HEALTHY.name}.json", "slower.json"))["steps.train.p50"]
    assert slower["word"] == "worse"
    assert slower["reason"] == "more than noise (p < 0.0001)"
    noisy = figures(diff(debrief, f"{HEALTHY.name}.json", "noisy.json"))["steps.train.p50"]
    assert noisy["word"] == "no_change"
    assert noisy["reason"].startswith("within noise (p = ")
    assert noisy["p_value"] >= 0.01


def test_hostile_names(debrief, results):
    evil = "</script><script>alert(1)</script>\"'|**x** [a](javascript:b) @all #1\n![i](http://e.vil)<!--drawing 0-->\u202e"
    copy = json.loads(json.dumps(results[HEALTHY.name]))
    copy["job"]["name"] = evil
    copy["verdict"]["title"] = copy["verdict"]["why"] = copy["verdict"]["kind"] = evil
    copy["findings"] = [
        {"kind": evil, "severity": evil, "score": 0.5, "title": evil},
        {"kind": 7, "severity": None, "score": "x", "title": []},
    ]
    copy["rules"][0]["rule"] = copy["rules"][0]["status"] = evil
    for row in copy["system_usage"]:
        row["node"] = evil
    for row in copy["steps"]:
        row["process"] = evil
    for row in copy["framework"]["cpu_operators"][:3]:
        row["operator"] += evil
    copy["traces"]["kernels"]["rows"][0]["name"] = evil
    copy["provenance"]["input"] = copy["provenance"]["debrief_version"] = evil
    (debrief.folder / "evil.json").write_text(json.dumps(copy))
    diff(debrief, f"{STARVED.name}.json", "evil.json")
    page = (debrief.folder / "diff.html").read_text()
    assert "<script>alert" not in page
    assert "\u202e" not in page
    assert page.count("<script>") == 1
    markdown = (debrief.folder / "diff.md").read_text()
    assert "<" not in markdown
    assert "http://" not in markdown
    assert "@all" not in markdown
    assert "[a](" not in markdown.replace("\\]", "")
    assert len(markdown.splitlines()) <= 60
    # The default name is made of both jobs' names, and stays in the folder.
    debrief.run("diff", f"{STARVED.name}.json", "evil.json", "-q")
    assert [path.name for path in debrief.folder.glob("*-diff.html")] == [
        path.name for path in debrief.folder.glob("dataloader-starved-vs-*-diff.html")
    ]


def test_documents_of_any_shape_are_no_crash(debrief):
    """A document in which nothing is absent, and each of its parts replaced."""
    base = json.loads((ROOT / "tests/unit/result/full_result.json").read_text())
    (debrief.folder / "whole.json").write_text(json.dumps(base))
    for key in base:
        if key == "schema":
            continue
        for value in (None, 7, "x", [], {}, [None], [7], [[]], [{}], {"x": 1}):
            (debrief.folder / "odd.json").write_text(json.dumps({**base, key: value}))
            outcome = subprocess.run(
                [binary(), "diff", "odd.json", "whole.json", "-o", "diff.html"],
                cwd=debrief.folder,
                capture_output=True,
                text=True,
                check=False,
            )
            refused = outcome.returncode == 2 and "odd.json: is a result that has " in outcome.stderr
            assert outcome.returncode == 0 or refused, (key, value, outcome.stderr)


def test_markdown(debrief):
    diff(debrief, HEALTHY, STARVED)
    lines = (debrief.folder / "diff.md").read_text().splitlines()
    assert lines[0] == "### resnet50-healthy → dataloader-starved"
    assert lines[2].startswith(
        "The settings differ: batch size (256 before, 64 after). "
        "dataloader-starved is worse than resnet50-healthy: samples per second of one process went from "
    )
    assert len(lines) <= 60
    rows = [line for line in lines if re.match(r"\| GPU utilization, median \|", line)]
    assert len(rows) == 1
    assert rows[0].endswith("| worse |")
    assert "- input bound: new; GPU time lost – → 96%" in lines


def test_refusals_and_exit_codes(debrief, results):
    write = lambda name, value: (debrief.folder / name).write_text(json.dumps(value))  # noqa: E731
    write("new.json", {**results[HEALTHY.name], "schema": "debrief.result/2"})
    write("other.json", {"a": 1})
    diff(debrief, HEALTHY, STARVED)
    (debrief.folder / "cut.json").write_text((debrief.folder / f"{HEALTHY.name}.json").read_text()[:5000])
    assert "another version (debrief.result/2, not debrief.result/1)" in debrief.refused("diff", HEALTHY, "new.json")
    assert "is a debrief.diff/1 document, not a result" in debrief.refused("diff", "diff.json", HEALTHY)
    assert "cut off or broken at byte" in debrief.refused("diff", "cut.json", HEALTHY)
    assert "other.json" in debrief.refused("diff", HEALTHY, "other.json")
    assert "missing.json: there is no such file" in debrief.refused("diff", HEALTHY, "missing.json")
    assert "only one" in debrief.refused("diff", HEALTHY, STARVED, "-o", "-", "--json", "-")
    assert "is required" in debrief.refused("diff", HEALTHY)
    assert "did you mean '--markdown'" in debrief.refused("diff", HEALTHY, STARVED, "--markdwn", "x")
    outcome = debrief.run("diff", HEALTHY, STARVED, "-o", "-", "--strict")
    assert outcome.stdout.startswith("<!doctype html>")
    incomplete = {**results[HEALTHY.name]}
    incomplete["data_quality"] = {**incomplete["data_quality"], "complete": False}
    write("incomplete.json", incomplete)
    debrief.run("diff", "incomplete.json", STARVED, "--strict", "-o", "x.html", expect=3)


def test_several_nodes_have_figures_of_their_own(debrief):
    job = shared("golden", "job-01")
    document = diff(debrief, job, job)
    placed = [row["name"] for row in document["figures"] if re.fullmatch(r"gpu\[.+\]\.p50", row["name"])]
    nodes = {row["node"] for row in debrief.result(job)["system_usage"] if row["metric"] == "GPU"}
    assert sorted(placed) == sorted(f"gpu[{node}].p50" for node in nodes)
