"""PyTorch traces: how fast debrief reads them, beside HTA, Python's json and what the libraries could do at most.

    ./dev bench --traces [--megabytes N] [FILE...]

FILEs are plain .json traces; without any, a trace is generated. Each is also packed, to compare with zlib's inflate.
debrief's time is of the stage that reads ("ingest"); HTA's is of its parser; json's is of json.load.
"""

import argparse
import gzip
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
BINARY = HERE.parent / "build/release/debrief"
UNITS = {"ms": 1e-3, "s": 1, "min": 60, "kB": 1e3, "MB": 1e6, "GB": 1e9, "B": 1}


def quantity(text: str) -> float:
    number, unit = text.split()
    return float(number) * UNITS[unit]


def debrief(trace: Path, out: Path, repeat: int = 3) -> dict:
    """Seconds of reading and of all, and the peak memory; of the fastest run."""
    best = None
    for _ in range(repeat):
        run = subprocess.run([BINARY, "report", trace, "-o", out, "--stats", "--quiet"], check=True, capture_output=True, text=True)
        rows = {line.split()[0]: line for line in run.stderr.splitlines()}
        row = {
            "read": quantity(re.match(r"ingest +(\S+ \S+)", rows["ingest"]).group(1)),
            "all": quantity(re.match(r"all +(\S+ \S+)", rows["all"]).group(1)),
            "memory": quantity(re.search(r"(\S+ \S+)$", rows["all"]).group(1)),
        }
        if best is None or row["read"] < best["read"]:
            best = row
    return best


def limit(folder: Path, what: str, trace: Path) -> float:
    program = folder / "limits"
    if not program.exists():
        subprocess.run(["c++", "-std=c++20", "-O3", HERE / "limits.cpp", "-o", program, "-lsimdjson", "-lz"], check=True)
    return float(subprocess.run([program, what, trace], check=True, capture_output=True, text=True).stdout)


def hta(peers: Path, trace: Path) -> tuple[float, float] | None:
    run = subprocess.run([peers / "bin/python", HERE / "hta_parse.py", trace], capture_output=True, text=True)
    if run.returncode:
        print(f"HTA: {run.stderr.strip().splitlines()[-1]}")
        return None
    seconds, memory = run.stdout.split()[-2:]
    return float(seconds), float(memory)


def python_json(trace: Path) -> float:
    start = time.perf_counter()
    with open(trace) as file:
        json.load(file)
    return time.perf_counter() - start


def measure(trace: Path, folder: Path, peers: Path) -> None:
    size = trace.stat().st_size
    packed = folder / (trace.name + ".gz")
    with open(trace, "rb") as plain, gzip.open(packed, "wb", compresslevel=6) as file:
        shutil.copyfileobj(plain, file, 1 << 20)
    ours = debrief(trace, folder / "report.html")
    ours_packed = debrief(packed, folder / "report.html")
    scan = limit(folder, "scan", trace)
    inflate = limit(folder, "inflate", packed)
    print(f"\n{trace.name}, {size / 1e6:.0f} MB ({packed.stat().st_size / 1e6:.0f} MB packed)")
    print(f"{'':<34} {'seconds':>9} {'MB/s':>7} {'peak memory':>13}  debrief is")

    def row(name: str, seconds: float, memory: float | None = None, base: float | None = None) -> None:
        times = "" if base is None else f"{seconds / base:8.2f} times as fast"
        peak = "" if memory is None else f"{memory / 1e6:.0f} MB"
        print(f"{name:<34} {seconds:>9.3f} {size / 1e6 / seconds:>7.0f} {peak:>13} {times}")

    row("debrief, reading", ours["read"], ours["memory"])
    row("debrief, whole report", ours["all"], ours["memory"])
    row("simdjson on-demand scan, one core", scan, None, ours["read"])
    if (theirs := hta(peers, trace)) is not None:
        row("HTA, parsing", *theirs, ours["read"])
    row("Python json", python_json(trace), None, ours["read"])
    row("debrief, reading .gz", ours_packed["read"], ours_packed["memory"])
    row("zlib inflate", inflate, None, ours_packed["read"])
    print(f"memory per byte of trace: {ours['memory'] / size:.2f}")


def main(arguments: list[str], peers: Path) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("traces", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--megabytes", type=float, default=300)
    options = parser.parse_args(arguments)
    folder = Path(tempfile.mkdtemp(prefix="debrief-bench-"))
    try:
        traces = options.traces
        if not traces:
            traces = [folder / "generated.pt.trace.json"]
            subprocess.run([sys.executable, HERE / "generate_trace.py", traces[0], "--megabytes", str(options.megabytes)], check=True)
        for trace in traces:
            measure(trace, folder, peers)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main(sys.argv[2:], Path(sys.argv[1]))
