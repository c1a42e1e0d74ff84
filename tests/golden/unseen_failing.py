"""Logs of trainings in which something went wrong."""

import numpy as np
from small_models import (
    Adam,
    Mlp,
    Sgd,
    cross_entropy,
    norm_of,
    squared,
    teacher_task,
    train,
    warm_cosine,
)
from unseen_generative import adversaries, language, texts
from unseen_label import log
from unseen_supervised import boosted
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
    wandb,
)

# Diverged. That a loss which blew up doesn't decrease, or that no later evaluation was better, is true of these too.


@log("diverged", accepted=("loss_not_decreasing", "overtraining"))
def rate_too_large(folder):
    """A regression whose steps overshoot from the first one on: after three logs the loss is infinite, then NaN."""
    rng = np.random.default_rng(60)
    weights = rng.normal(size=(12, 1))

    def task(count):
        x = rng.normal(size=(count, 12))
        return x, x @ weights + 0.1 * rng.normal(size=(count, 1))

    with np.errstate(all="ignore"):
        history = train(
            Mlp([12, 24, 1], rng),
            Sgd(0.14, momentum=0.9),
            rng,
            task(1600),
            task(400),
            epochs=12,
            batch=32,
            loss=squared,
        )
    as_lightning(folder, history, every=5, accuracy=False)


@log("diverged", accepted=("loss_not_decreasing", "overtraining"))
def schedule_upside_down(folder):
    """`ExponentialLR(gamma=1.18)`, which was to be 0.8: the model learns for some epochs, then both losses climb over where they
    began, and never come back."""
    rng = np.random.default_rng(61)
    history = train(
        Mlp([16, 32, 5], rng), Sgd(0.01, momentum=0.9), rng, teacher_task(rng, 3000), teacher_task(rng, 800),
        epochs=36, batch=60, rate=lambda share: 1.18 ** int(36 * share),
    )  # fmt: skip
    as_summary_writer(folder, history)


@log("diverged", accepted=("constant_evaluation", "overtraining"))
def not_a_number_from_the_middle(folder):
    """A logarithm of zero at a third of the way: every loss is NaN from there on, and the model gives class 0 for everything."""
    rng = np.random.default_rng(62)
    model = Mlp([16, 32, 5], rng)

    def poison(step, x, y):
        if step == 405:
            model.values[0][3, 4] = np.nan
        return x, y

    history = train(
        model, Adam(2e-3), rng, teacher_task(rng, 3000), teacher_task(rng, 800), epochs=24, batch=60, before_step=poison
    )
    as_keras(folder, history)


@log("diverged", accepted=("constant_evaluation", "loss_not_decreasing", "overtraining"))
def zero_for_not_a_number(folder):
    """Hugging Face's Trainer logs 0.0 for a loss that is NaN (`logging_nan_inf_filter`); only the norm of the gradient and the
    evaluations say that the model is lost."""
    rng = np.random.default_rng(63)
    model = Mlp([16, 32, 5], rng)

    def poison(step, x, y):
        if step == 170:
            model.values[2][3, 4] = np.inf
        return x, y

    with np.errstate(all="ignore"):
        history = train(
            model,
            Adam(1e-3),
            rng,
            teacher_task(rng, 3000),
            teacher_task(rng, 800),
            epochs=8,
            batch=60,
            before_step=poison,
        )
    for epoch in history:
        epoch.losses = [0.0 if np.isnan(loss) else loss for loss in epoch.losses]
    as_trainer(folder, history, accuracy=False)


@log("diverged", accepted=("loss_not_decreasing",))
def exploding_recurrence(folder):
    """A recurrent network without clipping that is to add numbers up: it learns a little, then one step throws it to infinity."""
    rng = np.random.default_rng(64)
    hidden, length, points = 12, 24, []
    take, keep, give = rng.normal(size=(2, hidden)) * 0.4, np.eye(hidden) * 0.9, rng.normal(size=(hidden, 1)) * 0.2
    optimizer = Sgd(0.05)
    with np.errstate(all="ignore"):
        for step in range(300):
            x = rng.random((32, length, 2))
            x[:, :, 1] = rng.random((32, length)) < 0.15
            y = (x[:, :, 0] * x[:, :, 1]).sum(axis=1, keepdims=True)
            states = [np.zeros((32, hidden))]
            for moment in range(length):
                given = x[:, moment] @ take + states[-1] @ keep
                states.append(np.maximum(given, 0.2 * given))
            loss, slope = squared(states[-1] @ give, y)
            gradients = [np.zeros_like(take), np.zeros_like(keep), states[-1].T @ slope]
            slope = slope @ give.T
            for moment in reversed(range(length)):
                slope = slope * np.where(states[moment + 1] > 0, 1, 0.2)
                gradients[0] += x[:, moment].T @ slope
                gradients[1] += states[moment].T @ slope
                slope = slope @ keep.T
            optimizer.rate = 0.05 * min(1, (step + 1) / 300)
            optimizer.step([take, keep, give], gradients)
            if step % 3 == 0:
                points.append((step, {"train/loss": loss, "train/grad_norm": norm_of(gradients)}))
    tensorboard(folder, "runs/adding", points)


