"""Gradient boosting in plain Python that saves the model and its data after every tree."""

import os
import pickle
import random
import tempfile

from common import done, running

rows = [[random.random() for _ in range(10)] for _ in range(30000)]
targets = [row[0] * row[1] + row[2] for row in rows]


def fit_stump(sample: list[int], rest: list[float]) -> tuple[int, float, float, float]:
    best = None
    for feature in range(10):
        for cut in (0.25, 0.5, 0.75):
            low = [rest[at] for at in sample if rows[at][feature] <= cut]
            high = [rest[at] for at in sample if rows[at][feature] > cut]
            gain = sum(low) ** 2 / max(len(low), 1) + sum(high) ** 2 / max(len(high), 1)
            if best is None or gain > best[0]:
                best = gain, feature, cut, sum(low) / max(len(low), 1), sum(high) / max(len(high), 1)
    return best[1:]


def save_model(path: str):
    with open(path, "wb") as file:
        pickle.dump({"stumps": stumps, "rows": rows, "rest": rest}, file)
        file.flush()
        os.fsync(file.fileno())


stumps = []
rest = list(targets)
with tempfile.TemporaryDirectory(dir=".") as folder:
    while running():
        sample = random.sample(range(len(rows)), 1000)
        feature, cut, low, high = fit_stump(sample, rest)
        stumps.append((feature, cut, low, high))
        for at, row in enumerate(rows):
            rest[at] -= 0.1 * (low if row[feature] <= cut else high)
        save_model(os.path.join(folder, "model.pickle"))
done(len(stumps))
