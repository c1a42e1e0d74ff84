"""A folder as SageMaker Debugger's hook writes it, byte by byte."""

import json
from pathlib import Path

from tensorboard_file import saved_tensor


def flat(values) -> tuple[list, int]:
    """A list of rows as one list, and how many columns it had; 0: it was no list of rows."""
    rows = [values] if isinstance(values, str | float | int) else list(values)
    if rows and isinstance(rows[0], list | tuple):
        return [value for row in rows for value in row], len(rows[0])
    return rows, 0


def put(file: Path, content: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)


def write_step(folder: Path, step: int, tensors: dict, mode: str = "GLOBAL", worker: str = "worker_0") -> None:
    """`tensors`: name -> a number, a text, a list of them, or a list of rows."""
    path = f"events/{step:012d}/{step:012d}_{worker}.tfevents"
    events, payload = b"", []
    for name, values in tensors.items():
        numbers, columns = flat(values)
        record = saved_tensor(name, numbers, step, 1.7e9 + step, columns)
        payload.append({"tensorname": name, "start_idx": len(events), "length": len(record)})
        events += record
    index = {"meta": {"mode": mode, "mode_step": step, "event_file_name": path}, "tensor_payload": payload}
    output = folder / "debug-output"
    put(output / path, events)
    put(output / f"index/{step // 1000:09d}/{step:012d}_{worker}.json", json.dumps(index).encode())


def write_collections(folder: Path, collections: dict[str, str], worker: str = "worker_0") -> None:
    """`collections`: name -> a regular expression of its tensors."""
    document = {
        "collections": {name: {"tensor_names": [], "include_regex": [pattern]} for name, pattern in collections.items()}
    }
    put(folder / f"debug-output/collections/000000000/{worker}_collections.json", json.dumps(document).encode())
