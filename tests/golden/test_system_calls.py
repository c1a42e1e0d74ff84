"""What debrief asks of the system, by strace: it starts nothing, speaks to nobody, and touches nothing but what it was given."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from conftest import SAMPLE_JOBS, binary

JOB = SAMPLE_JOBS / "ddp-gloo-straggler"
TRACED = SAMPLE_JOBS / "gpt-train-eval"

# Beside the job and the outputs:
ALLOWED = [
    r"/etc/ld\.so\.(cache|preload|nohwcap)",  # the loader finds libraries
    r"(/usr)?/lib(32|64)?/.*",
    r"/sys/devices/system/cpu/.*",  # how many cores there are: std::thread, glibc's malloc
    r"/sys/fs/cgroup/.*",
    r"/proc/(self|\d+)/(exe|maps|cgroup|mountinfo|stat|status|task/.*)",  # of this process: the loader, Arrow's pool of memory
    r"/proc/(meminfo|cpuinfo|stat)",
    r"/proc/sys/vm/overcommit_memory",  # jemalloc and mimalloc, which Arrow has built in, ask how memory is given out
    r"/sys/kernel/mm/transparent_hugepage/.*",
    r"/etc/(je_arrow_malloc|malloc)\.conf",
    # Arrow's library, as it is loaded: tzset() in a static initializer, and OpenSSL, which PyPI's has built in. The time zone
    # changes no output (test_same_bytes.py).
    r"/etc/localtime|/usr/share/zoneinfo/.*",
    r"(/etc|/usr/lib)/ssl/openssl\.cnf",
]

COMMANDS = {
    "report": [
        "report",
        JOB,
        "-o",
        "out/report.html",
        "--json",
        "out/r.json",
        "--markdown",
        "out/r.md",
        "--rule-outputs",
        "out/rules",
    ],
    "report of traces": ["report", TRACED, "-o", "out/report.html"],
    "check": ["check", JOB, "--require", "gpu.p50 < 200", "--junit", "out/j.xml", "-o", "out/page.html"],
    "diff": ["diff", JOB, TRACED, "-o", "out/diff.html", "--json", "out/diff.json"],
    "export of a table": ["export", JOB, "--to", "out/metrics.parquet"],
    "export of a timeline": ["export", TRACED, "--to", "out/timeline.json.gz"],
    "rules": ["rules", "--json"],
}


@pytest.fixture(scope="module")
def strace(traceable, tmp_path_factory):
    log = tmp_path_factory.mktemp("strace") / "log"

    def trace(arguments, folder, env=None) -> list[str]:
        """The system calls, a line each. Descriptors are shown with their paths."""
        command = [
            "strace",
            "-f",
            "-y",
            "-qq",
            "-s",
            "4096",
            "-e",
            "trace=%file,%network,%process",
            "-e",
            "signal=none",
            "-o",
            log,
            str(binary()),
            *map(str, arguments),
        ]
        subprocess.run(command, cwd=folder, check=True, capture_output=True, env={**os.environ, **(env or {})})
        return [re.sub(r"^\d+\s+", "", line) for line in log.read_text(errors="replace").splitlines()]

    return trace


def name_of(call: str) -> str:
    return call.split("(", 1)[0]


def paths_of(call: str, folder: Path) -> list[Path]:
    """Every path that a call names, as the system takes it."""
    arguments = call.split("(", 1)[1].rsplit(" = ", 1)[0]
    paths = []
    for at, relative in re.findall(r'(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"((?:[^"\\]|\\.)*)"', arguments):
        if relative:
            paths.append(Path(os.path.normpath(os.path.join(at or folder, relative))))
    return paths


def is_allowed(path: Path, places: list[Path]) -> bool:
    """In one of the places, one of the folders that lead there, or known."""
    if any(path == place or place in path.parents or path in place.parents for place in places):
        return True
    return any(re.fullmatch(pattern, str(path)) for pattern in ALLOWED)


@pytest.mark.parametrize("name", COMMANDS)
def test_nothing_else_is_touched(strace, tmp_path, name):
    (tmp_path / "out").mkdir()
    calls = [call for call in strace(COMMANDS[name], tmp_path) if not call.startswith(("<...", "+++", "---"))]
    assert len(calls) > 30
    started = [call.split('"')[1].rpartition("/")[2] for call in calls if name_of(call) == "execve"]
    tables = ["debrief-tables"] if name == "export of a table" else []  # the same program with Arrow in it
    assert started == [binary().name, *tables], "starts no other program"
    network = {
        "socket",
        "socketpair",
        "connect",
        "bind",
        "listen",
        "accept",
        "accept4",
        "sendto",
        "sendmsg",
        "recvfrom",
    }
    assert [call for call in calls if name_of(call) in network] == []
    assert [call for call in calls if name_of(call) in ("fork", "vfork", "kill", "ptrace")] == []
    assert [call for call in calls if name_of(call) in ("clone", "clone3") and "CLONE_THREAD" not in call] == []

    job = [argument for argument in COMMANDS[name] if isinstance(argument, Path)]
    programs = [binary(), *(binary().with_name(one) for one in tables)]
    libraries = {
        Path(path).parent
        for program in programs
        if program.exists()
        for path in re.findall(
            r"=> (/\S+)", subprocess.run(["ldd", program], check=True, capture_output=True, text=True).stdout
        )
    }
    beside = binary().parent.parent / "lib"  # where an installed binary has its libraries
    places = [*job, *(path.resolve() for path in job), tmp_path / "out", *programs, beside, *libraries]
    if tables:  # its libraries lie beside it where it is installed
        places += [binary().parent, Path("/proc/self/cmdline")]
    config = tmp_path / "debrief.json"  # looked for in the current folder; --no-config leaves it alone
    touched = [
        (call, path)
        for call in calls[1:]
        if name_of(call) != "execve"  # looked at above; its arguments are no paths that it opens
        for path in paths_of(call, tmp_path)
        if path not in (config, tmp_path)
    ]
    assert len(touched) > 20
    assert [f"{path}: {call}" for call, path in touched if not is_allowed(path, places)] == []

    written = [path for call, path in touched if changes(call)]
    assert [path for path in written if tmp_path / "out" not in path.parents] == []
    assert (len(written) > 0) == (name != "rules")


CHANGES = {
    "rename",
    "renameat",
    "renameat2",
    "unlink",
    "unlinkat",
    "mkdir",
    "mkdirat",
    "rmdir",
    "creat",
    "link",
    "linkat",
    "symlink",
    "symlinkat",
    "truncate",
    "chmod",
    "fchmodat",
    "chown",
    "fchownat",
    "mknod",
    "mknodat",
    "utimensat",
    "setxattr",
}


def changes(call: str) -> bool:
    if name_of(call) in CHANGES:
        return True
    return (
        name_of(call) in ("open", "openat", "openat2") and re.search(r"O_(WRONLY|RDWR|CREAT|TRUNC)", call) is not None
    )


def test_the_trace_would_show_it(strace, tmp_path):
    """What the test above looks for is in the trace: a file elsewhere, and what is written to it."""
    (tmp_path / "elsewhere").mkdir()
    calls = strace(["report", JOB, "-o", "elsewhere/report.html"], tmp_path)
    written = {path.parent for call in calls if changes(call) for path in paths_of(call, tmp_path)}
    assert tmp_path / "elsewhere" in written
    assert not is_allowed(tmp_path / "elsewhere" / "report.html", [JOB, tmp_path / "out"])
