"""A libkineto client, written from the wire format: asks its daemon as PyTorch does, and writes the trace that it is told to.

`kineto_client.py STEPS [ODD]` has made STEPS optimizer steps, asks what to be ready for, and prints what it was told, and when to
begin, as JSON. With ODD it sends packets first that libkineto never sends.
"""

import json
import os
import socket
import struct
import sys
import time
import uuid

HEAD = struct.Struct("=Q32s")
MAX_TRIES, TRY_SECONDS = 9, 0.01  # libkineto's patience


def ancestors(pid: int) -> list[int]:
    """The process and those above it."""
    found = []
    while pid > 0:
        found.append(pid)
        with open(f"/proc/{pid}/stat") as file:
            pid = int(file.read().rpartition(")")[2].split()[1])
    return found


def packet(kind: bytes, payload: bytes) -> bytes:
    return HEAD.pack(len(payload), kind) + payload


class Client:
    def __init__(self):
        self.folder = os.environ["KINETO_IPC_SOCKET_DIR"]
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        name = f"{self.folder}/dynoconfigclient{uuid.uuid4()}"
        assert len(name) < 108, "libkineto does not look how long it is"
        self.socket.bind(name)
        self.socket.setblocking(False)
        self.slowest = 0  # tries until an answer

    def send(self, message: bytes):
        while True:
            try:
                self.socket.sendto(message, f"{self.folder}/dynolog")
                return
            except BlockingIOError:  # a socket holds ten packets
                time.sleep(TRY_SECONDS)

    def receive(self) -> tuple[bytes, bytes] | None:
        for attempt in range(MAX_TRIES):
            try:
                message = self.socket.recv(65536)
            except BlockingIOError:
                time.sleep(TRY_SECONDS)
                continue
            self.slowest = max(self.slowest, attempt)
            size, kind = HEAD.unpack(message[: HEAD.size])
            assert len(message) == HEAD.size + size
            return kind.rstrip(b"\0"), message[HEAD.size :]
        return None

    def register(self) -> int:
        self.send(packet(b"ctxt", struct.pack("=iiq", 0, os.getpid(), 0)))
        kind, payload = self.receive()
        assert kind == b"ctxt"
        return struct.unpack("=i", payload)[0]

    def ask(self, mask: int = 3) -> str:
        pids = ancestors(os.getpid())
        self.send(packet(b"req", struct.pack(f"=iiq{len(pids)}i", mask, len(pids), 0, *pids)))
        answer = self.receive()
        assert answer is not None, "no answer within libkineto's patience"
        assert answer[0] == b"req"
        return answer[1].decode()


def odd_packets() -> list[bytes]:
    good = packet(b"req", struct.pack("=iiqi", 3, 1, 0, os.getpid()))
    return [
        b"",
        b"x",
        good[:-1],
        good + b"\0",
        packet(b"stop", good[HEAD.size :]),
        packet(b"req", struct.pack("=iiq", 3, 1, 0)),
        packet(b"req", struct.pack("=iiqi", 3, -1, 0, 1)),
        packet(b"req", struct.pack("=iiqi", 3, 1, 0, -1)),
        packet(b"r" * 32, good[HEAD.size :]),
        HEAD.pack(1 << 63, b"req") + good[HEAD.size :],
        os.urandom(4096),
        bytes(60000),
    ]


def main():
    client = Client()
    refused = None
    if len(sys.argv) > 2:
        refused = 0
        for message in odd_packets():
            client.send(message)
        refused = len(odd_packets()) if client.receive() is None else 0
    registered = client.register()
    with open(os.path.join(os.environ["DEBRIEF_RECORD_TRACES"], f"steps.{os.getpid()}"), "w") as file:
        file.write(sys.argv[1])
    busy = client.ask(1)  # a trace is being recorded: nothing to be told
    config = dict(line.split("=", 1) for line in client.ask().splitlines())
    window, begin = os.path.join(os.environ["DEBRIEF_RECORD_TRACES"], "window"), time.monotonic()
    while not os.path.exists(window) and time.monotonic() - begin < (30 if int(sys.argv[1]) >= 20 else 2):
        time.sleep(0.05)
    told = ""
    if os.path.exists(window):
        with open(window) as file:
            told = file.read()
    if told:
        path = config["ACTIVITIES_LOG_FILE"].replace(".pt.trace.json", f"_{os.getpid()}.pt.trace.json")
        with open(path, "w") as file:
            events = (
                '{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 1, "dur": 1, "args": {}}'
            )
            file.write(f'{{\n  "schemaVersion": 1,\n  "traceEvents": [\n{events}\n],\n  "traceName": "{path}"\n}}\n')
    print(
        json.dumps(
            {
                "pid": os.getpid(),
                "refused": refused,
                "registered": registered,
                "busy": busy,
                "config": config,
                "window": told,
                "again": client.ask(),
                "slowest": client.slowest,
            }
        )
    )


if __name__ == "__main__":
    main()
