"""Logs of generative, contrastive and language models that are fine, however they may look."""

import numpy as np
from small_models import Adam, Mlp, Sgd, cross_entropy, norm_of, sigmoid, squared, warm_cosine
from unseen_label import log
from unseen_writers import lightning, mlflow_database, tensorboard, trainer, wandb


class LinearVae:
    """Linear encoder and decoder, Gaussian both ways; one number for the decoder's variance."""

    def __init__(self, rng, inputs: int, latent: int, variance: float):
        self.rng, self.inputs, self.variance = rng, inputs, variance
        self.values = [
            rng.normal(size=(inputs, latent)) * 0.1, np.full((inputs, latent), 0.0), np.full(latent, -1.0),
            rng.normal(size=(latent, inputs)) * 0.1,
        ]  # fmt: skip

    def __call__(self, x, beta: float):
        """Reconstruction, divergence (both in nats an example) and gradients of the weighted sum."""
        encode, spread, bias, decode = self.values
        count = len(x)
        mean, logs = x @ encode, np.clip(x @ spread + bias, -8, 4)
        noise = self.rng.normal(size=mean.shape)
        scale = np.exp(logs / 2)
        z = mean + noise * scale
        error = z @ decode - x
        nats = 0.5 * (error**2).sum() / self.variance / count + 0.5 * self.inputs * np.log(2 * np.pi * self.variance)
        divergence = 0.5 * (mean**2 + np.exp(logs) - logs - 1).sum() / count
        slope = error / self.variance / count
        of_z = slope @ decode.T
        of_mean = of_z + beta * mean / count
        of_logs = of_z * noise * 0.5 * scale + beta * 0.5 * (np.exp(logs) - 1) / count
        return nats, divergence, [x.T @ of_mean, x.T @ of_logs, of_logs.sum(axis=0), z.T @ slope]


def faces(rng, count: int):
    """Points near a plane of four dimensions among twenty."""
    plane = np.random.default_rng(300).normal(size=(4, 20))
    return rng.normal(size=(count, 4)) @ plane * 0.6 + 0.3 * rng.normal(size=(count, 20))


@log()
def annealed_divergence(folder):
    """A VAE whose KL term is weighted up from 0 to 1 over half of the training: the sum of both rises with the weight, in training
    and validation alike, while the model gets better."""
    rng = np.random.default_rng(30)
    model, optimizer, points, valid = LinearVae(rng, 20, 6, 0.09), Adam(4e-3), [], faces(rng, 1000)
    for step in range(2000):
        beta = min(1.0, step / 1000)
        nats, divergence, gradients = model(faces(rng, 64), beta)
        optimizer.step(model.values, gradients)
        if step % 10 == 0:
            names = {"train/recon_loss": nats, "train/kl": divergence, "train/loss": nats + beta * divergence}
            points.append((step, {**names, "train/beta": beta}))
        if step % 100 == 99:
            nats, divergence, _ = model(valid, beta)
            names = {"val/recon_loss": nats, "val/kl": divergence, "val/loss": nats + beta * divergence}
            points.append((step, names))
    tensorboard(folder, "lightning_logs/version_3", points)


@log()
def evidence_bound(folder):
    """What is logged is the bound itself, which is to rise, and does."""
    rng = np.random.default_rng(31)
    model, optimizer, points, valid = LinearVae(rng, 20, 6, 0.09), Adam(2e-3), [], faces(rng, 1000)
    for step in range(1500):
        nats, divergence, gradients = model(faces(rng, 64), 1.0)
        optimizer.step(model.values, gradients)
        if step % 10 == 0:
            points.append((step, {"train_elbo": -nats - divergence}))
        if step % 75 == 74:
            nats, divergence, _ = model(valid, 1.0)
            points.append((step, {"val_elbo": -nats - divergence}))
    mlflow_database(folder, points)


