"""Models that learn in a fraction of a second, with their derivatives written out: logs made with them are of real training."""

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

# Data


def teacher_task(rng, count: int, *, inputs: int = 16, classes: int = 5, flipped: float = 0.0, teacher: int = 7):
    """Inputs, and the class that a random network of two layers gives them; `flipped` of the labels are drawn anew."""
    fixed = np.random.default_rng(teacher)
    first, second = fixed.normal(size=(inputs, 32)), fixed.normal(size=(32, classes))
    x = rng.normal(size=(count, inputs))
    y = (np.tanh(x @ first / np.sqrt(inputs)) @ second).argmax(axis=1)
    drawn = rng.random(count) < flipped
    return x, np.where(drawn, rng.integers(classes, size=count), y)


def clusters(rng, count: int, *, inputs: int = 16, classes: int = 5, spread: float = 1.0, distance: float = 2.0):
    centers = np.random.default_rng(11).normal(size=(classes, inputs)) * distance / np.sqrt(inputs)
    y = rng.integers(classes, size=count)
    return centers[y] + rng.normal(size=(count, inputs)) * spread / np.sqrt(inputs), y


# Losses: value, and derivative by what the model gave


def log_softmax(logits):
    shifted = logits - logits.max(axis=1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))


def cross_entropy(logits, y, smoothing: float = 0.0):
    count, classes = logits.shape
    logs = log_softmax(logits)
    target = np.full_like(logits, smoothing / classes)
    target[np.arange(count), y] += 1 - smoothing
    return -(target * logs).sum() / count, (np.exp(logs) - target) / count


def squared(prediction, y):
    error = prediction - y
    return (error**2).mean(), 2 * error / error.size


def gaussian_nll(prediction, y):
    """Two outputs: mean and logarithm of the variance."""
    mean, log_variance = prediction[:, :1], prediction[:, 1:]
    error = mean - y
    inverse = np.exp(-log_variance)
    value = 0.5 * (log_variance + error**2 * inverse).mean()
    return value, np.hstack([error * inverse, 0.5 * (1 - error**2 * inverse)]) / len(y)


def accuracy(logits, y) -> float:
    return float((logits.argmax(axis=1) == y).mean())


def sigmoid(x):
    return 0.5 * (1 + np.tanh(0.5 * x))


# Networks


