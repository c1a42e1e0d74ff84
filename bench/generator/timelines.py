"""Framework timelines as SageMaker's Python hook writes them: one JSON array per node and minute, one event a line."""

import random

from generator.shape import START, Shape

PHASES = ("Step:ModeKeys.TRAIN", "cpu_functions")


def header() -> list[str]:
    lines = [
        f'{{"name": "process_name", "ph": "M", "pid": 0, "args": {{"start_time_since_epoch_in_micros": {START * 1_000_000}}}}}'
    ]
    for index, phase in enumerate(PHASES, 1):
        lines.append(f'{{"name": "process_name", "ph": "M", "pid": {index}, "args": {{"name": "{phase}"}}}}')
    return lines


def minute_of_events(node: str, minute: int, shape: Shape) -> str:
    """Steps that take four fifths of their share of the minute or more, with operators inside."""
    rng = random.Random(f"{shape.seed} {node} {minute} events")
    each = 60_000_000 // shape.steps  # microseconds
    apart = max(each // 2 // max(shape.operators, 1), 1)
    lines = header()
    for step in range(shape.steps):
        at = minute * 60_000_000 + step * each
        number = minute * shape.steps + step
        for operator in range(shape.operators):
            lines.append(
                f'{{"name": "aten::op{operator % 200}", "pid": 2, "ph": "X", "ts": {at + operator * apart}, "dur": '
                f'{rng.randrange(1, apart + 1)}, "args": {{"step_num": {number}, "device": "cpu", "tid": 7}}}}'
            )
        lines.append(
            f'{{"name": "{PHASES[0]}", "pid": 1, "ph": "X", "ts": {at}, "dur": {rng.randrange(each * 4 // 5, each)}, '
            f'"args": {{"pid": 27, "step_num": "{number}"}}}}'
        )
    return "[\n" + ",\n".join(lines) + "\n]\n"


def write_timelines(shape: Shape, node: str, minutes: range) -> None:
    for minute in minutes:
        end = START + (minute + 1) * 60
        shape.write(
            shape.folder("framework/pevents", end - 60) / f"{end * 1_000_000}_27-{node}_pythontimeline.json",
            minute_of_events(node, minute, shape),
        )