def adversaries(rng, steps: int, *, of_generator: float, of_discriminator: float, far: float):
    """A generator of numbers and its discriminator, in turn: (losses of both, share of real and false ones found out)."""
    generator, discriminator = Mlp([4, 32, 1], rng), Mlp([1, 32, 1], rng)
    make, judge = Adam(of_generator, betas=(0.5, 0.999)), Adam(of_discriminator, betas=(0.5, 0.999))
    for _ in range(steps):
        real = far + 0.6 * rng.normal(size=(64, 1)) + 0.8 * (rng.random((64, 1)) < 0.5)
        noise = rng.normal(size=(64, 4))
        both = np.vstack([real, generator(noise)])
        truth = np.repeat([1.0, 0.0], 64)[:, None]
        logits = discriminator(both)
        of_judge = float((np.logaddexp(0, logits) - truth * logits).mean() * 2)
        found = float(((logits > 0) == (truth > 0)).mean())
        judge.step(discriminator.values, discriminator.gradients((sigmoid(logits) - truth) / 64))
        logits = discriminator(generator(noise))
        of_make = float(np.logaddexp(0, -logits).mean())
        discriminator.gradients((sigmoid(logits) - 1) / 64)
        make.step(generator.values, generator.gradients(discriminator.below))
        yield of_make, of_judge, found


@log()
def balanced_adversaries(folder):
    """A GAN that learned its distribution: both losses hover where neither side wins, the generator's above where it began."""
    rng = np.random.default_rng(32)
    played = adversaries(rng, 1100, of_generator=1e-3, of_discriminator=1e-3, far=2.0)
    points = [
        (step, {"g_loss": make, "d_loss": judge, "d_accuracy": found})
        for step, (make, judge, found) in enumerate(played)
        if step % 5 == 0
    ]
    wandb(folder, points)


@log()
def wasserstein_critic(folder):
    """A WGAN with clipped weights: the critic's loss starts far below zero and rises to it as the generator gets better."""
    rng = np.random.default_rng(33)
    generator, critic, points = Mlp([4, 32, 1], rng), Mlp([1, 32, 1], rng), []
    make, judge = Adam(1e-3, betas=(0.0, 0.9)), Adam(2e-3, betas=(0.0, 0.9))
    for step in range(600):
        for _ in range(3):
            real = 3 + 0.5 * rng.normal(size=(64, 1))
            scores = critic(np.vstack([real, generator(rng.normal(size=(64, 4)))]))
            loss = float(scores[64:].mean() - scores[:64].mean())
            judge.step(critic.values, critic.gradients(np.repeat([-1.0, 1.0], 64)[:, None] / 64))
            for value in critic.values:
                np.clip(value, -0.3, 0.3, out=value)
        scores = critic(generator(rng.normal(size=(64, 4))))
        critic.gradients(np.full((64, 1), -1 / 64))
        make.step(generator.values, generator.gradients(critic.below))
        if step % 5 == 0:
            names = {"critic_loss": loss, "generator_loss": float(-scores.mean()), "wasserstein_distance": -loss}
            points.append((step, names))
    tensorboard(folder, "runs/wgan", points)


@log()
def denoising(folder):
    """A diffusion model: the loss falls in the first hundred steps, and what comes after is drowned by the noise of random levels."""
    rng = np.random.default_rng(34)
    model, optimizer, points = Mlp([3, 48, 48, 2], rng), Adam(2e-3), []

    def task(count):
        angle = rng.random(count) * 2 * np.pi
        clean = np.stack([np.cos(angle), np.sin(angle)], axis=1) * (1 + 0.05 * rng.normal(size=(count, 1)))
        level = rng.random((count, 1))
        noise = rng.normal(size=clean.shape)
        mixed = np.cos(level * np.pi / 2) * clean + np.sin(level * np.pi / 2) * noise
        return np.hstack([mixed, level * 4 - 2]), noise

    valid = task(4000)
    for step in range(1800):
        x, noise = task(32)
        loss, slope = squared(model(x), noise)
        optimizer.rate = 2e-3 * warm_cosine(step / 1800)
        optimizer.step(model.values, model.gradients(slope))
        if step % 10 == 0:
            points.append((step, {"train/loss": loss, "train/lr": optimizer.rate}))
        if step % 300 == 299:
            points.append((step, {"val/loss": squared(model(valid[0]), valid[1])[0]}))
    wandb(folder, points)


