"""Trains a linear model with NumPy, on features that plain Python works out for every row again."""

import random

import numpy as np
from common import done, running

WIDTH = 4096
LETTERS = "abcdefghijklmnopqrstuvwxyz "
texts = ["".join(random.choices(LETTERS, k=200)) for _ in range(2000)]
labels = np.array([text.count("e") > 7 for text in texts], dtype=np.float64)


def features(text: str) -> np.ndarray:
    row = np.zeros(WIDTH)
    for size in (1, 2, 3):
        for at in range(len(text) - size):
            code = 7
            for letter in text[at : at + size]:
                code = code * 31 + ord(letter)
            row[code % WIDTH] += 1
    return row


weights = np.zeros(WIDTH)
steps = 0
while running():
    batch = np.random.randint(0, len(texts), 256)
    rows = np.stack([features(texts[at]) for at in batch])
    for _ in range(5):
        wrong = 1 / (1 + np.exp(-rows @ weights)) - labels[batch]
        weights -= 0.001 * rows.T @ wrong
    steps += 1
done(steps)
