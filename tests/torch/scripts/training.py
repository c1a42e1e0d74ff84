"""What the scripts share: a small model, data that takes a while to load, and a diary. Knows nothing of debrief."""

import json
import time

import torch
from torch import nn
from torch.utils.data import Dataset


class Samples(Dataset):
    def __init__(self, count: int, seconds: float, note=None):
        self.count = count
        self.seconds = seconds  # that one sample takes to load
        self.note = note

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        if self.note:
            self.note("loading")
        time.sleep(self.seconds)
        if self.note:
            self.note("loaded")
        return torch.randn(32), index % 10


def model() -> nn.Module:
    return nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 10))


def loss_of(net: nn.Module, batch) -> torch.Tensor:
    return nn.functional.cross_entropy(net(batch[0]), batch[1])


class Diary:
    """What the script comes to, in order: names and moments, in microseconds since the epoch."""

    def __init__(self):
        self.notes: list[tuple[str, float]] = []
        self.note("opened")

    def note(self, name: str):
        self.notes.append((name, time.time() * 1e6))

    def asking(self, loader, purpose: str = ""):
        """The loader's batches, with a note before each is asked for and one when it is there."""
        batches = iter(loader)
        while True:
            self.note(f"asked{purpose}")
            try:
                batch = next(batches)
            except StopIteration:
                self.note(f"no more{purpose}")
                return
            self.note(f"got{purpose}")
            yield batch

    def tell(self, **more):
        print(json.dumps({"notes": self.notes, **more}))
