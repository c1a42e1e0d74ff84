"""What the scripts share: a small model, data that takes a while to load, and a clock. Knows nothing of debrief."""

import json
import time

import torch
from torch import nn
from torch.utils.data import Dataset


class Samples(Dataset):
    def __init__(self, count: int, seconds: float):
        self.count = count
        self.seconds = seconds  # that one sample takes to load

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        time.sleep(self.seconds)
        return torch.randn(32), index % 10


def model() -> nn.Module:
    return nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 10))


def loss_of(net: nn.Module, batch) -> torch.Tensor:
    return nn.functional.cross_entropy(net(batch[0]), batch[1])


class Clock:
    """Sums up pieces of the loop by name."""

    def __init__(self):
        self.sums: dict[str, float] = {}
        self.counts: dict[str, int] = {}
        self.at = time.perf_counter()

    def lap(self, name: str):
        now = time.perf_counter()
        self.sums[name] = self.sums.get(name, 0) + now - self.at
        self.counts[name] = self.counts.get(name, 0) + 1
        self.at = now

    def skip(self):
        self.at = time.perf_counter()

    def tell(self, **more):
        print(json.dumps({"seconds": self.sums, "counts": self.counts, **more}))


class Diary:
    """When things began and ended, by name, in microseconds since the epoch."""

    def __init__(self):
        self.times: dict[str, list[list[float]]] = {}

    def begin(self, name: str):
        self.times.setdefault(name, []).append([time.time() * 1e6])

    def end(self, name: str):
        self.times[name][-1].append(time.time() * 1e6)

    def tell(self, **more):
        print(json.dumps({"times": self.times, **more}))
