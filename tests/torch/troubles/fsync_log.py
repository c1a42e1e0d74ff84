"""Logs every sample of a step to a file, and waits for the disk after each line."""

import json
import os
import tempfile

import torch
from common import done, running
from nets import GPU, gpt, next_token_loss, tokens


def log(step: int, ids: torch.Tensor, loss: float):
    for row in ids.flatten()[:1000].tolist():
        file.write(json.dumps({"step": step, "token": row, "loss": loss}) + "\n")
        file.flush()
        os.fsync(file.fileno())


net = gpt()
optimizer = torch.optim.AdamW(net.parameters(), 1e-4)
steps = 0
with tempfile.NamedTemporaryFile("w", dir=".", suffix=".log") as file:
    while running():
        ids = tokens(64)
        loss = next_token_loss(net, ids if GPU else ids[:4])
        loss.backward()
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        log(steps, ids, loss.item())
        steps += 1
done(steps)
