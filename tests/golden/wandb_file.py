"""W&B's .wandb files, written byte by byte: an encoder of its own, so that what debrief reads was not written by it."""

import json
import struct
import zlib

from tensorboard_file import field, varint

BLOCK = 32768
HEADER = b":W&B" + struct.pack("<HB", 0xBEE1, 0)
FULL, FIRST, MIDDLE, LAST = 1, 2, 3, 4


def framed(payloads) -> bytes:
    """LevelDB's log of 32 kB blocks; a record that does not fit goes on in the next one."""
    out = bytearray(HEADER)
    for payload in payloads:
        begun = False
        while True:
            left = BLOCK - len(out) % BLOCK
            if left < 7:
                out += bytes(left)
                continue
            part, payload = payload[: left - 7], payload[left - 7 :]
            kind = (LAST if begun else FULL) if not payload else (MIDDLE if begun else FIRST)
            out += struct.pack("<IHB", zlib.crc32(bytes([kind]) + part), len(part), kind) + part
            begun = True
            if not payload:
                break
    return bytes(out)


def item(key: str, value) -> bytes:
    encoded = json.dumps(value).encode()
    return field(1, key.encode()) + varint(16 << 3 | 2) + varint(len(encoded)) + encoded


def history(step: int, time: float, values: dict) -> bytes:
    row = {"_step": step, "_timestamp": time, **values}
    return field(2, b"".join(field(1, item(key, value)) for key, value in row.items()))


def run_file(rows) -> bytes:
    """`rows`: (step, seconds since the epoch, {name: value})."""
    return framed(history(*row) for row in rows)
