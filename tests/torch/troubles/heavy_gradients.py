"""Two ranks of DistributedDataParallel on the CPU, with far more gradients to exchange than to compute."""

import torch
import torch.distributed as dist
from common import done, running
from ranks import stopped, train_together
from torch import nn


def train(rank: int):
    net = nn.parallel.DistributedDataParallel(nn.Sequential(nn.Embedding(200000, 128), nn.Linear(128, 10)))
    optimizer = torch.optim.SGD(net.parameters(), 0.01)
    steps = 0
    while not stopped(running()):
        net(torch.randint(0, 200000, (64,))).square().mean().backward()
        optimizer.step()
        optimizer.zero_grad()
        steps += 1
    if rank == 0:
        done(steps)
    dist.barrier()


if __name__ == "__main__":
    train_together(train)
