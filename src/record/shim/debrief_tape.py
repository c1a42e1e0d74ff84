"""What the patched functions of a script saw, in order, until there is time to make sense of it.

A function that a training step calls must not do much: its code and data are out of the processor's caches by the time the
next step calls it, so that a few dozen lines of Python take ten times as long as they do in a loop (45 µs instead of 5 on the
machine where this was found). So it only appends an act and its values to the tape. Once a second the tape is played: all acts
run in a row, and what they found is written.
"""

import _thread
import sys

from debrief_timeline import now

PLAY_NS = 1_000_000_000  # how long an entry may wait


def gradients_wanted():
    """Whether the script's thread computes gradients now: where not, it evaluates."""
    torch = sys.modules.get("torch")
    return torch is None or torch.is_grad_enabled()


class Tape:
    def __init__(self, timeline, at_first, nudge):
        self.timeline = timeline
        self.nudge = nudge  # called with every tick: stacks may be sampled again (debrief_thread.py)
        self.at_first = at_first  # called with the first entry of a process
        self.entries = []  # always the same list: the patched functions keep its append
        self.append = self.entries.append
        self.reset()

    def reset(self):
        """As in a new process: what a fork has copied belongs to the parent."""
        self.entries.clear()
        self.lock = _thread.allocate_lock()
        self.begun = False
        self.played = now()
        self.due = 0  # when a patched function shall call tick()
        self.overdue = 0  # when one shall that is in the middle of a step
        self.depth = 0  # of data loaders within data loaders
        self.within = 0  # a trainer's loader, which hands batches on

    def tick(self):
        """Plays the tape if it is time to. What goes wrong ends the shim, not the script."""
        try:
            if not self.begun:
                self.begun = True
                self.at_first()
            if now() - self.played > PLAY_NS:
                self.play()
            self.nudge()
        except Exception as error:
            self.timeline.fail(error)
        self.due = self.played + PLAY_NS
        self.overdue = self.due + PLAY_NS

    def play(self):
        if not self.lock.acquire(False):
            return
        try:
            count = len(self.entries)
            entries = self.entries[:count]
            del self.entries[:count]
            self.played = now()
            if not self.timeline.dead:
                for entry in entries:
                    entry[0](*entry[1:])
                self.timeline.flush()
        finally:
            self.lock.release()
