"""Sleeps after every step, to take no more than four a second."""

import time

import torch
from common import done, running
from nets import gpt, next_token_loss, tokens


def keep_pace(began: float):
    time.sleep(max(0.0, began + 0.25 - time.time()))


net = gpt()
optimizer = torch.optim.AdamW(net.parameters(), 1e-4)
steps = 0
while running():
    began = time.time()
    next_token_loss(net, tokens()).backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    keep_pace(began)
    steps += 1
done(steps)
