"""`debrief record` on a machine that others use too: its private folder, its lock, what the system refuses, and recorders
beside and inside each other."""

import getpass
import json
import os
import resource
import signal
import socket
import subprocess
import textwrap
import time
from pathlib import Path

import pytest
from conftest import binary
from test_record import PYTHON, description, record, start, values, wait_for

ALICE, BOB = 12001, 12002
EVERYBODYS_PYTHON = "/usr/bin/python3"
SAY_FOLDER = "import os; print(os.environ['KINETO_IPC_SOCKET_DIR'], flush=True)"

as_root = pytest.mark.skipif(os.geteuid() != 0, reason=f"{getpass.getuser()} cannot become other users")


def as_user(uid: int) -> list[str]:
    return ["setpriv", "--reuid", str(uid), "--regid", str(uid), "--clear-groups"]


def folder_of(process: subprocess.Popen) -> Path:
    return Path(process.stdout.readline().strip())


def lives(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """A short $TMPDIR, so that only recorders of this test are seen there."""
    folder = Path("/tmp") / f"t{os.getpid()}"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("TMPDIR", str(folder))
    yield folder
    subprocess.run(["rm", "-rf", str(folder)], check=True)


def test_the_folder_is_gone_with_the_last_process(tmp_path, temporary):
    outcome = record(tmp_path, PYTHON, "-c", SAY_FOLDER, options=["--no-report", "-q"])
    folder = Path(outcome.stdout.strip())
    assert folder.parent == temporary
    assert len(str(folder)) <= 50
    assert list(temporary.iterdir()) == []


def test_a_process_left_behind_keeps_the_folder_from_others(tmp_path, temporary):
    """It stays, without the recorder's files, until the process has ended and another recorder starts."""
    command = ["sh", "-c", f'{PYTHON} -c "{SAY_FOLDER}"; setsid sleep 60 > /dev/null 2>&1 & echo $!']
    outcome = record(tmp_path, *command, options=["--no-report", "-q"])
    (folder,) = temporary.iterdir()
    (left,) = [int(line) for line in outcome.stdout.split() if line.isdigit()]
    assert folder.stat().st_mode & 0o7777 == 0o700
    assert [entry.name for entry in folder.iterdir()] == ["recorder"]
    assert record(tmp_path, "true", options=["--no-report", "-q"]).returncode == 0
    assert list(temporary.iterdir()) == [folder]
    os.kill(left, signal.SIGKILL)
    wait_for(lambda: not lives(left))
    assert record(tmp_path, "true", options=["--no-report", "-q"]).returncode == 0
    assert list(temporary.iterdir()) == []


def test_leftovers_of_dead_recorders_are_removed_and_nothing_else(tmp_path, temporary):
    process = start(tmp_path, PYTHON, "-c", f"{SAY_FOLDER}; import time; time.sleep(100)")
    folder = folder_of(process)
    other = temporary / "debrief.LiNkEd"
    other.symlink_to(tmp_path)
    strange = temporary / "debrief.EmPtYx"
    strange.mkdir(mode=0o700)
    keep = {other, strange}
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    process.kill()
    process.wait()
    # Its command lives on.
    assert record(tmp_path, "true", options=["--no-report", "-q"]).returncode == 0
    assert set(temporary.iterdir()) == {folder, *keep}
    for child in children:
        os.kill(int(child), signal.SIGKILL)
    process.communicate()
    wait_for(lambda: not any(lives(int(child)) for child in children))
    # A recorder that lives is left alone.
    alive = start(tmp_path, PYTHON, "-c", f"{SAY_FOLDER}; input()", stdin=subprocess.PIPE)
    second = folder_of(alive)
    assert record(tmp_path, "true", options=["--no-report", "-q"]).returncode == 0
    assert set(temporary.iterdir()) == {second, *keep}
    alive.communicate("\n", timeout=60)
    assert set(temporary.iterdir()) == keep


@as_root
def test_no_other_user_gets_into_a_process_that_is_left_behind(tmp_path):
    """The process starts Python only when the recording is over; PYTHONPATH still has the recorder's folder."""
    home = tmp_path / "a"
    home.mkdir()
    for folder in [home, *list(home.parents)[:3]]:
        if str(folder).startswith("/tmp/"):
            folder.chmod(0o755)
    os.chown(home, ALICE, ALICE)
    script = f"setsid sh -c 'sleep 1.5; {EVERYBODYS_PYTHON} -c pass && touch ran' > /dev/null 2>&1 & echo $KINETO_IPC_SOCKET_DIR"
    words = [*as_user(ALICE), str(binary()), "record", "--no-report", "-q", "-o", "out", "--", "sh", "-c", script]
    out = subprocess.run(words, cwd=home, capture_output=True, text=True, check=True).stdout
    folder = out.strip()
    assert folder
    attack = f'umask 022; mkdir {folder} && echo \'open("{home}/owned", "w")\' > {folder}/sitecustomize.py'
    assert subprocess.run([*as_user(BOB), "sh", "-c", attack], capture_output=True, check=False).returncode != 0
    time.sleep(2.5)
    assert (home / "ran").exists()
    assert not (home / "owned").exists()
    words[-3:] = ["true"]
    subprocess.run(words, cwd=home, capture_output=True, check=True)
    assert not Path(folder).exists()


@pytest.mark.parametrize("kind", ["long", "open to others"])
def test_a_temporary_folder_that_will_not_do_is_passed_over(tmp_path, kind):
    wanted = tmp_path / ("x" * 60 if kind == "long" else "x")
    wanted.mkdir()
    wanted.chmod(0o755 if kind == "long" else 0o777)
    env = {**os.environ, "TMPDIR": str(wanted)}
    outcome = record(tmp_path, PYTHON, "-c", SAY_FOLDER, options=["--no-report", "-q"], env=env)
    assert outcome.stdout.startswith("/tmp/debrief.")
    assert len(outcome.stdout.strip()) <= 50


def test_a_name_that_is_taken_does_not_keep_from_sampling(tmp_path):
    job = tmp_path / "job"
    job.mkdir()
    info = job.stat()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as taken:
        taken.bind(f"\0debrief-record-{os.getuid()}-{info.st_dev}-{info.st_ino}")
        record(tmp_path, "sleep", "0.5", options=["--no-report", "-q"])
    assert values(job, "memory", "MemoryUsedPercent")
    assert not list(job.glob(".*"))


@as_root
def test_a_lock_of_another_user_is_noted_and_the_machine_sampled(tmp_path):
    job = tmp_path / "job"
    job.mkdir()
    node = description_of_node(tmp_path)
    lock = job / f".{node}.lock"
    lock.touch(mode=0o666)
    os.chown(lock, BOB, BOB)
    record(tmp_path, "sleep", "0.5", options=["--no-report", "-q"])
    assert values(job, "memory", "MemoryUsedPercent")
    assert any(
        "can't be locked (it belongs to another user)" in note for note in description(job)["Recording"]["Notes"]
    )


def description_of_node(folder: Path) -> str:
    record(folder, "true", options=["--no-report", "-q"], job="other")
    return description(folder / "other")["Recording"]["Host"]


def test_ten_at_once_have_a_folder_each(tmp_path):
    for options in (["-o", "ten"], []):
        words = [str(binary()), "record", "-q", "--no-report", *options, "--", "sh", "-c"]
        running = [subprocess.Popen([*words, f"exit {code}"], cwd=tmp_path) for code in range(1, 11)]
        assert [process.wait(600) for process in running] == list(range(1, 11))
    for pattern in ("ten*", "debrief-*"):
        codes = [json.loads((job / "job.json").read_text())["Recording"]["ExitCode"] for job in tmp_path.glob(pattern)]
        assert sorted(codes) == list(range(1, 11))


def test_a_command_that_cannot_be_run_leaves_nothing(tmp_path):
    assert record(tmp_path, "no-such-program").returncode == 127
    assert list(tmp_path.iterdir()) == []


COUNT_FINDERS = "import sys; print('finders:', len(sys.meta_path))"


def test_a_recorder_in_a_recorder_is_quiet(tmp_path):
    """The user's own sitecustomize runs, once, also where it runs the next one on the path itself, as some do."""
    chained = textwrap.dedent("""
        import os, sys
        from importlib.machinery import PathFinder
        from importlib.util import module_from_spec
        print("the user's")
        here = os.path.dirname(__file__)
        spec = PathFinder.find_spec("sitecustomize", [entry for entry in sys.path if entry != here])
        if spec:
            spec.loader.exec_module(module_from_spec(spec))
    """)
    for number, text in enumerate(('print("the user\'s")\n', chained)):
        user = tmp_path / str(number)
        user.mkdir()
        (user / "sitecustomize.py").write_text(text)
        env = {**os.environ, "PYTHONPATH": str(user)}
        single = [str(binary()), "record", "-q", "--no-report", "-o"]
        command = ["--", PYTHON, "-c", COUNT_FINDERS]
        seen = [
            subprocess.run(words, cwd=user, env=env, capture_output=True, text=True, check=True)
            for words in ([*single, "a", *command], [*single, "b", "--", *single, "c", *command])
        ]
        assert seen[0].stdout == seen[1].stdout
        assert seen[0].stdout.splitlines()[0] == "the user's"
        assert seen[0].stdout.count("the user's") == 1
        assert [one.stderr for one in seen] == ["", ""]
        assert any("that the command ran" in note for note in description(user / "b")["Recording"]["Notes"])


@as_root
@pytest.mark.parametrize("most", [2, 3, 4, 5, 6])
def test_threads_that_are_refused_are_a_note(tmp_path, most):
    uid = 12100 + os.getpid() % 5000 * 10 + most  # the limit is a user's: no other test has this one
    for folder in [tmp_path, *list(tmp_path.parents)[:2]]:
        folder.chmod(0o755)
    home = tmp_path / "home"
    home.mkdir()
    os.chown(home, uid, uid)
    script = "import time; time.sleep(0.7); open('ran', 'w'); raise SystemExit(7)"
    command = [str(binary()), "record", "-o", "job", "--", EVERYBODYS_PYTHON, "-c", script]
    words = [*as_user(uid), "prlimit", f"--nproc={most}", *command]
    outcome = subprocess.run(words, cwd=home, capture_output=True, text=True, check=False)
    if most == 2 and not (home / "ran").exists():
        assert outcome.returncode == 126  # nothing was started
        return
    assert (home / "ran").exists()
    assert outcome.returncode == 7, outcome.stderr
    notes = description(home / "job")["Recording"]["Notes"]
    assert description(home / "job")["Recording"]["ExitCode"] == 7
    if most < 5:
        assert any("unavailable" in note for note in notes), notes


def test_memory_that_is_refused_never_leaves_the_command_alone(tmp_path):
    """From what is too little to start up to what is enough: where the command ran, debrief waited for its code."""
    ran = 0
    for step in range(14):
        limit = (30 << 20) * (step + 1)
        mark = tmp_path / f"ran{step}"
        words = [str(binary()), "record", "-q", "--no-report", "-o", f"job{step}", "--"]
        outcome = subprocess.run(
            [*words, "sh", "-c", f"sleep 0.3; : > {mark}; exit 7"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=lambda limit=limit: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
        )
        time.sleep(0.5 if outcome.returncode != 7 else 0)
        assert (outcome.returncode == 7) == mark.exists(), (limit, outcome)
        ran += mark.exists()
    assert ran > 0
