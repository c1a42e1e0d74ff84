"""Logs of classifiers and regressions that are fine, however they may look."""

import numpy as np
from small_models import (
    Adam,
    Mlp,
    Sgd,
    clusters,
    cross_entropy,
    gaussian_nll,
    log_softmax,
    norm_of,
    sigmoid,
    squared,
    teacher_task,
    train,
    warm_cosine,
)
from unseen_label import log
from unseen_writers import (
    as_autolog,
    as_keras,
    as_lightning,
    as_summary_writer,
    as_trainer,
    as_wandb,
    evals_result,
    lightning,
    mlflow_database,
    mlflow_files,
    tensorboard,
    trainer,
    wandb,
)


@log()
def label_smoothing(folder):
    """The loss can't get below 0.66, the entropy of smoothed targets, and flattens out above it."""
    rng = np.random.default_rng(1)

    def smoothed(logits, y):
        return cross_entropy(logits, y, smoothing=0.2)

    history = train(
        Mlp([16, 48, 5], rng), Adam(3e-3), rng, teacher_task(rng, 3000), teacher_task(rng, 600),
        epochs=20, batch=64, loss=smoothed, rate=warm_cosine,
    )  # fmt: skip
    as_lightning(folder, history)


@log()
def step_decay(folder):
    """Plateaus between drops of the learning rate, and one at the end; a fifth of the labels is noise."""
    rng = np.random.default_rng(2)
    history = train(
        Mlp([16, 24, 5], rng), Sgd(0.1, momentum=0.9, decay=1e-4), rng,
        teacher_task(rng, 12000, flipped=0.2), teacher_task(rng, 1500, flipped=0.2),
        epochs=20, batch=128, rate=lambda share: 1.0 if share < 0.5 else 0.1 if share < 0.85 else 0.01,
    )  # fmt: skip
    as_summary_writer(folder, history)


@log()
def warm_restarts(folder):
    """SGDR: each restart of the cosine throws both losses back, and each cycle ends lower than the one before."""
    rng = np.random.default_rng(3)

    def restarts(share):
        cycle = (
            share / (1 / 7)
            if share < 1 / 7
            else (share - 1 / 7) / (2 / 7)
            if share < 3 / 7
            else (share - 3 / 7) / (4 / 7)
        )
        return 0.5 * (1 + np.cos(np.pi * cycle))

    history = train(
        Mlp([16, 32, 5], rng), Sgd(0.25, momentum=0.9, decay=5e-4), rng, teacher_task(rng, 9000), teacher_task(rng, 1000),
        epochs=21, batch=100, rate=restarts,
    )  # fmt: skip
    as_wandb(folder, history)


@log()
def early_stopped(folder):
    """Stopped at the third evaluation without a better one, as asked for."""
    rng = np.random.default_rng(4)
    history = train(
        Mlp([16, 32, 5], rng), Adam(2e-3), rng, teacher_task(rng, 500), teacher_task(rng, 500),
        epochs=200, batch=32, patience=3,
    )  # fmt: skip
    as_keras(folder, history)


@log()
def resumed(folder):
    """Killed after epoch 12, resumed from the checkpoint of epoch 10 without the optimizer's momentum: a second file of events that
    repeats steps, and a bump."""
    rng = np.random.default_rng(5)
    model, training, validation = Mlp([16, 32, 5], rng), teacher_task(rng, 4000), teacher_task(rng, 1000)
    first = train(model, Adam(1e-3), rng, training, validation, epochs=10, batch=80)
    saved = [value.copy() for value in model.values]
    lost = train(model, Adam(1e-3), rng, training, validation, epochs=2, batch=80)
    model.values = saved
    second = train(
        model, Adam(1e-3), rng, training, validation, epochs=20, batch=80, rate=lambda share: min(1, 5 * share)
    )

    def points(history, before):
        out = []
        for epoch in history:
            for step, loss in zip(epoch.steps, epoch.losses, strict=True):
                if step % 10 == 0:
                    out.append((step + before, {"train/loss": loss}))
            out.append((epoch.steps[-1] + before, {"val/loss": epoch.valid_loss, "val/acc": epoch.valid_accuracy}))
        return out

    tensorboard(folder, "runs/baseline", points(first, 0) + points(lost, 500))
    tensorboard(folder, "runs/baseline", points(second, 500), number=1, late=900)


