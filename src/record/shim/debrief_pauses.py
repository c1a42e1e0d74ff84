"""What the interpreter and PyTorch's compiler do in between: garbage collections of 5 ms or more, and compilations.

Garbage collections call whom gc.callbacks lists; where the script takes this out of the list, none are marked. Compilations call
whom torch._dynamo.callback lists, in the versions of PyTorch that have it. It is never imported for this.

torch.compile would look at a function that Python calls while compiled code runs, so it is told to leave this one alone, and the
function calls nothing that is written in Python.
"""

import gc
import sys

from debrief_timeline import COLLECTION, COMPILE, now

SHORTEST = 5_000_000  # ns, of a garbage collection that is marked
MOST_WAITING = 10_000  # entries on the tape


class Pauses:
    def __init__(self, tape, timeline):
        self.tape = tape
        self.timeline = timeline
        self.compiling = 0  # compilations within others
        self.compile_begin = 0
        self.watch_collections()

    def watch_collections(self):
        entries, append, add = self.tape.entries, self.tape.append, self.timeline.add
        begins = []

        def collected(phase, info):
            if phase == "start":
                begins[:] = (now(),)
                return
            end = now()
            if begins and end - begins[0] >= SHORTEST and len(entries) < MOST_WAITING:
                append((add, COLLECTION, "generation %d" % info["generation"], begins[0], end))  # noqa: UP031

        self.collected = collected
        gc.callbacks.append(collected)

    def patch_compiler(self, module):
        """`module` is torch._dynamo.callback."""
        handler = getattr(module, "callback_handler", None)
        if handler is None:
            return
        compiler = getattr(getattr(sys.modules["torch"]._C, "_dynamo", None), "eval_frame", None)
        if hasattr(compiler, "skip_code"):
            compiler.skip_code(self.collected.__code__)
            thread = getattr(sys.modules.get("debrief_thread"), "Thread", None)
            if thread is not None:
                compiler.skip_code(thread.collected.__code__)
                compiler.skip_code(thread.nudge.__code__)

        def started(*args):
            if self.compiling == 0:
                self.compile_begin = now()
            self.compiling += 1

        def ended(*args):
            self.compiling = max(self.compiling - 1, 0)
            if self.compiling == 0 and self.compile_begin:
                self.tape.append((self.timeline.add, COMPILE, what(args), self.compile_begin, now()))
                self.compile_begin = 0
                self.tape.tick()

        handler.register_start_callback(started)
        handler.register_end_callback(ended)


def what(args):
    """What PyTorch 2.8 and newer say of a compilation: "dynamo", "lazy_backward", "triton_autotuning"."""
    trigger = getattr(args[0], "callback_trigger", None) if args else None
    return str(getattr(trigger, "name", "compile")).lower()
