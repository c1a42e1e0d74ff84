"""A second thread packs the replay buffer again and again, and has its lock meanwhile: the loop waits to sample from it."""

import os
import random
import threading
import time
import zlib

import torch
from common import done, running
from nets import gpt, next_token_loss, tokens

lock = threading.Lock()
replay = [os.urandom(65536) for _ in range(100)]


def pack():
    while running():
        with lock:
            packed = zlib.compress(b"".join(replay))
        replay[random.randrange(100)] = packed[:65536]
        time.sleep(0.01)


def sample() -> bytes:
    with lock:
        return random.choice(replay)


packer = threading.Thread(target=pack, daemon=True)
packer.start()
net = gpt()
optimizer = torch.optim.AdamW(net.parameters(), 1e-4)
steps = 0
while running():
    torch.manual_seed(sample()[0])
    next_token_loss(net, tokens()).backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    steps += 1
packer.join()
done(steps)
