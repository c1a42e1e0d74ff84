"""The benchmark: measures debrief beside its peers and the limits, and writes docs/benchmarks.md.

    ./dev bench [--only PART,...] [--quick] [--repeat N] [--dir FOLDER] [--out FILE]

A run of everything writes docs/benchmarks.md; one with --only or --quick prints, unless --out names a file.
"""

import argparse
import shutil
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path

from document import document
from measure import machine
from measure.bench import FULL, HERE, QUICK, Bench
from measure.inputs import Inputs
from parts.instructions import instructions
from parts.linear import linear
from parts.reading import metrics, tensors, timelines, traces, trackers
from parts.recorder import recorder
from parts.whole import build, each, large, pages, samples

PARTS = {
    "metrics": metrics,
    "timelines": timelines,
    "traces": traces,
    "trackers": trackers,
    "tensors": tensors,
    "large": large,
    "samples": samples,
    "each": each,
    "linear": linear,
    "pages": pages,
    "recorder": recorder,
    "instructions": instructions,
    "build": build,
}


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="./dev bench", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--only", help=f"parts to run: {', '.join(PARTS)}")
    add("--quick", action="store_true", help="small inputs: to see that it works, not how fast debrief is")
    add("--repeat", type=int, default=3, help="runs, of which the fastest counts (default: %(default)s)")
    add("--dir", type=Path, help="folder for generated inputs, which are kept there (default: a temporary one)")
    add("--out", type=Path, help="file to write (default: docs/benchmarks.md, for a run of everything)")
    add("--date", help="what the document says about when it was made (default: nothing)")
    add(
        "--binary",
        type=Path,
        default=HERE.parent / "build/release/debrief",
        help="what to measure (default: the release build)",
    )
    add("--peers", type=Path, required=True, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    options.parts = options.only.split(",") if options.only else list(PARTS)
    for part in options.parts:
        if part not in PARTS:
            parser.error(f"there is no part '{part}'; the parts are: {', '.join(PARTS)}.")
    if not options.binary.exists():
        parser.error(f"'{options.binary}' is not there; ./dev build makes it.")
    if options.out is None and not options.only and not options.quick:
        options.out = HERE.parent / "docs/benchmarks.md"
    return options


def measure(bench: Bench, parts: list[str]) -> dict[str, str]:
    """What each part has to show; one that fails says so, and the others go on."""
    sections = {}
    for name in parts:
        start = time.perf_counter()
        bench.say(f"{name} …")
        try:
            sections[name] = PARTS[name](bench)
        except Exception as failure:  # whatever it is, the rest of an unattended run is not thrown away for it
            traceback.print_exc()
            bench.missing.append(f"{name}: {failure}")
        bench.say(f"{name}: {time.perf_counter() - start:.0f} s")
    return sections


def main(arguments: list[str]) -> None:
    options = parse(arguments)
    if options.dir:
        options.dir.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that what was made is deleted then, too
    scratch = Path(tempfile.mkdtemp(prefix="debrief-bench-", dir=options.dir))
    try:
        bench = Bench(
            options.binary.resolve(),
            Inputs(options.dir or scratch),
            scratch,
            options.peers,
            options.repeat,
            QUICK if options.quick else FULL,
        )
        found = machine.describe(bench.binary)
        sections = measure(bench, options.parts)
        kind = f"{'quick' if options.quick else 'full'}, best of {options.repeat}{f', {options.date}' if options.date else ''}"
        text = document(bench, sections, found, HERE / "notes.md", kind)
        if options.out:
            options.out.write_text(text)
            bench.say(f"written: {options.out}")
        else:
            print(text)
    finally:
        shutil.rmtree(scratch)


if __name__ == "__main__":
    main(sys.argv[1:])
