"""Files of trackers that are cut off or damaged anywhere: no crash, no value that was never logged, and the loss is said."""

import json
import math
import random
import sqlite3
from pathlib import Path

import pytest
from fault_case import Case, Outcome
from faults import times
from tensorboard_file import write_scalars
from wandb_file import run_file

CUTS = 40
START = 1_700_000_000
STEPS = range(1, 41)


def loss(step: int) -> float:
    """As a 32-bit float has it, which TensorBoard stores: no digits are lost on the way."""
    return round(4 / math.sqrt(step) * 1024) / 1024


def tensorboard(folder: Path) -> dict:
    path = write_scalars(folder / "events", [(START + step, step, {"loss": loss(step)}) for step in STEPS])
    return {"events.out.tfevents.1": path.read_bytes()}


def wandb(folder: Path) -> dict:
    filler = "x" * 2000  # so that there are several blocks
    return {"run.wandb": run_file((step, START + step, {"loss": loss(step), "note": filler}) for step in STEPS)}


def metrics_csv(folder: Path) -> dict:
    rows = "".join(f"{step // 10},{loss(step)},{step}\r\n" for step in STEPS)
    return {"metrics.csv": f"epoch,loss,step\r\n{rows}".encode()}


def trainer_state(folder: Path) -> dict:
    log = [{"step": step, "loss": loss(step), "epoch": step / 40} for step in STEPS]
    return {"trainer_state.json": json.dumps({"global_step": 40, "max_steps": 40, "log_history": log}).encode()}


META = f"run_id: 0123\nrun_name: cut\nstatus: 3\nstart_time: {START}000\nend_time: {START + 41}000\n".encode()


def mlflow_files(folder: Path) -> dict:
    points = "".join(f"{(START + step) * 1000} {loss(step)} {step}\n" for step in STEPS)
    return {"mlruns/1/0123/metrics/loss": points.encode(), "mlruns/1/0123/meta.yaml": META}


def mlflow_database(folder: Path) -> dict:
    folder.mkdir(exist_ok=True)
    path = folder / "mlflow.db"
    with sqlite3.connect(path) as database:
        database.execute(
            "create table runs (run_uuid text, name text, status text, start_time int, end_time int, lifecycle_stage text, "
            "experiment_id int)"
        )
        database.execute(
            "create table metrics (key text, value double, timestamp int, run_uuid text, step int, is_nan int)"
        )
        database.execute("create table latest_metrics (key text, value double, run_uuid text)")  # by which it is known
        database.execute("create table params (key text, value text, run_uuid text)")
        database.execute("create table tags (key text, value text, run_uuid text)")
        database.execute(
            f"insert into runs values ('0123', 'cut', 'FINISHED', {START}000, {START + 41}000, 'active', 1)"
        )
        database.executemany(
            "insert into metrics values ('loss', ?, ?, '0123', ?, 0)",
            [(loss(step), (START + step) * 1000, step) for step in STEPS],
        )
    database.close()
    return {"mlflow.db": path.read_bytes()}


WRITERS = [tensorboard, wandb, metrics_csv, trainer_state, mlflow_files, mlflow_database]


def values(outcome: Outcome) -> dict:
    """Step -> value; a job that is refused has none."""
    curves = (outcome.result or {}).get("curves")
    if not curves:
        return {}
    return {
        step: value
        for curve in curves["scalars"]
        if curve["name"].rpartition("/")[2] == "loss"
        for step, value in zip(curve["steps"], curve["values"], strict=True)
    }


@pytest.mark.parametrize("writer", WRITERS)
def test_whole_files_have_every_value(faults, writer, tmp_path):
    outcome = faults.one("whole", writer(tmp_path / "in"))
    assert values(outcome) == {step: pytest.approx(loss(step), rel=1e-6) for step in STEPS}
    assert outcome.quality["complete"]


@pytest.mark.parametrize("writer", WRITERS)
def test_cut_anywhere(faults, writer, tmp_path):
    files = writer(tmp_path / "in")
    name, content = next(iter(files.items()))
    places = random.Random(name).sample(range(len(content)), k=min(times(CUTS), len(content)))
    cases = [Case(f"{name} cut at {place}", {**files, name: content[:place]}) for place in sorted(places)]
    counts = []
    for case, outcome in zip(cases, faults.all(cases), strict=True):
        found = values(outcome)
        for step, value in found.items():
            assert value == pytest.approx(loss(step), rel=1e-6), f"{case.label}: step {step} was never {value}"
        counts.append(len(found))
        if outcome.code == 0 and len(found) < len(STEPS):
            # Only a cut between two records leaves a file that is whole.
            cut = case.files[name]
            assert writer in (tensorboard, wandb) or cut.endswith(b"\n"), f"{case.label}: nothing is said of the cut"
    if writer not in (trainer_state, mlflow_database):  # what is read as a whole or not at all
        assert counts == sorted(counts), "what comes before a cut is read"
        assert max(counts) > len(STEPS) / 2


