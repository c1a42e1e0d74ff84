"""Welch's t-test by plain numeric integration, independent of the incomplete beta function."""

import itertools
import math


def effective_size(values: list[float]) -> float:
    """How many independent values would say as much about the mean, by the correlation of neighbors."""
    mean = sum(values) / len(values)
    squares = sum((value - mean) ** 2 for value in values)
    products = sum((first - mean) * (second - mean) for first, second in itertools.pairwise(values))
    correlation = max(0.0, products / squares) if squares else 0.0
    return max(2.0, len(values) * (1 - correlation) / (1 + correlation))


def p_value(a: list[float], b: list[float]) -> float | None:
    """Two-sided, where neighbors may be alike."""
    if min(len(a), len(b)) < 2 or (len(set(a)) == 1 and len(set(b)) == 1):
        return None
    means = [sum(values) / len(values) for values in (a, b)]
    sizes = [effective_size(values) for values in (a, b)]
    errors = [
        sum((value - mean) ** 2 for value in values) / (len(values) - 1) / size
        for values, mean, size in zip((a, b), means, sizes, strict=True)
    ]
    t = abs(means[0] - means[1]) / math.sqrt(sum(errors))
    freedom = sum(errors) ** 2 / (errors[0] ** 2 / (sizes[0] - 1) + errors[1] ** 2 / (sizes[1] - 1))
    # With x = sqrt(freedom) tan(u) the density becomes cos(u) ** (freedom - 1): Simpson's rule on a finite span.
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(math.pi)
    count = 20_000
    width = math.atan(t / math.sqrt(freedom)) / count

    def density(at: int) -> float:
        return math.cos(at * width) ** (freedom - 1)

    inner = sum((4 if at % 2 else 2) * density(at) for at in range(1, count))
    return max(0.0, 1 - 2 * scale * (density(0) + inner + density(count)) * width / 3)
