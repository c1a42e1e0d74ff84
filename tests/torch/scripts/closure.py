"""LBFGS calls the model itself, several times a step."""

import time

import torch
from training import Clock, loss_of, model

net = model()
optimizer = torch.optim.LBFGS(net.parameters(), max_iter=3)
batch = (torch.randn(8, 32), torch.arange(8))
clock = Clock()


def closure():
    optimizer.zero_grad()
    loss = loss_of(net, batch)
    loss.backward()
    time.sleep(0.005)
    return loss


for _ in range(20):
    optimizer.step(closure)
    clock.lap("step")
clock.tell()
