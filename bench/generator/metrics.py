"""System metrics as SageMaker's recorder writes them: JSON lines, one file per node and minute."""

import math
import random

from generator.shape import START, Shape

VALUES = [f"{hundredths / 100:.2f}" for hundredths in range(10_001)]  # texts of all percentages
PERCENTAGES = (
    ("cpu", "CPUUtilization"),
    ("cpu", "I/OWaitPercentage"),
    ("gpu", "GPUUtilization"),
    ("gpu", "GPUMemoryUtilization"),
)
RATES = (
    ("i/o", "IOPS", "", 500),
    ("i/o", "ReadThroughputInBytesPerSecond", "", 2e8),
    ("i/o", "WriteThroughputInBytesPerSecond", "", 5e7),
    ("network", "ReceiveBytesPerSecond", "Algorithm", 1e8),
    ("network", "TransmitBytesPerSecond", "Algorithm", 1e8),
)


def line_head(kind: str, name: str, dimension: str) -> str:
    return f'{{"Type":"{kind}","Name":"{name}","Dimension":"{dimension}","Value":'


class Load:
    """How busy a node is. Cores follow one load, each by its own share; GPUs stay on a plateau that dips while the
    job evaluates or waits; memory is level. With `noise` everything is random, the worst that packing can meet."""

    def __init__(self, shape: Shape, node: str):
        rng = random.Random(f"{shape.seed} {node}")
        self.noise = shape.noise
        self.shares = [rng.choice((0.02, 0.05, 0.3, 0.6)) for _ in range(shape.cores)]
        self.ripple = [rng.gauss(0, 1) for _ in range(4096)]
        self.memory = [rng.randrange(55, 80) for _ in range(shape.gpus)]

    def moment(self, second: float, rng: random.Random):
        """Percentages of cores, their I/O wait, GPUs and their memory."""
        cores, gpus = len(self.shares), len(self.memory)
        if self.noise:
            return (
                [100 * rng.random() for _ in range(cores)],
                [5 * rng.random() for _ in range(cores)],
                [60 + 40 * rng.random() for _ in range(gpus)],
                [40 + 20 * rng.random() for _ in range(gpus)],
            )
        dips = second % 300 > 285 or second % 47 < 0.5
        load = 60 + 25 * math.sin(second / 40) + rng.gauss(0, 4)
        at = rng.randrange(4096)
        cpu = [
            min(max(share * load + (1 + 4 * share) * self.ripple[(at + 37 * core) % 4096], 0), 100)
            for core, share in enumerate(self.shares)
        ]
        waits = rng.random() < 0.03
        io = [5 * rng.random() if waits and share > 0.1 else 0 for share in self.shares]
        gpu = [
            round(min(max((8 if dips else 93) + 3 * self.ripple[(at + 11 * device) % 4096], 0), 100))
            for device in range(gpus)
        ]
        return cpu, io, gpu, self.memory


def minute_of_metrics(node: str, minute: int, shape: Shape, load: Load) -> str:
    """All lines of one file; cores share one moment, GPUs another, as recorders write them."""
    rng = random.Random(f"{shape.seed} {node} {minute}")
    devices = {"cpu": shape.cores, "gpu": shape.gpus}
    heads = [
        [line_head(kind, f"{kind}{device}", dimension) for device in range(devices[kind])]
        for kind, dimension in PERCENTAGES
    ]
    memory_head = [line_head("memory", "MemoryUsedPercent", "")]
    rates = [(line_head(kind, name, dimension), most) for kind, name, dimension, most in RATES]
    parts = []

    def add(lines, values, time: float) -> None:
        tail = f',"NodeId":"{node}","Timestamp":{time:.6f}}}\n'
        for head, value in zip(lines, values, strict=True):
            parts.append(head)
            parts.append(VALUES[int(100 * value + 0.5)])
            parts.append(tail)

    for sample in range(60_000 // shape.interval_ms):
        second = minute * 60 + sample * shape.interval_ms / 1000
        time = START + second + rng.uniform(0, 0.008)
        for lines, values, late in zip(heads, load.moment(second, rng), (0, 0, 0.0004, 0.0004), strict=True):
            add(lines, values, time + late)
        add(memory_head, [rng.uniform(20, 30)], time)
        for head, most in rates:
            parts.append(f'{head}{rng.uniform(0, most):.2f},"NodeId":"{node}","Timestamp":{time + 0.04:.6f}}}\n')
    return "".join(parts)


def write_metrics(shape: Shape, node: str, minutes: range) -> None:
    load = Load(shape, node)
    for minute in minutes:
        stamp = START + minute * 60
        shape.write(
            shape.folder("system/incremental", stamp) / f"{stamp}.{node}.json",
            minute_of_metrics(node, minute, shape, load),
        )
