"""Strings of a result document and of a job, in everything that is made of them: no markup, no link, no mention, no control
character, no formula, and valid UTF-8."""

import csv
import json
import os
import re

import pytest
from conftest import SAMPLE_JOBS, shared
from small_job import START

JOB = SAMPLE_JOBS / "gpt-train-eval"
HOSTILE = "<img src=x onerror=alert(1)> ![x](https://evil.example/p) @everyone #1 | `x` \x1b[31m \u202e \U000e0041 \r\n# H1\n</script>"
IN_MARKDOWN = re.compile(r"(?<!\\)<(?!br)|@everyone|(?<!\\)#1|https://|[\x1b\u202e\U000e0041]|\n# H1")
IN_TERMINAL = re.compile(r"[\x1b\u202e\U000e0041]|\n# H1")
IN_PAGE = re.compile(r"<img src|[\x1b\u202e\U000e0041]")


def with_hostile_texts(value):
    """All strings of it, with something after them."""
    if isinstance(value, dict):
        return {key: with_hostile_texts(below) for key, below in value.items()}
    if isinstance(value, list):
        return [with_hostile_texts(below) for below in value]
    return value + HOSTILE if isinstance(value, str) else value


def test_every_string_of_a_result_is_untrusted(debrief):
    result = debrief.result(JOB)
    (debrief.folder / "good.json").write_text(json.dumps(result))
    for key in sorted(set(result) - {"schema"}):
        (debrief.folder / "bad.json").write_text(json.dumps(result | {key: with_hostile_texts(result[key])}))
        for pair in (("bad.json", "good.json"), ("good.json", "bad.json")):
            outcome = debrief.run("diff", *pair, "-o", "d.html", "--markdown", "d.md", "--json", "d.json")
            assert not IN_MARKDOWN.search((debrief.folder / "d.md").read_text()), key
            assert not IN_PAGE.search((debrief.folder / "d.html").read_text()), key
            assert not IN_TERMINAL.search(outcome.stdout + outcome.stderr), key


def test_formulas_are_text_in_csv(debrief):
    job = shared("samples", "hostile", "csv-formula")
    debrief.run("export", job, "--to", "events.csv", "-q")
    with (debrief.folder / "events.csv").open(newline="") as file:
        names = [row["framework_metric"] for row in csv.DictReader(file)]
    assert names == [
        """'=HYPERLINK("http://evil.example/","click")""",
        "'@SUM(1+1)*cmd|' /C calc'!A0",
        "'+1-1",
    ]


def test_texts_are_valid_utf8_in_every_table(debrief):
    """A node is named by its file where the samples do not say it, and file names are bytes."""
    folder = os.fsencode(debrief.folder / "job/system/incremental/2026111423")
    os.makedirs(folder)
    name = folder + f"/{START}.".encode() + b"algo-\xff\xfe.json"
    lines = [
        {"Type": "cpu", "Name": "cpu0", "Dimension": "CPUUtilization", "Value": 5, "Timestamp": START + at}
        for at in range(3)
    ]
    try:
        with open(name, "w") as file:
            file.writelines(f"{json.dumps(line)}\n" for line in lines)
    except OSError:
        pytest.skip("the file system takes no such name")
    debrief.run("export", debrief.folder / "job", "--to", "metrics.csv", "-q")
    assert (debrief.folder / "metrics.csv").read_bytes().decode().count("algo-\\x{ff}\\x{fe}") == 3
    debrief.run("export", debrief.folder / "job", "--to", "metrics.parquet", "-q")
    parquet = pytest.importorskip("pyarrow.parquet")
    table = parquet.read_table(debrief.folder / "metrics.parquet")
    assert set(table["nodeID"].to_pylist()) == {"algo-\\x{ff}\\x{fe}"}
