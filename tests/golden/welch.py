"""Welch's t-test by plain numeric integration, independent of the incomplete beta function."""

import math


def p_value(a: list[float], b: list[float]) -> float | None:
    if min(len(a), len(b)) < 2 or (len(set(a)) == 1 and len(set(b)) == 1):
        return None
    means = [sum(values) / len(values) for values in (a, b)]
    errors = [
        sum((value - mean) ** 2 for value in values) / (len(values) - 1) / len(values)
        for values, mean in zip((a, b), means, strict=True)
    ]
    t = abs(means[0] - means[1]) / math.sqrt(sum(errors))
    freedom = sum(errors) ** 2 / (errors[0] ** 2 / (len(a) - 1) + errors[1] ** 2 / (len(b) - 1))
    # With x = sqrt(freedom) tan(u) the density becomes cos(u) ** (freedom - 1): Simpson's rule on a finite span.
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(math.pi)
    count = 20_000
    width = math.atan(t / math.sqrt(freedom)) / count

    def density(at: int) -> float:
        return math.cos(at * width) ** (freedom - 1)

    inner = sum((4 if at % 2 else 2) * density(at) for at in range(1, count))
    return max(0.0, 1 - 2 * scale * (density(0) + inner + density(count)) * width / 3)
