"""What invariants are made of."""

from datetime import datetime

import pytest


def about(value: float, tolerance: float = 1e-3):
    return pytest.approx(value, abs=tolerance)


def check_ascending(values: list) -> None:
    """Figures that are known do not fall."""
    known = [value for value in values if value is not None]
    assert known == sorted(known)


def check_between(low: float | None, value: float | None, high: float | None, tolerance: float = 1e-6) -> None:
    """Figures are rounded each by itself."""
    if value is not None:
        assert low is None or low - tolerance <= value
        assert high is None or value <= high + tolerance


def check_cut(rows: list, count: int, most: int) -> None:
    """A list is whole up to its limit, and the count beside it is of everything."""
    assert len(rows) == min(count, most)


def check_unique(rows: list, *keys: str) -> None:
    """No two rows are of the same thing; without keys, the rows are the things."""
    names = [tuple(row[key] for key in keys) for row in rows] if keys else rows
    assert len(set(names)) == len(names)


def check_histogram(histogram: dict | None, count: int | None, whole: bool = False) -> None:
    """Bins count the values; all of them where it is a histogram of the whole."""
    if histogram is None:
        return
    assert len(histogram["edges"]) == len(histogram["counts"]) + 1
    check_ascending(histogram["edges"])  # edges closer than a microsecond are equal once rounded
    if count is not None:
        assert sum(histogram["counts"]) == count if whole else sum(histogram["counts"]) <= count


def check_percents(values: list) -> None:
    for value in values:
        assert value is None or 0 <= value <= 100 + 1e-6


def check_shares(rows: list, of: str = "percent") -> None:
    """Parts of a whole."""
    assert rows == [] or sum(row[of] for row in rows) == about(100)


def seconds_between(start: str, end: str) -> float:
    return (datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds()


def check_span(span: dict, within: dict | None = None) -> None:
    """A stretch of time has its length, and lies within the job. Times sort as text."""
    check_ascending([span["start"], span["end"]])
    assert span["seconds"] == about(seconds_between(span["start"], span["end"]), 2e-6)
    if within is not None:
        check_within(span["start"], within)
        check_within(span["end"], within)


def check_within(time: str | None, job: dict) -> None:
    if time is not None:
        check_ascending([job["start_time"], time, job["end_time"]])
