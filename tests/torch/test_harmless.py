"""The script never notices: nothing is imported early, nothing raises, other tools' hooks still run."""

import importlib
import json
import resource
import signal
import subprocess
import time
from itertools import pairwise

import pytest
from conftest import PYTHON, SCRIPTS, SHIM, Diary, Recording

MODULES = "import sys, json; print(json.dumps({'modules': sorted(sys.modules)}))"


def test_nothing_is_imported_before_the_script_does(recorder):
    plain = subprocess.run([PYTHON, "-c", MODULES], capture_output=True, text=True, check=True)
    _, seen = recorder.run("-c", MODULES)
    assert set(seen["modules"]) - set(json.loads(plain.stdout)["modules"]) <= {"sitecustomize", "atexit"}


def test_the_next_sitecustomize_runs(recorder, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "sitecustomize.py").write_text("import sys\nsys.of_the_other = __file__\n")
    environment = recorder.environment()
    code = "import sys, sitecustomize, json; print(json.dumps({'ran': sys.of_the_other, 'is': sitecustomize.__file__}))"
    _, seen = recorder.run("-c", code, PYTHONPATH=f"{environment['PYTHONPATH']}:{other}")
    assert seen == {"ran": str(other / "sitecustomize.py"), "is": str(other / "sitecustomize.py")}


def test_without_python_path_nothing_is_marked(recorder):
    recording, _ = recorder.run("-I", "-c", "import torch; torch.optim.SGD([torch.zeros(1)], lr=1).step()")
    assert recording.files == []
    assert recording.log == ""


def test_python_without_torch_marks_nothing(recorder):
    recording, _ = recorder.run("-c", "import json")
    assert recording.files == []
    assert recording.log == "python"


def test_a_folder_that_cannot_be_written_ends_the_shim_alone(recorder):
    recording, script = recorder.run(SCRIPTS / "two_optimizers.py", "made", DEBRIEF_RECORD_STEPS="/dev/null/job")
    assert Diary(script).count("stepped") == 40
    assert recording.log.splitlines()[-1].startswith("error NotADirectoryError")


def test_a_full_disk_leaves_a_file_that_reads(recorder):
    limit = 6000

    def bounded():
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    process = subprocess.run(
        [PYTHON, SCRIPTS / "plain.py", "0"],
        cwd=recorder.folder,
        env=recorder.environment(),
        preexec_fn=bounded,
        capture_output=True,
        text=True,
        check=True,
    )
    assert Diary(json.loads(process.stdout)).count("stepped") == 60
    recording = Recording(recorder.folder)
    assert recording.log.splitlines()[-1] == "error OSError: the disk is full"
    assert all(file.stat().st_size <= limit for file in recording.files)
    assert all(isinstance(json.loads(file.read_text()), list) for file in recording.files)


def test_a_killed_script_loses_a_second_at_most(recorder):
    process = recorder.start(SCRIPTS / "endless.py")
    ends = [float(process.stdout.readline())]  # of the script's steps
    while ends[-1] - ends[0] < 3.5e6:
        ends.append(float(process.stdout.readline()))
    process.send_signal(signal.SIGKILL)
    ends += [float(line) for line in process.stdout if line.endswith("\n")]
    assert process.wait(60) == -signal.SIGKILL
    process.stderr.close()
    process.stdout.close()
    steps = Recording(recorder.folder).events()["Step:ModeKeys.TRAIN"]
    assert 0 < len(steps) <= len(ends)
    # The recorder looks at its clock once a step, so a second and as long as a step may take, on a busy machine or not.
    longest = max(end - begin for begin, end in pairwise(ends))
    assert ends[-1] - ends[len(steps) - 1] < 1e6 + 3 * longest


def test_clocks_are_compared_where_the_process_was_not_stopped(monkeypatch):
    """Else all that it records would be as much too late or too early as it was stopped for."""
    monkeypatch.syspath_prepend(str(SHIM))
    timeline = importlib.import_module("debrief_timeline")
    offset = 7_000_000_000
    stops = iter([50_000_000, 80_000_000, 0, 60_000_000, 90_000_000])  # ns, after each look at the time of day
    moment = 0

    def now():
        nonlocal moment
        moment += 100
        return moment

    def time_of_day():
        nonlocal moment
        seen = moment + offset
        moment += next(stops)
        return seen

    monkeypatch.setattr(timeline, "now", now)
    monkeypatch.setattr(timeline.time, "time_ns", time_of_day)
    assert abs(timeline.clock_origin() - offset) <= 100


def test_errors_of_the_script_are_its_own(recorder):
    code = "import torch\nclass Odd(torch.optim.SGD):\n  def step(self): raise KeyError('mine')\n"
    code += (
        "o = Odd([torch.zeros(1, requires_grad=True)], lr=1)\ntry:\n  o.step()\nexcept KeyError as e:\n  print('{}')\n"
    )
    recording, _ = recorder.run("-c", code)
    assert "error" not in recording.log


