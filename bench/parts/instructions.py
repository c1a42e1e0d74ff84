"""How many instructions a byte of input takes: counted, so that the figures are the same on a busy machine."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from measure import callgrind, words
from measure.bench import Bench
from measure.inputs import size_of

TIMES = 3  # that limits.cpp does its work
SMALL = "--nodes 1 --gpus 4 --cores 48 --minutes 2 --operators 20"


@dataclass(frozen=True)
class Input:
    name: str
    path: Path
    size: int  # of what is in it
    limit: str  # the work of limits.cpp that it is compared with


def inputs(bench: Bench) -> list[Input]:
    job = bench.inputs.make(SMALL) / "profiler-output"
    trace = bench.inputs.trace(3, 48)
    return [
        Input("System metrics", job / "system", size_of(job / "system"), "lines"),
        Input("Timelines", job / "framework", size_of(job / "framework"), "scan"),
        Input("PyTorch trace", trace, size_of(trace), "scan"),
        Input("PyTorch trace, .gz", bench.inputs.packed(trace), size_of(trace), "inflate"),
    ]


def largest(spent: dict[str, Counter], size: dict[str, int], top: int) -> list[list[str]]:
    """Rows of what takes most in any of the inputs, in instructions per byte; the last row is the rest."""
    names = sorted(
        {name for counts in spent.values() for name in counts},
        key=lambda name: -max(counts[name] / size[key] for key, counts in spent.items()),
    )
    rows = [[name, *(f"{counts[name] / size[key]:.2f}" for key, counts in spent.items())] for name in names[:top]]
    if len(names) > top:
        rows.append(
            [
                "the rest",
                *(f"{sum(counts[name] for name in names[top:]) / size[key]:.2f}" for key, counts in spent.items()),
            ]
        )
    return rows


def short(name: str) -> str:
    """A function's name without its arguments, to fit a table."""
    name = name.split("'")[0].replace("(anonymous namespace)::", "").replace("|", "\\|")
    name = name.split("(")[0] if not name.startswith("0x") else name
    return f"`{name[:70]}`"


def instructions(bench: Bench) -> str:
    stages, groups, functions, size, limits = {}, {}, {}, {}, ["limit for ingest: bare scan, or inflating"]
    for item in inputs(bench):
        name, spent = item.name, callgrind.count(bench.binary, item.path)
        stages[name], groups[name], functions[name], size[name] = spent.stages, spent.groups, Counter(), item.size
        limits.append(f"{callgrind.total([bench.program(), item.limit, 1, item.path]) / TIMES / item.size:.2f}")
        for function, instructions_of_it in spent.functions.items():
            functions[name][short(function)] += instructions_of_it
    heads = ["instructions per byte of input", *size]
    in_order = [
        [stage, *(f"{counts[stage] / size[key]:.2f}" for key, counts in stages.items())] for stage in callgrind.STAGES
    ]
    sums = ["all", *(f"{sum(counts.values()) / size[key]:.1f}" for key, counts in stages.items())]
    sizes = "; ".join(f"{name}: {words.size(value)}" for name, value in size.items())
    return (
        "\n\n".join(
            (
                f"By valgrind's callgrind, on small inputs ({sizes}), so that start-up and page weigh more than in a large job.",
                words.table(heads, [*in_order, sums, limits]),
                words.table(["by kind of function", *size], largest(groups, size, len(callgrind.GROUPS) + 1)),
                words.table(["by function, the most costly", *size], largest(functions, size, 15)),
            )
        )
        + "\n"
    )
