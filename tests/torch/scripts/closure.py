"""LBFGS calls the model itself, several times a step."""

import time

import torch
from training import Diary, loss_of, model

net = model()
optimizer = torch.optim.LBFGS(net.parameters(), max_iter=3)
batch = (torch.randn(8, 32), torch.arange(8))
diary = Diary()


def closure():
    diary.note("called")
    optimizer.zero_grad()
    loss = loss_of(net, batch)
    loss.backward()
    time.sleep(0.005)
    diary.note("returning")
    return loss


for _ in range(20):
    diary.note("stepping")
    optimizer.step(closure)
    diary.note("stepped")
diary.tell()
