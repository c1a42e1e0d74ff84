"""When a process records a trace, and how it ends while it does: libkineto begins and ends a window in `step()`, and nowhere else.

libkineto counts the calls of torch.autograd._kineto_step(), which PyTorch makes after each optimizer step. Here the calls are
counted instead, and only those are made that a window needs: one to set it up, one to begin it, one to end it. So nothing is
recorded that this module did not begin, and what it began it can end.

A process that ends within a window crashes: C++ destroys what libkineto still uses. So the window is ended before, and its file
waited for. After a window libkineto detaches CUPTI in a thread that waits for the next CUDA call (debrief_cupti.py); a process that
ends before that call hangs. So a window that is ended last detaches nothing, and after the others a call is made. A forked child has none of libkineto's threads, and hangs or crashes where C++ destroys them: it leaves without.

The recorder and this module talk through files in DEBRIEF_RECORD_TRACES: `steps.PID` says how many steps there were, `window`
says which window begins at which of them, of how many: "1 40 4". The iteration 0 is the next one.
"""

import _thread
import os
import sys
import time

from debrief_cupti import stay_attached
from debrief_timeline import now

SECOND = 1_000_000_000  # ns
LOOK_EVERY = SECOND
LONGEST = 5 * SECOND  # of a window, if it has two steps
MOST_DELAY = 2 * SECOND  # of the process's end
DETACHING = 5 * SECOND  # after a window's file is whole, libkineto may not wait for a CUDA call yet
NEVER = 1 << 62

IDLE, WARM, RECORDING, WRITING = range(4)


class Windows:
    def __init__(self, log):
        self.folder = os.environ.get("DEBRIEF_RECORD_TRACES")
        self.traces = os.environ.get("KINETO_ONDEMAND_TRACE_DIR")
        self.log = log
        self.pid = os.getpid()
        self.lock = _thread.allocate_lock()
        self.step = None  # PyTorch's own
        self.count = 0
        self.next = 1  # the step at which there is something to do; a moment, too:
        self.due = NEVER
        self.state = IDLE
        self.known = 0  # the last window that the recorder told of
        self.alone = False  # no other process records it
        self.ready = False
        self.begin = self.end = 0  # steps of the window
        self.begun = 0  # the moment
        self.pending = None  # the window's file, as long as it is written
        self.written = None  # the moment at which the last window's file was found whole
        self.counter = None
        self.leaves_without = False
        self.guard = ExitGuard(self.close)

    def patch(self, module):
        """`module` is torch.autograd.profiler, before anything has stepped."""
        if not self.folder or not self.traces or "KINETO_USE_DAEMON" not in os.environ:
            return
        self.step, module._kineto_step = module._kineto_step, self.stepped
        import atexit  # built in

        atexit.register(self.close)

    def stepped(self):
        self.count += 1
        moment = now()
        if self.count >= self.next or moment > self.due:
            self.act(moment)

    def act(self, moment):
        if not self.lock.acquire(False):
            return
        try:
            if moment > self.due or self.count == 1:
                self.due = moment + LOOK_EVERY
                self.look()
            if self.count >= self.next:
                self.advance(moment)
        except Exception as error:
            self.next = self.due = NEVER
            self.log(f"error {type(error).__name__}: {error}")
        finally:
            self.lock.release()

    def look(self):
        """Once a second: tells the recorder how far the steps are, and looks whether it wants a window."""
        if self.state == WRITING and not os.path.exists(self.pending):
            self.state, self.written = IDLE, now()
            self.guard.remove()
        if self.count > 1:
            self.tell()
        if self.state != IDLE:
            return
        try:
            with open(os.path.join(self.folder, "window"), encoding="ascii") as file:
                number, iteration, steps = map(int, file.read().split())
        except (OSError, ValueError):
            return
        if number <= self.known:
            return
        self.known, self.alone = number, iteration == 0
        self.begin = iteration or self.count + 1
        self.end = self.begin + steps + 1  # iterations of a trace lie between the ends of optimizer steps
        if self.count < self.begin:
            self.next = self.begin - 1

    def tell(self):
        try:
            if self.counter is None:
                path = os.path.join(self.folder, f"steps.{self.pid}")
                self.counter = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
            os.pwrite(self.counter, b"%d\n" % self.count, 0)
        except OSError:
            self.next = self.due = NEVER  # the recorder has gone

    def advance(self, moment):
        """Makes the next of the window's steps, if it is time to."""
        if not self.ready:  # libkineto ignores what it is asked for before the first step
            self.ready, self.next = True, NEVER
            self.step()
            self.tell()
        elif self.state == IDLE:
            self.next = self.begin
            self.set_up()
        elif self.state == WARM:
            self.next = self.count + 1
            self.state, self.begun = RECORDING, moment
            self.step()
            self.guard.put()
        elif self.state == RECORDING:
            self.next = self.count + 1
            if self.count >= self.end or (moment - self.begun > LONGEST and self.count >= self.begin + 2):
                self.finish()

    def set_up(self):
        before = self.files()
        self.state = WARM
        self.step()
        made = self.files() - before
        if made:
            self.pending = made.pop()
            return
        self.state, self.next = IDLE, NEVER
        if self.alone:  # libkineto has not been reached yet
            self.known -= 1

    def files(self):
        """Of this process, in the folders of all windows."""
        mine = f"_{self.pid}."
        folders = [os.path.join(self.traces, name) for name in os.listdir(self.traces) if name.startswith("window-")]
        return {os.path.join(folder, name) for folder in folders for name in os.listdir(folder) if mine in name}

    def finish(self):
        self.next = NEVER
        self.state = WRITING
        self.step()

    def close(self):
        """The process ends: so does the window, and its file is waited for. Raises nothing, whatever signals do."""
        if self.step is None or self.pid != os.getpid():
            return
        until = now() + MOST_DELAY
        self.next = self.due = NEVER
        for _ in range(100):  # a signal's handler may raise; without the recorder the process would have ended by now
            try:
                self.end_window(until)
                break
            except BaseException:
                continue

    def end_window(self, until):
        stay_attached()
        if self.state == WARM:
            self.state = RECORDING
            self.step()
        if self.state == RECORDING:
            self.finish()
        while self.state == WRITING:
            if not os.path.exists(self.pending):
                self.state, self.written = IDLE, now()
            elif now() > until:
                leave_without_destructors()
                self.state = IDLE
            else:
                time.sleep(0.005)
        if self.written is not None:
            make_cuda_calls(10 if now() - self.written < DETACHING else 1)
            self.written = None
        self.guard.remove()

    def forked(self):
        """In a child: it has no window, and ends without C++."""
        if self.step is None:
            return
        self.next = self.due = NEVER
        self.guard.remove()
        if self.state != IDLE:
            stop_recording_operators()
        self.state = IDLE
        if not self.leaves_without:
            self.leaves_without = True
            leave_without_destructors()


