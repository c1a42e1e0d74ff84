"""Frees memory by gc.collect() after every step, with a replay buffer of many small objects."""

import gc
import random
from collections import deque

import torch
from common import done, running
from nets import gpt, next_token_loss, tokens


class Turn:
    def __init__(self, episode, before):
        self.episode = episode
        self.before = before
        self.observation = [random.random() for _ in range(4)]


def play() -> list[Turn]:
    episode = []
    for _ in range(400):
        episode.append(Turn(episode, episode[-1] if episode else None))
    return episode


def free_memory():
    gc.collect()


replay = deque((play() for _ in range(1000)), maxlen=1000)
net = gpt()
optimizer = torch.optim.AdamW(net.parameters(), 1e-4)
steps = 0
while running():
    replay.append(play())
    next_token_loss(net, tokens()).backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    free_memory()
    steps += 1
done(steps)
