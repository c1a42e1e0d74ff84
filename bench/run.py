"""The benchmark: how fast debrief reads, beside Python's json on the same files in the same run.

    ./dev bench [--nodes N] [--minutes N] [--repeat N]

Then how fast its page opens and zooms (bench/page.mjs); `--nodes 8 --minutes 120` is the large job, 3 GB, whose page has
to stay within its budget. Prints tables. Ratios hold on other machines; megabytes per second are this machine's.
"""

import argparse
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


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*.json"))


def best_of(repeat: int, work) -> float:
    """Seconds of the fastest run: what the code can do, without what else the machine did meanwhile."""
    seconds = []
    for _ in range(repeat):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def report(job: Path, out: Path) -> dict:
    outcome = subprocess.run([BINARY, "report", job, "-o", out, "--stats", "--quiet"], check=True, capture_output=True, text=True)
    return {line.split()[0]: line for line in outcome.stderr.splitlines()}


def python_lines(folder: Path) -> None:
    for path in folder.rglob("*.json"):
        with open(path) as file:
            for line in file:
                json.loads(line)


def python_documents(folder: Path) -> None:
    for path in folder.rglob("*.json"):
        json.loads(path.read_text())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=2)
    parser.add_argument("--minutes", type=int, default=8)
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()

    folder = Path(tempfile.mkdtemp(prefix="debrief-bench-"))
    try:
        subprocess.run([sys.executable, HERE / "generate_job.py", folder / "job", "--nodes", str(options.nodes), "--minutes", str(options.minutes)], check=True)
        parts = {
            "system metrics": (folder / "job/profiler-output/system", python_lines),
            "timelines": (folder / "job/profiler-output/framework", python_documents),
        }
        print(f"{'input':<16} {'size':>9} {'debrief':>11} {'Python json':>12} {'ratio':>7} {'peak memory':>12}")
        for name, (part, peer) in parts.items():
            size = size_of(part)
            ours = best_of(options.repeat, lambda part=part: report(part, folder / "report.html"))
            theirs = best_of(1, lambda part=part, peer=peer: peer(part))
            memory = re.search(r"(\S+ \S+)$", report(part, folder / "report.html")["all"]).group(1)
            print(f"{name:<16} {size / 1e6:>6.0f} MB {size / 1e6 / ours:>6.0f} MB/s {size / 1e6 / theirs:>7.0f} MB/s "
                  f"{theirs / ours:>6.1f}x {memory:>12}")
        print(f"\nwhole job, stage by stage ({size_of(folder) / 1e6:.0f} MB):")
        for line in report(folder / "job", folder / "report.html").values():
            print(line)
        print("\nits page:", flush=True)
        subprocess.run(["node", HERE / "page.mjs", folder / "report.html"], check=True)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
