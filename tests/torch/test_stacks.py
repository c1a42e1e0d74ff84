"""What Python processes are in, sampled in themselves: the right lines, and nothing else about them changes.

DEBRIEF_OTHER_PYTHONS names further interpreters, with ':' between them.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from conftest import DEPS, PYTHON, binary

VERSION = "import sys; print('%d.%d' % sys.version_info[:2], getattr(sys, '_is_gil_enabled', lambda: True)())"


def interpreters() -> dict[str, str]:
    """One for each version that is here."""
    found = {}
    named = os.environ.get("DEBRIEF_OTHER_PYTHONS", "").split(":")
    there = [shutil.which(f"python3.{minor}") for minor in range(7, 15)]
    for python in [PYTHON, str(DEPS / "python" / "bin" / "python"), *named, *there]:
        if python and Path(python).exists():
            outcome = subprocess.run([python, "-c", VERSION], capture_output=True, text=True, check=False)
            if outcome.returncode == 0:
                found.setdefault(outcome.stdout.split()[0], python)
    return found


PYTHONS = interpreters()
each_python = pytest.mark.parametrize("python", PYTHONS.values(), ids=PYTHONS.keys())


def python_that_warns_of_threads() -> str:
    for version, python in PYTHONS.items():
        if int(version.split(".")[1]) >= 12:
            return python
    pytest.skip("there is no Python 3.12 or newer here; DEBRIEF_OTHER_PYTHONS names one")
    return ""


class Stacks:
    """One file, read by plain Python."""

    def __init__(self, file: Path):
        self.facts, self.frames, self.stacks, self.threads, self.left = {}, {}, {}, {}, {}
        self.samples = []  # start, duration, thread, frames from the outermost on, wait
        for line in file.read_text().splitlines():
            word, _, rest = line.partition(" ")
            if word.isdigit():
                duration, thread, stack, *wait = map(int, rest.split())
                sample = (int(word), duration, self.threads[thread], self.calls(stack), *(wait or [0]))
                self.samples.append(sample)
            elif word == "frame":
                number, origin, text = rest.split(" ", 2)
                function, place, line_number = re.fullmatch(r"(.*?) \((.*):(\d+)\)", text).groups()
                self.frames[int(number)] = (function, place, int(line_number), origin)
            elif word == "stack":
                number, caller, frame = map(int, rest.split())
                self.stacks[number] = (caller, frame)
            elif word == "thread":
                number, name = rest.split(" ", 1)
                self.threads[int(number)] = name
            elif word == "left":
                kind, count = rest.split()
                self.left[kind] = self.left.get(kind, 0) + int(count)
            else:
                self.facts[word] = rest

    def calls(self, stack):
        calls = []
        while stack >= 0:
            stack, frame = self.stacks[stack]
            calls.append(self.frames[frame])
        return calls[::-1]

    def seconds(self, function=None, thread="main") -> float:
        """In which the function is anywhere on the stack."""
        return (
            sum(
                duration
                for _, duration, name, calls, _ in self.samples
                if name == thread and (function is None or any(call[0] == function for call in calls))
            )
            / 1e6
        )

    @property
    def end(self) -> int:
        return max(start + duration for start, duration, *_ in self.samples)


def run(folder: Path, python: str, text: str, *arguments, options=(), recorded=True, **environment):
    script = folder / "script.py"
    script.write_text(text)
    command = [python, "-W", "always", script, *arguments]
    if recorded:
        command = [binary(), "record", "-o", "job", "--no-report", "--quiet", "--no-trace", *options, "--", *command]
    return subprocess.run(
        list(map(str, command)),
        cwd=folder,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1", **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def files(folder: Path) -> list[Stacks]:
    return [Stacks(file) for file in sorted((folder / "job" / "stacks").glob("*[0-9].stacks"))]


def record(folder: Path, python: str, text: str, *arguments, **more) -> list[Stacks]:
    outcome = run(folder, python, text, *arguments, **more)
    assert (outcome.returncode, outcome.stderr) == (0, "")
    return files(folder)


LOADS = """
import json, sys, time

def read():
    time.sleep(0.08)

def prepare():
    return json.dumps([1] * 1000)

def load():
    read()
    prepare()

end = time.time() + float(sys.argv[1])
while time.time() < end:
    load()
