"""Grows a search tree of cyclic objects between steps and keeps the last few: Python collects garbage all the time."""

import random
from collections import deque

import torch
from common import done, running
from nets import gpt, next_token_loss, tokens


class Node:
    def __init__(self, parent=None):
        self.parent = parent
        self.children = []
        self.value = 0.0


def grow_tree() -> Node:
    nodes = [Node()]
    for _ in range(30000):
        parent = nodes[int(random.random() * len(nodes))]
        parent.children.append(Node(parent))
        nodes.append(parent.children[-1])
    return nodes[0]


recent = deque(maxlen=20)
net = gpt()
optimizer = torch.optim.AdamW(net.parameters(), 1e-4)
steps = 0
while running():
    recent.append(grow_tree())
    next_token_loss(net, tokens()).backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    steps += 1
done(steps)
