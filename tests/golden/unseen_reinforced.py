"""Logs of reinforcement learning that went well: its losses measure other things than how good the policy is."""

import numpy as np
from small_models import log_softmax
from unseen_label import log
from unseen_writers import tensorboard, trainer, wandb

SIDE = 5
MOVES = np.array([[0, 1], [0, -1], [1, 0], [-1, 0]])


def walk(cells, actions, rng, slip: float):
    """Moves on a square with walls around it; a `slip` of them goes anywhere. New cells, and whether they are the goal."""
    actions = np.where(rng.random(len(cells)) < slip, rng.integers(4, size=len(cells)), actions)
    places = np.stack([cells // SIDE, cells % SIDE], axis=1) + MOVES[actions]
    places = places.clip(0, SIDE - 1)
    new = places[:, 0] * SIDE + places[:, 1]
    return new, new == SIDE * SIDE - 1


def learned_by_differences(rng, steps: int, exploring_for: int, every: int) -> list[tuple[int, dict]]:
    """Q-learning in eight environments: errors, values and returns by the steps of all of them."""
    values = np.zeros((SIDE * SIDE, 4))
    cells, ages, returns, errors, points = np.zeros(8, dtype=int), np.zeros(8, dtype=int), [0.0], [], []
    for step in range(steps):
        exploring = max(0.05, 1 - step / exploring_for)
        greedy = (values[cells] + 1e-6 * rng.random((8, 4))).argmax(axis=1)
        actions = np.where(rng.random(8) < exploring, rng.integers(4, size=8), greedy)
        new, reached = walk(cells, actions, rng, 0.1)
        ages += 1
        target = np.where(reached, 10.0, 0.95 * values[new].max(axis=1))
        error = target - values[cells, actions]
        np.add.at(values, (cells, actions), 0.05 * error)
        errors.append(float((error**2).mean()))
        ended = reached | (ages >= 50)
        for one in np.flatnonzero(ended):
            returns.append(10.0 * 0.95 ** ages[one] if reached[one] else 0.0)
        ages[ended] = 0
        cells = np.where(ended, 0, new)
        if (step + 1) % every == 0:
            names = {"losses/td_loss": np.mean(errors[-every:]), "losses/q_values": values.max(axis=1).mean()}
            names |= {"charts/episodic_return": np.mean(returns[-20:]), "charts/epsilon": exploring, "charts/SPS": 950}
            points.append((8 * (step + 1), names))
    return points


@log()
def temporal_differences(folder):
    """Q-learning: as long as no reward is found there is nothing to be wrong about; the error rises with the returns, then falls."""
    tensorboard(
        folder, "runs/Grid-v0__dqn__1__1723709760", learned_by_differences(np.random.default_rng(50), 4000, 2500, 40)
    )


@log()
def returns_still_growing(folder):
    """The same, stopped while returns and the errors with them still grow: the loss ends at several times its start."""
    wandb(folder, learned_by_differences(np.random.default_rng(53), 520, 1100, 10))


@log()
def proximal_policy(folder):
    """PPO as Stable-Baselines3 logs it: the policy's loss hovers around zero, the value's rises with the returns and falls later, and
    `entropy_loss`, the negative entropy, rises to zero as the policy gets sure of itself. Returns rise."""
    rng = np.random.default_rng(51)
    policy, values = np.zeros((SIDE * SIDE, 4)), np.zeros(SIDE * SIDE)
    cells, ages, earned, points = np.zeros(16, dtype=int), np.zeros(16, dtype=int), [0.0], []
    for iteration in range(80):
        rows = []
        for _ in range(32):
            chances = np.exp(log_softmax(policy[cells]))
            actions = (chances.cumsum(axis=1) < rng.random((16, 1))).sum(axis=1).clip(max=3)
            new, reached = walk(cells, actions, rng, 0.05)
            ages += 1
            reward = np.where(reached, 10.0, -0.1)
            ended = reached | (ages >= 60)
            rows.append((cells, actions, reward, ended, new, chances[np.arange(16), actions]))
            for one in np.flatnonzero(ended):
                earned.append(10.0 * reached[one] - 0.1 * ages[one])
            ages[ended] = 0
            cells = np.where(ended, 0, new)
        advantage, later = [], np.zeros(16)
        for before, _, reward, ended, after, _ in reversed(rows):
            error = reward + 0.97 * np.where(ended, 0, values[after]) - values[before]
            later = error + 0.97 * 0.95 * np.where(ended, 0, later)
            advantage.append(later)
        gained = np.concatenate(advantage[::-1])
        states, actions, chances = (np.concatenate([row[index] for row in rows]) for index in (0, 1, 5))
        target = gained + values[states]
        scaled = (gained - gained.mean()) / (gained.std() + 1e-8)
        for _ in range(4):
            logs = log_softmax(policy[states])
            every = np.exp(logs)
            ratio = every[np.arange(len(states)), actions] / chances
            clipped = ratio.clip(0.8, 1.2)
            entropy = -(every * logs).sum(axis=1)
            policy_loss = -np.minimum(ratio * scaled, clipped * scaled).mean()
            value_loss = ((values[states] - target) ** 2).mean()
            moves = np.where(ratio * scaled <= clipped * scaled, ratio * scaled, 0)[:, None] * (
                np.eye(4)[actions] - every
            )
            slope = np.zeros_like(policy)
            np.add.at(slope, states, moves / len(states))
            policy += 4.0 * slope
            counts = np.bincount(states, minlength=SIDE * SIDE).clip(min=1)
            values += 0.15 * np.bincount(states, weights=target - values[states], minlength=SIDE * SIDE) / counts
        names = {"train/loss": policy_loss + 0.5 * value_loss - 0.01 * entropy.mean(), "train/value_loss": value_loss}
        names |= {"train/policy_gradient_loss": policy_loss, "train/entropy_loss": -entropy.mean()}
        names |= {
            "train/approx_kl": (ratio - 1 - np.log(ratio)).mean(),
            "train/clip_fraction": (ratio != clipped).mean(),
        }
        names |= {"train/explained_variance": 1 - (target - values[states]).var() / (target.var() + 1e-8)}
        names |= {"rollout/ep_rew_mean": np.mean(earned[-100:]), "train/learning_rate": 3e-4}
        points.append((512 * (iteration + 1), names))
    tensorboard(folder, "logs/PPO_1", points)


@log()
def relative_rewards(folder):
    """GRPO as TRL logs it: advantages sum to zero, so the loss is what the policy's distance from the reference costs; it begins
    at 0 and rises while rewards do."""
    rng = np.random.default_rng(52)
    prompts, answers, beta = 16, 12, 0.04
    worth = rng.random((prompts, answers))
    reference = rng.normal(size=(prompts, answers)) * 0.5
    policy, rows = reference.copy(), []
    for step in range(1, 301):
        chosen = rng.integers(prompts, size=8)
        logs, fixed = log_softmax(policy[chosen]), log_softmax(reference[chosen])
        every = np.exp(logs)
        picked = (every.cumsum(axis=1)[:, None, :] < rng.random((8, 8, 1))).sum(axis=2).clip(max=answers - 1)
        reward = worth[chosen[:, None], picked] + 0.05 * rng.normal(size=(8, 8))
        scaled = (reward - reward.mean(axis=1, keepdims=True)) / (reward.std(axis=1, keepdims=True) + 1e-4)
        distance = np.take_along_axis(fixed - logs, picked, axis=1)
        divergence = np.exp(distance) - distance - 1
        slope = np.zeros_like(policy)
        for one in range(8):
            for weight, answer in zip(scaled[one] - beta * (1 - np.exp(distance[one])), picked[one], strict=True):
                slope[chosen[one]] += weight * (np.eye(answers)[answer] - every[one]) / 64
        policy += 0.6 * slope
        if step % 5 == 0:
            row = {"completion_length": 180 + 10 * rng.normal(), "epoch": round(step / 300, 4)}
            row |= {
                "grad_norm": float(np.sqrt((slope**2).sum())),
                "kl": float(divergence.mean()),
                "learning_rate": 1e-6,
            }
            row |= {"loss": round(float(beta * divergence.mean() - scaled.mean()), 4), "reward": float(reward.mean())}
            rows.append({**row, "reward_std": float(reward.std(axis=1).mean()), "step": step})
    trainer(folder, rows, epochs=1, logging_steps=5)
