"""What holds for every result object: its schema, and what a schema cannot say. docs/result.md describes each key.

Every result that a test makes comes through here (outputs.py)."""

import json
from functools import cache
from pathlib import Path

from holding import (
    about,
    check_ascending,
    check_between,
    check_cut,
    check_histogram,
    check_span,
    check_unique,
    check_within,
    seconds_between,
)
from invariants_of_findings import (
    check_causes,
    check_explained,
    check_findings,
    check_gate,
    check_headline,
    check_verdict,
    check_waste,
)
from invariants_of_traces import check_traces
from invariants_of_work import (
    check_framework,
    check_loading,
    check_model,
    check_python_stacks,
    check_rules,
    check_steps,
)
from invariants_of_xgboost import check_xgboost
from jsonschema_rs import Draft202012Validator

DOCS = Path(__file__).resolve().parents[2] / "docs"


@cache
def validator(schema: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads((DOCS / schema).read_text()))


def check_invariants(result: dict) -> None:
    validator("result.schema.json").validate(result)
    job = result["job"]
    check_job(job)
    check_time(result["time_accounting"], job)
    check_usage(result["system_usage"])
    check_devices(result["devices"])
    check_balance(result["load_balance"])
    check_framework(result["framework"])
    check_steps(result["steps"], job)
    if result["data_loading"] is not None:
        check_loading(result["data_loading"])
    if result["model"] is not None:
        check_model(result["model"])
    if result["python_stacks"] is not None:
        check_python_stacks(result["python_stacks"])
    if result["traces"] is not None:
        check_traces(result["traces"])
    if result["xgboost"] is not None:
        check_xgboost(result["xgboost"])
    check_rules(result["rules"], job)
    check_findings(result["findings"], job)
    check_explained(result["rules"], result["findings"])
    check_verdict(result["verdict"], result["findings"])
    if result["waste"] is not None:
        check_waste(result["waste"], result["findings"])
        check_causes(result["waste"])
    check_headline(result["headline"], result)
    if result["gate"] is not None:
        check_gate(result["gate"])
    check_quality(result["data_quality"], job, "job-start" in result["provenance"]["parameters"])


PARTS = ("initialization", "training_loop", "finalization")


def check_job(job: dict) -> None:
    check_ascending([job["start_time"], job["training_loop_start"], job["training_loop_end"], job["end_time"]])
    assert (job["start_time"] is None) == (job["end_time"] is None) == (job["job_duration_in_seconds"] is None)
    for start, end, duration in (
        ("start_time", "end_time", "job_duration_in_seconds"),
        ("training_loop_start", "training_loop_end", "training_loop_duration_in_seconds"),
    ):
        if job[start] is not None and job[end] is not None:
            assert job[duration] == about(seconds_between(job[start], job[end]), 2e-6)
    parts = [
        job[key]
        for key in ("initialization_in_seconds", "training_loop_duration_in_seconds", "finalization_in_seconds")
    ]
    percents = [job[f"{part}_percent"] for part in PARTS]
    if None not in parts:
        assert sum(parts) == about(job["job_duration_in_seconds"], 1e-5)
        if job["job_duration_in_seconds"] > 0:
            assert sum(percents) == about(100)
    for part, percent in zip(parts, percents, strict=True):
        if percent is not None:
            assert percent == about(100 * part / job["job_duration_in_seconds"])
    check_unique(job["nodes"], "name")
    check_unique(job["processes"])


def check_time(accounting: dict, job: dict) -> None:
    total, parts = accounting["total_in_seconds"], accounting["parts"]
    check_unique(parts, "part")
    if total is None:
        assert parts == []
        assert job["job_duration_in_seconds"] is None
        return
    assert total == about(job["job_duration_in_seconds"])
    assert sum(part["seconds"] for part in parts) == about(total)
    if total > 0:
        assert sum(part["percent"] for part in parts) == about(100)
        for part in parts:
            assert part["percent"] == about(100 * part["seconds"] / total, 1e-3 + 1e-4 / total)


