"""What holds for every result object: its schema, and what a schema cannot say. docs/result.md describes each key."""

import json
import re
from functools import cache
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

SCHEMA = Path(__file__).resolve().parents[2] / "docs/result.schema.json"


def about(value: float, tolerance: float = 1e-3):
    return pytest.approx(value, abs=tolerance)


@cache
def validator() -> Draft202012Validator:
    return Draft202012Validator(json.loads(SCHEMA.read_text()))


def check_invariants(result: dict) -> None:
    validator().validate(result)
    check_job(result["job"])
    check_time(result["time_accounting"], result["job"])
    check_resources(result)
    check_framework(result["framework"])
    for row in result["steps"]:
        check_steps(row)
    for row in (result["data_loading"] or {"times": []})["times"]:
        check_ascending([row[key] for key in ("min", "p25", "p50", "p95", "max")])
        check_histogram(row["histogram"], row["count"])
    if result["traces"] is not None:
        check_traces(result["traces"])
    check_rules(result["rules"], result["job"])
    for finding in result["findings"]:
        check_finding(finding, result["job"])
    check_verdict(result["verdict"], result["findings"])
    if result["waste"] is not None:
        check_waste(result["waste"], result["findings"])


def check_ascending(values: list) -> None:
    """Figures that are known do not fall."""
    known = [value for value in values if value is not None]
    assert known == sorted(known)


def check_cut(rows: list, count: int, most: int) -> None:
    """A list is whole up to its limit, and the count beside it is of everything."""
    assert len(rows) == min(count, most)


def check_histogram(histogram: dict | None, most: int | None) -> None:
    if histogram is None:
        return
    assert len(histogram["edges"]) == len(histogram["counts"]) + 1
    check_ascending(histogram["edges"])  # edges closer than a microsecond are equal once rounded
    if most is not None:
        assert sum(histogram["counts"]) <= most


def check_job(job: dict) -> None:
    parts = [job[key] for key in ("initialization_in_seconds", "training_loop_duration_in_seconds", "finalization_in_seconds")]
    if None not in parts:
        assert sum(parts) == about(job["job_duration_in_seconds"], 1e-5)
        assert all(part >= 0 for part in parts)


def check_time(accounting: dict, job: dict) -> None:
    total, parts = accounting["total_in_seconds"], accounting["parts"]
    if total is None:
        assert parts == []
        assert job["job_duration_in_seconds"] is None
        return
    assert total == about(job["job_duration_in_seconds"])
    assert sum(part["seconds"] for part in parts) == about(total)
    if total > 0:
        assert sum(part["percent"] for part in parts) == about(100)


def check_resources(result: dict) -> None:
    for row in result["system_usage"]:
        check_ascending([row[key] for key in ("min", "p50", "p95", "p99", "max")])
    for row in result["devices"]:
        check_ascending([row[key] for key in ("min", "p05", "p25", "p50", "p75", "p95", "max")])
        check_histogram(row["histogram"], row["samples"])
        if row["samples"] is not None:  # SageMaker's own whiskers can be wrong
            check_ascending([row["min"], row["lower"], row["p25"]])
            check_ascending([row["p75"], row["upper"], row["max"]])
    balance = result["load_balance"]
    check_cut(balance["pairs"], balance["pair_count"], 500)
    check_ascending([-pair["distance"] for pair in balance["pairs"]])


def check_framework(framework: dict) -> None:
    if not framework["recorded_by_sagemaker"]:
        processes = {}
        for row in framework["phase"]:
            assert row["percent"] >= 0
            processes.setdefault(row["process"], []).append(row["percent"])
        shares = [[row["percent"] for row in framework[key]] for key in ("general", "ratio", "forward_backward", "collectives")]
        for percents in [*processes.values(), *shares]:
            assert percents == [] or sum(percents) == about(100)
    for kind in ("cpu", "gpu"):
        operators = framework[f"{kind}_operators"]
        check_cut(operators, framework[f"{kind}_operator_count"], 500)
        for row in operators:
            assert row["self_us"] is None or row["self_us"] <= row["total_us"]


