"""Quantities and tables as Markdown."""

from collections.abc import Sequence


def quantity(value: float, units: list[tuple[float, str]]) -> str:
    scale, unit = next(((scale, unit) for scale, unit in units if abs(value) >= 0.9995 * scale), units[-1])
    value /= scale
    return f"{value:.{0 if value >= 99.95 else 1 if value >= 9.995 else 2}f} {unit}"


def size(value: float) -> str:
    return quantity(value, [(1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1, "B")])


def seconds(value: float) -> str:
    return quantity(value, [(1, "s"), (1e-3, "ms")])


def speed(value: float) -> str:
    return f"{size(value)}/s"


def times(value: float) -> str:
    return f"{value:.{0 if value >= 9.95 else 1 if value >= 1.995 else 2}f}"


def count(value: float) -> str:
    return quantity(value, [(1e9, "G"), (1e6, "M"), (1e3, "k"), (1, "")]).strip()


def table(heads: Sequence[str], rows: list[list[str]]) -> str:
    """The first column is text, the others are figures."""
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
