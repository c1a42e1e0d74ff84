"""Asks for statistics of every parameter after every step, each by .item()."""

import torch
from common import done, running
from nets import GPU, gpt, next_token_loss, tokens


def statistics() -> dict[str, list[float]]:
    found = {}
    for name, parameter in net.named_parameters():
        grad = parameter.grad
        found[name] = [grad.norm().item(), grad.mean().item(), grad.abs().max().item(), parameter.norm().item()]
    return found


net = gpt()
optimizer = torch.optim.AdamW(net.parameters(), 1e-4)
steps = 0
while running():
    next_token_loss(net, tokens(16 if GPU else 4)).backward()
    last = statistics()
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    steps += 1
done(steps)