def check_steps(row: dict) -> None:
    check_ascending([row[key] for key in ("min", "p50", "p95", "p99", "max")])
    check_histogram(row["histogram"], row["count"])
    if row["total_in_seconds"] is not None:
        assert row["total_in_seconds"] == about(row["mean"] * row["count"], 1e-6 * (row["count"] + 1))
    if row["outliers"] is not None:
        check_cut(row["outlying"], row["outliers"], 200)
    check_ascending([-step["seconds"] for step in row["outlying"] if step["seconds"] is not None])


def check_traces(traces: dict) -> None:
    check_breakdown(traces)
    operators, kernels = traces["operators"], traces["kernels"]
    check_cut(operators["by_name"], operators["names"], 300)
    check_cut(operators["by_shapes"], operators["names_and_shapes"] if operators["by_shapes"] else 0, 300)
    check_cut(kernels["rows"], kernels["names"], 300)
    for row in [*operators["by_name"], *operators["by_shapes"], *traces["modules"]]:
        check_ascending([row["host_self_us"], row["host_total_us"] + 1e-3])
        check_ascending([row["device_self_us"], row["device_total_us"] + 1e-3])
    check_kernels(kernels)
    for row in traces["launches"]:
        check_ascending([0, row["launch_p50_us"], row["launch_p95_us"]])
        check_ascending([row["delay_p50_us"], row["delay_p95_us"], row["delay_max_us"]])  # clocks differ: below 0 at times
        assert row["short_kernels"] <= row["launches"]
    if kernels["precision"]:
        assert sum(row["percent"] for row in kernels["precision"]) == about(100)
    for row in traces["gpus"]:
        assert row["busy_us"] + row["idle_us"] == about(row["profiled_us"], 1e-2)
        assert sum(row[key] for key in ("host_wait_us", "kernel_wait_us", "other_wait_us")) == about(row["idle_us"], 1e-2)
        kinds = [row[key] for key in ("kernel_us", "communication_us", "memory_us")]
        check_ascending([0, max(kinds), row["busy_us"] + 1e-2, sum(kinds) + 2e-2])
        check_percents([row["sm_efficiency"], row["occupancy"]])
    communication = traces["communication"]
    check_cut(communication["missing_ranks"], communication["missing_count"], 100)
    for row in communication["overlap"]:
        assert row["hidden_us"] + row["exposed_us"] == about(row["communication_us"], 1e-2)
        check_ascending([0, row["hidden_us"], row["compute_us"] + 1e-2, row["profiled_us"] + 2e-2])
        check_percents([row["overlap_percent"]])
    for row in communication["collectives"]:
        check_ascending([row["mean_us"], row["max_us"] + 1e-3, row["total_us"] + 2e-3])
    check_ascending([-row["lateness_us"] for row in communication["stragglers"]])
    for row in communication["stragglers"]:
        check_ascending([0, row["last"], row["collectives"]])
    for row in traces["memory"]:
        check_ascending([0, row["before_trace"], row["before_trace"] + sum(holder["bytes"] for holder in row["holders"]),
                         row["peak_allocated"]])
    for row in traces["annotations"]:
        check_ascending([row["min_us"], row["mean_us"] + 1e-3, row["max_us"] + 2e-3])
        assert row["total_us"] == about(row["mean_us"] * row["count"], 1e-3 * (row["count"] + 1))
        check_histogram(row["histogram"], row["count"])


def check_percents(values: list) -> None:
    for value in values:
        assert value is None or 0 <= value <= 100 + 1e-6


def check_kernels(kernels: dict) -> None:
    rows = kernels["rows"]
    for row in rows:
        check_ascending([row["min_us"], row["mean_us"] + 1e-3, row["max_us"] + 2e-3])
        assert row["total_us"] == about(row["mean_us"] * row["calls"], 1e-3 * (row["calls"] + 1))
    check_percents([row["percent"] for row in rows])
    check_ascending([-row["total_us"] for row in rows])
    if len(rows) == kernels["names"]:
        assert sum(row["calls"] for row in rows) == kernels["calls"]
        assert sum(row["total_us"] for row in rows) == about(kernels["total_us"], 1e-3 * (len(rows) + 1))


