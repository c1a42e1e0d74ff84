"""What holds for the PyTorch traces of every result."""

from holding import (
    about,
    check_ascending,
    check_between,
    check_cut,
    check_histogram,
    check_percents,
    check_shares,
    check_span,
    check_unique,
)


def check_traces(traces: dict) -> None:
    check_unique(traces["files"], "path")
    for row in traces["files"]:
        check_unique(row["gpus"], "id")
        check_unique(row["categories"], "category")
        if row["span"] is not None:
            check_span(row["span"])
            assert row["span"]["seconds"] == about(row["duration_us"] / 1e6, 3e-6)
    check_breakdown(traces)
    check_paths(traces)
    check_others(traces)
    check_operators(traces)
    check_kernels(traces["kernels"])
    check_performance(traces)
    check_devices(traces)
    check_communication(traces["communication"])
    for row in traces["memory"]:
        check_memory(row)
    check_annotations(traces["annotations"])


def check_operators(traces: dict) -> None:
    operators = traces["operators"]
    own = [row for row in operators["by_name"] if not row["outside_operators"]]
    if len(operators["by_name"]) < 300:
        assert len(own) == operators["names"]
    check_unique(operators["by_name"], "name", "outside_operators")
    # What is cut short, at "…", may be of different shapes all the same.
    check_unique(
        [row for row in operators["by_shapes"] if not (row["shapes"] or "").endswith("…")],
        "name",
        "shapes",
        "outside_operators",
    )
    check_unique(traces["modules"], "name")
    for row in [*operators["by_name"], *operators["by_shapes"], *traces["modules"]]:
        check_ascending([row["host_self_us"], row["host_total_us"] + 1e-3])
        check_ascending([row["device_self_us"], row["device_total_us"] + 1e-3])
    for row in [*operators["by_name"], *operators["by_shapes"]]:
        check_between(0, row["tensor_core_us"], row["device_self_us"], 1e-3)
    assert sum(row["calls"] for row in own) <= operators["calls"]
    check_ascending(
        [0, operators["tensor_core_us"] + operators["tensor_core_unknown_us"], operators["device_self_us"] + 1]
    )
    check_ascending([0, operators["eligible_device_us"], operators["device_self_us"] + 1])
    assert operators["backward_calls"] <= operators["calls"]
    check_ascending([0, operators["backward_host_us"], operators["host_total_us"] + 1e-3])
    if len(own) == operators["names"]:
        assert sum(row["calls"] for row in own) == operators["calls"]
        for key, rows in (("host_total_us", own), ("host_self_us", own), ("device_self_us", operators["by_name"])):
            assert sum(row[key] for row in rows) == about(operators[key], 1e-3 * (len(rows) + 1))


def check_kernels(kernels: dict) -> None:
    rows = kernels["rows"]
    check_cut(rows, kernels["names"], 300)
    check_unique(rows, "name")
    for row in rows:
        check_ascending([row["min_us"], row["mean_us"] + 1e-3, row["max_us"] + 2e-3])
        assert row["total_us"] == about(row["mean_us"] * row["calls"], 1e-3 * (row["calls"] + 1))
        assert row["launch_shapes"] <= row["calls"]
    check_percents([row["percent"] for row in rows])
    check_ascending([-row["total_us"] for row in rows])
    check_unique(kernels["precision"], "precision")
    check_shares(kernels["precision"])
    if len(rows) == kernels["names"]:
        assert sum(row["calls"] for row in rows) == kernels["calls"]
        assert sum(row["total_us"] for row in rows) == about(kernels["total_us"], 1e-3 * (len(rows) + 1))
    else:
        assert sum(row["calls"] for row in rows) < kernels["calls"]


