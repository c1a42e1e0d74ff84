"""A plain loop: `plain.py WORKERS [spawn]`."""

import sys
import time

import torch
from torch.utils.data import DataLoader
from training import Clock, Samples, loss_of, model


def main(workers: int, context: str | None):
    net = model()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    loader = DataLoader(
        Samples(240, 0.002), batch_size=8, num_workers=workers, multiprocessing_context=context if workers else None
    )
    clock = Clock()
    for _ in range(2):
        batches = iter(loader)
        clock.skip()
        for batch in batches:
            clock.lap("wait")
            optimizer.zero_grad()
            loss = loss_of(net, batch)
            loss.backward()
            time.sleep(0.02)
            optimizer.step()
            clock.lap("step")
    clock.tell()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None)