def test_a_forked_child_marks_its_own_steps(recorder):
    code = """
import os, torch
w = torch.zeros(1, requires_grad=True)
optimizer = torch.optim.SGD([w], lr=1)
def train(steps):
    for _ in range(steps):
        (w * 1).sum().backward()
        optimizer.step()
train(3)
child = os.fork()
train(5 if child == 0 else 2)
if child:
    os.waitpid(child, 0)
"""
    recording, _ = recorder.run("-c", code)
    by_process = {}
    for event in recording.events()["Step:ModeKeys.TRAIN"]:
        by_process.setdefault(event["args"]["pid"], []).append(event["args"]["step_num"])
    assert sorted(by_process.values()) == [[1, 2, 3, 4, 5], [1, 2, 3, 4, 5]]
    assert len(recording.files) == 2


def test_a_profiler_of_the_script_is_noted(recorder):
    recording, _ = recorder.run("-c", "import torch.profiler as p\nwith p.profile(): pass")
    assert recording.log.splitlines()[-1] == "profiler"


def test_libkineto_is_told_of_the_daemon_only_where_it_is_safe(recorder, tmp_path):
    """Below PyTorch 2.7 the variable can crash the process."""
    for version, told in (("2.6.1", None), ("2.7.0", "1"), ("2.11.0+cu130", "1"), ("unknown", None)):
        package = tmp_path / version / "torch"
        package.mkdir(parents=True)
        (package / "__init__.py").write_text("")
        (package / "version.py").write_text(f"__version__ = '{version}'\n")
        environment = recorder.environment()
        code = "import torch, os, json; print(json.dumps({'told': os.environ.get('KINETO_USE_DAEMON')}))"
        path = f"{environment['PYTHONPATH']}:{package.parent}"
        _, seen = recorder.run("-c", code, PYTHONPATH=path, DEBRIEF_RECORD_TRACES="1")
        assert seen["told"] == told, version
        _, seen = recorder.run("-c", code, PYTHONPATH=path)
        assert seen["told"] is None


LIBKINETO = """
import glob, os, sys
calls = []
def backward(): pass
def _kineto_step():
    calls.append(sys.modules["torch.autograd.profiler"].steps)
    name = os.environ["KINETO_ONDEMAND_TRACE_DIR"] + "/window-1/box_%d.pt.trace.json" % os.getpid()
    if len(calls) == 2:
        open(name + ".tmp", "w").close()
    if len(calls) == 4 and WRITES:
        os.rename(name + ".tmp", name)
"""


@pytest.mark.parametrize(
    ("told", "steps", "writes", "calls"),
    [
        ("1 10 2", 20, True, [1, 9, 10, 13]),  # set up, begin, end
        ("1 10 2", 9, True, [1, 9, 9, 9]),  # the end of the process is the end of the window
        ("1 10 2", 10, True, [1, 9, 10, 10]),
        ("1 10 2", 11, False, [1, 9, 10, 11]),
        ("1 3 2", 8, True, [1]),  # others have begun it
        ("", 8, True, [1]),
    ],
)
def test_libkineto_steps_only_for_a_window(recorder, tmp_path, told, steps, writes, calls):
    """Its part is played by a module, so that any PyTorch will do; test_endings.py has the real one."""
    package = tmp_path / "packages" / "torch"
    (package / "autograd").mkdir(parents=True)
    (package / "version.py").write_text("__version__ = '2.11.0'\n")
    (package / "__init__.py").write_text("")
    (package / "autograd" / "__init__.py").write_text(LIBKINETO.replace("WRITES", str(writes)))
    (package / "autograd" / "profiler.py").write_text(
        "from torch.autograd import _kineto_step\nsteps = 0\n"
        "def step():\n    global steps\n    steps += 1\n    _kineto_step()\n"
    )
    private = tmp_path / "private"
    (tmp_path / "traces" / "window-1").mkdir(parents=True)
    private.mkdir()
    code = f"""
import json, os, sys
import torch.autograd.profiler as profiler
windows = profiler.step.__globals__["_kineto_step"].__self__
def tell():
    calls = sys.modules["torch.autograd"].calls
    print(json.dumps({{"calls": calls, "left": [f for f in os.listdir({str(private)!r})]}}), flush=True)
for number in range({steps}):
    if number == 5 and {told!r}:
        with open(os.environ["DEBRIEF_RECORD_TRACES"] + "/window", "w") as file:
            file.write({told!r})
        windows.due = 0
    profiler.step()
windows.close()
tell()
"""
    seen_path = f"{recorder.environment()['PYTHONPATH']}:{package.parent}"
    begin = time.monotonic()
    recording, seen = recorder.run(
        "-c",
        code,
        PYTHONPATH=seen_path,
        DEBRIEF_RECORD_TRACES=str(private),
        KINETO_ONDEMAND_TRACE_DIR=str(tmp_path / "traces"),
    )
    assert seen["calls"] == calls
    assert "error" not in recording.log
    assert any(name.startswith("steps.") for name in seen["left"])
    if not writes:
        assert time.monotonic() - begin >= 2  # it waits no longer for a trace that is not written


