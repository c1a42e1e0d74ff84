"""Which Python functions a process is in, some 30 times a second, for a file in the job's folder (docs/recording.md has its format).

debrief_thread.py runs this in a thread. It looks at all threads' stacks by sys._current_frames(), which takes nothing but the
interpreter's lock: no signals, no tracing, no other process. A sample stands for the time since the one before it. A thread that
holds the lock makes the sampler wait; that time is the sample's, too, and the file says how long it was.

The sampler measures what it takes itself, and samples more rarely until that is below 0.3% of a core. It keeps no frame while it
waits, so that no variable lives longer than without it.
"""

import os
import sys
import time
from _thread import get_ident

from debrief_places import OWN, PYTHON, is_recorder, place_of
from debrief_timeline import clock_origin, first_of, now

INTERVAL_NS = 33_000_000
LATER = ((600, 3), (7200, 10))  # after so many seconds, samples are this much rarer: files of days stay small
MOST_COST = 0.0025  # of a core; what it measures is a little less than what there is
FLUSH_NS = 1_000_000_000
TELL_COST_NS = 60 * FLUSH_NS
LONGEST_RUN_NS = {True: 10_000_000_000, False: 60_000_000_000}  # of the main thread, of others: until it is written

MOST_PROCESSES = 12
MOST_WORKERS = 4  # further ones, of data loaders
WORKERS_PER_LOADER = 2
MOST_THREADS = 8
MOST_NAMES = 64
INNERMOST, OUTERMOST = 48, 16  # frames that are kept of a stack
MOST_WALKED = 500
MOST_NODES = 50_000  # of the tree of stacks
MIB = 1 << 20
ROOM = {1: 16 * MIB, 2: 8 * MIB, 3: 8 * MIB, 4: 8 * MIB}  # 64 MiB with 2 MiB for each of 12 more
ROOM_OF_OTHERS = 2 * MIB

HELPERS = {
    "modules": {
        "accelerate.commands.launch",
        "compileall",
        "deepspeed.launcher.launch",
        "deepspeed.launcher.runner",
        "ensurepip",
        "horovod.runner.launch",
        "pip",
        "torch.distributed.launch",
        "torch.distributed.run",
        "venv",
    },
    "scripts": {"accelerate", "conda", "deepspeed", "horovodrun", "mamba", "pip", "torchrun", "virtualenv"},
    "code": (
        "from multiprocessing.forkserver import",
        "from multiprocessing.resource_tracker import",
        "from multiprocessing.semaphore_tracker import",
    ),
}
COMPILE_WORKER = "/_inductor/compile_worker/"


def command_line():
    with open("/proc/self/cmdline", "rb") as file:
        return file.read().decode("utf-8", "replace").split("\0")[1:-1]


def is_helper(words):
    """Whether a process with these arguments of Python runs others, or serves them: installers, launchers, trackers."""
    skip = False
    for place, word in enumerate(words):
        if skip:
            skip = False
        elif word in ("-W", "-X"):
            skip = True
        elif word == "-c":
            return "".join(words[place + 1 : place + 2]).startswith(HELPERS["code"])
        elif word == "-m":
            return "".join(words[place + 1 : place + 2]) in HELPERS["modules"]
        elif not word.startswith("-"):
            name = os.path.basename(word)
            if name == "accelerate":
                return "launch" in words[place + 1 : place + 2]
            return name in HELPERS["scripts"] or name.startswith("pip3") or COMPILE_WORKER in word
    return False


def serves_compiler(words):
    """So do the processes that it forks."""
    return any(COMPILE_WORKER in word for word in words)


