"""A CUDA memory snapshot of one training process, for https://pytorch.org/memory_viz: `debrief record --memory`.

PyTorch's own recorder of allocations runs for a few optimizer steps, then what it has is written once. What goes wrong is
told to the recorder and ends this, and nothing else. Works with PyTorch 2.1 or newer.
"""

import os
import sys

FIRST_STEP = 10  # optimizer steps before it: what is allocated once is there by then
STEPS = 4
MOST_ENTRIES = 100_000  # of allocations and frees


class MemorySnapshot:
    def __init__(self, folder, node, log):
        self.folder = folder
        self.node = node
        self.log = log
        self.reset()

    def reset(self):
        """Also in a forked child: the parent's is not its own."""
        self.steps = 0
        self.recording = False
        self.over = not self.folder

    def after_optimizer_step(self):
        if self.over:
            return
        self.steps += 1
        try:
            if self.recording:
                if self.steps >= FIRST_STEP + STEPS:
                    self.write()
            elif self.steps >= FIRST_STEP:
                self.begin()
        except Exception as error:
            self.fail(error)

    def finish(self):
        """The process ends; what there is, is better than nothing."""
        try:
            if self.recording and not self.over:
                self.write()
        except Exception as error:
            self.fail(error)

    def begin(self):
        cuda = sys.modules["torch"].cuda
        if not cuda.is_initialized():
            self.over = True
            return
        cuda.memory._record_memory_history(stacks="python", max_entries=MOST_ENTRIES)
        self.recording = True

    def write(self):
        self.over = True
        memory = sys.modules["torch"].cuda.memory
        name = os.path.join(self.folder, f"{self.node}_{os.getpid()}.memory.pickle")
        try:
            os.makedirs(self.folder, exist_ok=True)
            memory._dump_snapshot(name + ".part")
            os.replace(name + ".part", name)
        finally:
            memory._record_memory_history(enabled=None)

    def fail(self, error):
        self.over = True
        self.log(f"memory {type(error).__name__}: {error}")