def check_usage(rows: list[dict]) -> None:
    check_unique(rows, "node", "metric")
    for row in rows:
        check_ascending([row[key] for key in ("min", "p50", "p95", "p99", "max")])
        assert row["unit"] != "%" or row["max"] <= 100


def check_devices(rows: list[dict]) -> None:
    check_unique(rows, "node", "device", "metric")
    for row in rows:
        check_ascending([row[key] for key in ("min", "p05", "p25", "p50", "p75", "p95", "max")])
        check_between(row["min"], row["mean"], row["max"])
        ours = (
            row["samples"] is not None
        )  # SageMaker's own whiskers can be wrong, and its histogram loses what is above 98
        check_histogram(row["histogram"], row["samples"], whole=ours)
        if ours:
            check_ascending([row["min"], row["lower"], row["p25"]])
            check_ascending([row["p75"], row["upper"], row["max"]])


def check_balance(balance: dict) -> None:
    pairs = balance["pairs"]
    check_cut(pairs, balance["pair_count"], 500)
    check_ascending([-pair["distance"] for pair in pairs])
    check_unique(pairs, "first_node", "first", "second_node", "second")
    for pair in pairs:
        assert (pair["first_node"], pair["first"]) != (pair["second_node"], pair["second"])


def check_quality(quality: dict, job: dict, job_was_chosen: bool) -> None:
    check_cut(quality["ignored"], quality["ignored_count"], 100)
    for key, name in (
        ("sources", "source"),
        ("nodes", "node"),
        ("skipped", "reason"),
        ("repaired", "reason"),
        ("damaged_files", "reason"),
        ("clock_skew", "node"),
    ):
        check_unique(quality[key], name)
    unsampled = (
        "gap_count",
        "unsampled_at_start_seconds",
        "unsampled_at_end_seconds",
        "less_sampled_count",
        "missing_devices",
    )
    lost = [quality[key] for key in ("skipped", "damaged_files", "missing_nodes", "missing_ranks")]
    lost += [node[key] for node in quality["nodes"] for key in unsampled]
    if not job_was_chosen:
        lost += [quality["other_jobs"], *(row["reason"].startswith("another job's") for row in quality["ignored"])]
    assert quality["complete"] == (not any(lost))
    for source in quality["sources"]:
        assert source["files"] > 0
    for other in quality["other_jobs"]:
        check_span(other["span"])
    for node in quality["nodes"]:
        check_span(node["span"], job)
        interval = node["interval_in_seconds"]
        check_ascending([interval["min"], interval["p50"], interval["max"]])
        check_cut(node["gaps"], node["gap_count"], 100)
        check_ascending([time for gap in node["gaps"] for time in (gap["start"], gap["end"])])
        for gap in node["gaps"]:
            check_span(gap)
            check_within(gap["start"], {"start_time": node["span"]["start"], "end_time": node["span"]["end"]})
            check_between(None, gap["seconds"], interval["max"])
        shown = sum(gap["seconds"] for gap in node["gaps"])
        check_between(shown, node["gap_seconds"], node["span"]["seconds"], 1e-4)
        if len(node["gaps"]) == node["gap_count"]:
            assert shown == about(node["gap_seconds"], 1e-4)
        ends = [node["unsampled_at_start_seconds"], node["unsampled_at_end_seconds"]]
        check_between(
            node["span"]["seconds"], node["span"]["seconds"] + sum(ends), job["job_duration_in_seconds"], 1e-4
        )
        check_cut(node["less_sampled"], node["less_sampled_count"], 100)
        check_unique(node["less_sampled"], "device")
        for device in node["less_sampled"]:
            check_between(0, device["unsampled_seconds"], node["span"]["seconds"], 1e-4)
            assert 0 < device["samples"] <= node["samples"]