@log()
def accuracy_only(folder):
    """Nothing is logged but accuracies, which rise."""
    rng = np.random.default_rng(6)
    history = train(
        Mlp([16, 32, 5], rng), Adam(1e-3), rng, teacher_task(rng, 4000), teacher_task(rng, 1000), epochs=25, batch=80
    )
    mlflow_files(
        folder, [(e.number, {"train_accuracy": e.train_accuracy, "val_accuracy": e.valid_accuracy}) for e in history]
    )


@log()
def curriculum(folder):
    """Every few epochs the task gets harder, so the training loss steps up; on the final task the model gets better all along."""
    rng = np.random.default_rng(7)
    model, optimizer = Mlp([5, 64, 1], rng), Adam(3e-3)
    levels, rows, step = 5, [], 0

    def task(count, level):
        x = rng.uniform(-1, 1, size=(count, 5))
        return x, np.sin(3 * x[:, :level]).sum(axis=1, keepdims=True)

    valid_x, valid_y = task(1000, levels)
    for level in range(1, levels + 1):
        for _ in range(4):
            x, y = task(1600, level)
            for first in range(0, 1600, 32):
                loss, slope = squared(model(x[first : first + 32]), y[first : first + 32])
                optimizer.step(model.values, model.gradients(slope))
                if (step + 1) % 10 == 0:
                    rows.append({"epoch": step // 50, "step": step, "train_loss": loss, "level": level})
                step += 1
            value = squared(model(valid_x), valid_y)[0]
            rows.append({"epoch": (step - 1) // 50, "step": step - 1, "val_loss": value})
    lightning(folder, rows)


@log()
def uncertainty_weighted_tasks(folder):
    """Two tasks, weighted by learned uncertainties: the total is negative in the end, and has the logarithms' sign."""
    rng = np.random.default_rng(8)
    model, optimizer, points = Mlp([8, 48, 2], rng), Adam(4e-3), []
    weights = np.random.default_rng(80).normal(size=(8, 2))
    logs = np.zeros(2)  # of the variances

    def task(count):
        x = rng.normal(size=(count, 8))
        return x, np.tanh(x @ weights) + rng.normal(size=(count, 2)) * [0.05, 0.6]

    valid_x, valid_y = task(1000)
    for step in range(1200):
        x, y = task(64)
        error = model(x) - y
        tasks = (error**2).mean(axis=0)
        total = float((0.5 * np.exp(-logs) * tasks + 0.5 * logs).sum())
        optimizer.step(
            [*model.values, logs], [*model.gradients(np.exp(-logs) * error / 64), 0.5 - 0.5 * np.exp(-logs) * tasks]
        )
        if step % 10 == 0:
            names = {"train/loss": total, "train/loss_depth": tasks[0], "train/loss_normals": tasks[1]}
            points.append((step, names))
        if step % 100 == 99:
            tasks = ((model(valid_x) - valid_y) ** 2).mean(axis=0)
            points.append((step, {"val/loss_depth": tasks[0], "val/loss_normals": tasks[1]}))
    wandb(folder, points)


@log()
def negative_log_likelihood(folder):
    """A regression that says how sure it is: its loss goes through zero and below."""
    rng = np.random.default_rng(9)

    def task(count):
        x = rng.uniform(-2, 2, size=(count, 1))
        return x, np.sin(2 * x) * 0.5 + rng.normal(size=(count, 1)) * 0.05 * (1 + np.abs(x))

    history = train(
        Mlp([1, 48, 48, 2], rng, activation="tanh"), Adam(3e-3), rng, task(2000), task(500),
        epochs=20, batch=50, loss=gaussian_nll, rate=warm_cosine,
    )  # fmt: skip
    as_lightning(folder, history, every=20, accuracy=False)


@log()
def fine_tuned_near_optimum(folder):
    """One epoch of a low-rank adapter on a model that was good already: batches scatter by more than the loss falls, but each
    evaluation is better than the one before."""
    rng = np.random.default_rng(10)
    classes, inputs = 12, 40
    truth = rng.normal(size=(inputs, classes)) * 0.35
    frozen = truth + np.outer(rng.normal(size=inputs), rng.normal(size=classes)) * 0.1
    down, up = rng.normal(size=(inputs, 2)) * 0.2, np.zeros((2, classes))
    optimizer, log_rows, losses = Adam(2e-3), [], []

    def task(count):
        x = rng.normal(size=(count, inputs))
        return x, (x @ truth + rng.gumbel(size=(count, classes))).argmax(axis=1)

    def evaluate():
        return cross_entropy(valid_x @ (frozen + down @ up), valid_y)[0]

    valid_x, valid_y = task(4000)
    for step in range(1, 601):
        x, y = task(8)
        loss, slope = cross_entropy(x @ (frozen + down @ up), y)
        gradients = [x.T @ (slope @ up.T), (x @ down).T @ slope]
        optimizer.rate = 2e-3 * (1 - step / 600)
        optimizer.step([down, up], gradients)
        losses.append(loss)
        if step % 10 == 0:
            mean = round(float(np.mean(losses[-10:])), 4)
            row = {"epoch": round(step / 600, 4), "grad_norm": norm_of(gradients), "learning_rate": optimizer.rate}
            log_rows.append({**row, "loss": mean, "step": step})
        if step % 100 == 0:
            row = {"epoch": round(step / 600, 4), "eval_loss": evaluate(), "eval_runtime": 3.1}
            log_rows.append({**row, "eval_samples_per_second": 1290.0, "eval_steps_per_second": 161.3, "step": step})
    trainer(folder, log_rows, epochs=1, logging_steps=10)


@log()
def distillation(folder):
    """A small student of a noisy teacher: the loss ends at the teacher's entropy, far above zero, soon after the start."""
    rng = np.random.default_rng(11)
    teacher, student, optimizer, points = Mlp([16, 64, 10], rng), Mlp([16, 24, 10], rng), Adam(3e-3), []
    temperature = 4.0

    def loss_of(x):
        target = np.exp(log_softmax(teacher(x) / temperature))
        logs = log_softmax(student(x) / temperature)
        return -(target * logs).sum() / len(x) * temperature**2, (np.exp(logs) - target) * temperature / len(x)

    valid = rng.normal(size=(1000, 16))
    for step in range(1500):
        loss, slope = loss_of(rng.normal(size=(64, 16)))
        optimizer.step(student.values, student.gradients(slope))
        if step % 10 == 0:
            points.append((step, {"train/kd_loss": loss, "trainer/global_step": step}))
        if step % 100 == 99:
            points.append((step, {"val/kd_loss": loss_of(valid)[0], "trainer/global_step": step}))
    wandb(folder, points)


@log()
def spikes_that_recover(folder):
    """Four batches of garbage throw the loss up many times; each time it comes back within a few logs."""
    rng = np.random.default_rng(12)

    def garbage(step, x, y):
        return (x * 12, rng.integers(5, size=len(y))) if step in (310, 620, 1015, 1300) else (x, y)

    history = train(
        Mlp([16, 48, 5], rng), Sgd(0.05, momentum=0.9), rng, teacher_task(rng, 16_000), teacher_task(rng, 1000),
        epochs=10, batch=80, before_step=garbage, clip=20, rate=warm_cosine,
    )  # fmt: skip
    as_trainer(folder, history, every=5)


@log()
def one_nan_with_amp(folder):
    """One batch overflows in half precision, its loss is NaN, the scaler skips the step, and all is as before."""
    rng = np.random.default_rng(13)
    history = train(
        Mlp([16, 48, 5], rng), Adam(1e-3), rng, teacher_task(rng, 4000), teacher_task(rng, 1000), epochs=20, batch=80,
        overflows={329: "loss"},
    )  # fmt: skip
    as_lightning(folder, history)


@log()
def infinite_norms_at_first(folder):
    """The gradient scaler starts too high: gradients of the first logs are infinite, their steps are skipped."""
    rng = np.random.default_rng(14)
    history = train(
        Mlp([16, 48, 5], rng), Adam(1e-3), rng, teacher_task(rng, 4000), teacher_task(rng, 1000), epochs=6, batch=40,
        overflows=dict.fromkeys((*range(12), 19), "gradients"),
    )  # fmt: skip
    as_trainer(folder, history)


@log()
def long_plateau_first(folder):
    """A deep linear network from a small initialization: nothing moves for the first half, then all of it at once."""
    rng = np.random.default_rng(15)
    model, optimizer, points = Mlp([8, 12, 12, 8], rng, activation="linear", gain=0.035), Sgd(0.35), []
    truth = np.linalg.qr(np.random.default_rng(150).normal(size=(8, 8)))[0]

    def task(count):
        x = rng.normal(size=(count, 8))
        return x, x @ truth + 0.1 * rng.normal(size=(count, 8))

    valid_x, valid_y = task(1000)
    for step in range(1200):
        x, y = task(64)
        loss, slope = squared(model(x), y)
        optimizer.step(model.values, model.gradients(slope))
        if step % 10 == 0:
            points.append((step, {"train/loss": loss}))
        if step % 50 == 49:
            points.append((step, {"val/loss": squared(model(valid_x), valid_y)[0]}))
    tensorboard(folder, "runs/deep", points)


@log(accepted=("constant_evaluation",))
def imbalanced_classes(folder):
    """Two positives in a hundred, hardly to be told apart: the model says no to all, accuracy is the share of negatives in each
    evaluation. The losses fall as they should, so only the accuracy could be complained about."""
    rng = np.random.default_rng(16)

    def task(count):
        y = (np.arange(count) < 0.02 * count).astype(int)
        return rng.normal(size=(count, 10)) + 0.35 * y[:, None], y

    history = train(
        Mlp([10, 2], rng, activation="linear", gain=0.3), Sgd(0.05), rng, task(5000), task(1000), epochs=20, batch=50
    )
    as_autolog(folder, history)


@log()
def regularized_above_validation(folder):
    """Mixed-up inputs and dropout: the training loss stays far above the validation loss, and seems to stand still."""
    rng = np.random.default_rng(17)

    def corrupt(step, x, y):
        return x * (rng.random(x.shape) < 0.7) / 0.7 + rng.normal(size=x.shape) * 0.5, y

    history = train(
        Mlp([16, 64, 5], rng), Adam(1e-3), rng, teacher_task(rng, 3000), teacher_task(rng, 1000),
        epochs=24, batch=80, before_step=corrupt, rate=warm_cosine,
    )  # fmt: skip
    as_lightning(folder, history)


@log()
def smoke_test(folder):
    """`max_steps=6` to see whether the script runs at all; six batches say nothing about learning."""
    rng = np.random.default_rng(18)
    x, y = teacher_task(rng, 48)
    model, optimizer, rows = Mlp([16, 48, 5], rng), Adam(1e-4), []
    for step in range(1, 7):
        chosen = slice(8 * (step - 1), 8 * step)
        loss, slope = cross_entropy(model(x[chosen]), y[chosen])
        gradients = model.gradients(slope)
        optimizer.step(model.values, gradients)
        row = {"epoch": round(step / 500, 4), "grad_norm": norm_of(gradients), "learning_rate": 1e-4}
        rows.append({**row, "loss": round(loss, 4), "step": step})
    trainer(folder, rows, epochs=6 / 500, logging_steps=1)


def boosted(rng, rounds: int, *, patience: int | None, rate: float, count: int = 400, flipped: float = 0.15) -> dict:
    """Trees of depth two on quantiles of inputs, by second-order boosting as XGBoost does it: log loss and error by round."""
    inputs, bins = 8, 12

    def task(size):
        x = rng.random((size, inputs))
        y = ((x[:, 0] > 0.5) ^ (x[:, 1] + 0.3 * x[:, 2] > 0.65)).astype(float)
        return (x * bins).astype(int), np.where(rng.random(size) < flipped, 1 - y, y)

    (train_x, train_y), (valid_x, valid_y) = task(count), task(count)
    below = [(train_x <= cut).astype(float).T for cut in range(bins - 1)]  # of each input
    left = np.concatenate(below)  # rows: cut by cut, inputs within
    train_sum, valid_sum = np.zeros(count), np.zeros(count)
    curves = {name: {"logloss": [], "error": []} for name in ("train", "eval")}

    def split(gradient, hessian, inside):
        g, h = gradient * inside, hessian * inside
        gl, hl = left @ g, left @ h
        gr, hr = g.sum() - gl, h.sum() - hl
        best = int((gl**2 / (hl + 1) + gr**2 / (hr + 1)).argmax())
        return best // inputs, best % inputs

    for _ in range(rounds):
        p = sigmoid(train_sum)
        gradient, hessian = p - train_y, p * (1 - p)
        cut, which = split(gradient, hessian, np.ones(count))
        for side in (True, False):
            inside, valid_inside = (train_x[:, which] <= cut) == side, (valid_x[:, which] <= cut) == side
            cut2, which2 = split(gradient, hessian, inside)
            for side2 in (True, False):
                leaf = inside & ((train_x[:, which2] <= cut2) == side2)
                weight = -rate * gradient[leaf].sum() / (hessian[leaf].sum() + 1)
                train_sum[leaf] += weight
                valid_sum[valid_inside & ((valid_x[:, which2] <= cut2) == side2)] += weight
        for name, sums, y in (("train", train_sum, train_y), ("eval", valid_sum, valid_y)):
            q = np.clip(sigmoid(sums), 1e-7, 1 - 1e-7)
            curves[name]["logloss"].append(float(-(y * np.log(q) + (1 - y) * np.log(1 - q)).mean()))
            curves[name]["error"].append(float(((q > 0.5) != y).mean()))
        losses = curves["eval"]["logloss"]
        if patience is not None and len(losses) - 1 - int(np.argmin(losses)) >= patience:
            break
    return curves


@log()
def boosting_stopped_early(folder):
    """`early_stopping_rounds=10`: the ten rounds after the best one are how XGBoost finds out, and are cut off the model."""
    evals_result(folder, boosted(np.random.default_rng(19), 400, patience=10, rate=0.1))


@log(accepted=("overfitting",))
def loss_rises_with_accuracy(folder):
    """The model gets surer of itself, and some labels of the validation data are wrong: its loss turns and rises, yet the model is
    right more often until the end. Its confidence is overfitted, but stopping at the smallest loss would give a worse one."""
    rng = np.random.default_rng(20)
    history = train(
        Mlp([16, 48, 5], rng), Adam(1.5e-3), rng, teacher_task(rng, 5000), teacher_task(rng, 2000, flipped=0.15),
        epochs=30, batch=100, rate=lambda share: 1 - 0.98 * share,
    )  # fmt: skip
    as_keras(folder, history)


@log()
def perfect_from_the_first_evaluation(folder):
    """Clusters that lie far apart: the first evaluation finds every label, as do all after it, and the loss still falls."""
    rng = np.random.default_rng(21)
    history = train(
        Mlp([16, 32, 5], rng), Adam(1e-2), rng, clusters(rng, 2000, distance=9), clusters(rng, 500, distance=9),
        epochs=15, batch=50,
    )  # fmt: skip
    as_lightning(folder, history)


@log()
def slow_but_steady(folder):
    """A convex loss near its floor: each of 60 evaluations is better than the one before, in the end by less than a thousandth."""
    rng = np.random.default_rng(22)
    history = train(
        Mlp([16, 5], rng, activation="linear", gain=0.1), Sgd(0.05), rng,
        teacher_task(rng, 4000, flipped=0.3), teacher_task(rng, 4000, flipped=0.3), epochs=60, batch=400,
        rate=lambda share: 1 / (1 + 20 * share),
    )  # fmt: skip
    as_trainer(folder, history, every=10, accuracy=False)


@log()
def batches_of_one(folder):
    """The loss of single examples, each step: it goes from 0 to 6 and back all the time, while validation improves."""
    rng = np.random.default_rng(23)
    model, optimizer, points = Mlp([16, 32, 5], rng), Sgd(0.004), []
    x, y = teacher_task(rng, 4000, flipped=0.25)
    valid_x, valid_y = teacher_task(rng, 1000, flipped=0.25)
    for step in range(4000):
        loss, slope = cross_entropy(model(x[step : step + 1]), y[step : step + 1])
        optimizer.step(model.values, model.gradients(slope))
        if step % 5 == 0:
            points.append((step, {"Loss/train": loss}))
        if step % 250 == 249:
            points.append((step, {"Loss/val": cross_entropy(model(valid_x), valid_y)[0]}))
    tensorboard(folder, "runs/online", points)


@log()
def adversarial_domain(folder):
    """A gradient reversal layer: the domain classifier is to end at chance, so its loss rises to 0.69 and stays there."""
    rng = np.random.default_rng(24)
    inputs, hidden = 8, 6
    features, label, domain = (rng.normal(size=shape) * 0.4 for shape in ((inputs, hidden), (hidden, 2), (hidden, 1)))
    optimizer, heads, points = Sgd(0.05), Sgd(0.3), []
    shift = np.zeros(inputs)
    shift[4:] = 1.2

    def task(count):
        x, d = rng.normal(size=(count, inputs)), np.arange(count) % 2
        return x + d[:, None] * shift, (x[:, :3].sum(axis=1) > 0).astype(int), d

    def losses(x, y, d):
        f = x @ features
        q = sigmoid(f @ domain)[:, 0]
        return f, q, *cross_entropy(f @ label, y), float(-np.log(np.where(d == 1, q, 1 - q) + 1e-9).mean())

    valid = task(2000)
    for step in range(1500):
        x, y, d = task(64)
        f, q, value, slope, of_domain = losses(x, y, d)
        of_q = (q - d)[:, None] / len(x)
        strength = 2 / (1 + np.exp(-6 * max(0, step - 300) / 1200)) - 1
        below = slope @ label.T - strength * of_q @ domain.T
        heads.step([label, domain], [f.T @ slope, f.T @ of_q])
        optimizer.step([features], [x.T @ below])
        if step % 10 == 0:
            names = {"train/class_loss": value, "train/domain_loss": of_domain, "train/lambda": strength}
            points.append((step, names))
        if step % 100 == 99:
            _, _, value, _, of_domain = losses(*valid)
            points.append((step, {"val/class_loss": value, "val/domain_loss": of_domain}))
    wandb(folder, points)


@log()
def late_generalization(folder):
    """Grokking: memorized after a twentieth of the steps, the validation loss climbs, and falls to nothing long after. A curve
    model: the real thing takes minutes."""
    rng = np.random.default_rng(25)
    points = []
    for step in range(0, 40_000, 100):
        known, understood = 1 / (1 + np.exp(-(step - 1200) / 250)), 1 / (1 + np.exp(-(step - 27_000) / 1800))
        train_loss = 4.7 * (1 - known) + 3e-4 * (1 + rng.random())
        memorized = 4.7 + 3.5 * (1 - np.exp(-step / 5000))
        valid = memorized * (1 - understood) * (1 + 0.01 * rng.normal()) + 0.004
        point = {"train/loss": train_loss, "train/acc": 0.01 + 0.99 * known}
        if step % 500 == 0:
            point |= {"val/loss": valid, "val/acc": 0.01 + 0.01 * known + 0.979 * understood}
        points.append((step, point))
    wandb(folder, points)


@log()
def double_descent(folder):
    """Epoch-wise double descent with noisy labels: held-out loss falls, rises, and falls below where it had turned. A curve
    model after the experiments on label noise: the real thing takes a large network."""
    rng = np.random.default_rng(26)
    points = []
    for epoch in range(300):
        train_loss = 2.3 * np.exp(-(epoch**0.55) / 3) + 0.004 * rng.random()
        bump = 0.55 * np.exp(-((np.log((epoch + 1) / 45) / 0.6) ** 2))
        valid = 0.62 + 1.68 * np.exp(-epoch / 6) + 0.33 * np.exp(-epoch / 90) + bump + 0.01 * rng.normal()
        points.append((epoch, {"train_loss": train_loss, "test_loss": valid, "lr": 1e-4}))
    mlflow_database(folder, points)