def normalized(x):
    length = np.sqrt((x**2).sum(axis=1, keepdims=True))
    return x / length, length


def matched(model, x, keys, temperature: float):
    """InfoNCE: each example among `keys`, of which its own has its index. Loss, share that is found, gradients."""
    unit, length = normalized(model(x))
    logits = unit @ keys.T / temperature
    loss, slope = cross_entropy(logits, np.arange(len(x)))
    found = float((logits.argmax(axis=1) == np.arange(len(x))).mean())
    below = slope @ keys / temperature
    return loss, found, model.gradients((below - unit * (below * unit).sum(axis=1, keepdims=True)) / length)


def views(rng, count: int):
    """Two views of each example: few inputs say what it is, the others are of the view."""
    content = rng.normal(size=(count, 6))
    mix = np.random.default_rng(350).normal(size=(18, 18)) / np.sqrt(18)
    return [
        np.hstack([content + 0.25 * rng.normal(size=(count, 6)), rng.normal(size=(count, 12)) * 1.2]) @ mix
        for _ in range(2)
    ]


@log()
def contrastive(folder):
    """SimCLR: the loss begins at the logarithm of the batch, and ends far above zero."""
    rng = np.random.default_rng(35)
    model, optimizer, rows = Mlp([18, 32, 8], rng), Adam(2e-3), []
    for step in range(800):
        first, second = views(rng, 64)
        keys = normalized(model(second))[0]
        loss, found, gradients = matched(model, first, keys, 0.2)
        optimizer.step(model.values, gradients)
        if (step + 1) % 10 == 0:
            rows.append({"epoch": step // 100, "step": step, "train_loss": loss, "train_acc_top1": found})
        if (step + 1) % 100 == 0:
            first, second = views(rng, 64)
            loss, found, _ = matched(model, first, normalized(model(second))[0], 0.2)
            rows.append({"epoch": step // 100, "step": step, "val_loss": loss, "val_acc_top1": found})
    lightning(folder, rows)


@log()
def filling_queue(folder):
    """A memory bank of negatives fills during the first half: the loss climbs with their number, then falls, and ends above where
    it began, among a hundred times as many negatives."""
    rng = np.random.default_rng(36)
    model, optimizer, points = Mlp([18, 32, 8], rng), Sgd(0.15, momentum=0.9), []
    slow = Mlp([18, 32, 8], rng)
    slow.values = [value.copy() for value in model.values]
    queue = np.zeros((0, 8))
    for step in range(700):
        first, second = views(rng, 16)
        keys = normalized(slow(second))[0]
        loss, found, gradients = matched(model, first, np.vstack([keys, queue]), 0.3)
        optimizer.step(model.values, gradients)
        slow.values = [0.98 * old + 0.02 * new for old, new in zip(slow.values, model.values, strict=True)]
        if step % 4 == 0:
            queue = np.vstack([keys, queue])[:1500]
        if step % 5 == 0:
            points.append((step, {"train/loss": loss, "train/acc@1": found, "train/queue": len(queue)}))
    tensorboard(folder, "runs/bank", points)


def language(rng, words: int = 30):
    """Probabilities of the next word by the one before it."""
    return rng.dirichlet(np.full(words, 0.25), size=words)


def texts(rng, following, count: int):
    words = len(following)
    before = rng.integers(words, size=count)
    after = (following[before].cumsum(axis=1) < rng.random((count, 1))).sum(axis=1).clip(max=words - 1)
    return before, after


@log()
def one_epoch_of_text(folder):
    """A language model that sees each word once: training and validation loss are the same but for noise."""
    rng = np.random.default_rng(37)
    following, table, optimizer, points = language(rng), np.zeros((30, 30)), Adam(0.02), []
    valid = texts(rng, following, 4000)
    for step in range(1001):
        if step % 50 == 0:
            valid_loss = cross_entropy(table[valid[0]], valid[1])[0]
        before, after = texts(rng, following, 96)
        loss, slope = cross_entropy(table[before], after)
        gradient = np.zeros_like(table)
        np.add.at(gradient, before, slope)
        optimizer.rate = 0.02 * warm_cosine(step / 1001)
        optimizer.step([table], [gradient])
        if step % 50 == 0:
            names = {"iter": step, "train/loss": loss, "val/loss": valid_loss, "lr": optimizer.rate, "mfu": 31.2}
            points.append((step, names))
    wandb(folder, points)


@log()
def perplexity_alone(folder):
    """fairseq's folders: perplexities by epoch, no loss at all. They fall all along."""
    rng = np.random.default_rng(38)
    following, table, optimizer = language(rng), np.zeros((30, 30)), Adam(0.01)
    training, valid = texts(rng, following, 12_800), texts(rng, following, 4000)
    curves = {"train": [], "valid": []}
    for epoch in range(12):
        losses = []
        for first in range(0, 12_800, 400):
            before, after = training[0][first : first + 400], training[1][first : first + 400]
            loss, slope = cross_entropy(table[before], after)
            gradient = np.zeros_like(table)
            np.add.at(gradient, before, slope)
            optimizer.rate = 0.01 * (1 - (32 * epoch + first / 400) / 384)
            optimizer.step([table], [gradient])
            losses.append(loss)
        step = 32 * (epoch + 1)
        curves["train"].append((step, {"ppl": np.exp(np.mean(losses)), "wps": 41_000.0, "lr": optimizer.rate}))
        curves["valid"].append((step, {"ppl": np.exp(cross_entropy(table[valid[0]], valid[1])[0])}))
    for number, (name, points) in enumerate(curves.items()):
        tensorboard(folder, f"tensorboard/{name}", points, number=number)


@log()
def preferences(folder):
    """DPO: the loss begins at 0.69, as it always does, and falls slowly; rewards of rejected answers fall, as they should."""
    rng = np.random.default_rng(39)
    inputs, beta = 12, 0.1
    policy, reference = Mlp([inputs, 20, 1], rng), Mlp([inputs, 20, 1], rng)
    reference.values = [value.copy() for value in policy.values]
    optimizer, rows, window = Adam(2e-3), [], []
    taste = np.random.default_rng(390).normal(size=inputs) * 0.5

    def pairs(count):
        first, second = rng.normal(size=(count, inputs)), rng.normal(size=(count, inputs))
        better = sigmoid((first - second) @ taste) > rng.random(count)
        return np.where(better[:, None], first, second), np.where(better[:, None], second, first)

    def measure(chosen, rejected, learn):
        count = len(chosen)
        gained = beta * (policy(np.vstack([chosen, rejected])) - reference(np.vstack([chosen, rejected])))[:, 0]
        good, bad = gained[:count], gained[count:]
        margin = good - bad
        wrong = sigmoid(-margin)
        if learn:
            slope = np.concatenate([-wrong, wrong])[:, None] * beta / count
            gradients = policy.gradients(slope)
            window.append(norm_of(gradients))
            optimizer.step(policy.values, gradients)
        names = ("loss", "rewards/chosen", "rewards/rejected", "rewards/accuracies", "rewards/margins")
        values = (np.logaddexp(0, -margin).mean(), good.mean(), bad.mean(), (margin > 0).mean(), margin.mean())
        return dict(zip(names, map(float, values), strict=True))

    held = pairs(500)
    for step in range(1, 601):
        optimizer.rate = 2e-3 * (1 - (step - 1) / 600)
        names = measure(*pairs(32), learn=True)
        if step % 10 == 0:
            names["loss"] = round(names["loss"], 4)
            row = {"epoch": round(step / 600, 4), "grad_norm": window[-1], "learning_rate": optimizer.rate}
            rows.append({**row, **names, "step": step})
        if step % 100 == 0:
            names = {f"eval_{name}": value for name, value in measure(*held, learn=False).items()}
            rows.append({"epoch": round(step / 600, 4), **names, "eval_runtime": 11.0, "step": step})
    trainer(folder, rows, epochs=1, logging_steps=10)
