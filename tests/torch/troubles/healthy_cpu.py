"""Trains on the CPU, whether there is a GPU or not; nothing is wrong otherwise."""

import torch
from common import done, running
from nets import conv_net

net = conv_net(8).cpu()
optimizer = torch.optim.SGD(net.parameters(), 0.01, momentum=0.9)
data = torch.randn(512, 3, 32, 32)
labels = torch.randint(0, 10, (512,))
steps = 0
while running():
    batch = torch.randint(0, 512, (32,))
    loss = torch.nn.functional.cross_entropy(net(data[batch]), labels[batch])
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    steps += 1
    if steps % 100 == 0:
        print(f"step {steps}: {loss.item():.3f}", flush=True)
done(steps)