@log("diverged", accepted=("loss_not_decreasing", "overtraining"))
def language_model_thrown_back(folder):
    """A large language model that jumps from 2.8 to 7.6 at 55 % and stays there: a curve model of what too high a learning rate
    without warm-up does to bfloat16."""
    rng = np.random.default_rng(65)
    points = []
    for step in range(0, 20_001, 100):
        loss = 2.6 + 8.2 * np.exp(-((step / 900) ** 0.55)) + 0.03 * rng.normal()
        if step >= 11_000:
            loss = 7.3 + 0.35 * np.exp(-(step - 11_000) / 1500) + 0.05 * rng.normal()
        point = {"iter": step, "train/loss": loss, "lr": 6e-4, "mfu": 44 + rng.normal()}
        if step % 500 == 0:
            point["val/loss"] = loss + 0.04 + 0.02 * rng.normal()
        points.append((step, point))
    wandb(folder, points)


@log(either=("diverged", "loss_not_decreasing"), accepted=("overtraining",))
def sign_lost(folder):
    """Gradient ascent: the sign of the update is wrong, so the loss rises from its first log to its last."""
    rng = np.random.default_rng(66)
    history = train(
        Mlp([16, 5], rng, activation="linear", gain=0.3), Sgd(-0.01), rng, teacher_task(rng, 3000), teacher_task(rng, 800),
        epochs=10, batch=60,
    )  # fmt: skip
    for epoch in history:
        epoch.rates = [0.01] * len(epoch.rates)  # what the script takes it to be
    as_wandb(folder, history)


# Nothing learned.


@log("loss_not_decreasing", accepted=("constant_evaluation", "overtraining"))
def dead_units(folder):
    """Biases so far below zero that no unit is ever on: the outputs are a constant, and the loss stays at the logarithm of 5."""
    rng = np.random.default_rng(67)
    model = Mlp([16, 32, 5], rng)
    model.values[1][:] = -60.0
    x, y = teacher_task(rng, 20_000)
    few = [np.flatnonzero(y == each)[:700] for each in range(5)]  # as many of each class
    chosen = np.concatenate(few)
    parts = chosen.reshape(5, -1)[:, :500].ravel(), chosen.reshape(5, -1)[:, 500:].ravel()
    history = train(model, Sgd(0.01), rng, (x[parts[0]], y[parts[0]]), (x[parts[1]], y[parts[1]]), epochs=25, batch=50)
    as_wandb(folder, history)


@log("loss_not_decreasing", "constant_evaluation", accepted=("overtraining",))
def frozen(folder):
    """`requires_grad=False` on everything: batches differ, but each evaluation gives the same numbers to the last digit."""
    rng = np.random.default_rng(68)
    history = train(
        Mlp([16, 32, 5], rng, gain=0.5),
        Sgd(0.0),
        rng,
        teacher_task(rng, 3000),
        teacher_task(rng, 800),
        epochs=15,
        batch=60,
    )
    as_lightning(folder, history)


@log("loss_not_decreasing", accepted=("overtraining",))
def labels_shuffled_apart(folder):
    """Inputs and labels were shuffled apart from each other, and there are too many to learn them by heart."""
    rng = np.random.default_rng(69)

    def task(count):
        return rng.normal(size=(count, 16)), rng.permutation(np.arange(count) % 5)

    history = train(Mlp([16, 8, 5], rng, gain=0.2), Sgd(0.02), rng, task(6000), task(1500), epochs=12, batch=60)
    as_summary_writer(folder, history)


@log("loss_not_decreasing", accepted=("constant_evaluation",))
def rate_too_small(folder):
    """A learning rate of 1e-8 in place of 1e-3: what the loss falls is far below what batches scatter."""
    rng = np.random.default_rng(70)
    history = train(
        Mlp([16, 32, 5], rng, gain=0.5),
        Adam(1e-8),
        rng,
        teacher_task(rng, 3000),
        teacher_task(rng, 800),
        epochs=8,
        batch=60,
    )
    as_trainer(folder, history)