class Mlp:
    """Fully connected layers; `values` are weights and biases in turn."""

    def __init__(self, sizes, rng, *, activation: str = "relu", gain: float = 1.0, bias: float = 0.0):
        self.activation = activation
        self.values = []
        for fan_in, fan_out in pairwise(sizes):
            self.values.append(
                rng.normal(size=(fan_in, fan_out)) * gain * np.sqrt((2 if activation == "relu" else 1) / fan_in)
            )
            self.values.append(np.full(fan_out, bias))

    def __call__(self, x):
        self.seen = [x]
        layers = len(self.values) // 2
        for layer in range(layers):
            x = x @ self.values[2 * layer] + self.values[2 * layer + 1]
            if layer + 1 < layers:
                x = self.activate(x)
            self.seen.append(x)
        return x

    def activate(self, x):
        return {"relu": lambda: np.maximum(x, 0), "tanh": lambda: np.tanh(x), "linear": lambda: x}[self.activation]()

    def gradients(self, slope):
        out = [None] * len(self.values)
        for layer in reversed(range(len(self.values) // 2)):
            below = self.seen[layer]
            out[2 * layer] = below.T @ slope
            out[2 * layer + 1] = slope.sum(axis=0)
            slope = slope @ self.values[2 * layer].T
            if layer > 0:
                slope = slope * {"relu": below > 0, "tanh": 1 - below**2, "linear": 1.0}[self.activation]
        self.below = slope  # by the inputs
        return out


# Optimizers: change values in place


class Sgd:
    def __init__(self, rate: float, *, momentum: float = 0.0, decay: float = 0.0):
        self.rate, self.momentum, self.decay, self.velocity = rate, momentum, decay, None

    def step(self, values, gradients) -> None:
        if self.velocity is None:
            self.velocity = [np.zeros_like(value) for value in values]
        for value, gradient, velocity in zip(values, gradients, self.velocity, strict=True):
            velocity *= self.momentum
            velocity += gradient + self.decay * value
            value -= self.rate * velocity


class Adam:
    def __init__(self, rate: float, *, decay: float = 0.0, betas=(0.9, 0.999)):
        self.rate, self.decay, self.betas, self.count, self.moments = rate, decay, betas, 0, None

    def step(self, values, gradients) -> None:
        if self.moments is None:
            self.moments = [(np.zeros_like(value), np.zeros_like(value)) for value in values]
        self.count += 1
        first_decay, second_decay = self.betas
        for value, gradient, (first, second) in zip(values, gradients, self.moments, strict=True):
            first += (1 - first_decay) * (gradient - first)
            second += (1 - second_decay) * (gradient**2 - second)
            unbiased = first / (1 - first_decay**self.count)
            scale = np.sqrt(second / (1 - second_decay**self.count)) + 1e-8
            value -= self.rate * (unbiased / scale + self.decay * value)


def norm_of(gradients) -> float:
    return float(np.sqrt(sum((gradient**2).sum() for gradient in gradients)))


# The loop


@dataclass
class Epoch:
    number: int
    steps: list = field(default_factory=list)
    losses: list = field(default_factory=list)  # of each step's batch, before its update
    norms: list = field(default_factory=list)
    rates: list = field(default_factory=list)
    train_accuracy: float = 0.0
    valid_loss: float = 0.0
    valid_accuracy: float = 0.0

    @property
    def train_loss(self) -> float:
        return float(np.mean(self.losses))


def train(
    model,
    optimizer,
    rng,
    training,
    validation,
    *,
    epochs: int,
    batch: int,
    loss=cross_entropy,
    valid_loss=None,
    rate=None,  # of the share of the training that is over
    clip: float | None = None,
    patience: int | None = None,
    before_step=None,  # (step, x, y) -> (x, y)
    overflows=None,  # {step: "loss" or "gradients"}: these are not finite, as in half precision, and the step is skipped
) -> list[Epoch]:
    x, y = training
    history, per_epoch = [], len(x) // batch
    base, step = optimizer.rate, 0
    for number in range(epochs):
        epoch = Epoch(number)
        order = rng.permutation(len(x))
        correct = []
        for first in range(0, per_epoch * batch, batch):
            chosen = order[first : first + batch]
            inputs, targets = x[chosen], y[chosen]
            if before_step is not None:
                inputs, targets = before_step(step, inputs, targets)
            if rate is not None:
                optimizer.rate = base * rate(step / (epochs * per_epoch))
            given = model(inputs)
            value, slope = loss(given, targets)
            gradients = model.gradients(slope)
            norm = norm_of(gradients)
            if clip is not None and norm > clip:
                gradients = [gradient * (clip / norm) for gradient in gradients]
            overflow = (overflows or {}).get(step)
            if overflow is None:
                optimizer.step(model.values, gradients)
            value = float("nan") if overflow == "loss" else value
            norm = norm if overflow is None else float("nan") if overflow == "loss" else float("inf")
            if targets.ndim == 1:
                correct.append(accuracy(given, targets))
            epoch.steps.append(step)
            epoch.losses.append(float(value))
            epoch.norms.append(norm)
            epoch.rates.append(optimizer.rate)
            step += 1
        epoch.train_accuracy = float(np.mean(correct)) if correct else 0.0
        given = model(validation[0])
        epoch.valid_loss = float((valid_loss or loss)(given, validation[1])[0])
        if validation[1].ndim == 1:
            epoch.valid_accuracy = accuracy(given, validation[1])
        history.append(epoch)
        best = min(range(len(history)), key=lambda index: history[index].valid_loss)
        if patience is not None and len(history) - 1 - best >= patience:
            break
    return history


# Schedules: of the share of the training that is over


def constant(share: float) -> float:
    return 1.0


def warm_cosine(share: float, warm: float = 0.05) -> float:
    return share / warm + 1e-6 if share < warm else 0.5 * (1 + np.cos(np.pi * (share - warm) / (1 - warm)))
