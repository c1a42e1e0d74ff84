"""Many tiny layers on tiny batches, one operator right after the other: a GPU is done with each before the next is launched."""

import torch
from common import done, running
from nets import DEVICE
from torch import nn

layers = [layer for _ in range(60) for layer in (nn.Linear(32, 32), nn.LayerNorm(32), nn.GELU())]
net = nn.Sequential(*layers).to(DEVICE)
optimizer = torch.optim.SGD(net.parameters(), 1e-3)
data = torch.randn(64, 16, 32, device=DEVICE)
steps = 0
while running():
    net(data[steps % 64]).square().mean().backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    steps += 1
done(steps)