@log("loss_not_decreasing", accepted=("constant_evaluation", "overtraining"))
def collapsed_fine_tuning(folder):
    """A classifier of two classes that a first large step saturated: the loss stays around 0.69, and all answers are the same."""
    rng = np.random.default_rng(71)

    def task(count):
        x = rng.normal(size=(count, 16))
        return x, (np.argsort(np.argsort(x[:, 0] + x[:, 1])) >= count / 2).astype(int)

    model = Mlp([16, 32, 2], rng, activation="tanh")
    model.values[1][:] = 40.0 * np.sign(rng.normal(size=32))  # no input moves a unit any more
    model.values[2] *= 0.02
    history = train(model, Adam(2e-4), rng, task(3200), task(800), epochs=5, batch=16)
    as_trainer(folder, history, every=20)


# Learned too long, or by heart.


@log("overfitting", accepted=("overtraining",))
def few_examples(folder):
    """Eighty examples, a thousand weights: training loss to nothing, validation loss up by a third from its best."""
    rng = np.random.default_rng(72)
    history = train(
        Mlp([16, 64, 5], rng),
        Adam(4e-3),
        rng,
        teacher_task(rng, 80, flipped=0.1),
        teacher_task(rng, 500),
        epochs=150,
        batch=16,
    )
    as_keras(folder, history)


@log("overfitting", accepted=("overtraining",))
def random_labels_by_heart(folder):
    """Random labels that are few enough to learn by heart: what is learned helps nowhere else."""
    rng = np.random.default_rng(73)

    def task(count):
        return rng.normal(size=(count, 16)), rng.integers(5, size=count)

    history = train(Mlp([16, 96, 5], rng, gain=0.6), Adam(3e-3), rng, task(300), task(500), epochs=60, batch=30)
    as_autolog(folder, history, write=mlflow_database)


@log("overfitting", accepted=("overtraining",))
def fine_tuned_for_five_epochs(folder):
    """Few instructions, five epochs: the training loss steps down at each epoch's end, and from the second on the evaluation loss
    goes up."""
    rng = np.random.default_rng(74)

    def task(count):
        x = rng.normal(size=(count, 160))
        truth = np.random.default_rng(740).normal(size=(160, 6)) * 0.12
        return x, (x @ truth + rng.gumbel(size=(count, 6))).argmax(axis=1)

    history = train(
        Mlp([160, 96, 6], rng, gain=0.5), Adam(2e-3), rng, task(600), task(600), epochs=5, batch=4,
        rate=lambda share: 1 - 0.5 * share,
    )  # fmt: skip
    as_trainer(folder, history, accuracy=False)


@log("overfitting", accepted=("overtraining",))
def boosting_for_too_long(folder):
    """Three hundred rounds without early stopping, with labels of which a quarter is wrong."""
    evals_result(folder, boosted(np.random.default_rng(75), 300, patience=None, rate=0.3, flipped=0.25))


@log("overfitting", accepted=("overtraining",))
def perplexity_turns(folder):
    """A table of pairs of words is learned by heart from a short text: the validation perplexity falls, turns and doubles."""
    rng = np.random.default_rng(76)
    following = language(rng, 20)
    before, after = texts(rng, following, 2400)
    valid_before, valid_after = texts(rng, following, 3000)
    other, valid_other = (
        rng.integers(20, size=2400),
        rng.integers(20, size=3000),
    )  # tells nothing, but can be learned by heart
    context, valid_context = 20 * before + other, 20 * valid_before + valid_other
    single, double, optimizer, points = np.zeros((20, 20)), np.zeros((400, 20)), Adam(0.03), []
    for epoch in range(40):
        losses = []
        for first in range(0, 2400, 600):
            part = slice(first, first + 600)
            loss, slope = cross_entropy(single[before[part]] + double[context[part]], after[part])
            gradients = [np.zeros_like(single), np.zeros_like(double)]
            np.add.at(gradients[0], before[part], slope)
            np.add.at(gradients[1], context[part], slope)
            optimizer.step([single, double], gradients)
            losses.append(loss)
        valid = cross_entropy(single[valid_before] + double[valid_context], valid_after)[0]
        points.append((epoch, {"train_ppl": np.exp(np.mean(losses)), "val_ppl": np.exp(valid)}))
    mlflow_files(folder, points)


