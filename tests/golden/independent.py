"""A plain, slow second computation of what debrief computes: json and numpy, no cleverness."""

import gzip
import itertools
import json
from collections import defaultdict
from functools import lru_cache
from pathlib import Path

import numpy as np


def read_text(path: Path) -> str:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt") as file:
        return file.read()


@lru_cache(maxsize=8)  # many tests ask for the same jobs
def system_samples(job: Path) -> list[tuple]:
    """(type, name, dimension, node, microsecond, value) of every line that is valid JSON."""
    samples = []
    for path in sorted(job.glob("**/system/**/*.json*")):
        for line in read_text(path).splitlines():
            try:
                row = json.loads(line)
            except ValueError:
                continue
            time = round(row["Timestamp"] * 1e6)
            samples.append((row["Type"], row.get("Name"), row["Dimension"], row["NodeId"], time, max(row["Value"], 0)))
    return samples


@lru_cache(maxsize=8)
def events(job: Path) -> list[tuple]:
    """(phase, name, start us, duration us, file) of every whole event of the framework timelines."""
    found = []
    for path in sorted(job.glob("**/pevents/**/*.json*")):
        text = read_text(path).rstrip().rstrip(",")
        listed = json.loads(text if text.endswith("]") else text + "]")
        base, phases = 0, {}
        for event in listed:
            if event.get("ph") == "M" and event["name"] == "process_name":
                base = event["args"].get("start_time_since_epoch_in_micros", base)
                phases[event["pid"]] = event["args"].get("name", phases.get(event["pid"]))
            elif event.get("ph") == "X":
                found.append((phases.get(event["pid"]), event["name"], base + event["ts"], event["dur"], path))
    return found


def five_numbers(values) -> dict:
    percentiles = np.percentile(np.asarray(values, dtype=float), [100, 99, 95, 50, 0])
    return dict(zip(["max", "p99", "p95", "p50", "min"], map(float, percentiles), strict=True))


METRICS = {
    ("cpu", "CPUUtilization"): "CPU",
    ("cpu", "I/OWaitPercentage"): "I/O",
    ("gpu", "GPUUtilization"): "GPU",
    ("gpu", "GPUMemoryUtilization"): "GPU memory",
    ("memory", ""): "CPU memory",
    ("network", "Algorithm"): "Network",
}


def system_usage(job: Path) -> dict:
    """{(node, metric): five numbers}: per exact moment, the mean over devices or the sum over directions."""
    moments = defaultdict(lambda: defaultdict(list))
    for kind, _name, dimension, node, time, value in system_samples(job):
        if metric := METRICS.get((kind, dimension)):
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


def union(spans) -> int:
    """Length of the union of (start, end) spans."""
    length, reach = 0, None
    for start, end in sorted(spans):
        if reach is None or start > reach:
            length += end - start
            reach = end
        elif end > reach:
            length += end - reach
            reach = end
    return length


def process_of(path: Path) -> str:
    """algo-1-27 of 1594662605425850_27-algo-1_pythontimeline.json."""
    number, node = path.name.split("_")[1].split("-", 1)
    return f"{node}-{number}"


def steps_by_process_and_mode(job: Path) -> dict:
    """{(process, mode): [(start us, end us), ...] by time}."""
    steps = defaultdict(list)
    for phase, _, start, duration, path in events(job):
        if phase.startswith("Step:ModeKeys."):
            steps[process_of(path), phase.removeprefix("Step:ModeKeys.")].append((start, start + duration))
    return {key: sorted(spans) for key, spans in steps.items()}


def time_accounting(job: Path) -> dict:
    """{part: seconds}: every moment belongs to the first of TRAIN, EVAL in which any process is."""
    times, steps = job_times(job), steps_by_process_and_mode(job)
    train = [span for (_, mode), spans in steps.items() if mode == "TRAIN" for span in spans]
    evaluate = [span for (_, mode), spans in steps.items() if mode == "EVAL" for span in spans]
    parts = {
        "initialization": times["loop_start"] - times["start"],
        "TRAIN": union(train),
        "EVAL": union(train + evaluate) - union(train),
        "between steps": times["loop_end"] - times["loop_start"] - union(train + evaluate),
        "finalization": times["end"] - times["loop_end"],
    }
    return {part: length / 1e6 for part, length in parts.items() if part != "EVAL" or evaluate}


def operators(job: Path, kind: str) -> dict:
    """{name: [total us, self us, calls]} by walking every microsecond's innermost operator, per file's process."""
    by_process = defaultdict(list)
    for phase, name, start, duration, path in events(job):
        if phase and kind in phase:
            by_process[process_of(path), phase].append((start, start + duration, name))
    sums = defaultdict(lambda: [0, 0, 0])
    for listed in by_process.values():
        # Moments between two neighboring borders belong to the operator that started last (of those
        # that started together, to the shortest).
        borders = sorted({border for start, end, _ in listed for border in (start, end)})
        listed.sort(key=lambda event: (event[0], -event[1]))
        active, position = [], 0
        for left, right in itertools.pairwise(borders):
            while position < len(listed) and listed[position][0] <= left:
                active.append(listed[position])
                position += 1
            active = [event for event in active if event[1] > left]
            if active:
                sums[active[-1][2]][1] += right - left
        for start, end, name in listed:
            sums[name][0] += end - start
            sums[name][2] += 1
    return dict(sums)


def devices(job: Path) -> dict:
    """{(node, device, metric): values by time}: every GPU, its memory, and the mean over cores."""
    series = defaultdict(dict)
    cores = defaultdict(lambda: defaultdict(list))
    for _, name, dimension, node, time, value in system_samples(job):
        if dimension == "CPUUtilization":
            cores[node][time].append(value)
        elif dimension in ("GPUUtilization", "GPUMemoryUtilization"):
            series[node, name, "GPU" if dimension == "GPUUtilization" else "GPU memory"][time] = value
    for node, by_time in cores.items():
        series[node, "cpu", "CPU"] = {time: sum(values) / len(values) for time, values in by_time.items()}
    return {key: np.array([value for _, value in sorted(by_time.items())]) for key, by_time in series.items()}
