"""A plain, slow second computation of what debrief computes: json and numpy, no cleverness."""

import gzip
import json
from collections import defaultdict
from pathlib import Path

import numpy as np


def read_text(path: Path) -> str:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt") as file:
        return file.read()


def system_samples(job: Path):
    """(type, name, dimension, node, microsecond, value) of every line that is valid JSON."""
    for path in sorted(job.glob("**/system/**/*.json*")):
        for line in read_text(path).splitlines():
            try:
                row = json.loads(line)
            except ValueError:
                continue
            time = round(row["Timestamp"] * 1e6)
            yield row["Type"], row.get("Name"), row["Dimension"], row["NodeId"], time, max(row["Value"], 0)


def events(job: Path):
    """(phase, name, start us, duration us, file) of every whole event of the framework timelines."""
    for path in sorted(job.glob("**/pevents/**/*.json*")):
        text = read_text(path).rstrip().rstrip(",")
        listed = json.loads(text if text.endswith("]") else text + "]")
        base, phases = 0, {}
        for event in listed:
            if event.get("ph") == "M" and event["name"] == "process_name":
                base = event["args"].get("start_time_since_epoch_in_micros", base)
                phases[event["pid"]] = event["args"].get("name", phases.get(event["pid"]))
            elif event.get("ph") == "X":
                yield phases.get(event["pid"]), event["name"], base + event["ts"], event["dur"], path


def five_numbers(values) -> dict:
    percentiles = np.percentile(np.asarray(values, dtype=float), [100, 99, 95, 50, 0])
    return dict(zip(["max", "p99", "p95", "p50", "min"], map(float, percentiles)))


def system_usage(job: Path) -> dict:
    """{(node, metric): five numbers}: per exact moment, the mean over devices or the sum over directions."""
    moments = defaultdict(lambda: defaultdict(list))
    for kind, name, dimension, node, time, value in system_samples(job):
        metric = {
            ("cpu", "CPUUtilization"): "CPU",
            ("cpu", "I/OWaitPercentage"): "I/O",
            ("gpu", "GPUUtilization"): "GPU",
            ("gpu", "GPUMemoryUtilization"): "GPU memory",
            ("memory", ""): "CPU memory",
            ("network", "Algorithm"): "Network",
        }.get((kind, dimension))
        if metric:
            moments[node, metric][time].append(value)
    usage = {}
    for (node, metric), by_time in moments.items():
        combine = sum if metric == "Network" else lambda values: sum(values) / len(values)
        usage[node, metric] = five_numbers([combine(values) for values in by_time.values()])
    return usage


def job_times(job: Path) -> dict:
    """Microseconds: first and last sample, first step's start, last step's end."""
    times = [sample[4] for sample in system_samples(job)]
    steps = [(start, start + duration) for phase, _, start, duration, _ in events(job) if phase.startswith("Step:")]
    return {
        "start": min(times),
        "end": max(times),
        "loop_start": min(start for start, _ in steps),
        "loop_end": max(end for _, end in steps),
    }
