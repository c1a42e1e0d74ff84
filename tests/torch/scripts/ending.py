"""Trains, and ends in one of many ways at one of several moments of a trace window: `ending.py ENDING MOMENT`.

Where nothing records it, it ends after a few steps. What it prints and writes is the same at every moment.
"""

import atexit
import ctypes
import multiprocessing
import os
import signal
import sys
import threading
import time
from pathlib import Path

MOMENTS = ("before", "ready", "recording", "collecting", "written")
PATIENCE = 90  # seconds; then there was no window, and the exit code says so


class Training:
    def __init__(self):
        import torch

        self.torch = torch
        torch.set_num_threads(1)
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.model = torch.nn.Linear(64, 64).to(self.device)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.01)

    def steps(self, count):
        for _ in range(count):
            self.optimizer.zero_grad()
            self.model(self.torch.randn(32, 64, device=self.device)).sum().backward()
            self.optimizer.step()
            time.sleep(0.005)

    def until(self, moment):
        """Trains until this moment of the first window; with --trace steps=1 three steps are in it."""
        self.steps(3)
        traces = os.environ.get("KINETO_ONDEMAND_TRACE_DIR")
        if traces is None or moment == "before":
            return
        folder, begin = Path(traces) / "window-1", time.monotonic()

        def files(end):
            return [file for file in folder.glob(f"*_{os.getpid()}.*") if file.name.endswith(end)]

        def wait(there):
            while not there():
                self.steps(1)
                if time.monotonic() - begin > PATIENCE:
                    print("no window", flush=True)
                    os._exit(99)

        wait(folder.exists)
        if moment == "ready":
            return
        wait(lambda: files(".tmp"))
        self.steps(1 if moment == "recording" else 4)
        if moment == "written":
            wait(lambda: files(".json") or files(".gz"))


def child(code):
    Training().steps(3)
    sys.exit(code)


def interrupt():
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(5)


def handled_sigterm():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(9))
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(5)


def sigterm():
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(5)


def threads(training):
    def work():
        time.sleep(0.3)
        training.steps(5)
        print("thread", flush=True)

    threading.Thread(target=work).start()


def forked(training, leave):
    pid = os.fork()
    if pid == 0:
        training.steps(3)
        leave(7)
    print("child", os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)


def processes(kind):
    process = multiprocessing.get_context(kind).Process(target=child, args=(7,))
    process.start()
    process.join()
    print("child", process.exitcode, flush=True)


def fail():
    raise ValueError("on purpose")


ENDINGS = {
    "end": lambda _: None,
    "exit": lambda _: sys.exit(3),
    "exception": lambda _: fail(),
    "interrupt": lambda _: interrupt(),
    "sigterm": lambda _: sigterm(),
    "handled sigterm": lambda _: handled_sigterm(),
    "os._exit": lambda _: os._exit(4),
    "abort": lambda _: os.abort(),
    "C exit": lambda _: ctypes.CDLL(None).exit(5),
    "threads": threads,
    "forked child": lambda training: forked(training, sys.exit),
    "forked child, os._exit": lambda training: forked(training, os._exit),
    "fork": lambda _: processes("fork"),
    "spawn": lambda _: processes("spawn"),
}


def main():
    ending, moment = sys.argv[1:3]
    training = Training()
    training.until(moment)
    held = open("held", "w", buffering=1)  # noqa: SIM115
    atexit.register(lambda: held.write("at exit\n"))
    print("ends", flush=True)
    ENDINGS[ending](training)


if __name__ == "__main__":
    main()
