"""Startup of every Python process under `debrief record`: makes PyTorch runs mark their steps, without a change to them.

`debrief record` writes this file into a private folder and puts the folder first on PYTHONPATH. It imports nothing but
built-in modules, runs the next sitecustomize on the path, and then only watches which modules the script imports:
debrief_steps.py, beside it, is loaded with PyTorch. What goes wrong is noted in DEBRIEF_RECORD_LOG and never raised.
Works with Python 3.7 or newer.
"""

import atexit
import os
import sys


def log(line):
    """Tells the recorder something; each line is one short write, so that processes do not mix theirs."""
    path = os.environ.get("DEBRIEF_RECORD_LOG")
    if not path:
        return
    try:
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
        try:
            os.write(handle, ("%d %s\n" % (os.getpid(), line[:200].replace("\n", " "))).encode("utf-8", "replace"))  # noqa: UP031
        finally:
            os.close(handle)
    except OSError:
        pass


def torch_version(spec):
    """PyTorch's version by its files, before it is loaded."""
    try:
        with open(os.path.join(os.path.dirname(spec.origin), "version.py"), encoding="utf-8") as file:
            for line in file:
                if line.startswith("__version__"):
                    return line.split("=")[-1].strip(" '\"\n")
    except (OSError, AttributeError, ValueError):
        pass
    return "unknown"


def at_least(version, major, minor):
    parts = version.split(".")
    try:
        return (int(parts[0]), int(parts[1])) >= (major, minor)
    except (IndexError, ValueError):
        return False


def load(name, folders):
    """Runs the first module of this name in these folders; nothing where there is none."""
    for finder in sys.meta_path:
        if getattr(finder, "__name__", "") != "PathFinder":
            continue
        spec = finder.find_spec(name, folders)
        if spec is None or spec.loader is None:
            return None
        module = type(sys)(name)
        module.__spec__, module.__file__, module.__loader__ = spec, spec.origin, spec.loader
        sys.modules[name] = module
        spec.loader.exec_module(module)
        return module
    return None


def bring(name):
    """The recorder's module of this name. Two threads may make it at a time, but none finds it half made."""
    if name not in sys.modules:
        for finder in sys.meta_path:
            if getattr(finder, "__name__", "") == "PathFinder":
                spec = finder.find_spec(name, [here])
                module = type(sys)(name)
                module.__spec__, module.__file__, module.__loader__ = spec, spec.origin, spec.loader
                spec.loader.exec_module(module)
                sys.modules.setdefault(name, module)
                break
    return sys.modules[name]


def keep_flight_recording(folder):
    """Has PyTorch write what its ranks did last into the job's folder, where a collective times out.

    Its flight recorder runs anyway from PyTorch 2.11 on; before that it would cost each collective a traceback.
    """
    if any(name.startswith(("TORCH_FR_", "TORCH_NCCL_")) for name in os.environ):
        return  # the user has plans for it
    node = os.environ.get("DEBRIEF_RECORD_NODE") or "host"
    os.environ["TORCH_FR_DUMP_TEMP_FILE"] = os.path.join(folder, f"flight_recording.{node}.rank_")
    os.environ["TORCH_NCCL_DUMP_ON_TIMEOUT"] = "1"


class Ending:
    """Sees the exception that ends this process, a child of multiprocessing or not, and tells the recorder of it."""

    def __init__(self, watch):
        self.watch = watch
        self.told = None  # the process that has told of its exception: a fork copies this

    def at_exit(self):
        """The interpreter keeps what it has printed: an exception that no one caught, or at a prompt one of many."""
        error = getattr(sys, "last_exc", None) or getattr(sys, "last_value", None)
        if error is None or hasattr(sys, "ps1") or sys.flags.interactive or "ipykernel" in sys.modules:
            return
        traceback = error.__traceback__
        if traceback is None:
            if isinstance(error, SyntaxError):
                self.tell(error, None)
            return
        frame = traceback.tb_frame  # pytest, say, puts into sys what it has caught itself
        if frame.f_globals.get("__name__") == "__main__" or "runpy" in frame.f_code.co_filename:
            self.tell(error, traceback)

    def watch_children(self, util):
        """A child of multiprocessing prints its exception itself and leaves without atexit, but runs its finalizers."""

        def add(ending):
            util.Finalize(None, ending.unwinding, exitpriority=0)

        add(self)  # where this process is such a child, spawned; a fork forgets it
        util.register_after_fork(self, add)

    def unwinding(self):
        error = sys.exc_info()[1]
        if isinstance(error, SystemExit) and error.code not in (None, 0):
            error = error.__context__  # torch.multiprocessing.spawn hands it to the parent, and exits
        if error is not None:
            self.tell(error, error.__traceback__)

    def tell(self, error, traceback):
        if not isinstance(error, Exception) or self.told == os.getpid():  # not of Ctrl-C, nor of an exit
            return
        self.told = os.getpid()
        try:
            log_file = os.environ["DEBRIEF_RECORD_LOG"]
            bring("debrief_places")
            failure = bring("debrief_failure")
            steps = self.watch.shim.steps.number if self.watch.shim else 0
            file = os.path.join(os.path.dirname(log_file), "failures")
            failure.tell(error, traceback, home, steps + 1 if steps else None, file)
        except Exception as error_of_telling:
            log(f"error failure: {type(error_of_telling).__name__}: {error_of_telling}")


