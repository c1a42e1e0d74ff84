"""What holds for the conclusions of every result: findings, verdict, waste, gate."""

import itertools
import operator
import re
from datetime import datetime

from holding import about, check_ascending, check_between, check_cut, check_span, check_unique


def check_findings(findings: list[dict], job: dict) -> None:
    check_unique(findings, "kind")
    # That a job died is told first, whatever else costs more.
    others = itertools.dropwhile(lambda finding: finding["kind"] == "failed", findings)
    check_ascending([-finding["score"] for finding in others])
    assert sum(finding["score"] for finding in findings) <= 1 + 1e-6
    for finding in findings:
        check_finding(finding, job)


def check_finding(finding: dict, job: dict) -> None:
    windows = finding["windows"]
    check_cut(windows, finding["window_count"], 50)
    check_ascending([time for window in windows for time in (window["start"], window["end"])])  # sort as text
    for window in windows:
        check_span(window, job)
    shown = sum(window["seconds"] for window in windows)
    check_between(shown, finding["window_seconds"], job["job_duration_in_seconds"], 1e-3)
    if len(windows) == finding["window_count"]:
        assert shown == about(finding["window_seconds"], 1e-5 * (len(windows) + 1))
    check_ascending([-place["share"] for place in finding["where"]])
    check_unique(finding["where"], "node", "device", "process")
    check_unique(finding["evidence"], "name")
    assert re.search(r"\d", finding["why"] + finding["next"]), "a finding speaks of the job's own numbers"
    assert " ".join(finding["actions"]) == finding["next"]


def check_verdict(verdict: dict, findings: list[dict]) -> None:
    serious = [finding for finding in findings if finding["severity"] != "info"]
    costly = [finding for finding in serious if finding["kind"] != "insufficient_data"]
    if verdict["finding"] is None:
        assert verdict["kind"] == "healthy"
    else:
        finding = findings[verdict["finding"]]
        assert all(verdict[key] == finding[key] for key in verdict if key not in ("finding", "conclusive"))
    if costly:
        assert verdict["kind"] == costly[0]["kind"]
    elif verdict["kind"] not in ("healthy", "insufficient_data"):  # the most of a job that loses much
        assert verdict["kind"] == findings[0]["kind"] and findings[0]["score"] > 0.125


def check_waste(waste: dict, findings: list[dict]) -> None:
    parts = waste["parts"]
    check_unique(parts, "kind")
    check_ascending([-part["hours"] for part in parts])
    assert {part["kind"] for part in parts} <= {finding["kind"] for finding in findings}
    whole = (
        waste["busy"] + sum(part["hours"] for part in parts) + waste["other"] + waste["set_aside"] + waste["unmeasured"]
    )
    assert min(waste[key] for key in ("busy", "other", "set_aside", "unmeasured")) >= 0
    if waste["paid"] is None:
        assert parts == []
        return
    assert whole == about(waste["paid"], 1e-6 * (len(parts) + 4))
    if waste["paid"] > 0:
        assert waste["busy_percent"] == about(100 * waste["busy"] / waste["paid"], 1e-4 / waste["paid"])
        lost = waste["paid"] - waste["busy"] - waste["set_aside"] - waste["unmeasured"]
        assert waste["lost_percent"] == about(100 * lost / waste["paid"], 3e-4 / waste["paid"])
    scores = {finding["kind"]: finding["score"] for finding in findings}
    for part in parts:
        if waste["paid"] > 0:
            assert part["percent"] == about(100 * part["hours"] / waste["paid"], 1e-4 / waste["paid"] + 1e-5)
            judged = 1 - (waste["set_aside"] + waste["unmeasured"]) / waste["paid"]
            assert part["percent"] == about(100 * scores[part["kind"]] * judged, 1e-4 / waste["paid"] + 1e-4)
        if waste["price"] is None:
            assert part["money"] is None
        else:
            assert part["money"] == about(part["hours"] * waste["price"], 1e-2)


