"""A convolutional network in float32, without TF32: nothing else is wrong."""

import torch
from common import done, running
from nets import DEVICE, GPU, conv_net

torch.backends.cudnn.allow_tf32 = False
net = conv_net()
optimizer = torch.optim.SGD(net.parameters(), 0.01, momentum=0.9)
images = torch.randn(256 if GPU else 16, 3, 64, 64, device=DEVICE)
labels = torch.randint(0, 10, (len(images),), device=DEVICE)
steps = 0
while running():
    loss = torch.nn.functional.cross_entropy(net(images), labels)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    steps += 1
    if steps % 50 == 0:
        print(f"step {steps}: {loss.item():.3f}", flush=True)
done(steps)