def check_performance(traces: dict) -> None:
    """Categories, and what is known of operators' work or not, sum to all GPU work; no share leaves 0 to 100."""
    operators, performance = traces["operators"], traces["performance"]
    check_unique(operators["categories"], "category")
    check_ascending([-row["us"] for row in operators["categories"]])
    assert sum(row["us"] for row in operators["categories"]) == about(operators["device_self_us"], 1e-2)
    if operators["device_self_us"] > 0:
        check_shares(operators["categories"])
    parts = [performance[key] for key in ("known_us", "without_shapes_us", "without_formula_us", "outside_us")]
    assert min(parts) >= 0
    assert sum(parts) == about(operators["device_self_us"], 1e-2)
    rows = performance["rows"]
    check_cut(rows, performance["combinations"], 300)
    check_ascending([-row["us"] for row in rows])
    assert sum(row["us"] for row in rows) <= performance["known_us"] + 1e-3 * (len(rows) + 1)
    check_percents([row["percent"] for row in rows])
    for row in rows:
        assert row["flops"] is not None or row["bytes"] is not None
        check_percents([row["peak_percent"], row["bandwidth_percent"]])
        if row["tflops_per_second"] and row["us"] > 1:
            rate = row["flops"] * row["calls"] / row["us"] / 1e6
            assert row["tflops_per_second"] == about(rate, 1e-6 + 1e-4 * rate)
    for step in performance["steps"]:
        check_percents([step["known_percent"]])
        assert step["known_percent"] >= 90 or step["utilization"] is None
    check_percents([performance["utilization"], *(step["utilization"] for step in performance["steps"])])
    check_unique(performance["gpus"], "gpu")


def check_breakdown(traces: dict) -> None:
    """Parts sum to their step, and steps to their process."""
    check_unique(traces["processes"], "process")
    for row in [*traces["steps"], *traces["processes"]]:
        check_unique(row["parts"], "part")
        assert sum(part["us"] for part in row["parts"]) == about(row["us"], 1e-2)
        if row["us"] > 0:
            check_shares(row["parts"])
        check_percents([part["percent"] for part in row["parts"]])
        on_gpu = sum(part["us"] for part in row["parts"] if part["part"] in ("kernel", "memcpy", "memset"))
        check_ascending([0, on_gpu, row["gpu_busy_us"] + 1e-2, row["us"] + 2e-2])
    for step in traces["steps"]:
        spans = [
            file["span"] for file in traces["files"] if file["process"] == step["process"] and file["span"] is not None
        ]
        assert step["start"] is None or any(span["start"] <= step["start"] <= span["end"] for span in spans)
    for row in traces["processes"]:
        own = [step for step in traces["steps"] if step["process"] == row["process"]]
        assert sum(step["number"] is not None for step in own) == row["steps"]
        assert sum(step["us"] for step in own) == about(row["us"], 1e-2)


def check_paths(traces: dict) -> None:
    """A path is as long as its step, and no part can gain more than it takes."""
    check_unique(traces["critical_paths"], "which")
    for path in traces["critical_paths"]:
        steps = [
            step["us"]
            for step in traces["steps"]
            if (step["process"], step["number"]) == (path["process"], path["number"])
        ]
        assert any(us == about(path["us"], 1e-2) for us in steps)
        check_unique(path["parts"], "part")
        assert sum(part["us"] for part in path["parts"]) == about(path["us"], 2e-2)
        check_percents([part["percent"] for part in path["parts"]])
        for part in path["parts"]:
            check_between(0, part["gain_us"], part["us"], 1e-2)
        check_unique(path["items"], "name", "part")
        check_ascending([-item["us"] for item in path["items"]])
        if len(path["items"]) < 50:
            assert sum(item["us"] for item in path["items"]) == about(path["us"], 1e-2 * (len(path["items"]) + 1))


def check_others(traces: dict) -> None:
    """Slowest processes, what is computed again, what graphs replay."""
    check_unique(traces["slowest"], "part")
    for row in traces["slowest"]:
        assert row["us"] >= row["median_us"] - 1e-3
    for step in traces["steps"]:
        assert step["waited_us"] is None or step["waited_us"] >= 0
    check_unique(traces["recomputation"], "process")
    for row in traces["recomputation"]:
        assert row["operators"] > 0
        check_percents([row["kernel_percent"]])
    if (graphs := traces["graphs"]) is not None:
        check_between(0, graphs["mapped_us"], graphs["us"], 1e-2)
        check_unique(graphs["operators"], "op")
        check_percents([row["percent"] for row in graphs["operators"]])
        if len(graphs["operators"]) < 300:
            assert sum(row["us"] for row in graphs["operators"]) == about(graphs["mapped_us"], 1e-2)


