"""Copies all logits of every step to the CPU, into pageable memory, to look at them later."""

import torch
import torch.nn.functional as F
from common import done, running
from nets import gpt, tokens


def keep(logits: torch.Tensor) -> torch.Tensor:
    return logits.detach().cpu()


net = gpt()
optimizer = torch.optim.AdamW(net.parameters(), 1e-4)
steps = 0
while running():
    ids = tokens()
    logits = net(ids[:, :-1]).float()
    F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten()).backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    last = keep(logits)
    steps += 1
done(steps)
