"""Evaluates on far more batches than it trains on in between."""

import torch
from common import done, running
from nets import gpt, next_token_loss, tokens


@torch.no_grad()
def evaluate() -> float:
    net.eval()
    loss = sum(next_token_loss(net, ids) for ids in held_back)
    net.train()
    return loss.item() / len(held_back)


net = gpt()
optimizer = torch.optim.AdamW(net.parameters(), 1e-4)
held_back = [tokens() for _ in range(100)]
steps = 0
while running():
    next_token_loss(net, tokens()).backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    steps += 1
    if steps % 20 == 0:
        print(f"step {steps}: {evaluate():.3f}", flush=True)
done(steps)
