"""A plain loop: `plain.py WORKERS [spawn]`."""

import sys
import time

import torch
from torch.utils.data import DataLoader
from training import Diary, Samples, loss_of, model


def main(workers: int, context: str | None):
    net = model()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    loader = DataLoader(
        Samples(240, 0.002), batch_size=8, num_workers=workers, multiprocessing_context=context if workers else None
    )
    diary = Diary()
    for _ in range(2):
        for batch in diary.asking(loader):
            optimizer.zero_grad()
            loss = loss_of(net, batch)
            loss.backward()
            time.sleep(0.02)
            diary.note("stepping")
            optimizer.step()
            diary.note("stepped")
    diary.tell()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None)
