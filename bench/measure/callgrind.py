"""Instructions by stage and by kind of function, as valgrind's callgrind counts them.

Callgrind writes what was spent so far whenever the clock of stages is read, so that each of its files is one stage. Its
emulated processor has AVX2 and no AVX-512; counts do not depend on what else the machine does.
"""

import re
import shutil
import subprocess
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from measure.run import Failed, last_line

STAGES = ("start-up", "ingest", "aggregate", "rules", "findings", "render", "embed", "write")
GROUPS = (  # the first that fits the function's name, or its library's
    ("simdjson", r"simdjson"),
    ("Arrow", r"\barrow::|libarrow|libparquet"),
    ("inflate and deflate", r"libz\.|libisal|isal_"),
    ("templates and JSON documents", r"inja::|nlohmann"),
    ("numbers and times to text", r"\bfmt::|\bdate::|__printf|std::__to_chars"),
    (
        "memory allocation",
        r"malloc|calloc|realloc|\bfree\b|_int_free|operator (new|delete)|madvise|sysmalloc|unlink_chunk",
    ),
    ("copying and comparing bytes", r"mem(cpy|move|set|cmp|chr)|strlen|str(n)?cmp"),
    ("dynamic loading", r"ld-linux|_dl_|do_lookup"),
    ("debrief: reading", r"debrief::.*(kineto|Reader|Source|Block|Walker|Sample|Scanner|Timeline|ingest|read_|parse)"),
    ("debrief: the rest", r"debrief::|debrief$"),
)


@dataclass
class Spent:
    """Instructions by stage, by group and by function; each sums to the whole."""

    stages: Counter = field(default_factory=Counter)
    groups: Counter = field(default_factory=Counter)
    functions: Counter = field(default_factory=Counter)


def group_of(name: str, library: str) -> str:
    for group, pattern in GROUPS:
        if re.search(pattern, name) or re.search(pattern, library):
            return group
    return "standard library and the rest"


def read_dump(path: Path) -> Counter:
    """Instructions by (function, library); a call's cost, on the line after it, belongs to the function that is called."""
    names: dict[tuple[str, str], str] = {}
    spent: Counter = Counter()
    library = function = ""
    called = False
    for line in path.read_text(errors="replace").splitlines():
        key, _, text = line.partition("=")
        if key in ("fn", "cfn", "ob", "cob"):
            number, _, name = text.partition(" ")
            known = (key[-2:], number)
            if name:
                names[known] = name
            if key == "fn":
                function = names[known]
            elif key == "ob":
                library = names[known]
        elif key == "calls":
            called = True
        elif line and line[0] in "0123456789+-*":
            if not called:
                spent[function, library] += int(line.split()[-1])
            called = False
    return spent


def total(command: list) -> int:
    """Instructions of a whole program."""
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *map(str, command)],
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode:
        raise Failed(f"valgrind ended with {run.returncode}: {last_line(run.stderr)}")
    return int(re.search(r"Collected : (\d+)", run.stderr).group(1))


def count(binary: Path, job: Path) -> Spent:
    """Instructions of a report."""
    if not shutil.which("valgrind"):
        raise Failed("valgrind is not installed")
    with tempfile.TemporaryDirectory(prefix="debrief-callgrind-") as folder:
        run = subprocess.run(
            [
                "valgrind",
                "--tool=callgrind",
                f"--callgrind-out-file={folder}/out",
                "--dump-after=debrief::pipeline::StageClock::*",
                binary,
                "report",
                job,
                "-o",
                f"{folder}/report.html",
                "--quiet",
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        if run.returncode:
            raise Failed(f"valgrind ended with {run.returncode}: {last_line(run.stderr)}")
        dumps = sorted(Path(folder).glob("out.*"), key=lambda path: int(path.suffix[1:]))
        dumps += [path for path in (Path(folder) / "out",) if path.exists()]
        if len(dumps) != len(STAGES):
            raise Failed(f"callgrind saw {len(dumps)} stages of {len(STAGES)}; is the binary stripped?")
        spent = Spent()
        for stage, dump in zip(STAGES, dumps, strict=True):
            for (function, library), instructions in read_dump(dump).items():
                spent.stages[stage] += instructions
                spent.groups[group_of(function, library)] += instructions
                spent.functions[function if not function.startswith("0x") else f"{Path(library).name}, unnamed"] += (
                    instructions
                )
        return spent
