"""TensorBoard's event files, written byte by byte: an encoder of its own, so that what debrief reads was not written by it."""

import struct
from pathlib import Path


def crc32c(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0x82F63B78 & -(crc & 1))
    return crc ^ 0xFFFFFFFF


def masked(data: bytes) -> bytes:
    crc = crc32c(data)
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def frame(payload: bytes) -> bytes:
    """A TFRecord frame without the payload's checksum."""
    length = struct.pack("<Q", len(payload))
    return length + masked(length) + payload


def record(payload: bytes) -> bytes:
    """A TFRecord frame."""
    return frame(payload) + masked(payload)


def varint(number: int) -> bytes:
    out = b""
    while number > 0x7F:
        out += bytes([number & 0x7F | 0x80])
        number >>= 7
    return out + bytes([number])


def field(number: int, data: bytes) -> bytes:
    return bytes([number << 3 | 2]) + varint(len(data)) + data


def event(time: float, step: int, content: bytes) -> bytes:
    return record(b"\x09" + struct.pack("<d", time) + b"\x10" + varint(step) + content)


def scalar(tag: str, value: float) -> bytes:
    return field(1, field(1, tag.encode()) + b"\x15" + struct.pack("<f", value))


VERSION = event(1.7e9, 0, field(3, b"brain.Event:2"))


def write_scalars(path: Path, points) -> Path:
    """`points`: (seconds since the epoch, step, {tag: value})."""
    path.parent.mkdir(parents=True, exist_ok=True)
    events = [
        event(time, step, field(5, b"".join(scalar(tag, value) for tag, value in values.items())))
        for time, step, values in points
    ]
    path.write_bytes(VERSION + b"".join(events))
    return path


def small_file() -> bytes:
    """Two scalars, one in each encoding, and a histogram."""
    tensor = b"\x08\x01" + field(4, struct.pack("<f", 0.25))
    typed = field(1, field(1, b"acc") + field(8, tensor) + field(9, field(1, field(1, b"scalars"))))
    bins = b"".join(bytes([number << 3 | 1]) + struct.pack("<d", number) for number in range(1, 5))
    histogram = field(1, field(1, b"w") + field(5, bins))
    summary = field(5, scalar("loss", 0.5) + typed + histogram)
    return VERSION + b"".join(event(1.7e9, step, summary) for step in (1, 2))


def saved_tensor(name: str, values: list, step: int = 1, time: float = 1.7e9, columns: int = 0) -> bytes:
    """A tensor as SageMaker Debugger's hook writes it: a constant in place of the checksum. Numbers have one dimension, or two
    where there are columns; texts have one."""
    sizes = [len(values) // columns, columns] if columns else [len(values)]
    shape = field(2, b"".join(field(2, b"\x08" + varint(size)) for size in sizes))
    if values and isinstance(values[0], str):
        tensor = shape + b"".join(field(8, text.encode()) for text in values)
    else:
        tensor = b"\x08\x01" + shape + field(4, struct.pack(f"<{len(values)}f", *values))
    payload = b"\x09" + struct.pack("<d", time) + b"\x10" + varint(step)
    payload += field(5, field(1, field(1, name.encode()) + field(8, tensor)))
    return frame(payload) + b"\xb3\xc0\x2d\x06"
