"""What the shim tells of an exception that ends a process, and what it does not take for one."""

import json

import pytest
from conftest import SCRIPTS


def told(recording) -> list[dict]:
    """What processes told, in order; nothing where none did."""
    file = recording.folder / "failures"
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def own_frames(failure: dict) -> list[tuple]:
    """File and function of the script's own calls."""
    return [(file, function) for file, _, function, library in failure["frames"] if not library]


def script_of(recorder, text: str):
    path = recorder.folder / "script.py"
    path.write_text(text)
    return path


RAISES = """
def forward(depth):
    if depth == 0:
        raise ValueError("broken at\\nthe second line")
    forward(depth - 1)

forward(2)
"""


def test_an_exception_that_ends_a_script_is_told(recorder):
    recording, _ = recorder.run(script_of(recorder, RAISES), expect=1, RANK="3")
    (failure,) = told(recording)
    assert failure["type"] == "ValueError"
    assert failure["message"] == "broken at"
    assert failure["rank"] == 3
    assert own_frames(failure) == [("script.py", "<module>"), *[("script.py", "forward")] * 3]
    assert failure["frames"][-1][1] == 4
    assert "step" not in failure


def test_a_path_elsewhere_is_told_as_a_name(recorder, tmp_path_factory):
    other = tmp_path_factory.mktemp("secret") / "elsewhere.py"
    other.write_text(RAISES)
    recording, _ = recorder.run(other, expect=1)
    assert own_frames(told(recording)[0])[0] == ("elsewhere.py", "<module>")


def test_a_library_is_told_from_the_scripts_own_files(recorder):
    recording, _ = recorder.run(script_of(recorder, "import json\njson.loads('x')"), expect=1)
    (failure,) = told(recording)
    assert failure["type"] == "json.decoder.JSONDecodeError"
    assert own_frames(failure) == [("script.py", "<module>")]
    libraries = [file for file, _, _, library in failure["frames"] if library]
    assert libraries == ["json/__init__.py", "json/decoder.py", "json/decoder.py"]


def test_a_script_that_cannot_be_compiled_is_told(recorder):
    recording, _ = recorder.run(script_of(recorder, "def broken(:\n"), expect=1)
    assert [failure["type"] for failure in told(recording)] == ["SyntaxError"]


def test_the_step_in_which_training_died_is_told(recorder):
    text = """
import torch
parameter = torch.zeros(1, requires_grad=True)
optimizer = torch.optim.SGD([parameter], lr=1)
for number in range(10):
    if number == 7:
        raise RuntimeError("no more")
    parameter.sum().backward()
    optimizer.step()
"""
    recording, _ = recorder.run(script_of(recorder, text), expect=1)
    assert [failure["step"] for failure in told(recording)] == [8]


QUIET = {
    "an end": ("", 0),
    "an exit": ("import sys; sys.exit(3)", 3),
    "an exception that was caught": ("try:\n    1 / 0\nexcept ZeroDivisionError:\n    pass", 0),
    "Ctrl-C": ("raise KeyboardInterrupt", -2),
    "an exception of a thread": (
        "import threading\nthread = threading.Thread(target=lambda: 1 / 0)\nthread.start()\nthread.join()",
        0,
    ),
    "one that a tool puts into sys": (
        "import sys, types\nmodule = types.ModuleType('tool')\n"
        "exec('def run():\\n try: 1/0\\n except Exception as error: return error', module.__dict__)\n"
        "sys.last_value = module.run()",
        0,
    ),
}


@pytest.mark.parametrize("name", QUIET)
def test_nothing_is_told_of(recorder, name):
    text, code = QUIET[name]
    recording, _ = recorder.run(script_of(recorder, text), expect=code)
    assert told(recording) == []


CHILDREN = """
import multiprocessing, sys

def work(number):
    if number == 1:
        raise ValueError("child")

if __name__ == "__main__":
    context = multiprocessing.get_context(sys.argv[1])
    processes = [context.Process(target=work, args=(number,)) for number in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    print([process.exitcode for process in processes])
"""


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_a_child_of_multiprocessing_tells_of_its_own(recorder, method):
    recording, _ = recorder.run(script_of(recorder, CHILDREN), method)
    (failure,) = told(recording)
    assert (failure["type"], failure["message"]) == ("ValueError", "child")
    assert own_frames(failure) == [("script.py", "work")]


SPAWNS = """
import os, signal, sys, time
import torch.multiprocessing

def work(number, how):
    if number == 1:
        if how == "raise":
            raise ValueError("rank one")
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(60)

if __name__ == "__main__":
    torch.multiprocessing.spawn(work, (sys.argv[1],), nprocs=2)
"""


def test_a_rank_of_torch_multiprocessing_tells_before_its_parent(recorder):
    recording, _ = recorder.run(script_of(recorder, SPAWNS), "raise", expect=1)
    child, parent = told(recording)
    assert (child["type"], child["message"]) == ("ValueError", "rank one")
    assert parent["type"].endswith("ProcessRaisedException")
    assert child["parent"] == parent["pid"]


def test_a_launcher_tells_which_signal_ended_a_rank(recorder):
    recording, _ = recorder.run(script_of(recorder, SPAWNS), "kill", expect=1)
    child, parent = told(recording)
    assert (child["signal"], child["parent"]) == (9, parent["pid"])
    assert parent["type"].endswith("ProcessExitedException")


LOADS = """
import torch

class Data(torch.utils.data.Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, place):
        raise KeyError("sample 5 is broken")

for batch in torch.utils.data.DataLoader(Data(), num_workers=2):
    pass
"""


def test_an_exception_of_a_loaders_worker_names_the_dataset(recorder):
    recording, _ = recorder.run(script_of(recorder, LOADS), expect=1)
    (failure,) = told(recording)
    assert (failure["type"], failure["message"]) == ("KeyError", "'sample 5 is broken'")
    assert own_frames(failure) == [("script.py", "<module>"), ("script.py", "__getitem__")]


TORCHRUN = """
import os, signal, sys, time
from torch.distributed.elastic.multiprocessing.errors import record

@record
def main():
    if os.environ["RANK"] == "1":
        if sys.argv[1] == "raise":
            raise ValueError("rank one")
        os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(60)

main()
"""


def torchrun(recorder, how: str) -> list[dict]:
    # PyTorch 1.13 fails under Python 3.11 where nothing is redirected.
    launcher = ["-m", "torch.distributed.run", "--redirects", "1", "--tee", "1", "--nproc_per_node", "2"]
    recording, _ = recorder.run(*launcher, script_of(recorder, TORCHRUN), how, expect=1)
    return told(recording)


def test_torchruns_error_file_is_read(recorder):
    first, again, launcher = torchrun(recorder, "raise")
    assert (first["rank"], first["type"], first["message"]) == (1, "ValueError", "rank one")
    assert (again["pid"], again["exit"], again["type"]) == (first["pid"], 1, "ValueError")
    assert own_frames(again)[-1] == ("script.py", "main")
    assert launcher["type"].endswith("ChildFailedError")


def test_torchrun_tells_which_signal_ended_a_rank(recorder):
    killed, launcher = torchrun(recorder, "kill")
    assert (killed["rank"], killed["signal"]) == (1, 9)
    assert launcher["type"].endswith("ChildFailedError")


def test_steps_go_on_where_nothing_can_be_told(recorder):
    recording, _ = recorder.run(SCRIPTS / "plain.py", "0", DEBRIEF_RECORD_LOG="/dev/null/log")
    assert told(recording) == []
