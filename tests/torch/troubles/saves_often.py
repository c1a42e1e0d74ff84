"""Saves all of its state every few steps, a large memory bank among it."""

import os
import tempfile

import torch
from common import done, running
from nets import DEVICE, GPU, gpt, next_token_loss, tokens

EVERY = 10 if GPU else 1


def checkpoint(path: str):
    torch.save({"net": net.state_dict(), "optimizer": optimizer.state_dict(), "bank": bank}, path)


net = gpt()
bank = torch.randn(200000, 768 if GPU else 64, device=DEVICE)
optimizer = torch.optim.AdamW(net.parameters(), 1e-4)
steps = 0
with tempfile.TemporaryDirectory(dir=".") as folder:
    while running():
        next_token_loss(net, tokens()).backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        steps += 1
        if steps % EVERY == 0:
            checkpoint(os.path.join(folder, "last.pt"))
done(steps)