"""


@each_python
def test_the_line_that_takes_the_time_is_found(tmp_path, python):
    (stacks,) = record(tmp_path, python, LOADS, "5")
    assert stacks.seconds() > 2
    assert stacks.seconds("read") > 0.8 * stacks.seconds()
    calls = max(stacks.samples, key=lambda sample: sample[1])[3]
    assert [call[:3] for call in calls] == [
        ("<module>", "script.py", 16),
        ("load", "script.py", 11),
        ("read", "script.py", 5),
    ]
    assert {call[3] for call in calls} == {"own"}
    assert str(tmp_path) not in (tmp_path / "job" / "stacks").glob("*").__next__().read_text()
    cpu, wall = map(int, stacks.facts["cost"].split())
    assert cpu < 0.02 * wall
    assert int(stacks.facts["interval"]) >= 33_000
    assert stacks.facts["process"].isdigit()


@each_python
def test_samples_follow_one_another(tmp_path, python):
    (stacks,) = record(tmp_path, python, LOADS, "4")
    ends = [start + duration for start, duration, *_ in stacks.samples]
    assert [sample[0] for sample in stacks.samples[1:]] == pytest.approx(ends[:-1], abs=1)


HOLDS = """
import time
def power():
    return pow(3, 900_000, 10 ** 40_000 + 1)
end = time.time() + 6
while time.time() < end:
    power()
"""


def test_a_wait_for_the_interpreters_lock_is_part_of_the_sample(tmp_path):
    """One call of C code takes much longer than the time between samples."""
    (stacks,) = record(tmp_path, PYTHON, HOLDS)
    assert stacks.seconds("power") > 0.9 * stacks.seconds() > 2
    assert sum(sample[4] for sample in stacks.samples) / 1e6 > 0.3 * stacks.seconds()


SHORT = "import time\ntime.sleep(1)"


def test_a_process_that_lives_a_second_is_not_sampled(tmp_path):
    assert record(tmp_path, PYTHON, SHORT) == []


def test_stacks_can_be_left_out(tmp_path):
    threads = "\nimport os\nprint(len(os.listdir('/proc/self/task')))"
    without = run(tmp_path, PYTHON, SHORT + threads, options=["--no-stacks"])
    assert without.stdout == "1\n"
    assert not (tmp_path / "job" / "stacks").exists()


FORKS = """
import os, sys, time, warnings
def crunch(seconds):
    end = time.time() + seconds
    while time.time() < end:
        box = [[number] for number in range(20000)]
crunch(2.3)
for _ in range(5):
    child = os.fork()
    if child == 0:
        os._exit(len(os.listdir("/proc/self/task")))
    print(os.waitpid(child, 0)[1] >> 8)
crunch(1)
if os.fork() == 0:
    crunch(5)
    os._exit(0)
os.wait()
"""


@each_python
def test_a_fork_is_as_it_would_be(tmp_path, python):
    plain = run(tmp_path, python, FORKS, recorded=False)
    recorded = run(tmp_path, python, FORKS)
    assert (recorded.returncode, recorded.stdout, recorded.stderr) == (0, plain.stdout, plain.stderr)
    parent, child = sorted(files(tmp_path), key=lambda stacks: stacks.samples[0][0])
    assert child.facts["parent"] == parent.facts["process"]
    assert child.seconds("crunch") > 0.9 * child.seconds() > 0.5
    assert parent.end > parent.samples[0][0] + 900_000  # it went on after the forks


def test_python_that_warns_of_threads_at_a_fork_does_not(tmp_path):
    outcome = run(tmp_path, python_that_warns_of_threads(), FORKS)
    assert outcome.stderr == ""


CHILDREN = """
import multiprocessing, sys, time
def crunch():
    end = time.time() + 4.5
    while time.time() < end:
        box = [[number] for number in range(20000)]
if __name__ == "__main__":
    context = multiprocessing.get_context(sys.argv[1])
    children = [context.Process(target=crunch) for _ in range(2)]
    for child in children:
        child.start()
    for child in children:
        child.join()
    sys.exit(max(child.exitcode for child in children))
"""


@each_python
@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_children_of_multiprocessing_are_sampled(tmp_path, python, method):
    found = record(tmp_path, python, CHILDREN, method)
    busy = [stacks for stacks in found if stacks.seconds("crunch") > 0.5]
    assert len(busy) == 2
    (parent,) = [stacks for stacks in found if stacks not in busy]
    assert {stacks.facts["parent"] for stacks in busy} == {parent.facts["process"]} or method == "forkserver"
    assert parent.seconds("join") > 0.5


THREADS = """
import threading, time
def wait():
    time.sleep(60)
for number in range(12):
    threading.Thread(target=wait, name="reader %d\\nx" % number, daemon=True).start()
