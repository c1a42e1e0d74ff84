"""Splits texts into byte pairs between the steps, in plain Python, and cuts off most of what it split."""

import random
from itertools import pairwise

import torch
from common import done, running
from nets import DEVICE, LENGTH, VOCABULARY, gpt, next_token_loss

LETTERS = "etaoinshrdlucmfw"
MERGES = {pair: rank for rank, pair in enumerate(a + b for a in LETTERS for b in LETTERS)}
WORDS = ["".join(random.choices(LETTERS, k=random.randint(2, 10))) for _ in range(5000)]


def merge_pairs(word: str) -> list[str]:
    parts = list(word)
    while len(parts) > 1:
        ranks = [MERGES.get(a + b, 1000) for a, b in pairwise(parts)]
        best = min(ranks)
        if best > 100:
            break
        at = ranks.index(best)
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    return parts


def tokenize(text: str) -> list[int]:
    ids = [hash(part) % VOCABULARY for word in text.split() for part in merge_pairs(word)]
    return ids[:LENGTH]


net = gpt()
optimizer = torch.optim.AdamW(net.parameters(), 1e-4)
batch = 64 if DEVICE == "cuda" else 4
steps = 0
while running():
    texts = [" ".join(random.choices(WORDS, k=500 if DEVICE == "cuda" else 4000)) for _ in range(batch)]
    ids = torch.tensor([tokenize(text) for text in texts]).to(DEVICE)
    next_token_loss(net, ids).backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    steps += 1
done(steps)
