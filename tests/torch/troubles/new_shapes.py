"""cudnn.benchmark with images of another size every step: cuDNN looks for the best algorithms over and over."""

import random

import torch
from common import done, running
from nets import DEVICE, GPU, conv_net

torch.backends.cudnn.benchmark = True
net = conv_net()
optimizer = torch.optim.SGD(net.parameters(), 0.01)
steps = 0
while running():
    sides = random.choices(range(64, 256) if GPU else range(32, 96), k=2)
    images = torch.randn(16 if GPU else 8, 3, *sides, device=DEVICE)
    net(images).square().mean().backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    steps += 1
done(steps)
