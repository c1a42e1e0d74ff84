"""Writes a job of any size in SageMaker's layout: seeded, so that the same arguments give the same bytes.

    python bench/generate_job.py OUT --nodes 2 --gpus 8 --cores 96 --minutes 10 --interval-ms 500
"""

import argparse
import random
from pathlib import Path

START = 1_723_709_760  # a full minute
LINE = '{{"Type":"{}","Name":"{}","Dimension":"{}","Value":{:.2f},"NodeId":"{}","Timestamp":{:.6f}}}\n'


def minute_of_metrics(node: str, minute: int, options, rng: random.Random) -> str:
    """All lines of one node's file; cores share one moment, GPUs another, as recorders write them."""
    lines = []
    for sample in range(60_000 // options.interval_ms):
        time = START + minute * 60 + sample * options.interval_ms / 1000 + rng.uniform(0, 0.008)
        for core in range(options.cores):
            lines.append(LINE.format("cpu", f"cpu{core}", "CPUUtilization", rng.uniform(0, 100), node, time))
            lines.append(LINE.format("cpu", f"cpu{core}", "I/OWaitPercentage", rng.uniform(0, 5), node, time))
        for gpu in range(options.gpus):
            lines.append(LINE.format("gpu", f"gpu{gpu}", "GPUUtilization", rng.uniform(60, 100), node, time + 0.0004))
            lines.append(LINE.format("gpu", f"gpu{gpu}", "GPUMemoryUtilization", rng.uniform(40, 60), node, time + 0.0004))
        lines.append(LINE.format("memory", "MemoryUsedPercent", "", rng.uniform(20, 30), node, time))
        for name in ("ReceiveBytesPerSecond", "TransmitBytesPerSecond"):
            lines.append(LINE.format("network", name, "Algorithm", rng.uniform(0, 1e8), node, time + 0.04))
    return "".join(lines)


def minute_of_events(minute: int, options, rng: random.Random) -> str:
    """Steps of about 100 ms with operators inside, one event a line."""
    phases = ["Step:ModeKeys.TRAIN", "cpu_functions"]
    lines = [f'{{"name": "process_name", "ph": "M", "pid": 0, "args": {{"start_time_since_epoch_in_micros": {START * 1_000_000}}}}}']
    for index, phase in enumerate(phases, 1):
        lines.append(f'{{"name": "process_name", "ph": "M", "pid": {index}, "args": {{"name": "{phase}"}}}}')
    for step in range(600):
        at = (minute * 60_000 + step * 100) * 1000
        number = minute * 600 + step
        for operator in range(options.operators):
            lines.append(f'{{"name": "aten::op{operator % 200}", "pid": 2, "ph": "X", "ts": {at + operator * 9}, "dur": '
                         f'{rng.randrange(1, 9)}, "args": {{"step_num": {number}, "device": "cpu", "tid": 7}}}}')
        lines.append(f'{{"name": "{phases[0]}", "pid": 1, "ph": "X", "ts": {at}, "dur": {rng.randrange(80_000, 99_000)}, '
                     f'"args": {{"pid": 27, "step_num": "{number}"}}}}')
    return "[\n" + ",\n".join(lines) + "\n]\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--nodes", type=int, default=2)
    parser.add_argument("--gpus", type=int, default=8)
    parser.add_argument("--cores", type=int, default=96)
    parser.add_argument("--minutes", type=int, default=10)
    parser.add_argument("--interval-ms", type=int, default=500)
    parser.add_argument("--operators", type=int, default=50, help="per step")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    system = options.out / "profiler-output/system/incremental/2024081508"
    events = options.out / "profiler-output/framework/pevents/2024081508"
    system.mkdir(parents=True)
    events.mkdir(parents=True)
    for node in (f"algo-{number}" for number in range(1, options.nodes + 1)):
        for minute in range(options.minutes):
            rng = random.Random(f"{options.seed} {node} {minute}")
            stamp = START + minute * 60
            (system / f"{stamp}.{node}.json").write_text(minute_of_metrics(node, minute, options, rng))
            (events / f"{(stamp + 60) * 1_000_000}_27-{node}_pythontimeline.json").write_text(
                minute_of_events(minute, options, rng))


if __name__ == "__main__":
    main()
