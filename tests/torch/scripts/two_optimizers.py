"""Two optimizers that step in turn, as in a GAN: `two_optimizers.py loader|made` says where batches come from."""

import sys
import time

import torch
from torch.utils.data import DataLoader
from training import Diary, Samples, loss_of, model

one, other = model(), model()
first = torch.optim.SGD(one.parameters(), lr=0.01)
second = torch.optim.Adam(other.parameters())
if sys.argv[1] == "loader":
    batches = DataLoader(Samples(320, 0.001), batch_size=8)
else:
    batches = [(torch.randn(8, 32), torch.arange(8))] * 40
diary = Diary()
for batch in diary.asking(batches):
    for net, optimizer in ((one, first), (other, second)):
        optimizer.zero_grad()
        loss_of(net, batch).backward()
        diary.note(f"backward of {type(optimizer).__name__}")
        time.sleep(0.01)
        diary.note(f"{type(optimizer).__name__} stepping")
        optimizer.step()
    diary.note("stepped")
diary.tell()
