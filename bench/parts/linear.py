"""Whether work grows as the input does: jobs and traces of 1, 4 and 16 times one size."""

from pathlib import Path

from measure import words
from measure.bench import Bench
from measure.inputs import size_of
from measure.run import best

HEADS = ["", "size", "time", "per byte, of 1×", "further bytes", "of those before", "peak memory", "memory per byte"]
REPEATS = 5  # at least: differences of times are noisier than times


def series(bench: Bench, name: str, key: str, paths: dict[int, Path]) -> list[list[str]]:
    rows: list[list[str]] = []
    points: list[tuple[int, float, float]] = []
    slopes: list[float] = []  # seconds per further byte
    ratios: list[float] = []
    for scale, path in paths.items():
        size, cost = size_of(path), best(max(bench.repeat, REPEATS), bench.binary, path, bench.page)
        bench.costs[f"{name}, {scale}×"] = (size, cost)
        points.append((size, cost.wall, cost.memory))
        whole = cost.wall / size / (points[0][1] / points[0][0])
        ratios.append(whole)
        further = of_those_before = ""
        if len(points) > 1:
            size_before, wall_before, _ = points[-2]
            slopes.append((cost.wall - wall_before) / (size - size_before))
            further = f"{slopes[-1] * 1e9:.2f} ns/B"
        if len(slopes) > 1:
            ratios.append(slopes[-1] / slopes[-2])
            of_those_before = f"{ratios[-1]:.2f}"
        rows.append(
            [
                f"{name}, {scale}×",
                words.size(size),
                words.seconds(cost.wall),
                f"{whole:.2f}",
                further,
                of_those_before,
                words.size(cost.memory),
                f"{cost.memory / size:.2f}",
            ]
        )
    bench.figures[f"linear.{key}"] = max(ratios[1:])
    bench.figures[f"linear.{key}_per_byte"] = points[-1][2] / points[-1][0]
    bench.figures[f"linear.{key}_memory"] = (points[-1][2] / points[0][2]) / (points[-1][0] / points[0][0])
    return rows


def judged(worst: float) -> str:
    return f"{'pass' if worst <= 1.1 else '**fail**'}, {worst:.2f} at worst"


def linear(bench: Bench) -> str:
    scales = bench.sizes.scales
    rows = series(bench, "Metrics and timelines", "job", {scale: bench.scaled_job(scale) for scale in scales})
    rows += series(bench, "PyTorch trace", "trace", {scale: bench.scaled_trace(scale) for scale in scales})
    verdicts = "\n".join(
        f"- {words_for}: {judged(bench.figures[f'linear.{key}'])}"
        for words_for, key in (("Metrics and timelines", "job"), ("PyTorch trace", "trace"))
    )
    return (
        f"{words.table(HEADS, rows)}\n\nWhole reports. Per byte, of 1×: the time per byte divided by that of the smallest. Further bytes: what the "
        "bytes cost that a size has more than the one before it, so that what every run costs, however small, cannot hide growth; of those "
        f"before: divided by the further bytes of the size before. None may be above 1.10:\n\n{verdicts}\n"
    )