def check_causes(waste: dict) -> None:
    """What was lost, by cause: of each finding as much as its part has, and over time as much as at once."""
    causes = waste["causes"]
    check_unique(causes, "cause")
    check_ascending([-cause["hours"] for cause in causes])
    lost = sum(part["hours"] for part in waste["parts"]) + waste["other"]
    rounding = 1e-6 * (len(causes) + len(waste["parts"]) + 2)
    assert sum(cause["hours"] for cause in causes) == about(lost, rounding + 1e-6 * waste["paid"])
    for part in waste["parts"]:
        of_kind = sum(cause["hours"] for cause in causes if cause["kind"] == part["kind"])
        assert of_kind == about(part["hours"], rounding + 1e-6 * waste["paid"]), part["kind"]
    bins = waste["over_time"]
    if bins is None:
        return
    hours = {key: waste[key] for key in ("busy", "set_aside", "unmeasured")}
    hours |= {cause["cause"]: cause["hours"] for cause in causes}
    series = {key: bins[key] for key in ("busy", "set_aside", "unmeasured") if bins[key]}
    series |= {row["cause"]: row["seconds"] for row in bins["lost"]}
    assert {name for name in series if sum(series[name]) > 1e-3} <= hours.keys()
    for name, of_all in hours.items():
        seconds = sum(series.get(name, [0]))
        assert seconds / 3600 == about(of_all, 1e-3 * waste["paid"] + 1e-6), (name, seconds / 3600, of_all)
    wholes = [sum(of_bin) for of_bin in zip(*series.values(), strict=True)]
    check_between(0, max(wholes), 3600 * waste["paid"] / len(wholes), 1e-3 * max(wholes) + 1e-4)


def check_headline(headline: dict, result: dict) -> None:
    iteration, step = headline["iteration"], headline["step"]
    if iteration is not None and iteration["p50"] is not None:
        assert iteration["p50"] <= iteration["p95"] + 1e-6
    if step is not None:
        assert step in [{"p50": row["p50"], "p95": row["p95"]} for row in result["steps"]]
    if headline["cores"] is not None:
        check_between(0, headline["cores_busy"], headline["cores"], 1e-3)
    memory = headline["gpu_memory"]
    if memory is not None and None not in memory.values():
        assert memory["bytes"] == about(memory["percent"] / 100 * memory["capacity"], 1e-6 * memory["capacity"])


def seconds_in_common(spans: list[dict], others: list[dict]) -> float:
    """Of two lists of spans; those of one may overlap, and their time counts once."""
    times = sorted({moment(span[key]) for span in spans + others for key in ("start", "end")})
    return sum(
        end - begin
        for begin, end in itertools.pairwise(times)
        if all(
            any(moment(span["start"]) <= begin and end <= moment(span["end"]) for span in some)
            for some in (spans, others)
        )
    )


def moment(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def check_explained(rules: list[dict], findings: list[dict]) -> None:
    """A rule that triggered names the finding in whose time it held, and no other finding covers more of it."""
    for rule in rules:
        shares = {}
        time = seconds_in_common(rule["incidents"], rule["incidents"])
        if rule["status"] == "issue_found" and time > 0:
            for finding in findings:
                if finding["score"] > 0:
                    shares[finding["kind"]] = seconds_in_common(rule["incidents"], finding["windows"]) / time
        named = rule["explained_by"]
        if named is None:
            assert max(shares.values(), default=0) < 0.8 + 1e-4
        else:
            assert named in shares
            assert shares[named] > 0.8 - 1e-4 and shares[named] > max(shares.values()) - 1e-4


HOLDS = {
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
}


def check_gate(gate: dict) -> None:
    rows = gate["assertions"]
    for row in rows:
        if row["kind"] == "require":
            sign = re.findall(r"[<>=!]=|[<>]", row["name"])[-1]
            assert HOLDS[sign](row["value"], row["bound"]) == (row["status"] == "passed")
    order = [["failed", "skipped", "passed"].index(row["status"]) for row in rows]
    check_ascending(order)
    assert gate["passed"] == (0 not in order)
    assert any(row["kind"] == "baseline" for row in rows) <= (gate["baseline"] is not None)
