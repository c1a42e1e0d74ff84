"""A job whose hook saved reductions of gradients: one number for each tensor and step, as SageMaker Debugger stores it.

    python bench/generator/tensors.py FOLDER STEPS TENSORS

A program to itself: a child's peak memory counts that of the process that starts it, and the benchmark stays small.
"""

import functools
import json
import math
import struct
import sys
from pathlib import Path

from shape import START
from trackers import message, varint

REDUCTION = "smdebug/reductions/abs_mean/"
NO_CHECKSUM = b"\xb3\xc0\x2d\x06"  # what the hook writes in its place


@functools.cache
def framed_length(length: int) -> bytes:
    """The length of a record and TFRecord's checksum of it."""
    data = struct.pack("<Q", length)
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    crc ^= 0xFFFFFFFF
    return data + struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def record(tag: str, step: int, value: float) -> bytes:
    """A float of one element."""
    tensor = b"\x08\x01" + message(2, message(2, b"\x08\x01")) + message(4, struct.pack("<f", value))
    summary = message(1, message(1, tag.encode()) + message(8, tensor))
    payload = b"\x09" + struct.pack("<d", START + step) + b"\x10" + varint(step) + message(5, summary)
    return framed_length(len(payload)) + payload + NO_CHECKSUM


def write(path: Path, content: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


def main(folder: Path, steps: int, tensors: int) -> None:
    names = [f"gradient/layer{at}.weight" for at in range(tensors)]
    output = folder / "debug-output"
    for step in range(steps):
        events, payload = bytearray(), []
        for at, name in enumerate(names):
            frame = record(REDUCTION + name, step, 1e-3 * (2 + math.sin(step / 100 + at)))
            payload.append({"tensorname": REDUCTION + name, "start_idx": len(events), "length": len(frame)})
            events += frame
        file = f"events/{step:012d}/{step:012d}_worker_0.tfevents"
        meta = {"mode": "TRAIN", "mode_step": step, "event_file_name": file}
        write(output / file, bytes(events))
        write(
            output / f"index/{step // 1000:09d}/{step:012d}_worker_0.json",
            json.dumps({"meta": meta, "tensor_payload": payload}),
        )
    collection = {
        "name": "gradients",
        "include_regex": ["^gradient"],
        "tensor_names": names,
        "reduction_config": None,
        "save_config": None,
        "save_histogram": False,
    }
    content = {"collections": {"gradients": collection}, "_meta": {"num_workers": 1, "worker": "worker_0"}}
    write(output / "collections/000000000/worker_0_collections.json", json.dumps(content))
    write(output / "training_job_end.ts", "")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
