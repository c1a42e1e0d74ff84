"""Runs as training scripts log them: TensorBoard's events and W&B's log, one loss, learning rate and gradient norm a step.

    python bench/generator/trackers.py events|wandb FILE MEGABYTES

A program to itself: a child's peak memory counts that of the process that starts it, and the benchmark stays small.
"""

import json
import struct
import sys
import zlib
from pathlib import Path

import numpy as np
from shape import START

TAGS = ("train/loss", "train/learning_rate", "train/grad_norm")
FIRST_STEP = (
    1 << 21
)  # so that every step has four bytes as a varint, and every record of a tag is as long as the others
CHUNK = 100_000  # steps that are made at once
WANDB_BLOCK = 32768


def crc_table() -> np.ndarray:
    """CRC-32C's, by bytes."""
    table = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        table = (table >> 1) ^ (np.uint32(0x82F63B78) * (table & 1))
    return table


def masked_crc(rows: np.ndarray, table: np.ndarray) -> np.ndarray:
    """TFRecord's checksum of each row, as four columns of bytes."""
    crc = np.full(len(rows), 0xFFFFFFFF, dtype=np.uint32)
    for column in rows.T:
        crc = table[(crc ^ column) & 0xFF] ^ (crc >> 8)
    crc = ~crc
    return (((crc >> 15) | (crc << 17)) + np.uint32(0xA282EAD8)).astype("<u4").view(np.uint8).reshape(-1, 4)


def columns(*parts) -> np.ndarray:
    """Bytes that all rows have, and bytes of each row, side by side."""
    rows = max(len(part) for part in parts if isinstance(part, np.ndarray))
    return np.hstack(
        [part if isinstance(part, np.ndarray) else np.tile(np.frombuffer(part, np.uint8), (rows, 1)) for part in parts]
    )


def as_bytes(values: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(values).view(np.uint8).reshape(len(values), -1)


def event_records(steps: np.ndarray, tag: str, values: np.ndarray, table: np.ndarray) -> np.ndarray:
    times = (START + (steps - FIRST_STEP) * 0.01).astype("<f8")
    varint = np.stack([(steps >> shift) & 0x7F | (0x80 if shift < 21 else 0) for shift in (0, 7, 14, 21)], axis=1)
    name = tag.encode()
    value = b"\x0a" + bytes([len(name)]) + name + b"\x15"
    summary = b"\x2a" + bytes([len(value) + 6]) + b"\x0a" + bytes([len(value) + 4]) + value
    payload = columns(
        b"\x09", as_bytes(times), b"\x10", varint.astype(np.uint8), summary, as_bytes(values.astype("<f4"))
    )
    length = np.tile(np.frombuffer(struct.pack("<Q", payload.shape[1]), np.uint8), (len(steps), 1))
    return columns(length, masked_crc(length, table), payload, masked_crc(payload, table))


def course(steps: np.ndarray, tag: str) -> np.ndarray:
    """Deterministic, and different for each tag."""
    ahead = (steps - FIRST_STEP).astype(np.float64)
    return (4 if tag == TAGS[0] else 1) / np.sqrt(ahead + 1) + 0.1 * np.sin(ahead * (1 + TAGS.index(tag)))


def write_events(path: Path, megabytes: float) -> None:
    table = crc_table()
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "wb") as out:
        version = np.frombuffer(b"\x09" + struct.pack("<d", START) + b"\x1a\x0dbrain.Event:2", np.uint8)[np.newaxis]
        length = np.frombuffer(struct.pack("<Q", version.shape[1]), np.uint8)[np.newaxis]
        out.write(columns(length, masked_crc(length, table), version, masked_crc(version, table)).tobytes())
        step = FIRST_STEP
        while out.tell() < megabytes * 1e6:
            steps = np.arange(step, step + CHUNK, dtype=np.int64)
            records = [event_records(steps, tag, course(steps, tag), table) for tag in TAGS]
            out.write(np.hstack(records).tobytes())
            step += CHUNK


def varint(number: int) -> bytes:
    out = b""
    while number > 0x7F:
        out += bytes([number & 0x7F | 0x80])
        number >>= 7
    return out + bytes([number])


def message(number: int, data: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(data)) + data


def history(step: int, values: dict) -> bytes:
    """A W&B record: an item for each value, as JSON."""
    row = {"_step": step, "_timestamp": START + step * 0.01, "_runtime": step * 0.01, **values}
    items = (message(1, key.encode()) + message(16, json.dumps(value).encode()) for key, value in row.items())
    return message(2, b"".join(message(1, item) for item in items))


def write_wandb(path: Path, megabytes: float) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    out = bytearray(b":W&B" + struct.pack("<HB", 0xBEE1, 0))
    with open(path, "wb") as file:
        step = written = 0
        while written + len(out) < megabytes * 1e6:
            at = np.array([FIRST_STEP + step])
            payload, begun = history(step, {tag: float(course(at, tag)[0]) for tag in TAGS}), False
            while True:
                left = WANDB_BLOCK - (written + len(out)) % WANDB_BLOCK
                if left < 7:
                    out += bytes(left)
                    continue
                part, payload = payload[: left - 7], payload[left - 7 :]
                kind = (4 if begun else 1) if not payload else (3 if begun else 2)
                out += struct.pack("<IHB", zlib.crc32(bytes([kind]) + part), len(part), kind) + part
                begun = True
                if not payload:
                    break
            step += 1
            if len(out) > 1 << 20:
                file.write(out)
                written += len(out)
                out.clear()
        file.write(out)


if __name__ == "__main__":
    {"events": write_events, "wandb": write_wandb}[sys.argv[1]](Path(sys.argv[2]), float(sys.argv[3]))