def check_devices(traces: dict) -> None:
    """What GPUs did, and how they were given work."""
    check_unique(traces["gpus"], "process", "device")
    for row in traces["gpus"]:
        assert row["busy_us"] + row["idle_us"] == about(row["profiled_us"], 1e-2)
        assert sum(row[key] for key in ("host_wait_us", "kernel_wait_us", "other_wait_us")) == about(
            row["idle_us"], 1e-2
        )
        kinds = [row[key] for key in ("kernel_us", "communication_us", "memory_us")]
        check_ascending([0, max(kinds), row["busy_us"] + 1e-2, sum(kinds) + 2e-2])
        reasons = ("setup_wait_us", "copy_wait_us", "host_sync_us", "outside_wait_us")
        assert min(row[key] for key in reasons) >= 0
        check_ascending([0, sum(row[key] for key in reasons), row["idle_us"] + 1e-2])
        check_ascending([0, row["copy_alone_us"], row["copy_us"] + 1e-2, row["memory_us"] + 2e-2])
        check_percents([row["sm_efficiency"], row["occupancy"]])
    check_unique(traces["launches"], "process")
    for row in traces["launches"]:
        check_ascending([0, row["launch_p50_us"], row["launch_p95_us"]])
        check_ascending(
            [row["delay_p50_us"], row["delay_p95_us"], row["delay_max_us"]]
        )  # clocks differ: below 0 at times
        assert row["short_kernels"] <= row["launches"]
        assert row["queue_max"] <= row["launches"]
    check_unique(traces["copies"], "process", "direction", "memory")
    for row in traces["copies"]:
        if row["bandwidth"] is not None and row["us"] > 1:
            assert row["bandwidth"] >= row["bytes"] / row["us"] / 1e3 - 1e-3 * (
                1 + row["bandwidth"]
            )  # of those with a size
    check_unique(traces["syncs"], "process", "call", "op", "outer")
    check_unique(traces["blocking_copies"], "process", "call", "op", "outer")
    check_unique(traces["setup"], "process", "call", "op", "outer")


def check_communication(communication: dict) -> None:
    check_cut(communication["missing_ranks"], communication["missing_count"], 100)
    check_unique(communication["missing_ranks"])
    for row in communication["overlap"]:
        assert row["hidden_us"] + row["exposed_us"] == about(row["communication_us"], 1e-2)
        check_ascending([0, row["hidden_us"], row["compute_us"] + 1e-2, row["profiled_us"] + 2e-2])
        check_percents([row["overlap_percent"]])
    for row in communication["collectives"]:
        check_ascending([row["min_us"], row["mean_us"] + 1e-3, row["max_us"] + 2e-3, row["total_us"] + 3e-3])
        assert row["total_us"] == about(row["mean_us"] * row["calls"], 1e-3 * (row["calls"] + 1))
    check_ascending([-row["lateness_us"] for row in communication["stragglers"]])
    for row in communication["stragglers"]:
        check_ascending([0, row["last"], row["collectives"]])


def check_memory(row: dict) -> None:
    """What was held at the peak sums to it, as far as the trace tells."""
    check_ascending([-holder["bytes"] for holder in row["holders"][:-1]])
    check_ascending(
        [
            0,
            row["before_trace"],
            row["before_trace"] + sum(holder["bytes"] for holder in row["holders"]),
            row["peak_allocated"],
        ]
    )


def check_annotations(rows: list[dict]) -> None:
    check_unique(rows, "process", "name")
    for process in {row["process"] for row in rows}:
        assert sum(row["process"] == process for row in rows) <= 200
    for row in rows:
        check_ascending([row["min_us"], row["mean_us"] + 1e-3, row["max_us"] + 2e-3])
        assert row["total_us"] == about(row["mean_us"] * row["count"], 1e-3 * (row["count"] + 1))
        check_histogram(row["histogram"], row["count"], whole=True)
