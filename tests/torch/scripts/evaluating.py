"""Trains, evaluates without gradients, and trains on: evaluation must not be taken for a step."""

import time

import torch
from torch.utils.data import DataLoader
from training import Clock, Samples, loss_of, model

net = model()
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
clock = Clock()
for _ in range(3):
    for batch in DataLoader(Samples(80, 0.0), batch_size=8):
        clock.skip()
        optimizer.zero_grad()
        loss_of(net, batch).backward()
        time.sleep(0.02)
        optimizer.step()
        clock.lap("step")
    with torch.no_grad():
        for batch in DataLoader(Samples(40, 0.0), batch_size=8):
            clock.skip()
            loss_of(net, batch)
            time.sleep(0.03)
            clock.lap("evaluation")
clock.tell()