def ticket(path):
    """How many have asked for one, this time included."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    try:
        os.write(handle, b".")
        return os.lseek(handle, 0, os.SEEK_CUR)
    finally:
        os.close(handle)


def shown(text, most):
    """Of a name, on one line."""
    return "".join(c if c.isprintable() else "?" for c in str(text)[:most])


def loader_worker():
    """Its number, where this process loads data for another one."""
    module = sys.modules.get("torch.utils.data._utils.worker")
    number = getattr(getattr(module, "_worker_info", None), "id", None)
    return number if isinstance(number, int) else None


class Left(Exception):
    """This process is not to be sampled, or no longer."""


class Track:
    """A thread: what it does, and since when."""

    def __init__(self, number, name, is_main):
        self.number = number
        self.name = name
        self.longest = LONGEST_RUN_NS[is_main]
        self.stack = None
        self.begin = self.end = self.late = 0
        self.written = 0  # how long the run lasted whose parts were written


class Sampler:
    def __init__(self, thread, folder, tickets, node, home):
        self.thread = thread
        self.folder = folder
        self.tickets = tickets
        self.node = node
        self.home = home  # the working folder
        self.pid = os.getpid()
        self.handle = None
        self.path = None
        self.worker = None
        self.lines = []
        self.tracks = {}  # by the thread's number
        self.names = {}
        self.codes = {}  # those of known stacks, so that no other has one's address
        self.frames = {}  # by code and line
        self.texts = {}  # of frames
        self.places = {}  # of paths
        self.nodes = {}
        self.known = {}  # stacks by their hash
        self.left_out = {"threads": 0, "frames": 0, "stacks": 0}
        self.told = dict(self.left_out)
        self.cpu = self.wall = self.told_wall = 0
        self.cost = 100_000.0  # ns for a sample, as far as is known
        self.interval = INTERVAL_NS
        self.noise = self.pid

    def run(self, wake):
        """Returns when the lock is released, or there is nothing left to do."""
        self.me = get_ident()
        self.cpu_before = time.thread_time_ns()
        self.begun = self.last = self.flushed = moment = now()
        try:
            if self.handle is None:
                self.open_file()
                self.first = self.told_cost = moment
            while not wake.acquire(True, max(self.due(moment) - now(), 50_000) / 1e9):
                moment = now()
                self.take(self.last, moment, max(moment - self.asked, 0))
                self.last = moment
                if moment - self.flushed > FLUSH_NS:
                    self.flush(moment)
                self.measure(moment)
            self.finish()
        except Left:
            self.thread.over = True

    def due(self, moment):
        """At random around the interval: a loop's steps may be as long."""
        self.noise = (self.noise * 1103515245 + 12345) & 0x7FFFFFFF
        self.asked = moment + self.interval // 2 + (self.interval * (self.noise >> 15) >> 16)
        return self.asked

    def measure(self, moment):
        cpu = time.thread_time_ns()
        self.cost += (cpu - self.cpu_before - self.cost) / 64
        self.cpu += cpu - self.cpu_before
        self.cpu_before = cpu
        self.wall += moment - self.begun
        self.begun = moment
        rarer = 1
        for seconds, factor in LATER:
            if moment - self.first > seconds * 1_000_000_000:
                rarer = factor
        wanted = max(INTERVAL_NS * rarer, int(self.cost / MOST_COST))
        if not 0.8 < wanted / self.interval < 1.25:
            self.interval = wanted
            self.lines.append(f"interval {wanted // 1000}\n")

    def take(self, begin, end, late):
        frames = sys._current_frames()
        frames.pop(self.me, None)
        main = self.thread.main
        chosen = frames
        if len(frames) > MOST_THREADS:
            before = [ident for ident in self.tracks if ident in frames and ident != main]
            new = [
                ident for ident in list(frames)[::-1] if ident not in self.tracks and ident != main
            ]  # the oldest first
            chosen = ([main] if main in frames else []) + before + new
            self.left_out["threads"] += len(chosen) - MOST_THREADS
            del chosen[MOST_THREADS:]
        for ident in chosen:
            stack = self.stack_of(frames[ident])
            track = self.tracks.get(ident) or self.add_track(ident)
            if track.stack == stack and track.end == begin:
                track.end = end
                track.late += late
            else:
                self.write_run(track)
                track.stack, track.begin, track.end, track.late, track.written = stack, begin, end, late, 0

    def add_track(self, ident):
        name = self.name_of(ident)
        if name not in self.names and len(self.names) >= MOST_NAMES:
            name = "others"
        number = self.names.get(name)
        if number is None:
            number = self.names[name] = len(self.names)
            self.lines.append(f"thread {number} {name}\n")
        self.tracks[ident] = track = Track(number, name, ident == self.thread.main)
        return track

    def name_of(self, ident):
        if ident == self.thread.main:
            return "main"
        threads = getattr(sys.modules.get("threading"), "_active", {})
        name = shown(getattr(threads.get(ident), "_name", "thread"), 100)
        return name if name and name != "main" else "thread"

    def stack_of(self, top):
        """The number of the stack that ends with this frame."""
        parts = []
        append = parts.append
        frame = top
        while frame is not None:
            append(id(frame.f_code))
            append(frame.f_lasti)
            frame = frame.f_back
            if len(parts) > 2 * MOST_WALKED:
                break
        if len(parts) > 2 * (INNERMOST + OUTERMOST):
            self.left_out["frames"] += len(parts) // 2 - INNERMOST - OUTERMOST
            del parts[2 * INNERMOST : -2 * OUTERMOST]
        address = hash(tuple(parts))
        number = self.known.get(address)
        if number is None:
            number = self.known[address] = self.learn(top)
        return number

    def learn(self, top):
        if len(self.nodes) > MOST_NODES:
            self.left_out["stacks"] += 1
            return -1
        frames = []
        frame = top
        while frame is not None and len(frames) <= MOST_WALKED:
            frames.append(frame)
            frame = frame.f_back
        if len(frames) > INNERMOST + OUTERMOST:
            del frames[INNERMOST:-OUTERMOST]
        node, forked = -1, False
        for frame in reversed(frames):
            code = frame.f_code
            self.codes[id(code)] = code
            if is_recorder(code.co_filename):
                continue
            if self.thread.forked:  # PyTorch's compiler has workers that it forks
                forked = forked or code.co_name == "_process_worker"
                if forked and "/torch/_inductor/" in code.co_filename:
                    self.leave()
            place = self.frame_of(code, frame.f_lineno or 0, frame)
            inner = self.nodes.get((node, place))
            if inner is None:
                inner = self.nodes[(node, place)] = len(self.nodes)
                self.lines.append(f"stack {inner} {node} {place}\n")
            node = inner
        return node

    def frame_of(self, code, line, frame):
        number = self.frames.get((id(code), line))
        if number is None:
            path = code.co_filename
            if path not in self.places:
                self.places[path] = place_of(path, self.home)
            place, origin = self.places[path]
            if path.startswith("<") and frame.f_globals.get("__name__") != "__main__":
                origin = PYTHON if origin == OWN else origin  # made by a library
            text = f"{origin} {shown(code.co_name, 200)} ({shown(place, 400)}:{line})"
            number = self.texts.get(text)
            if number is None:
                number = self.texts[text] = len(self.texts)
                self.lines.append(f"frame {number} {text}\n")
            self.frames[(id(code), line)] = number
        return number

    def write_run(self, track):
        if track.stack is None or track.end <= track.begin:
            return
        late = f" {track.late // 1000}" if track.late >= 1_000_000 else ""
        start = (track.begin + self.origin) // 1000
        length = (track.end + self.origin) // 1000 - start
        self.lines.append(f"{start} {length} {track.number} {track.stack}{late}\n")
        track.written += track.end - track.begin
        track.begin, track.late = track.end, 0

    def flush(self, moment):
        """Runs that go on are written as they double, so that little of them is lost if the process is killed."""
        self.flushed = moment
        number = loader_worker()
        if number is not None and self.worker is None:
            self.begin_worker(number)
        for ident, track in list(self.tracks.items()):
            ended = track.end != self.last
            if ended or track.name not in (self.name_of(ident), "others"):  # another one has its number
                self.write_run(track)
                del self.tracks[ident]
            elif track.end - track.begin >= min(track.written, track.longest):
                self.write_run(track)
        for kind, count in self.left_out.items():
            if count != self.told[kind]:
                self.told[kind] = count
                self.lines.append(f"left {kind} {count}\n")
        if moment - self.told_cost > TELL_COST_NS:
            self.tell_cost(moment)
        self.write()

    def tell_cost(self, moment):
        self.told_cost, self.told_wall = moment, self.wall
        self.lines.append(f"cost {self.cpu // 1000} {self.wall // 1000}\n")

    def finish(self):
        for track in self.tracks.values():
            self.write_run(track)
            track.stack = None
        if self.wall > self.told_wall:
            self.tell_cost(now())
        self.write()

    def write(self):
        if self.pid != os.getpid():
            return
        text = "".join(self.lines).encode("utf-8", "replace")
        self.lines = []
        if len(text) > self.room:
            os.write(self.handle, b"full\n")
            raise Left
        self.room -= len(text)
        if os.write(self.handle, text) != len(text):
            raise Left

    def begin_worker(self, number):
        """It turns out what this process is for."""
        self.worker = number
        if number >= WORKERS_PER_LOADER:
            self.leave()
        self.lines.append("kind loader_worker\n")

    def leave(self):
        """As if it had never begun."""
        os.unlink(self.path)
        raise Left

    def open_file(self):
        self.worker = loader_worker()
        if self.worker is not None and self.worker >= WORKERS_PER_LOADER:
            raise Left
        kind, most = ("loader_worker", MOST_WORKERS) if self.worker is not None else ("process", MOST_PROCESSES)
        number = ticket(os.path.join(self.tickets, f"stacks.{kind}"))
        os.makedirs(self.folder, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
        head = f"debrief stacks 1\nhost {shown(self.node, 200)}\n"
        if number > most:
            handle = os.open(os.path.join(self.folder, f"{self.node}-left-out.stacks"), flags, 0o644)
            try:
                os.write(handle, f"{head}left processes 1\n".encode("utf-8", "replace"))
            finally:
                os.close(handle)
            raise Left
        self.room = ROOM.get(number if kind == "process" else 0, ROOM_OF_OTHERS)
        self.origin = clock_origin()
        moment = time.time_ns() // 1000
        self.path = os.path.join(self.folder, f"{self.node}-{self.pid}-{moment}.stacks")
        self.handle = os.open(self.path, flags | os.O_EXCL, 0o644)
        rank = first_of(("RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK"))
        self.lines = [head, f"process {self.pid}\nparent {os.getppid()}\nkind {kind}\n"]
        if rank is not None:
            self.lines.append(f"rank {int(rank)}\n")
        self.lines.append(f"interval {self.interval // 1000}\n")
