"""A small job of one node and one GPU, written in SageMaker's layout, with steps of a wanted speed and noise."""

import json
import random

START = 1_794_700_000  # unix seconds


def write_small_job(
    folder, *, name="small", steps=400, step=0.05, noise=0.01, drift=0.0, gpu=95.0, seed=1, evals=(), wait=0.0005
):
    """`noise` is the standard deviation of single steps, `drift` of blocks of twenty, as shares of `step`; `evals` are the
    lengths of EVAL steps at the end, `wait` is the time between steps."""
    rng = random.Random(seed)
    events, at, slow = [], 2.0, 0.0
    for number in range(steps):
        if number % 20 == 0:
            slow = rng.gauss(0, drift)
        length = max(step * (1 + slow + rng.gauss(0, noise)), step / 10)
        events.append(("TRAIN", number, at, length))
        at += length + wait
    for number, length in enumerate(evals, steps):
        events.append(("EVAL", number, at, length))
        at += length + 0.0005
    end = at + 1.0
    write_timeline(folder, events)
    write_metrics(folder, end, gpu, rng)
    (folder / "job.json").write_text(
        json.dumps({"TrainingJobName": name, "TrainingStartTime": START, "TrainingEndTime": START + end})
    )
    return folder


def write_timeline(folder, events):
    lines = [
        {"name": "process_name", "ph": "M", "pid": 0, "args": {"start_time_since_epoch_in_micros": START * 1_000_000}},
        {"name": "process_name", "ph": "M", "pid": 1, "args": {"name": "Step:ModeKeys.TRAIN"}},
        {"name": "process_name", "ph": "M", "pid": 2, "args": {"name": "Step:ModeKeys.EVAL"}},
    ]
    for mode, number, at, length in events:
        lines.append(
            {
                "name": f"Step:ModeKeys.{mode}",
                "pid": 1 if mode == "TRAIN" else 2,
                "ph": "X",
                "ts": round(at * 1e6),
                "dur": round(length * 1e6),
                "args": {"step_num": str(number), "pid": "7"},
            }
        )
    path = folder / "profiler-output/framework/pevents/2026111423"
    path.mkdir(parents=True)
    (path / f"{START * 1_000_000}_7-algo-1_pythontimeline.json").write_text(json.dumps(lines))


def write_metrics(folder, end, gpu, rng):
    rows = []
    for tick in range(int(end * 5)):

        def row(kind, device, dimension, value, at=START + tick / 5):
            rows.append(
                json.dumps(
                    {
                        "Type": kind,
                        "Name": device,
                        "Dimension": dimension,
                        "Value": round(value, 2),
                        "NodeId": "algo-1",
                        "Timestamp": at,
                    }
                )
            )

        busy = 2.0 <= tick / 5 <= end - 1.0
        row("cpu", "cpu0", "CPUUtilization", 30 + rng.random())
        row("cpu", "cpu0", "I/OWaitPercentage", 0.0)
        row("gpu", "gpu0", "GPUUtilization", gpu - rng.random() if busy else 0.0)
        row("gpu", "gpu0", "GPUMemoryUtilization", 50.0)
    path = folder / "profiler-output/system/incremental/2026111423"
    path.mkdir(parents=True)
    (path / f"{START}.algo-1.json").write_text("\n".join(rows) + "\n")
