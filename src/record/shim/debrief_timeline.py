"""The timeline of one process under `debrief record`, in SageMaker's layout below DEBRIEF_RECORD_STEPS.

Events are appended once a second (debrief_tape.py). The file on disk is valid JSON after every write, so a killed
process loses the last second at most. Where the disk is full, the timeline ends and the script goes on.
"""

import os
import time

MAX_FILE_BYTES = 16 << 20  # then a new file begins
END = b"\n]\n"  # of every file, at every moment

TRAIN = "Step:ModeKeys.TRAIN"
EVAL = "Step:ModeKeys.EVAL"
FORWARD = "Forward"
BACKWARD = "Backward(post-forward)"
OPTIMIZER = "Optimizer"
LOADER_SETUP = "DataLoaderIterInitialize"
LOADER_WAIT = "DataLoaderIter"
LOADER_WORKER = "DataLoaderWorker"
CHECKPOINT = "Checkpoint"
COLLECTION = "GarbageCollection"
COMPILE = "Compile"
PHASES = {
    phase: place
    for place, phase in enumerate(
        (
            TRAIN,
            EVAL,
            FORWARD,
            BACKWARD,
            OPTIMIZER,
            LOADER_SETUP,
            LOADER_WAIT,
            LOADER_WORKER,
            CHECKPOINT,
            COLLECTION,
            COMPILE,
        ),
        start=1,
    )
}

now = time.perf_counter_ns


def quoted(text):
    """A JSON string: names of classes can be anything."""
    safe = "".join(c if c >= " " else " " for c in str(text)[:200])
    return '"' + safe.replace("\\", "\\\\").replace('"', '\\"') + '"'


def first_of(names):
    """The first of these environment variables that is a whole number, as text."""
    for name in names:
        value = os.environ.get(name, "")
        if value.isdigit():
            return value
    return None


def clock_origin():
    """perf_counter's zero, in nanoseconds since the epoch.

    A busy machine may stop the process between its looks at the two clocks, so the closest pair of a few counts.
    """
    pairs = []
    for _ in range(5):
        before = now()
        epoch = time.time_ns()
        after = now()
        pairs.append((after - before, epoch - (before + after) // 2))
    return min(pairs)[1]


class Timeline:
    """The timeline files of this process."""

    def __init__(self, folder, node, log):
        self.folder = folder
        self.node = node
        self.log = log
        self.origin = clock_origin()
        self.dead = False
        self.reset()

    def reset(self):
        """As in a new process: what a fork has copied belongs to the parent."""
        self.pid = os.getpid()
        self.owner = self.pid  # the process whose timeline it is: a loader worker writes for its trainer
        self.handle = None
        self.size = 0
        self.lines = []  # of events that are not written yet
        self.heads = {}  # how events of a phase and name begin

    def add(self, phase, name, begin, end, extra=""):
        head = self.heads.get((phase, name))
        if head is None:
            head = self.heads[(phase, name)] = f',\n{{"name":{quoted(name)},"ph":"X","pid":{PHASES[phase]},"ts":'
        start = begin // 1000
        self.lines.append(f'{head}{start},"dur":{end // 1000 - start},"args":{{"pid":{self.pid}{extra}}}}}')

    def flush(self):
        """Replaces the file's closing bracket with the new events and a bracket, in one write."""
        if not self.lines:
            return
        text = "".join(self.lines).encode("utf-8", "replace") + END
        self.lines = []
        if self.handle is None or self.size + len(text) > MAX_FILE_BYTES:
            self.open_file()
        self.append(text)

    def append(self, text):
        place = self.size - len(END)
        try:
            written = os.pwrite(self.handle, text, place)
        except OSError:
            written = 0
        if written != len(text):  # what was there before stays readable
            os.ftruncate(self.handle, place)
            os.pwrite(self.handle, END, place)
            raise OSError("the disk is full")
        self.size = place + len(text)

    def open_file(self):
        if self.handle is not None:
            os.close(self.handle)
            self.handle = None
        moment = time.time_ns() // 1000
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        while True:  # workers of one trainer write files of the same name but for the moment
            hour = time.strftime("%Y%m%d%H", time.gmtime(moment / 1e6))
            folder = os.path.join(self.folder, "profiler-output", "framework", "pevents", hour)
            os.makedirs(folder, exist_ok=True)
            try:
                name = f"{moment}_{self.owner}-{self.node}_pythontimeline.json"
                self.handle = os.open(os.path.join(folder, name), flags, 0o644)
                break
            except FileExistsError:
                moment += 1
        lines = [
            f'{{"name":"process_name","ph":"M","pid":0,"args":{{"start_time_since_epoch_in_micros":{self.origin // 1000}}}}}'
        ]
        facts = [
            (key, first_of(names))
            for key, names in (
                ("rank", ("RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK")),
                ("local_rank", ("LOCAL_RANK", "SLURM_LOCALID", "OMPI_COMM_WORLD_LOCAL_RANK")),
                ("world_size", ("WORLD_SIZE", "SLURM_NTASKS", "OMPI_COMM_WORLD_SIZE")),
            )
        ]
        args = "".join(f',"{key}":{int(value)}' for key, value in facts if value is not None)
        lines.append(f'{{"name":"recorded_process","ph":"M","pid":0,"args":{{"pid":{self.owner}{args}}}}}')
        for phase, place in PHASES.items():
            lines.append(f'{{"name":"process_name","ph":"M","pid":{place},"args":{{"name":"{phase}"}}}}')
        text = ("[\n" + ",\n".join(lines)).encode() + END
        if os.write(self.handle, text) != len(text):
            raise OSError("the disk is full")
        self.size = len(text)

    def fail(self, error):
        if not self.dead:
            self.dead = True
            self.lines = []
            self.log(f"error {type(error).__name__}: {error}")