time.sleep(4)
"""


@each_python
def test_threads_have_names_and_a_limit(tmp_path, python):
    (stacks,) = record(tmp_path, python, THREADS)
    assert "main" in stacks.threads.values()
    assert len(stacks.threads) == 8
    assert "reader 1?x" in stacks.threads.values() or "reader 2?x" in stacks.threads.values()
    assert stacks.left["threads"] > 0
    assert stacks.seconds("wait", "main") == 0


ENDINGS = {
    "exception": "raise KeyError('mine')",
    "exit": "sys.exit(3)",
    "hard exit": "os._exit(4)",
    "signal": "os.kill(os.getpid(), 15)",
    "interrupt": "raise KeyboardInterrupt",
    "abort": "os.abort()",
    "thread": "threading.Thread(target=lambda: (time.sleep(0.3), print('late'))).start()",
    "at exit": "atexit.register(lambda: print(threading.active_count(), [t.name for t in threading.enumerate()]))",
}


@each_python
def test_endings_are_those_of_the_plain_run(tmp_path, python):
    def check(ending):
        folder = tmp_path / ending
        folder.mkdir()
        text = (
            "import atexit, os, sys, threading, time\nprint('begun', flush=True)\ntime.sleep(2.5)\n" + ENDINGS[ending]
        )
        plain = run(folder, python, text, recorded=False)
        recorded = run(folder, python, text)
        code = plain.returncode if plain.returncode >= 0 else 128 - plain.returncode
        assert (recorded.returncode, recorded.stdout, recorded.stderr) == (code, plain.stdout, plain.stderr), ending
        if ending not in ("hard exit", "signal", "abort"):
            assert len(files(folder)) == 1, ending

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(check, ENDINGS))


def test_a_killed_process_loses_its_last_seconds_at_most(tmp_path):
    text = LOADS
    script = tmp_path / "script.py"
    script.write_text(text)
    process = subprocess.Popen(
        [binary(), "record", "-o", "job", "--no-report", "--quiet", "--", PYTHON, str(script), "600"], cwd=tmp_path
    )
    file, until = None, time.monotonic() + 300
    while file is None or not Stacks(file).seconds() > 3:
        assert time.monotonic() < until
        time.sleep(0.1)
        file = next((tmp_path / "job" / "stacks").glob("*.stacks"), None)
    killed = time.time_ns() // 1000
    os.kill(int(Stacks(file).facts["process"]), signal.SIGKILL)
    assert process.wait(60) == 128 + signal.SIGKILL
    assert killed - Stacks(file).end < 5_000_000


LIVES = """
import time, weakref
class Thing: pass
def use():
    thing = Thing()
    end = time.perf_counter() + 0.001
    while time.perf_counter() < end:
        pass
    return weakref.ref(thing)
end = time.time() + 5
alive = 0
while time.time() < end:
    alive += use()() is not None
print(alive)
"""


@each_python
def test_no_variable_lives_longer(tmp_path, python):
    outcome = run(tmp_path, python, LIVES)
    assert outcome.stdout == "0\n"
    assert files(tmp_path)[0].seconds("use") > 1


SIGNALS = """
import os, signal, threading, time
time.sleep(2.3)
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGUSR1})
os.kill(os.getpid(), signal.SIGUSR1)
os.kill(os.getpid(), signal.SIGTERM)
print(sorted(int(signal.sigwait({signal.SIGTERM, signal.SIGUSR1})) for _ in range(2)))
"""


@each_python
def test_signals_that_the_script_waits_for_reach_it(tmp_path, python):
    outcome = run(tmp_path, python, SIGNALS)
    assert (outcome.returncode, outcome.stdout) == (0, "[10, 15]\n")


@pytest.mark.parametrize("module", ["torch/distributed/run", "accelerate/commands/launch", "pip/__main__"])
def test_helpers_are_left_alone(tmp_path, module):
    file = tmp_path / "packages" / f"{module}.py"
    file.parent.mkdir(parents=True)
    file.write_text("import time\ntime.sleep(3)\n")
    for folder in list(file.parents)[: len(module.split("/")) - 1]:
        (folder / "__init__.py").touch()
    name = module.replace("/__main__", "").replace("/", ".")
    text = f"import os, sys\nos.execv(sys.executable, [sys.executable, '-m', '{name}'])"
    path = os.pathsep.join(filter(None, [str(tmp_path / "packages"), os.environ.get("PYTHONPATH")]))
    assert record(tmp_path, PYTHON, text, PYTHONPATH=path) == []


def test_a_job_of_many_processes_has_twelve_sampled(tmp_path):
    text = (
        "import subprocess, sys\n"
        "children = [subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(4)']) for _ in range(14)]\n"
        "sys.exit(sum(child.wait() for child in children))\n"
    )
    assert len(record(tmp_path, PYTHON, text)) == 12
    left = Stacks(next((tmp_path / "job" / "stacks").glob("*-left-out.stacks")))
    assert left.left == {"processes": 3}


INNER = """
import time
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
inner = interpreters.create()
interpreters.run_string(inner, "import os; print(len(os.listdir('/proc/self/task')))")
time.sleep(3)
print(len(__import__("os").listdir("/proc/self/task")))
"""


@each_python
def test_an_inner_interpreter_is_left_alone(tmp_path, python):
    outcome = run(tmp_path, python, INNER)
    if "ModuleNotFoundError" in outcome.stderr:
        pytest.skip("this Python makes no interpreters")
    assert outcome.stdout == "2\n2\n"
    assert len(files(tmp_path)) == 1


LOADERS = """
import time, torch
from torch.utils.data import DataLoader, Dataset
class Pictures(Dataset):
    def __len__(self):
        return 400
    def __getitem__(self, number):
        decode(number)
        return number