def make_sampler(thread):
    """None where this process is one of those that are left alone."""
    bring("debrief_places")
    bring("debrief_timeline")
    stacks = bring("debrief_stacks")
    words = stacks.command_line()
    if stacks.serves_compiler(words):
        thread.over = True
    if thread.over or (not thread.forked and stacks.is_helper(words)):
        return None
    node = os.environ.get("DEBRIEF_RECORD_NODE") or "host"
    tickets = os.path.dirname(os.environ["DEBRIEF_RECORD_LOG"])
    return stacks.Sampler(thread, os.environ["DEBRIEF_RECORD_STACKS"], tickets, node, home)


class Watch:
    """First of the finders of modules: lets the others find a module, and has it patched once it has run."""

    def __init__(self):
        self.shim = None
        self.ending = Ending(self)
        self.patches = {"multiprocessing.util": self.multiprocessing_found}
        self.thread = None  # in which stacks are sampled
        if os.environ.get("DEBRIEF_RECORD_STACKS"):
            self.sample_stacks()

    def sample_stacks(self):
        threads = bring("debrief_thread")
        if not threads.is_main_interpreter() or threads.without_lock():
            return
        self.thread = threads.Thread(make_sampler, log)
        if threads.LATER:
            self.patches["multiprocessing.popen_fork"] = self.thread.patch_multiprocessing
        self.thread.start()

    def multiprocessing_found(self, util):
        self.ending.watch_children(util)
        if self.thread is not None:
            self.thread.patch_util(util)

    def find_spec(self, name, path=None, target=None):
        if self.thread is not None and self.thread.paused:
            self.thread.nudge()
        if name != "torch" and name not in self.patches:
            return None
        try:
            return self.watched(name, path, target)
        except Exception as error:
            log(f"error {name}: {type(error).__name__}: {error}")
            return None

    def watched(self, name, path, target):
        spec = None
        for finder in sys.meta_path:
            if finder is self or not hasattr(finder, "find_spec"):
                continue
            spec = finder.find_spec(name, path, target)
            if spec is not None:
                break
        if spec is None or spec.loader is None:
            return spec
        if name == "torch":
            self.torch_found(spec)
            return spec
        run = spec.loader.exec_module

        def exec_module(module):
            run(module)
            try:
                self.patches[name](module)
            except Exception as error:
                log(f"error {name}: {type(error).__name__}: {error}")

        spec.loader.exec_module = exec_module
        return spec

    def torch_found(self, spec):
        """PyTorch is about to be loaded: the last moment to tell libkineto about the recorder's socket."""
        version = torch_version(spec)
        log("torch " + version)
        if "DEBRIEF_RECORD_TRACES" in os.environ:
            if at_least(version, 2, 7) or "DEBRIEF_RECORD_ANY_TORCH" in os.environ:
                os.environ["KINETO_USE_DAEMON"] = "1"
            else:
                os.environ.pop("KINETO_USE_DAEMON", None)  # from a parent process with a newer PyTorch
        folder = os.environ.get("DEBRIEF_RECORD_STEPS")
        if folder and at_least(version, 2, 11):
            keep_flight_recording(folder)
        if folder and self.shim is None:
            cupti = bring("debrief_cupti")
            if "KINETO_USE_DAEMON" in os.environ and "DEBRIEF_RECORD_TRACES" in os.environ:
                cupti.detach_after_traces()
            bring("debrief_memory")
            bring("debrief_timeline")
            bring("debrief_tape")
            bring("debrief_trainers")
            bring("debrief_windows")
            bring("debrief_pauses")
            steps = bring("debrief_steps")
            nudge = self.thread.nudge if self.thread else lambda: None
            self.shim = steps.Shim(folder, os.environ.get("DEBRIEF_RECORD_NODE") or "host", log, nudge)
            self.patches.update(self.shim.patches)


def install():
    try:
        log("python")
        watch = Watch()
        sys.meta_path.insert(0, watch)
        atexit.register(watch.ending.at_exit)
        if watch.thread is not None:
            atexit.register(watch.thread.end)
    except Exception as error:
        log(f"error {type(error).__name__}: {error}")


def is_shim(folder):
    """A recorder in a recorder has two of them on the path."""
    return os.path.exists(os.path.join(folder or ".", "debrief_steps.py"))


def working_folder():
    try:
        return os.getcwd()
    except OSError:
        return "/"


here = os.path.dirname(os.path.abspath(__file__))
home = working_folder()
# Once per process: a sitecustomize that runs the next one on the path, as this one does, comes back here.
if not hasattr(sys, "debrief_record"):
    sys.debrief_record = here
    if os.environ.get("DEBRIEF_RECORD_STEPS") or "DEBRIEF_RECORD_TRACES" in os.environ:
        install()
    # The sitecustomize that this one hides; its errors are its own.
    load("sitecustomize", [entry for entry in sys.path if not is_shim(entry)])
