"""A small training loop that knows nothing of debrief and prints its steps' seconds: `training_loop.py STEPS`."""

import json
import sys
import time

import torch
from torch.utils.data import DataLoader, TensorDataset


def main(steps: int):
    torch.manual_seed(1)
    torch.set_num_threads(1)
    net = torch.nn.Sequential(torch.nn.Linear(256, 512), torch.nn.ReLU(), torch.nn.Linear(512, 10))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    data = TensorDataset(torch.randn(steps * 64, 256), torch.randint(0, 10, (steps * 64,)))
    taken = []
    before = time.perf_counter()
    for inputs, labels in DataLoader(data, batch_size=64):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(inputs), labels).backward()
        optimizer.step()
        now = time.perf_counter()
        taken.append(now - before)
        before = now
    print(json.dumps(taken))


if __name__ == "__main__":
    main(int(sys.argv[1]))
