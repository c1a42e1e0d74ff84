"""Whether scripts end under the recorder as they end without it: exit code, output and files.

`endings.py --times 20 --side-by-side 8` runs the four likeliest endings on the machine at hand, with its GPU, and prints a table.
Needs nothing but Python and PyTorch 2.7 or newer.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "scripts"))

from ending import ENDINGS, MOMENTS  # noqa: E402

LIKELIEST = ("end", "exit", "exception", "handled sigterm")
RECORDED = {"KINETO_USE_DAEMON", "KINETO_LOG_LEVEL"}


def outcome(command, folder: Path) -> dict:
    """What others see of it; files in a folder called job are the recorder's."""
    folder.mkdir(parents=True)
    environment = {name: value for name, value in os.environ.items() if name not in RECORDED}
    begin = time.monotonic()
    try:
        run = subprocess.run(
            [str(word) for word in command],
            cwd=folder,
            env={**environment, "OMP_NUM_THREADS": "1"},
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return {"code": "hangs"}
    return {
        # The recorder says of a signal what a shell says.
        "code": 128 - run.returncode if run.returncode < 0 else run.returncode,
        "out": run.stdout,
        "err": run.stderr,
        "files": {file.name: file.read_text() for file in sorted(folder.iterdir()) if file.is_file()},
        "seconds": time.monotonic() - begin,
    }


def differences(plain: dict, recorded: dict) -> list[str]:
    return [
        f"{part}: {plain.get(part)!r} plain, {recorded.get(part)!r} recorded"
        for part in ("code", "out", "err", "files")
        if plain.get(part) != recorded.get(part)
    ]


def run_plain(python, ending, folder: Path) -> dict:
    return outcome([python, HERE / "scripts" / "ending.py", ending, "before"], folder)


def run_recorded(binary, python, ending, moment, folder: Path) -> dict:
    """`steps=1`: three steps are in the window; a long one is ended by the script."""
    steps = 100_000 if moment == "recording" else 1
    options = ["-o", "job", "--quiet", "--no-report", "--trace", f"after=3,steps={steps}"]
    return outcome([binary, "record", *options, "--", python, HERE / "scripts" / "ending.py", ending, moment], folder)


def traces(folder: Path) -> list[Path]:
    return sorted((folder / "job" / "traces").glob("window-*/*.gz"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", default=os.environ.get("DEBRIEF_BINARY", "build/release/debrief"))
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--endings", default=",".join(LIKELIEST), help="comma-separated; 'all'")
    parser.add_argument("--moments", default=",".join(MOMENTS[1:]))
    parser.add_argument("--times", type=int, default=1, help="runs of each ending, spread over the moments")
    parser.add_argument("--side-by-side", type=int, default=2)
    options = parser.parse_args()
    binary = Path(options.binary).resolve()
    endings = list(ENDINGS) if options.endings == "all" else options.endings.split(",")
    moments = options.moments.split(",")
    wrong = 0
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(options.side_by_side) as pool:
        plain = dict(
            zip(
                endings,
                pool.map(lambda e: run_plain(options.python, e, Path(scratch) / f"plain {e}"), endings),
                strict=True,
            )
        )
        runs = [(ending, moments[time % len(moments)], time) for ending, time in product(endings, range(options.times))]
        ended = pool.map(
            lambda r: run_recorded(binary, options.python, r[0], r[1], Path(scratch) / f"{r[0]} {r[1]} {r[2]}"), runs
        )
        rows = {}
        for (ending, moment, number), recorded in zip(runs, ended, strict=True):
            row = rows.setdefault((ending, moment), [0, 0, 0])
            row[0] += 1
            row[2] += len(traces(Path(scratch) / f"{ending} {moment} {number}"))
            for difference in differences(plain[ending], recorded):
                print(f"{ending}, {moment}: {difference}", flush=True)
                row[1] = row[1] + 1
    print(f"{'ending':24}{'moment':12}{'runs':>6}{'traces':>8}{'differences':>13}")
    for (ending, moment), (count, different, recorded) in rows.items():
        wrong += different
        print(f"{ending:24}{moment:12}{count:6}{recorded:8}{different:13}")
    print(f"{sum(row[0] for row in rows.values())} runs, {wrong} differences")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
