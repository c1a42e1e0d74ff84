"""Writes a job of any size in SageMaker's layout: seeded, so that the same arguments give the same bytes.

    python bench/generate_job.py OUT --nodes 2 --gpus 8 --cores 96 --minutes 10 --interval-ms 500
    python bench/generate_job.py OUT --nodes 8 --minutes 120 --operators 0    # 3 GB of samples
"""

import argparse
import math
import multiprocessing
import random
from pathlib import Path

START = 1_723_709_760  # a full minute
VALUES = [f"{hundredths / 100:.2f}" for hundredths in range(10_001)]  # texts of all percentages


def line_head(kind: str, name: str, dimension: str) -> str:
    return f'{{"Type":"{kind}","Name":"{name}","Dimension":"{dimension}","Value":'


class Load:
    """How busy a node is. Cores follow one load, each by its own share; GPUs stay on a plateau that dips while the
    job evaluates or waits; memory is level. With `noise` everything is random, the worst that packing can meet."""

    def __init__(self, options, node: str):
        rng = random.Random(f"{options.seed} {node}")
        self.noise = options.noise
        self.shares = [rng.choice((0.02, 0.05, 0.3, 0.6)) for _ in range(options.cores)]
        self.ripple = [rng.gauss(0, 1) for _ in range(4096)]
        self.memory = [rng.randrange(55, 80) for _ in range(options.gpus)]

    def moment(self, second: float, cores: int, gpus: int, rng: random.Random):
        """Percentages of cores, their I/O wait, GPUs and their memory."""
        if self.noise:
            return ([100 * rng.random() for _ in range(cores)], [5 * rng.random() for _ in range(cores)],
                    [60 + 40 * rng.random() for _ in range(gpus)], [40 + 20 * rng.random() for _ in range(gpus)])
        dips = second % 300 > 285 or second % 47 < 0.5
        load = 60 + 25 * math.sin(second / 40) + rng.gauss(0, 4)
        at = rng.randrange(4096)
        cpu = [min(max(share * load + (1 + 4 * share) * self.ripple[(at + 37 * core) % 4096], 0), 100)
               for core, share in enumerate(self.shares)]
        waits = rng.random() < 0.03
        io = [5 * rng.random() if waits and share > 0.1 else 0 for share in self.shares]
        gpu = [round(min(max((8 if dips else 93) + 3 * self.ripple[(at + 11 * device) % 4096], 0), 100)) for device in range(gpus)]
        return cpu, io, gpu, self.memory


def minute_of_metrics(node: str, minute: int, options, load: Load, rng: random.Random) -> str:
    """All lines of one node's file; cores share one moment, GPUs another, as recorders write them."""
    cpu_heads = [line_head("cpu", f"cpu{core}", "CPUUtilization") for core in range(options.cores)]
    io_heads = [line_head("cpu", f"cpu{core}", "I/OWaitPercentage") for core in range(options.cores)]
    gpu_heads = [line_head("gpu", f"gpu{gpu}", "GPUUtilization") for gpu in range(options.gpus)]
    memory_heads = [line_head("gpu", f"gpu{gpu}", "GPUMemoryUtilization") for gpu in range(options.gpus)]
    parts = []

    def add(heads, values, time: float) -> None:
        tail = f',"NodeId":"{node}","Timestamp":{time:.6f}}}\n'
        for head, value in zip(heads, values):
            parts.append(head)
            parts.append(VALUES[int(100 * value + 0.5)])
            parts.append(tail)

    for sample in range(60_000 // options.interval_ms):
        second = minute * 60 + sample * options.interval_ms / 1000
        time = START + second + rng.uniform(0, 0.008)
        cpu, io, gpu, memory = load.moment(second, options.cores, options.gpus, rng)
        add(cpu_heads, cpu, time)
        add(io_heads, io, time)
        add(gpu_heads, gpu, time + 0.0004)
        add(memory_heads, memory, time + 0.0004)
        add([line_head("memory", "MemoryUsedPercent", "")], [rng.uniform(20, 30)], time)
        for name in ("ReceiveBytesPerSecond", "TransmitBytesPerSecond"):
            parts.append(f'{line_head("network", name, "Algorithm")}{rng.uniform(0, 1e8):.2f},"NodeId":"{node}",'
                         f'"Timestamp":{time + 0.04:.6f}}}\n')
    return "".join(parts)


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


def write_node(node: str, options, system: Path, events: Path) -> None:
    load = Load(options, node)
    for minute in range(options.minutes):
        rng = random.Random(f"{options.seed} {node} {minute}")
        stamp = START + minute * 60
        (system / f"{stamp}.{node}.json").write_text(minute_of_metrics(node, minute, options, load, rng))
        (events / f"{(stamp + 60) * 1_000_000}_27-{node}_pythontimeline.json").write_text(
            minute_of_events(minute, options, rng))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--nodes", type=int, default=2)
    parser.add_argument("--gpus", type=int, default=8)
    parser.add_argument("--cores", type=int, default=96)
    parser.add_argument("--minutes", type=int, default=10)
    parser.add_argument("--interval-ms", type=int, default=500)
    parser.add_argument("--operators", type=int, default=50, help="per step")
    parser.add_argument("--noise", action="store_true", help="random values, which nothing can pack")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    system = options.out / "profiler-output/system/incremental/2024081508"
    events = options.out / "profiler-output/framework/pevents/2024081508"
    system.mkdir(parents=True)
    events.mkdir(parents=True)
    with multiprocessing.Pool() as pool:
        pool.starmap(write_node, [(f"algo-{number}", options, system, events) for number in range(1, options.nodes + 1)])


if __name__ == "__main__":
    main()
