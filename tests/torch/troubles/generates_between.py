"""Writes a sample text between steps, token by token and without a cache of keys and values."""

import torch
from common import done, running
from nets import DEVICE, GPU, gpt, next_token_loss, tokens


@torch.no_grad()
def generate(length: int) -> torch.Tensor:
    ids = torch.zeros(1, 1, dtype=torch.long, device=DEVICE)
    for _ in range(length):
        ids = torch.cat([ids, net(ids)[:, -1:].argmax(-1)], dim=1)
    return ids


net = gpt()
optimizer = torch.optim.AdamW(net.parameters(), 1e-4)
steps = 0
while running():
    next_token_loss(net, tokens()).backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    generate(100 if GPU else 50)
    steps += 1
done(steps)
