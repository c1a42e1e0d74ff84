"""docs/benchmarks.md out of what was measured."""

import re
from pathlib import Path

from measure import words
from measure.bench import QUICK, Bench
from targets import TARGETS, judge

HEAD = """# Benchmarks

<!-- Written by ./dev bench; what is changed here by hand is lost with the next run. -->

How fast debrief is, beside its peers and beside what the libraries could do at most, all measured in one run. Ratios hold on other machines;
seconds and bytes per second are this machine's.
"""

REPEAT = """## How to repeat it

    ./dev bench                              # everything; writes this file
    ./dev bench --only metrics,traces        # parts; prints them
    ./dev bench --quick                      # everything, small; prints it
    ./dev bench --dir FOLDER                 # keeps the generated inputs (5 GB) there, and takes those that are there already

It builds the release binary, generates its inputs from a seed (`bench/generate.py`, whose options say nodes, GPUs, cores, hours, interval, steps,
operators, traces), brings the peers from PyPI into a virtual environment of their own, measures, and deletes what it made. The machine should have
nothing else to do; files are in the system's cache when they are read, so that the disk is not measured.

- Times are wall clock, of the fastest of several runs. "Reading" is debrief's stage that reads files into columns, which is what the peers are timed
  for; a whole report is from the start of the process to its end.
- "Times as fast" is the other's time divided by that of debrief's reading, of the same files. Below 1, debrief is slower.
- The bare simdjson scan takes the fields that debrief takes, and keeps nothing: it is the limit for one core. Where two are given, the target is judged
  by the faster.
- What a .gz is compared with is inflating it and throwing it away, with the library that debrief uses and with the one that `gunzip` uses.
- Memory is what the system says was resident at most; of a peer it has the interpreter and its imports.
- smdebug and HTA read, and do not make a report; nothing of theirs is changed.
"""

TITLES = {
    "metrics": "System metrics",
    "timelines": "Timelines",
    "traces": "PyTorch traces",
    "trackers": "What training scripts log",
    "tensors": "Saved tensors",
    "large": "The large job",
    "samples": "The sample jobs",
    "each": "Many small jobs",
    "linear": "Linearity",
    "pages": "The page",
    "recorder": "The recorder",
    "instructions": "Instructions",
    "build": "The build",
}


def reasons(notes: Path, keys: list[str]) -> str:
    """Why targets are missed, by those who looked into it."""
    parts = re.split(r"^## +(\S+)\n", notes.read_text(), flags=re.MULTILINE) if notes.exists() else []
    texts = dict(zip(parts[1::2], parts[2::2], strict=True))
    works = {target.key: target.work for target in TARGETS}
    return "".join(
        f"\n- {works[key]}: {texts.get(key, 'not looked into yet; see the stages and instructions below.').strip()}"
        for key in keys
    )


def targets(bench: Bench, notes: Path) -> str:
    rows, missed = [], []
    for target in TARGETS:
        measured, verdict = judge(target, bench.figures)
        rows.append(f"| {target.work} | {target.target} | {measured} | {verdict} |")
        if "not met" in verdict:
            missed.append(target.key)
    table = "\n".join(["| work | target, on two cores | measured | |", "|---|---|---|---|", *rows])
    why = f"\n\nWhy not:\n{reasons(notes, missed)}" if missed else ""
    return f"## Targets\n\n{table}{why}\n"


def stages(bench: Bench) -> str:
    names = list(dict.fromkeys(name for _, cost in bench.costs.values() for name in cost.stages if name != "all"))
    rows = [
        [
            name,
            words.size(size),
            *(words.seconds(cost.stages[stage]) if stage in cost.stages else "" for stage in names),
            words.seconds(cost.wall),
            f"{cost.cpu / cost.wall:.1f}",
        ]
        for name, (size, cost) in bench.costs.items()
    ]
    return (
        "## Time by stage\n\nBy `--stats`. What is missing to the whole is the start of the process and writing the page. Cores is how many were "
        f"busy on average.\n\n{words.table(['', 'size', *names, 'whole', 'cores'], rows)}\n"
    )


def document(bench: Bench, sections: dict[str, str], machine: list[tuple[str, str]], notes: Path, kind: str) -> str:
    facts = "\n".join(f"- {name}: {value}" for name, value in [*machine, ("Run", kind)])
    parts = [HEAD]
    if bench.sizes is QUICK:
        parts.append(
            "This was a quick run on small inputs: it shows that the benchmark works, not how fast debrief is.\n"
        )
    parts.append(targets(bench, notes))
    if bench.missing:
        parts.append("Not measured:\n\n" + "\n".join(f"- {line}" for line in bench.missing) + "\n")
    parts.append(f"## The machine\n\n{facts}\n")
    parts += [f"## {TITLES[name]}\n\n{text}" for name, text in sections.items()]
    if bench.costs:
        parts.append(stages(bench))
    return "\n".join([*parts, REPEAT])