def test_the_profiler_detaches_after_a_trace_unless_graphs_are_captured(recorder, tmp_path):
    """CUPTI slows every launch as long as it is attached, but detaching it from CUDA graphs has crashed jobs."""
    package = tmp_path / "packages" / "torch"
    (package / "cuda").mkdir(parents=True)
    (package / "version.py").write_text("__version__ = '2.11.0'\n")
    (package / "__init__.py").write_text("")
    (package / "cuda" / "__init__.py").write_text("")
    (package / "cuda" / "graphs.py").write_text(
        "class CUDAGraph:\n    def capture_begin(self, pool, mode='global'):\n        return pool, mode\n"
    )
    code = """
import torch.cuda.graphs, os, json
before = os.environ.get('TEARDOWN_CUPTI')
assert [torch.cuda.graphs.CUDAGraph().capture_begin(1, mode='relaxed') for _ in range(3)] == [(1, 'relaxed')] * 3
print(json.dumps({'values': [before, os.environ.get('TEARDOWN_CUPTI')]}))
"""
    path = f"{recorder.environment()['PYTHONPATH']}:{package.parent}"
    for traces, user, expected in (
        (True, None, ["1", "0"]),
        (True, "1", ["1", "1"]),
        (True, "0", ["0", "0"]),
        (False, None, [None, None]),
    ):
        variables = {"PYTHONPATH": path}
        if traces:
            variables["DEBRIEF_RECORD_TRACES"] = "1"
        if user is not None:
            variables["TEARDOWN_CUPTI"] = user
        recording, seen = recorder.run("-c", code, **variables)
        assert seen["values"] == expected, (traces, user)
    assert recording.log.splitlines()[-3:] == ["python", "torch 2.11.0", "graphs"]


def test_captures_of_the_real_pytorch_are_seen(recorder):
    """Without CUDA a capture fails as it does without the recorder, but the recorder has learned of it."""
    code = """
import torch
try:
    torch.cuda.graphs.CUDAGraph.capture_begin(None)
except Exception:
    pass
"""
    recording, _ = recorder.run("-c", code)
    assert recording.log.splitlines()[-1] == "graphs"


def test_trainers_that_have_changed_are_left_alone(recorder, tmp_path):
    """A release may lack what is marked: nothing to say about it, and no error."""
    modules = [
        "transformers.trainer",
        "accelerate.data_loader",
        "lightning.pytorch.loops.evaluation_loop",
        "lightning.pytorch.loops.fetchers",
    ]
    for module in modules:
        file = tmp_path / "packages" / (module.replace(".", "/") + ".py")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("")
    code = f"import torch, {', '.join(modules)}"
    path = f"{recorder.environment()['PYTHONPATH']}:{tmp_path / 'packages'}"
    recording, _ = recorder.run("-c", code, PYTHONPATH=path)
    assert "error" not in recording.log


def test_a_memory_snapshot_that_fails_ends_itself_alone(recorder):
    """PyTorch without CUDA refuses; the script and its steps go on."""
    code = """
import torch
torch.cuda.is_initialized = lambda: True
weight = torch.nn.Parameter(torch.zeros(1))
optimizer = torch.optim.SGD([weight], lr=1)
for batch in torch.utils.data.DataLoader(list(range(20))):
    (weight * batch).sum().backward()
    optimizer.step()
"""
    recording, _ = recorder.run("-c", code, DEBRIEF_RECORD_MEMORY=str(recorder.folder / "job/traces"))
    assert len(recording.events()["Step:ModeKeys.TRAIN"]) == 20
    assert recording.log.splitlines()[-1].startswith("memory ")
    assert len(recording.log.splitlines()) == 3, "python, torch, and one sentence"


def test_a_job_without_cuda_says_why_there_is_no_memory_snapshot(recorder):
    recording, _ = recorder.script("two_optimizers", "made", options=["--memory"])
    assert recording.notes == ["There is no memory snapshot: no process used CUDA and stepped its optimizer ten times."]


FLIGHT = """
import json, os, torch
names = [name for name in sorted(os.environ) if name.startswith(("TORCH_FR_", "TORCH_NCCL_"))]
print(json.dumps({"set": {name: os.environ[name] for name in names}}))
"""


def flight_variables(recorder, version: str, **extra) -> dict:
    """What a PyTorch of this version is told of its flight recorder."""
    package = recorder.folder / "torch"
    package.mkdir(exist_ok=True)
    (package / "__init__.py").touch()
    (package / "version.py").write_text(f"__version__ = '{version}'\n")
    script = recorder.folder / "flight.py"
    script.write_text(FLIGHT)
    _, seen = recorder.run(script, **extra)
    return seen["set"]


def test_the_flight_recorder_writes_into_the_job_where_it_runs_anyway(recorder):
    prefix = str(recorder.folder / "job" / "flight_recording.box.rank_")
    assert flight_variables(recorder, "2.11.0+cu130") == {
        "TORCH_FR_DUMP_TEMP_FILE": prefix,
        "TORCH_NCCL_DUMP_ON_TIMEOUT": "1",
    }
    assert flight_variables(recorder, "2.10.0") == {}


def test_a_users_flight_recorder_stays_as_it_is(recorder):
    mine = {"TORCH_NCCL_TRACE_BUFFER_SIZE": "10"}
    assert flight_variables(recorder, "2.11.0", **mine) == mine
