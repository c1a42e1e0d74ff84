"""What `debrief record` costs: its own time and memory beside a command that does nothing, and the time of a training loop's steps
with and without it."""

import json
import statistics
import subprocess
import tempfile

from measure import words
from measure.bench import HERE, Bench
from measure.run import Failed, last_line, spend

PYTHON = "/usr/bin/python3"  # Debian's, which has python3-torch
ON_A_GPU = (
    "On an H200 (16 cores, PyTorch 2.11), a launch-bound step of 2.5 ms took 23 ± 5 µs and, in another run, one of 2.7 ms 9 ± 5 µs "
    "longer recorded: 0.92 and 0.35 %. It takes a GPU to measure: `bench/marked_steps.py` switches recording on and off every ten steps.\n"
)


def recorder(bench: Bench) -> str:
    seconds = bench.sizes.recorded
    core_percent, memory = cost_of_itself(bench, seconds)
    bench.figures |= {"recorder.core_percent": core_percent, "recorder.memory": memory}
    rows = [["`sleep`", words.seconds(seconds), f"{core_percent:.2f} %", words.size(memory)]]
    text = "One sample every 500 ms, all cores and disks of this machine; it has no GPU.\n\n" + words.table(
        ["recorded command", "for", "recorder, of a core", "peak memory"], rows
    )
    return text + "\n\n" + steps(bench)


def cost_of_itself(bench: Bench, seconds: float) -> tuple[float, float]:
    """Percent of a core, and bytes. What `sleep` takes is counted with it."""
    with tempfile.TemporaryDirectory(dir=bench.scratch) as folder, tempfile.TemporaryFile("w+") as stderr:
        words_of_it = ["record", "-o", f"{folder}/job", "--interval", "500ms", "--no-report", "--quiet"]
        wall, cpu, memory = spend([bench.binary, *words_of_it, "--", "sleep", str(seconds)], stderr)
    return 100 * cpu / wall, memory


def steps(bench: Bench) -> str:
    """Runs with and without take turns, so that a machine that changes its speed changes both."""
    plain, recorded = [], []
    for _ in range(max(bench.repeat, 3)):
        plain.append(median_step(bench, []))
        with tempfile.TemporaryDirectory(dir=bench.scratch) as folder:
            front = [bench.binary, "record", "-o", f"{folder}/job", "--interval", "500ms", "--no-report", "--quiet"]
            recorded.append(median_step(bench, [*front, "--"]))
    slower = 100 * (min(recorded) / min(plain) - 1)
    bench.figures["recorder.step_percent"] = max(0.0, slower)
    rows = [["plain", words.seconds(min(plain))], ["recorded", words.seconds(min(recorded))]]
    return (
        "A PyTorch loop on one core, its own clock; the median step of the fastest of "
        f"{len(plain)} runs each, which took turns.\n\n" + words.table(["", "step"], rows) + "\n\n" + ON_A_GPU
    )


def median_step(bench: Bench, front: list) -> float:
    script = HERE / "training_loop.py"
    command = [*front, PYTHON, script, bench.sizes.recorded_steps]
    run = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if run.returncode:
        raise Failed(f"the training loop ended with {run.returncode}: {last_line(run.stderr)}")
    return statistics.median(json.loads(run.stdout))
