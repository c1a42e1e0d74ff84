"""What the figures were measured on."""

import os
import platform
import re
import shutil
import subprocess
from pathlib import Path


def first(pattern: str, path: str) -> str:
    text = Path(path).read_text() if Path(path).exists() else ""
    found = re.search(pattern, text, re.MULTILINE)
    return found.group(1).strip() if found else "unknown"


def said_by(*command) -> str:
    if not shutil.which(str(command[0])):
        return "not there"
    return (
        subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
        .stdout.splitlines()[0]
        .strip()
    )


def build_of(binary: Path) -> str:
    cache = str(binary.parent / "CMakeCache.txt")
    return f"{first(r'^CMAKE_BUILD_TYPE:.*=(.*)$', cache)} build, {said_by(first(r'^CMAKE_CXX_COMPILER:.*=(.*)$', cache), '--version')}"


def describe(binary: Path) -> list[tuple[str, str]]:
    memory = int(first(r"^MemTotal: +(\d+)", "/proc/meminfo")) * 1024
    return [
        ("Processor", f"{first(r'^model name.*: (.*)$', '/proc/cpuinfo')}, {len(os.sched_getaffinity(0))} cores"),
        ("Memory", f"{memory / 1e9:.1f} GB"),
        ("System", f"{first(r'^PRETTY_NAME=.(.*).$', '/etc/os-release')}, Linux {platform.release()}"),
        ("debrief", f"{said_by(binary, '--version')}; {build_of(binary)}"),
        ("Python of the peers", platform.python_version()),
        (
            "Load when the run began",
            f"{os.getloadavg()[0]:.1f} (a quiet machine has less than 0.5; on a busy one only instruction counts hold)",
        ),
    ]