def check_breakdown(traces: dict) -> None:
    """Parts sum to their step, and steps to their process."""
    for row in [*traces["steps"], *traces["processes"]]:
        assert sum(part["us"] for part in row["parts"]) == about(row["us"], 1e-2)
        if row["us"] > 0:
            assert sum(part["percent"] for part in row["parts"]) == about(100)
        check_percents([part["percent"] for part in row["parts"]])
        on_gpu = sum(part["us"] for part in row["parts"] if part["part"] in ("kernel", "memcpy", "memset"))
        check_ascending([0, on_gpu, row["gpu_busy_us"] + 1e-2, row["us"] + 2e-2])
    for row in traces["processes"]:
        own = [step for step in traces["steps"] if step["process"] == row["process"]]
        assert sum(step["number"] is not None for step in own) == row["steps"]
        assert sum(step["us"] for step in own) == about(row["us"], 1e-2)


def check_rules(rules: list[dict], job: dict) -> None:
    check_ascending([-row["triggered"] for row in rules])
    for row in rules:
        if row["parts"]:
            assert sum(part["count"] for part in row["parts"]) == row["datapoints"]
        check_cut(row["incidents"], row["incident_count"], 200)
        for incident in row["incidents"]:
            check_ascending([job["start_time"], incident["start"], incident["end"], job["end_time"]])  # sort as text
        check_ascending([incident["start"] for incident in row["incidents"]])


SEVERITIES = ["info", "warning", "critical"]


def check_finding(finding: dict, job: dict) -> None:
    windows = finding["windows"]
    check_cut(windows, finding["window_count"], 50)
    check_ascending([window["start"] for window in windows])
    for before, after in zip(windows, windows[1:]):
        check_ascending([before["end"], after["start"]])  # sort as text
    for window in windows:
        check_ascending([job["start_time"], window["start"], window["end"], job["end_time"]])
    shown = sum(window["seconds"] for window in windows)
    assert shown <= finding["window_seconds"] + 1e-3
    if len(windows) == finding["window_count"]:
        assert shown == about(finding["window_seconds"], 1e-5 * (len(windows) + 1))
    check_ascending([-place["share"] for place in finding["where"]])
    assert re.search(r"\d", finding["why"] + finding["next"]), "a finding speaks of the job's own numbers"


def check_verdict(verdict: dict, findings: list[dict]) -> None:
    kinds = [finding["kind"] for finding in findings]
    assert len(set(kinds)) == len(kinds)
    check_ascending([-finding["score"] for finding in findings])
    assert sum(finding["score"] for finding in findings) <= 1 + 1e-6
    serious = [finding for finding in findings if finding["severity"] != "info"]
    costly = [finding for finding in serious if finding["kind"] != "insufficient_data"]
    if costly:
        assert all(verdict[key] == costly[0][key] for key in verdict)
    else:
        assert verdict["kind"] in ("healthy", "insufficient_data")


def check_waste(waste: dict, findings: list[dict]) -> None:
    parts = waste["parts"]
    check_ascending([-part["hours"] for part in parts])
    assert {part["kind"] for part in parts} <= {finding["kind"] for finding in findings}
    whole = waste["busy"] + sum(part["hours"] for part in parts) + waste["other"] + waste["unmeasured"]
    assert min(waste["busy"], waste["other"], waste["unmeasured"]) >= 0
    if waste["paid"] is None:
        assert parts == []
        return
    assert whole == about(waste["paid"], 1e-6 * (len(parts) + 4))
    if waste["paid"] > 0:
        assert waste["busy_percent"] == about(100 * waste["busy"] / waste["paid"], 1e-4 / waste["paid"])
        lost = waste["paid"] - waste["busy"] - waste["unmeasured"]
        assert waste["lost_percent"] == about(100 * lost / waste["paid"], 3e-4 / waste["paid"])
    scores = {finding["kind"]: finding["score"] for finding in findings}
    for part in parts:
        if waste["paid"] > 0:
            assert part["percent"] == about(100 * part["hours"] / waste["paid"], 1e-4 / waste["paid"] + 1e-5)
            measured = 1 - waste["unmeasured"] / waste["paid"]
            assert part["percent"] == about(100 * scores[part["kind"]] * measured, 1e-4 / waste["paid"] + 1e-4)
        if waste["price"] is None:
            assert part["money"] is None
        else:
            assert part["money"] == about(part["hours"] * waste["price"], 1e-2)
