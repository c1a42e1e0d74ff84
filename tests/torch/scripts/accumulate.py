"""Gradient accumulation: an optimizer step for every four batches."""

import time

import torch
from torch.utils.data import DataLoader
from training import Diary, Samples, loss_of, model

EVERY = 4

net = model()
optimizer = torch.optim.AdamW(net.parameters())
diary = Diary()
batches = iter(DataLoader(Samples(640, 0.0005), batch_size=8))
for _ in range(640 // 8 // EVERY):
    diary.note("asked")
    batch = next(batches)
    diary.note("got")
    for micro in range(EVERY):
        if micro > 0:
            batch = next(batches)
        (loss_of(net, batch) / EVERY).backward()
        time.sleep(0.005)
    diary.note("stepping")
    optimizer.step()
    diary.note("stepped")
    optimizer.zero_grad()
diary.tell()