class ExitGuard:
    """Calls a function where C's exit() is called, which runs nothing of Python's atexit.

    C++ asks for the end of a library's objects in the same way, so what is put last is called first, and what a library has put
    can be taken back: for good, since after Python's end nothing of Python may be called.
    """

    def __init__(self, function):
        self.function = function
        self.library = None
        self.owner = None  # an address, by which it is taken back

    def put(self):
        if self.owner is not None:
            return
        import ctypes  # PyTorch has imported it

        self.library = ctypes.CDLL(None)
        self.callback = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self.called)
        self.owner = ctypes.create_string_buffer(1)
        getattr(self.library, "__cxa_atexit")(self.callback, None, self.owner)

    def called(self, _):
        if self.owner is not None:
            self.function()

    def remove(self):
        owner, self.owner = self.owner, None
        if owner is not None:
            getattr(self.library, "__cxa_finalize")(owner)


def make_cuda_calls(count):
    """Any call will do; asking a stream whether it is done waits for nothing."""
    cuda = getattr(sys.modules.get("torch"), "cuda", None)
    if cuda is None or not cuda.is_initialized():
        return
    for _ in range(count):
        cuda.current_stream().query()
        time.sleep(0.02)


def leave_without_destructors():
    """From now on exit() flushes C's files and ends the process with its code, before C++ destroys what was there until now."""
    import ctypes

    library = ctypes.CDLL(None)
    library.on_exit(library._exit, None)
    getattr(library, "__cxa_atexit")(library.fflush, None, None)


def stop_recording_operators():
    """In a child that was forked within a window; else it would keep all its operators in memory."""
    import ctypes

    torch = sys.modules["torch"]
    path = os.path.join(os.path.dirname(torch.__file__), "lib", "libtorch_cpu.so")
    clear = getattr(ctypes.CDLL(path), "_ZN2at14clearCallbacksEv", None)  # at::clearCallbacks()
    if clear is not None:
        clear()
