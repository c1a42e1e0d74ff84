"""Readers of what trackers leave on disk, independent of debrief's: struct, zlib, sqlite3 and csv of Python's library.

They are written for whole files and know nothing of damage.
"""

import csv
import json
import math
import sqlite3
import struct
import zlib
from collections import defaultdict
from pathlib import Path

BLOCK = 32768


def frames(path: Path):
    """Payloads of a .wandb file's records; every checksum is looked at."""
    content = path.read_bytes()
    assert content[:6] == b":W&B" + struct.pack("<H", 0xBEE1)
    at, parts = 7, b""
    while at < len(content):
        left = BLOCK - at % BLOCK
        if left < 7:
            at += left
            continue
        crc, length, kind = struct.unpack_from("<IHB", content, at)
        data = content[at + 7 : at + 7 + length]
        assert zlib.crc32(bytes([kind]) + data) == crc
        at += 7 + length
        parts = data if kind in (1, 2) else parts + data
        if kind in (1, 4):
            yield parts


def fields(message: bytes):
    """(number, value) of a protobuf message; values are numbers or bytes."""

    def varint(at):
        value = shift = 0
        while True:
            byte = message[at]
            value |= (byte & 127) << shift
            at, shift = at + 1, shift + 7
            if byte < 128:
                return value, at

    at = 0
    while at < len(message):
        key, at = varint(at)
        if key & 7 == 0:
            value, at = varint(at)
        else:
            size = {1: 8, 5: 4}.get(key & 7)
            if size is None:
                assert key & 7 == 2
                size, at = varint(at)
            value, at = message[at : at + size], at + size
        yield key >> 3, value


def items(message: bytes, field: int) -> dict:
    """Key and value of a record's items."""
    out = {}
    for number, value in fields(message):
        if number == field:
            item = dict(fields(value))
            out[item.get(1, item.get(2)).decode()] = json.loads(item[16])
    return out


def wandb_history(path: Path) -> dict:
    """Name -> [(step, time in microseconds, value)]."""
    out = defaultdict(list)
    for frame in frames(path):
        for number, record in fields(frame):
            if number != 2:
                continue
            row = items(record, 1)
            for name, value in row.items():
                if not name.startswith("_") and isinstance(value, int | float):
                    time = math.floor(row["_timestamp"] * 1e6 + 0.5)  # half of them up, not to the even one
                    out[name].append((row["_step"], time, float(value)))
    return out


def wandb_stats(path: Path) -> dict:
    """Key -> [(time in microseconds, value)]."""
    out = defaultdict(list)
    for frame in frames(path):
        for number, record in fields(frame):
            if number != 7:
                continue
            (time,) = (dict(fields(value)) for field, value in fields(record) if field == 2)
            for key, value in items(record, 3).items():
                out[key].append((time[1] * 1_000_000 + time.get(2, 0) // 1000, value))
    return out


def mlflow_metrics(path: Path, run: str) -> dict:
    """Key -> [(step, time in milliseconds, value)] of a run, by its name."""
    with sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True) as database:
        rows = database.execute(
            "select m.key, m.step, m.timestamp, m.value from metrics m join runs r using (run_uuid) "
            "where r.name = ? order by m.key, m.step, m.timestamp",
            [run],
        )
        out = defaultdict(list)
        for key, *row in rows:
            out[key].append(tuple(row))
    return out


def nvidia_smi_rows(path: Path) -> list[dict]:
    with path.open() as file:
        return list(csv.DictReader(file, skipinitialspace=True))


def dmon_rows(path: Path) -> list[dict]:
    names, rows = [], []
    for line in path.read_text().splitlines():
        words = line.lstrip("# ").split()
        if line.startswith("#"):
            names = words if "gpu" in words else names
        else:
            rows.append(dict(zip(names, words, strict=True)))
    return rows
