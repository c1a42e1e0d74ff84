"""Trains and saves checkpoints: in the loop, within another function that saves, and in a background thread."""

import os
import tempfile
import threading
import time

import torch
from torch.utils.data import DataLoader
from training import Diary, Samples, loss_of, model


class Slow:
    """An object that takes a while to be saved."""

    def __reduce__(self):
        diary.note("writing")
        time.sleep(0.2)
        diary.note("wrote")
        return (Slow, ())


net = model()
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
diary = Diary()
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "checkpoint.pt")
    for _ in range(3):
        for batch in DataLoader(Samples(80, 0.0), batch_size=8):
            optimizer.zero_grad()
            loss_of(net, batch).backward()
            optimizer.step()
        diary.note("saving")
        torch.save({"model": net.state_dict(), "slow": Slow()}, path)
        diary.note("saved")
    aside = threading.Thread(target=torch.save, args=(Slow(), os.path.join(folder, "aside.pt")))
    aside.start()
    aside.join()
    diary.note("failing")
    try:
        torch.save(net, os.path.join(folder, "missing", "checkpoint.pt"))
    except (OSError, RuntimeError) as error:
        diary.note("failed")
        diary.tell(error=type(error).__name__)
