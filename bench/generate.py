"""Writes a job of any size as SageMaker and PyTorch leave one behind: seeded, the same options give the same bytes.

    python bench/generate.py OUT --nodes 2 --gpus 8 --cores 96 --hours 0.5 --operators 50
    python bench/generate.py OUT --nodes 8 --hours 2 --operators 0            # 3 GB of samples
    python bench/generate.py OUT --parts traces --traces 1 --trace-megabytes 1000 --gz

OUT gets job.json, profiler-output/ (system metrics and timelines, one file per node and minute) and traces/.
"""

import argparse
import json
import multiprocessing
import sys
from pathlib import Path

from generator.metrics import write_metrics
from generator.shape import START, Shape
from generator.timelines import write_timelines
from generator.traces import write_trace

PARTS = {"metrics": write_metrics, "timelines": write_timelines}
CHUNK = 8  # minutes that one task writes


def tasks(shape: Shape, parts: list[str]):
    for part, write in PARTS.items():
        if part in parts:
            for node in shape.node_names():
                for minute in range(0, shape.minutes, CHUNK):
                    yield write, (shape, node, range(minute, min(minute + CHUNK, shape.minutes)))
    if "traces" in parts:
        for rank in range(shape.traces):
            yield write_trace, (shape, rank)


def run(task) -> None:
    write, arguments = task
    write(*arguments)


def describe(shape: Shape) -> None:
    shape.out.mkdir(parents=True)
    (shape.out / "job.json").write_text(
        json.dumps(
            {
                "TrainingJobName": f"generated-{shape.seed}",
                "TrainingStartTime": START,
                "TrainingEndTime": START + 60 * shape.minutes,
                "ResourceConfig": {"InstanceCount": shape.nodes},
                "ProfilerConfig": {"ProfilingIntervalInMilliseconds": shape.interval_ms},
            },
            indent=1,
        )
        + "\n"
    )


def generate(shape: Shape, parts: list[str], processes: int | None = None) -> None:
    describe(shape)
    with multiprocessing.Pool(processes) as pool:
        for _ in pool.imap_unordered(run, tasks(shape, parts)):
            pass


def parse(arguments: list[str]):
    parser = argparse.ArgumentParser(
        prog="generate.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("out", type=Path, metavar="OUT", help="a folder that is not there yet")
    add("--parts", default="metrics,timelines,traces", help="what to write (default: all)")
    add("--nodes", type=int, default=Shape.nodes)
    add("--gpus", type=int, default=Shape.gpus, help="per node")
    add("--cores", type=int, default=Shape.cores, help="per node")
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--hours", type=float, help="how long the job ran, to a minute")
    length.add_argument("--minutes", type=int, default=Shape.minutes)
    add("--interval-ms", type=int, default=Shape.interval_ms, help="between samples")
    add("--steps", type=int, default=Shape.steps, help="a minute")
    add("--operators", type=int, default=Shape.operators, help="of each step in the timelines")
    add(
        "--traces",
        type=int,
        default=Shape.traces,
        help="Kineto traces, one for each of the first ranks (default: none)",
    )
    add("--trace-steps", type=int, default=Shape.trace_steps)
    add("--trace-megabytes", type=float, help="size of each trace, instead of its steps")
    add("--layers", type=int, default=Shape.layers, help="of the traced model")
    add("--stacks", action="store_true", help="traces with Python functions and modules")
    add("--gz", action="store_true", help="pack every file")
    add("--noise", action="store_true", help="random values, which nothing can pack")
    add("--seed", type=int, default=Shape.seed)
    add("--processes", type=int, help="that write (default: one per core)")
    options = vars(parser.parse_args(arguments))
    parts = options.pop("parts").split(",")
    if unknown := set(parts) - {*PARTS, "traces"}:
        parser.error(f"there is no part '{min(unknown)}'; the parts are: metrics, timelines, traces.")
    if options["out"].exists():
        parser.error(f"'{options['out']}' is there already; name a folder that is not.")
    if (hours := options.pop("hours")) is not None:
        options["minutes"] = max(round(60 * hours), 1)
    processes = options.pop("processes")
    return Shape(**options), parts, processes


if __name__ == "__main__":
    generate(*parse(sys.argv[1:]))
