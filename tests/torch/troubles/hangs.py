"""The thread that reads batches dies, and the loop waits for the next batch forever."""

import queue
import threading

import torch
from common import BEGAN, SECONDS, done, running, time
from nets import gpt, next_token_loss, tokens

batches = queue.Queue(maxsize=4)


def read_shards():
    while True:
        batches.put(tokens())
        if time.time() > BEGAN + SECONDS / 3:
            raise ConnectionResetError("the shard server closed the connection")


def next_batch() -> torch.Tensor:
    return batches.get()


threading.Thread(target=read_shards, daemon=True).start()
net = gpt()
optimizer = torch.optim.AdamW(net.parameters(), 1e-4)
steps = 0
while running():
    next_token_loss(net, next_batch()).backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    steps += 1
done(steps)