@log("overfitting", accepted=("overtraining",))
def step_and_epoch_losses(folder):
    """Lightning's `on_step=True, on_epoch=True`: two training losses, the one noisy and the other a mean; a third of the labels is
    wrong and is learned by heart."""
    rng = np.random.default_rng(81)
    history = train(
        Mlp([16, 128, 5], rng), Adam(2e-3), rng, teacher_task(rng, 600, flipped=0.3), teacher_task(rng, 800, flipped=0.3),
        epochs=40, batch=20,
    )  # fmt: skip
    rows = []
    for epoch in history:
        for step, loss in zip(epoch.steps, epoch.losses, strict=True):
            if (step + 1) % 10 == 0:
                rows.append({"epoch": epoch.number, "step": step, "train_loss_step": loss})
        rows.append(
            {
                "epoch": epoch.number,
                "step": epoch.steps[-1],
                "val_loss": epoch.valid_loss,
                "val_f1": epoch.valid_accuracy,
            }
        )
        rows.append({"epoch": epoch.number, "step": epoch.steps[-1], "train_loss_epoch": epoch.train_loss})
    lightning(folder, rows)


@log("overtraining", accepted=("overfitting",))
def long_after_the_best(folder):
    """Done after the third of a hundred epochs: the training loss scatters from then on as it did before, evaluations creep up."""
    rng = np.random.default_rng(77)
    history = train(
        Mlp([16, 5], rng, activation="linear", gain=0.1), Sgd(0.4), rng,
        teacher_task(rng, 300, flipped=0.3), teacher_task(rng, 1000, flipped=0.3), epochs=100, batch=30,
        rate=lambda share: 1 - 0.9 * share,
    )  # fmt: skip
    as_wandb(folder, history)


@log(either=("overfitting", "overtraining"))
def accuracy_falls(folder):
    """Nothing but accuracies: as wrong labels are learned by heart, training goes to 1 and validation down from its best."""
    rng = np.random.default_rng(78)
    history = train(
        Mlp([16, 128, 5], rng), Adam(3e-3), rng, teacher_task(rng, 500, flipped=0.35), teacher_task(rng, 1000),
        epochs=80, batch=25,
    )  # fmt: skip
    mlflow_database(
        folder, [(e.number, {"train_accuracy": e.train_accuracy, "val_accuracy": e.valid_accuracy}) for e in history]
    )


@log(either=("overtraining", "constant_evaluation", "loss_not_decreasing"))
def schedule_too_short(folder):
    """The scheduler was told a quarter of the steps: with the rate at 0 from there on, nothing moves for three quarters of the time,
    and all evaluations are the same."""
    rng = np.random.default_rng(82)
    history = train(
        Mlp([16, 32, 5], rng), Adam(4e-3), rng, teacher_task(rng, 2000), teacher_task(rng, 800), epochs=32, batch=50,
        rate=lambda share: max(0.0, 1 - 4 * share),
    )  # fmt: skip
    as_trainer(folder, history)


# Evaluated wrongly.


@log("constant_evaluation", accepted=("overtraining",))
def stale_copy(folder):
    """Training goes well, but what is evaluated is a copy of the model from before the first step."""
    rng = np.random.default_rng(79)
    model = Mlp([16, 32, 5], rng)
    copy = Mlp([16, 32, 5], rng)
    copy.values = [value.copy() for value in model.values]
    validation = teacher_task(rng, 800)
    history = train(model, Adam(2e-3), rng, teacher_task(rng, 3000), validation, epochs=14, batch=60, rate=warm_cosine)
    for epoch in history:
        epoch.valid_loss = float(cross_entropy(copy(validation[0]), validation[1])[0])
        epoch.valid_accuracy = float((copy(validation[0]).argmax(axis=1) == validation[1]).mean())
    as_lightning(folder, history)


# Failed in a way that these findings have no word for.


@log(accepted=("diverged", "loss_not_decreasing"))
def one_side_wins(folder):
    """A GAN in which the discriminator wins: its loss goes to nothing, the generator's rises all along. Whether that is called
    divergence is a matter of taste."""
    rng = np.random.default_rng(80)
    played = adversaries(rng, 900, of_generator=2e-5, of_discriminator=4e-3, far=6.0)
    points = [
        (step, {"loss_G": make, "loss_D": judge}) for step, (make, judge, _) in enumerate(played) if step % 5 == 0
    ]
    wandb(folder, points)
