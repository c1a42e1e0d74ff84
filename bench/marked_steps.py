"""What marking the steps of a launch-bound training loop costs, on a machine with a GPU and PyTorch 2:

    debrief record --no-trace --no-report -- python bench/marked_steps.py [SECONDS]

Two runs of the same loop differ by more than what is looked for (12% on a virtual machine). So one process switches between
recorded and plain every ten steps: the recorder is stopped, and the functions that it patched are the original ones. Limit: 1%.
"""

import os
import random
import signal
import statistics
import sys
import time

import torch
from torch.optim import optimizer as optimizers
from torch.utils.data import DataLoader, Dataset
from torch.utils.data.dataloader import _BaseDataLoaderIter as LoaderIterator

STEPS = 10  # of a block
FEATURES, BATCH, BATCHES = 64, 8, 4000


class Batches(Dataset):
    """On the GPU already, without end: all time is the loop's."""

    def __init__(self):
        self.inputs = torch.randn(BATCH * BATCHES, FEATURES, device="cuda")
        self.labels = torch.randint(0, 10, (BATCH * BATCHES,), device="cuda")

    def __len__(self):
        return 1 << 40

    def __getitem__(self, at):
        rows = slice(BATCH * (at % BATCHES), BATCH * (at % BATCHES + 1))
        return self.inputs[rows], self.labels[rows]


class Recording:
    """Switches it off and on again."""

    def __init__(self):
        self.next, self.backward = LoaderIterator.__next__, torch.autograd.backward
        cells = dict(zip(self.next.__code__.co_freevars, self.next.__closure__ or (), strict=True))
        if "next_batch" not in cells:
            sys.exit("marked_steps: run this with 'debrief record'.")
        self.plain_next = cells["next_batch"].cell_contents
        self.hooks = [
            (one, dict(one))
            for one in (optimizers._global_optimizer_pre_hooks, optimizers._global_optimizer_post_hooks)
        ]
        self.recorder = os.getppid()

    def switch(self, on):
        LoaderIterator.__next__ = self.next if on else self.plain_next
        torch.autograd.backward = self.backward if on else self.backward.__wrapped__
        for hooks, ours in self.hooks:
            if on:
                hooks.update(ours)
            else:
                hooks.clear()
        os.kill(self.recorder, signal.SIGCONT if on else signal.SIGSTOP)


def main(seconds):
    layers = [layer for _ in range(12) for layer in (torch.nn.Linear(FEATURES, FEATURES), torch.nn.ReLU())]
    model = torch.nn.Sequential(*layers, torch.nn.Linear(FEATURES, 10)).cuda()
    optimizer = torch.optim.Adam(model.parameters(), 1e-3)
    loss = torch.nn.CrossEntropyLoss()
    batches = iter(DataLoader(Batches(), batch_size=None))

    def step():
        inputs, labels = next(batches)
        optimizer.zero_grad()
        loss(model(inputs), labels).backward()
        optimizer.step()

    for _ in range(1000):
        step()
    recording = Recording()
    milliseconds = {True: [], False: []}
    end = time.monotonic() + seconds
    try:
        while time.monotonic() < end:
            for on in random.sample((True, False), 2):
                recording.switch(on)
                step()
                torch.cuda.synchronize()
                begin = time.perf_counter()
                for _ in range(STEPS):
                    step()
                torch.cuda.synchronize()
                milliseconds[on].append(1000 * (time.perf_counter() - begin) / STEPS)
    finally:
        recording.switch(True)
    differences = [recorded - plain for recorded, plain in zip(*milliseconds.values(), strict=True)]
    plain = statistics.mean(milliseconds[False])
    more = statistics.mean(differences)
    error = statistics.stdev(differences) / len(differences) ** 0.5
    print(
        f"{len(differences)} pairs of {STEPS} steps: {plain:.3f} ms plain, {1000 * more:.1f} ± {1000 * error:.1f} µs more recorded:"
        f" {100 * more / plain:.2f} ± {100 * error / plain:.2f}%"
    )


main(float(sys.argv[1]) if len(sys.argv) > 1 else 100)
