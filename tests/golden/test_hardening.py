"""The binary has what compiler and linker offer against the consequences of a mistake (cmake/Hardening.cmake). Flags are the
same for the release, whose binary DEBRIEF_BINARY can name too."""

import platform
import re
import subprocess

import pytest
from conftest import binary


def read_elf(program, *options) -> str:
    return subprocess.run(["readelf", "--wide", *options, program], check=True, capture_output=True, text=True).stdout


@pytest.fixture
def program():
    return binary()


def test_it_is_loaded_anywhere(program):
    assert re.search(r"Type:\s+DYN", read_elf(program, "--file-header"))
    assert re.search(r"\(FLAGS_1\).*\bPIE\b", read_elf(program, "--dynamic"))


def test_tables_of_functions_are_read_only_before_main(program):
    assert "GNU_RELRO" in read_elf(program, "--program-headers")
    assert re.search(r"\(FLAGS(?:_1)?\).*\b(?:BIND_)?NOW\b", read_elf(program, "--dynamic"))
    assert "(TEXTREL)" not in read_elf(program, "--dynamic")


def test_no_page_is_both_written_and_run(program):
    segments = re.findall(
        r"^\s+(LOAD|GNU_STACK)\s+(?:0x\w+\s+){5}([RWE ]{3})", read_elf(program, "--program-headers"), re.MULTILINE
    )
    flags = {}
    for name, flag in segments:
        flags.setdefault(name, []).append(flag.replace(" ", ""))
    assert flags["GNU_STACK"] == ["RW"]
    assert len(flags["LOAD"]) >= 3
    assert not any("W" in flag and "E" in flag for flag in flags["LOAD"])
    assert sorted(flags["LOAD"]).count("RE") == 1, "code has pages of its own (-z separate-code)"


def test_overflows_are_noticed(program):
    symbols = set(re.findall(r"UND (\w+)", read_elf(program, "--dyn-syms")))
    assert "__stack_chk_fail" in symbols, "-fstack-protector-strong"
    fortified = {symbol for symbol in symbols if symbol.startswith("__") and symbol.endswith("_chk")}
    assert fortified, "-D_FORTIFY_SOURCE"
    text = read_elf(program, "--syms", "--dyn-syms")
    assert "__glibcxx_assert_fail" in text, "_GLIBCXX_ASSERTIONS"


def test_jumps_land_where_they_may(program):
    """Only what this compiler made itself can be told: objects of libc that are linked in have no such mark everywhere."""
    if platform.machine() not in ("x86_64", "AMD64"):
        pytest.skip("indirect branches are marked otherwise here")
    code = subprocess.run(
        ["objdump", "--disassemble=main", "--no-show-raw-insn", program], check=True, capture_output=True, text=True
    ).stdout
    assert "endbr64" in code.split("<main>:", 1)[1].splitlines()[1]


def test_libraries_come_from_known_places(program):
    """An empty or relative entry would be looked up in the current folder, which may be the job's."""
    found = re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", read_elf(program, "--dynamic"))
    for entry in [entry for path in found for entry in path.split(":")]:
        assert entry.startswith(("/", "$ORIGIN/")), f"'{entry}' in {found}"
