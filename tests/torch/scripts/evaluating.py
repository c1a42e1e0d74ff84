"""Trains, evaluates without gradients, and trains on: evaluation must not be taken for a step."""

import time

import torch
from torch.utils.data import DataLoader
from training import Diary, Samples, loss_of, model

net = model()
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
diary = Diary()
for _ in range(3):
    for batch in diary.asking(DataLoader(Samples(80, 0.0), batch_size=8)):
        optimizer.zero_grad()
        loss_of(net, batch).backward()
        time.sleep(0.02)
        diary.note("stepping")
        optimizer.step()
        diary.note("stepped")
    with torch.no_grad():
        for batch in diary.asking(DataLoader(Samples(40, 0.0), batch_size=8), " to evaluate"):
            loss_of(net, batch)
            time.sleep(0.03)
diary.tell()