def watts(sample: int) -> int:
    """Rises, so that the least and the greatest tell which samples were read."""
    return 210 + sample


def nvidia_smi_csv() -> tuple[str, bytes, int]:
    rows = "".join(
        f"2026/01/01 00:{at // 60:02}:{at % 60:02}.000, 0, {40 + at} %, {watts(at)}.00 W, 61\n" for at in range(60)
    )
    head = "timestamp, index, utilization.gpu [%], power.draw [W], temperature.gpu\n"
    return "nvidia-smi.csv", f"{head}{rows}".encode(), len(head)


def dmon() -> tuple[str, bytes, int]:
    head = "#Date       Time        gpu    pwr  gtemp     sm\n#YYYYMMDD   HH:MM:SS    Idx      W      C      %\n"
    rows = "".join(
        f" 20260101   00:{at // 60:02}:{at % 60:02}      0    {watts(at)}     61     {40 + at}\n" for at in range(60)
    )
    return "dmon.log", f"{head}{rows}".encode(), len(head)


@pytest.mark.parametrize("log", [nvidia_smi_csv, dmon])
def test_gpu_logs_cut_anywhere(faults, log):
    """Whole lines are read, as many as there are; half a number is never one."""
    name, content, head = log()
    places = random.Random(name).sample(range(head, len(content) + 1), k=times(CUTS))
    cases = [Case(f"{name} cut at {place}", {name: content[:place]}) for place in sorted({*places, len(content)})]
    most = 0
    for case, outcome in zip(cases, faults.all(cases), strict=True):
        lines = case.files[name][head:].count(b"\n")
        usage = {row["metric"]: row for row in (outcome.result or {}).get("system_usage", [])}
        if lines < 2 or "GPU power" not in usage:
            assert lines < 2, f"{case.label}: nothing of {lines} lines was read"
            continue
        power, busy = usage["GPU power"], usage["GPU"]
        assert power["unit"] == "W"
        assert usage["GPU temperature"]["min"] == usage["GPU temperature"]["max"] == 61
        assert power["samples"] == busy["samples"] == lines, case.label
        assert (power["min"], power["max"]) == (watts(0), watts(lines - 1)), case.label
        assert (busy["min"], busy["max"]) == (40, 40 + lines - 1), case.label
        is_cut = not case.files[name].endswith(b"\n")
        assert outcome.quality["complete"] == (not is_cut), f"{case.label}: nothing is said of the cut"
        most = max(most, lines)
    assert most == 60


@pytest.mark.parametrize("writer", [tensorboard, wandb])
def test_flipped_bits_never_make_values(faults, writer, tmp_path):
    """Their records have checksums."""
    ((name, content),) = writer(tmp_path / "in").items()
    rng = random.Random(7)
    cases = []
    for at in range(times(30)):
        damaged = bytearray(content)
        for _ in range(1 + at % 3):
            damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        cases.append(Case(f"{name} with flipped bits, {at}", {name: bytes(damaged)}))
    for outcome in faults.all(cases):
        found = values(outcome)
        for step, value in found.items():
            assert value == pytest.approx(loss(step), rel=1e-6), f"{outcome.label}: step {step} was never {value}"
        if outcome.code == 0:
            assert len(found) == len(STEPS), f"{outcome.label}: nothing is said of what is missing"


@pytest.mark.parametrize("writer", [metrics_csv, trainer_state, mlflow_files, mlflow_database])
def test_flipped_bits_of_files_without_checksums(faults, writer, tmp_path):
    """Nothing can be said of their values, but everything that holds for every job does."""
    files = writer(tmp_path / "in")
    name, content = next(iter(files.items()))
    rng = random.Random(8)
    cases = []
    for at in range(times(20)):
        damaged = bytearray(content)
        for _ in range(1 + at % 20):
            damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        cases.append(Case(f"{name} with flipped bits, {at}", {**files, name: bytes(damaged)}))
    faults.all(cases)
