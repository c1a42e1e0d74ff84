"""How fast inputs are read: system metrics, timelines and PyTorch traces, beside the peers and the limits."""

import re
from pathlib import Path

from measure import words
from measure.bench import HERE, Bench
from measure.inputs import size_of
from measure.run import Cost, best

TRIAL_STEPS = 500  # more would take smdebug's reader many minutes


class Readers:
    """A table of all that read one input; ratios are to debrief's own reading."""

    HEADS = ("", "time", "speed", "peak memory", "memory per byte", "debrief is, times as fast")

    def __init__(self, bench: Bench, name: str, path: Path, bytes_read: int | None = None):
        self.bench, self.name, self.path = bench, name, path
        self.size = bytes_read or size_of(path)
        self.rows: list[list[str]] = []
        self.ours = self.debrief(path)

    def debrief(self, path: Path) -> Cost:
        cost = best(self.bench.repeat, self.bench.binary, path, self.bench.page, key=lambda run: run.read)
        self.bench.costs[self.name] = (self.size, cost)
        self.row("debrief, reading", cost.read, cost.memory)
        self.row("debrief, whole report", cost.wall, cost.memory)
        return cost

    def row(self, name: str, seconds: float, memory: float | None = None, ratio: bool = False) -> None:
        self.rows.append(
            [
                name,
                words.seconds(seconds),
                words.speed(self.size / seconds),
                "" if memory is None else words.size(memory),
                "" if memory is None else f"{memory / self.size:.2f}",
                words.times(seconds / self.ours.read) if ratio else "",
            ]
        )

    def limit(self, label: str, what: str, threads: int, native: bool = False) -> float:
        seconds = self.bench.limit(what, threads, self.path, native)
        self.row(label, seconds, None, True)
        return seconds

    def peer(self, label: str, script: str, *arguments) -> float | None:
        """How many times as fast as the peer debrief reads."""
        found = self.bench.peer(label, script, *arguments)
        if found is None:
            self.rows.append([label, "does not run", "", "", "", ""])
            return None
        self.row(label, *found, True)
        return found[0] / self.ours.read

    def markdown(self) -> str:
        return f"**{self.name}**, {words.size(self.size)}:\n\n{words.table(self.HEADS, self.rows)}\n"


def scans(readers: Readers, what: str) -> float:
    """Seconds of the fastest: on all cores."""
    cores = readers.bench.cores
    readers.limit("simdjson, bare scan, one core", what, 1)
    fastest = readers.limit("simdjson, bare scan, one core, compiled for this processor", what, 1, True)
    if cores > 1:
        fastest = readers.limit(f"simdjson, bare scan, {cores} cores, compiled for this processor", what, cores, True)
    return fastest


def smdebug(readers: Readers, what: str, output: Path) -> float | None:
    return readers.peer(f"smdebug {readers.bench.version('smdebug')}, PandasFrame", "smdebug_frame.py", what, output)


def note(bench: Bench, figure: str, value: float | None) -> None:
    if value is not None:
        bench.figures[figure] = value


def metrics(bench: Bench) -> str:
    output = bench.scaled_job(4) / "profiler-output"
    readers = Readers(bench, "System metrics (JSON lines)", output / "system")
    scans(readers, "lines")
    note(bench, "metrics.times_smdebug", smdebug(readers, "metrics", output))
    readers.peer("Python's json", "python_json.py", "lines", readers.path)
    bench.figures["metrics.speed"] = readers.size / readers.ours.read
    return readers.markdown()


def timelines(bench: Bench) -> str:
    output = bench.scaled_job(4) / "profiler-output"
    readers = Readers(bench, "Timelines (arrays of events)", output / "framework")
    bench.figures["timelines.of_scan"] = scans(readers, "scan") / readers.ours.read
    smdebug(readers, "timelines", output)
    readers.peer("Python's json", "python_json.py", "documents", readers.path)
    return readers.markdown()


def traces(bench: Bench) -> str:
    trace = bench.scaled_trace(16)
    plain = Readers(bench, "PyTorch trace", trace)
    scan = min(
        plain.limit("simdjson, bare scan, one core", "scan", 1),
        plain.limit("simdjson, bare scan, one core, compiled for this processor", "scan", 1, True),
    )
    note(
        bench,
        "trace.times_hta",
        plain.peer(f"HTA {bench.version('HolisticTraceAnalysis')}, parse_trace_file", "hta_parse.py", trace),
    )
    plain.peer("Python's json", "python_json.py", "documents", trace)
    bench.figures["trace.of_scan"] = scan / plain.ours.read
    bench.figures["trace.memory_per_byte"] = plain.ours.memory / plain.size

    packed = bench.inputs.packed(trace)
    gz = Readers(bench, "PyTorch trace, .gz", packed, plain.size)
    gz.limit("ISA-L, debrief's library: inflating it and no more, one core", "inflate", 1)
    gz.limit("zlib, gunzip's library: inflating it and no more, one core", "zlib", 1)
    bench.figures["gz.of_scan"] = scan / gz.ours.read
    return f"{plain.markdown()}\n{gz.markdown()}\nIt has {words.size(size_of(packed))} on disk; speeds are of what is in it.\n"


def trackers(bench: Bench) -> str:
    """What training scripts log: files that grow with every step."""
    requirements = (HERE.parent / "tests/trackers/requirements.txt").read_text()
    version = re.search(r"^tensorboard==(.*)$", requirements, re.MULTILINE).group(1)
    events = bench.inputs.run_log("events", "events.out.tfevents.1", bench.sizes.logged)
    tensorboard = Readers(bench, "TensorBoard events", events)
    note(
        bench,
        "events.times_tensorboard",
        tensorboard.peer(f"tensorboard {version}, EventAccumulator", "tensorboard_load.py", events),
    )
    bench.figures["events.speed"] = tensorboard.size / tensorboard.ours.read
    wandb = Readers(bench, "W&B run", bench.inputs.run_log("wandb", "run.wandb", bench.sizes.logged))
    bench.figures["wandb.speed"] = wandb.size / wandb.ours.read
    return f"{tensorboard.markdown()}\n{wandb.markdown()}"


def tensors(bench: Bench) -> str:
    """What SageMaker Debugger's hook saves: the whole job, and as much of it as smdebug's own reader gets through in minutes."""
    steps, saved = bench.sizes.saved_steps, 200
    rows, costs = [], {}
    for count in (steps, min(steps, TRIAL_STEPS)):
        job = bench.inputs.saved_tensors(count, saved)
        costs[count] = best(bench.repeat, bench.binary, job, bench.page, key=lambda run: run.wall)
        rows.append(
            [
                f"debrief, whole report, {count:,} steps",
                words.seconds(costs[count].wall),
                words.size(costs[count].memory),
            ]
        )
    bench.figures["tensors.seconds"], bench.figures["tensors.memory"] = costs[steps].wall, costs[steps].memory
    label = f"smdebug {bench.version('smdebug')}, trial API, {count:,} steps"
    found = bench.peer(label, "smdebug_trial.py", job / "debug-output")
    if found is not None:
        rows.append([label, words.seconds(found[0]), words.size(found[1])])
        bench.figures["tensors.times_trial"] = found[0] / costs[count].wall
    head = f"**Saved tensors**, a reduction of {saved} gradients at every step, and all rules on the model:\n\n"
    return head + words.table(("", "time", "peak memory"), rows) + "\n"