def decode(number):
    time.sleep(0.05)
for batch in DataLoader(Pictures(), batch_size=4, num_workers=4):
    pass
"""


def test_two_workers_of_a_loader_are_sampled(tmp_path):
    outcome = run(tmp_path, PYTHON, LOADERS)
    assert outcome.returncode == 0, outcome.stderr
    workers = [stacks for stacks in files(tmp_path) if stacks.facts["kind"] == "loader_worker"]
    assert len(workers) == 2
    for worker in workers:
        assert worker.seconds("decode") > 0.5 * worker.seconds() > 0.2
        assert any(call[:2] == ("__getitem__", "script.py") for sample in worker.samples for call in sample[3])


def test_frames_of_packages_have_their_paths(tmp_path):
    package = tmp_path / "lib" / "site-packages" / "things"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("import time\ndef wait():\n    time.sleep(4)\n")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "other.py").write_text("def call(function):\n    function()\n")
    text = (
        "import sys\nsys.path[:0] = ['../lib/site-packages', '../elsewhere']\n"
        "import other, things\nother.call(things.wait)\n"
    )
    work = tmp_path / "work"
    work.mkdir()
    (stacks,) = record(work, PYTHON, text)
    calls = max(stacks.samples, key=lambda sample: sample[1])[3]
    assert [(place, origin) for _, place, _, origin in calls] == [
        ("script.py", "own"),
        ("other.py", "own"),
        ("things/__init__.py", "package"),
    ]


COLLECTS = """
import gc, torch
loader = torch.utils.data.DataLoader(list(range(4)))
box = [[number] for number in range(600_000)]
gc.collect()
for batch in loader:
    pass
"""


def test_long_garbage_collections_are_marked(recorder):
    recording, _ = recorder.run("-c", COLLECTS)
    found = recording.events()["GarbageCollection"]
    assert found
    assert all(event["dur"] >= 5000 for event in found)
    assert "generation 2" in {event["name"] for event in found}


COMPILER = """
class Handler:
    def __init__(self):
        self.starts, self.ends = [], []
    def register_start_callback(self, callback):
        self.starts.append(callback)
    def register_end_callback(self, callback):
        self.ends.append(callback)
callback_handler = Handler()
"""


@pytest.mark.parametrize("arguments", ["", "args"])
def test_compilations_are_marked_once(recorder, tmp_path, arguments):
    """Its part is played by a module: with and without the argument that newer versions give."""
    package = tmp_path / "packages" / "torch"
    (package / "_dynamo").mkdir(parents=True)
    (package / "version.py").write_text("__version__ = '2.11.0'\n")
    (package / "__init__.py").write_text("_C = None\n")
    (package / "_dynamo" / "__init__.py").write_text("")
    (package / "_dynamo" / "callback.py").write_text(COMPILER)
    code = f"""
import enum, time, torch, types
import torch._dynamo.callback as callback
args = types.SimpleNamespace(callback_trigger=enum.Enum("Trigger", "DYNAMO").DYNAMO)
for depth in (1, 2):
    for _ in range(depth):
        for function in callback.callback_handler.starts:
            function({arguments})
    time.sleep(0.05)
    for _ in range(depth):
        for function in callback.callback_handler.ends:
            function({arguments})
"""
    path = f"{recorder.environment()['PYTHONPATH']}:{tmp_path / 'packages'}"
    recording, _ = recorder.run("-c", code, PYTHONPATH=path)
    found = recording.events()["Compile"]
    assert [event["name"] for event in found] == ["dynamo" if arguments else "compile"] * 2
    assert all(event["dur"] >= 50_000 for event in found)


def test_the_thread_is_no_part_of_what_the_script_sees(tmp_path):
    text = "import threading, time\ntime.sleep(2.5)\nprint(threading.active_count(), threading.current_thread())\n"
    text += "print(sorted(name for name in dir(__import__('sys')) if 'debrief' in name))"
    outcome = run(tmp_path, sys.executable, text)
    assert outcome.stdout.startswith("1 <_MainThread(MainThread, started ")
