"""What holds for the work of every result: framework, steps, data loading, rules."""

from holding import (
    about,
    check_ascending,
    check_between,
    check_cut,
    check_histogram,
    check_shares,
    check_span,
    check_unique,
    check_within,
    seconds_between,
)

LISTS = ("general", "ratio", "forward_backward", "collectives")


def check_framework(framework: dict) -> None:
    for key in ("phase", *LISTS):
        check_unique(framework[key], "process", "name")
    if not framework["recorded_by_sagemaker"]:
        processes = {}
        for row in framework["phase"]:
            assert row["percent"] >= 0
            processes.setdefault(row["process"], []).append(row)
        for rows in [*processes.values(), *(framework[key] for key in LISTS)]:
            check_shares(rows)
            whole = sum(row["seconds"] for row in rows)
            for row in rows:
                if whole > 0:
                    assert row["percent"] == about(100 * row["seconds"] / whole, 1e-3 + 1e-3 / whole)
    for kind in ("cpu", "gpu"):
        most = 300 if framework["operator_source"] == "PyTorch traces" else 500
        check_operators(framework[f"{kind}_operators"], framework[f"{kind}_operator_count"], most)
    assert (framework["operator_source"] is None) == (framework["cpu_operators"] == framework["gpu_operators"] == [])


def check_operators(rows: list[dict], count: int, most: int) -> None:
    check_cut(rows, count, most)
    check_unique(rows, "operator")
    for row in rows:
        check_between(None, row["self_us"], row["total_us"])
    for us, percent in (("total_us", "percent"), ("self_us", "self_percent")):
        if any(row[us] is None for row in rows):
            continue
        whole = sum(row[us] for row in rows)
        assert sum(row[percent] for row in rows) <= 100 + 1e-3
        if len(rows) == count and whole > 0:
            check_shares(rows, percent)
    check_ascending([-row["total_us"] if row["self_us"] is None else -row["self_us"] for row in rows])


def check_steps(rows: list[dict], job: dict) -> None:
    check_unique(rows, "process", "mode")
    for row in rows:
        check_ascending([row[key] for key in ("min", "p50", "p95", "p99", "max")])
        for value in (row["mean"], row["first"], *row["block_medians"]):
            check_between(row["min"], value, row["max"])
        if row["total_in_seconds"] is not None:
            assert row["total_in_seconds"] == about(row["mean"] * row["count"], 1e-6 * (row["count"] + 1))
        check_outliers(row, job)


def check_outliers(row: dict, job: dict) -> None:
    ours = row["source"] != "SageMaker's rule outputs"
    check_histogram(row["histogram"], row["count"])
    if row["outliers"] is not None:
        assert row["outliers"] <= row["count"]
        if ours:
            check_cut(row["outlying"], row["outliers"], 200)
    check_ascending([-step["seconds"] for step in row["outlying"] if step["seconds"] is not None])
    for step in row["outlying"]:
        check_between(row["threshold"], step["seconds"], row["max"])
        check_within(step["start"], job)


def check_loading(loading: dict) -> None:
    check_unique(loading["times"], "what")
    for row in loading["times"]:
        check_ascending([row[key] for key in ("min", "p25", "p50", "p95", "max")])
        check_between(row["min"], row["mean"], row["max"])
        check_histogram(row["histogram"], row["count"])
        check_between(0, row["outliers"], row["count"])


def check_python_stacks(stacks: dict) -> None:
    assert stacks["waited_seconds"] <= stacks["seconds"] + 1e-6
    seen = [(profile["threads"], profile["phase"]) for profile in stacks["profiles"]]
    assert len(seen) == len(set(seen))
    assert sum(profile["seconds"] for profile in stacks["profiles"]) <= stacks["seconds"] * (1 + 1e-6) + 1e-5
    for profile in stacks["profiles"]:
        assert len(profile["functions"]) <= min(profile["function_count"], 40)
        for function in profile["functions"]:
            assert function["self_seconds"] <= function["total_seconds"] <= profile["seconds"] + 1e-5
            assert function["own_seconds"] <= function["total_seconds"]
        own = [function["self_seconds"] for function in profile["functions"]]
        assert own == sorted(own, reverse=True)
        assert sum(own) <= profile["seconds"] + 1e-4


def check_model(model: dict) -> None:
    check_unique(model["measures"], "rule")
    for measure in model["measures"]:
        check_ascending(measure["steps"])
        check_cut(measure["layers"], measure["layer_count"], 32)
        for layer in measure["layers"]:
            assert len(layer["values"]) == len(measure["steps"])
            if measure["what"].startswith("percentage"):
                for value in layer["values"]:
                    check_between(0, value, 100)
    for course in model["tensors"]:
        check_ascending(course["steps"])
        assert len(course["steps"]) == len(course["min"]) == len(course["mean"]) == len(course["max"])
        for least, mean, most in zip(course["min"], course["mean"], course["max"], strict=True):
            assert (least is None) == (mean is None) == (most is None)
            check_between(least, mean, most, 1e-6 * max(abs(least or 0), abs(most or 0)))


def check_rules(rules: list[dict], job: dict) -> None:
    check_unique(rules, "rule")
    check_ascending([-row["triggered"] for row in rules])
    for row in rules:
        check_rule(row, job)


def check_rule(row: dict, job: dict) -> None:
    if row["status"] == "not_evaluated":
        assert row["incidents"] == [] and row["triggered"] == 0
    if row["parts"]:
        check_unique(row["parts"], "name")
        assert sum(part["count"] for part in row["parts"]) == row["datapoints"]
        if row["datapoints"] > 0:
            check_shares(row["parts"])
    check_cut(row["incidents"], row["incident_count"], 200)
    check_ascending([incident["start"] for incident in row["incidents"]])
    for incident in row["incidents"]:
        check_span(incident, job)
    shown = seconds_of_incidents(row["incidents"])
    check_between(shown, row["incident_seconds"], None, 1e-3)
    if len(row["incidents"]) == row["incident_count"]:
        assert shown == about(row["incident_seconds"])
        assert row["clock_seconds"] == about(
            seconds_of_incidents([incident | {"node": "", "device": ""} for incident in row["incidents"]])
        )
    check_between(0, row["clock_seconds"], row["incident_seconds"], 1e-3)
    check_unique(row["devices"], "node", "device")
    if row["activity"] is not None:
        check_activity(row["activity"])


def seconds_of_incidents(incidents: list[dict]) -> float:
    """A device's time counts once, though two incidents of it may overlap. They are in the order of time."""
    seconds, ends = 0.0, {}
    for incident in incidents:
        device = (incident["node"], incident["device"])
        begin = max(incident["start"], ends.get(device, ""))
        if begin < incident["end"]:
            seconds += seconds_between(begin, incident["end"])
            ends[device] = incident["end"]
    return seconds


def check_activity(activity: dict) -> None:
    rows = activity["rows"]
    check_unique(rows, "group", "name")
    for group in {row["group"] for row in rows}:
        assert sum(row["group"] == group for row in rows) <= 15
