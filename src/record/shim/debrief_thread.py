"""The recorder's thread in a Python process, in which debrief_stacks.py samples: when it runs, and when it must not.

It waits for two seconds first, so that a process which ends before that has nothing sampled or written. Before a fork it
ends, since a forked child should have but one thread and Python 3.12 and newer warn of others. Where Python looks for them
right after the fork, it comes back a little later: with the next import, garbage collection or optimizer step. So it does in a
forked child. It gets no signals, and the process never waits for it: at exit for 50 ms at most.
Works with Python 3.7 or newer.
"""

import os
import sys
import time
from _thread import allocate_lock, get_ident, start_new_thread

now = time.perf_counter_ns

WAIT_NS = 2_000_000_000  # from a process's begin on
LONGEST_STOP = 0.05  # seconds
LATER = sys.version_info >= (3, 12)  # it warns of threads only after the parent's hooks have run


def is_main_interpreter():
    """No other one may change what a signal does, not even to what it does already."""
    import _signal  # built in, and loaded

    if _signal.getsignal(_signal.SIGPROF) != _signal.SIG_DFL:
        return "_interpreters" not in sys.modules and "_xxsubinterpreters" not in sys.modules
    try:
        _signal.signal(_signal.SIGPROF, _signal.SIG_DFL)
    except ValueError:
        return False
    return True


def without_lock():
    """Where threads run at the same time, stacks change while they are read."""
    return not getattr(sys, "_is_gil_enabled", lambda: True)()


class Thread:
    """`make_sampler` is called in the thread, once it has waited, with this object; None says that there is nothing to sample."""

    def __init__(self, make_sampler, log):
        self.make_sampler = make_sampler
        self.log = log
        self.sampler = None
        self.main = get_ident()
        self.begun = now()  # of the process
        self.forked = False  # the process is a fork's child
        self.paused = False
        self.over = False  # for good
        self.native = None
        self.wake = self.done = None  # locks; None: there is no thread
        os.register_at_fork(
            before=self.stop, after_in_parent=self.after_fork_in_parent, after_in_child=self.after_fork_in_child
        )

    def start(self):
        """Signals that the process gets go to its other threads, as they would without this one."""
        self.paused = False
        if self.over or self.wake is not None:
            return
        import _signal

        wake, done = allocate_lock(), allocate_lock()
        wake.acquire()
        done.acquire()
        self.native = None
        self.wake, self.done = wake, done
        own = {
            _signal.SIGSEGV,
            _signal.SIGBUS,
            _signal.SIGFPE,
            _signal.SIGILL,
            _signal.SIGABRT,
            32,
            33,
        }  # the C library's
        before = _signal.pthread_sigmask(_signal.SIG_BLOCK, set(range(1, _signal.NSIG)) - own)
        try:
            start_new_thread(self.run, (wake, done))
        except Exception:  # no more threads, or none at the end of the process
            self.wake = self.done = None
            self.over = True
        finally:
            _signal.pthread_sigmask(_signal.SIG_SETMASK, before)

    def run(self, wake, done):
        try:
            self.native = os.readlink("/proc/thread-self").rpartition("/")[2]
            left = (self.begun + WAIT_NS - now()) / 1e9
            if left > 0 and wake.acquire(True, left):
                return
            if self.sampler is None:
                self.sampler = self.make_sampler(self)
            if self.sampler is not None:
                self.sampler.run(wake)
        except Exception as error:
            self.over = True
            self.log(f"stacks {type(error).__name__}: {error}")
        finally:
            done.release()

    def stop(self):
        """Waits until the operating system has no such thread any more."""
        wake, done, self.wake, self.done = self.wake, self.done, None, None
        if wake is None:
            return
        wake.release()
        until = now() + int(LONGEST_STOP * 1e9)
        if not done.acquire(True, LONGEST_STOP):
            return
        path = f"/proc/self/task/{self.native}"
        while self.native is not None and os.path.exists(path) and now() < until:
            time.sleep(0.00002)

    def end(self):
        """The process does; what comes after it, is not sampled."""
        self.over = True
        self.stop()

    def after_fork_in_parent(self):
        if self.over:
            return
        if LATER:
            self.pause()
        else:
            self.start()

    def after_fork_in_child(self):
        self.main = get_ident()
        self.begun = now()
        self.forked = True
        self.wake = self.done = None
        self.sampler = None
        if not self.over:
            self.pause()

    def pause(self):
        """Until something calls nudge()."""
        import gc  # built in

        self.paused = True
        if self.collected not in gc.callbacks:
            gc.callbacks.append(self.collected)

    def nudge(self):
        """Something was marked: a good moment to go on, if the process is old enough."""
        if not self.paused or self.over or (self.forked and now() < self.begun + WAIT_NS):
            return
        self.start()

    def collected(self, phase, info):
        """Stays in the list: whoever is taken out of it while Python goes through it, makes that skip another."""
        if self.paused and phase == "stop":
            self.nudge()

    def patch_multiprocessing(self, module):
        """`module` is multiprocessing.popen_fork, whose parent goes on without doing anything that would be marked."""
        original = module.Popen._launch

        def _launch(popen, process):
            outcome = original(popen, process)
            self.nudge()
            return outcome

        _launch.__doc__, _launch.__wrapped__ = original.__doc__, original
        module.Popen._launch = _launch

    def patch_util(self, util):
        """A child of multiprocessing leaves without atexit, but runs its finalizers."""

        def add(thread):
            util.Finalize(None, thread.end, exitpriority=0)

        util.register_after_fork(self, add)
        add(self)
