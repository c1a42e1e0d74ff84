"""Whatever a command of a test wrote is looked at: documents are valid and hold what holds for every document, no output has
a number that is none, and pages are kept for the validator of HTML, which sees all of them at the end (conftest.py)."""

import csv
import hashlib
import itertools
import json
import math
import os
import re
import xml.etree.ElementTree as ElementTree
from functools import cache
from pathlib import Path

from invariants import check_invariants, validator

HERE = Path(__file__).resolve().parent
OPTIONS = {
    "-o": "page",
    "--output": "page",
    "--json": "json",
    "--markdown": "markdown",
    "--junit": "junit",
    "--to": "export",
    "--rule-outputs": "rules",
    "--out-dir": "pages",
}
DEFAULT_PAGE = re.compile(r"^(?:report|diff): (.+\.html)$", re.MULTILINE)

# Shortest ways in which C, C++, Python and JavaScript print what is no number. Names of jobs have such words in them at
# times ("nan-free"), so they count only where a number would stand.
NO_NUMBER = re.compile(
    r"(?<![\w.\-/'])[-+]?(?:nan|NaN|inf|Infinity|infinity|1\.#INF|undefined)(?![\w\-'])"
    r"(?=\s*(?:%|$|[)|,;]|(?:[num\u00b5]?s|min|h|d|[kMGTP]?B(?:/s)?|GPU-hours|node-hours)\b))"
)

seen = set()  # hashes of what was looked at in this process


def files_of(arguments: list[str], folder: Path) -> set[int]:
    """The files that stand where a command is to write: whatever it writes is another file (an inode) under the same name."""
    return {(folder / path).stat().st_ino for _, path in written(arguments, "") if (folder / path).is_file()}


def check_outputs(
    arguments: list[str], folder: Path, stdout: str, one_of: str | None = None, old: set[int] = frozenset()
) -> None:
    """Of a test that makes hundreds of pages that are nearly the same, `one_of` says which it is: a quarter is validated.
    `old` are files that were there before."""
    command = arguments[0] if arguments else ""
    for kind, path in written(arguments, stdout):
        if kind == "rules":
            for file in sorted((folder / path).glob("*.json")):
                check_output("rules", command, file.read_bytes(), file, one_of)
        elif kind == "pages":
            for file in sorted((folder / path).glob("*.html")):
                check_output("page", command, file.read_bytes(), file, one_of)
        elif path == "-":
            check_output(kind, command, stdout.encode(), None, one_of)
        elif (folder / path).is_file() and (folder / path).stat().st_ino not in old:
            check_output(kind, command, (folder / path).read_bytes(), folder / path, one_of)


def written(arguments: list[str], stdout: str) -> list[tuple[str, str]]:
    """What the command line says is written, and where."""
    pairs = [(OPTIONS[option], value) for option, value in itertools.pairwise(arguments) if option in OPTIONS]
    if not any(kind.startswith("page") for kind, _ in pairs):
        pairs += [("page", path) for path in DEFAULT_PAGE.findall(stdout)]
    return pairs


def check_output(kind: str, command: str, content: bytes, path: Path | None, one_of: str | None) -> None:
    digest = hashlib.sha256(content).hexdigest()
    if digest in seen or not content:
        return
    seen.add(digest)
    check = {"page": check_page, "markdown": check_markdown, "junit": check_junit, "rules": check_rule_output}
    if kind == "json":
        check_json(content, command)
        if command != "diff" and "DEBRIEF_PAGES" in os.environ:
            (Path(os.environ["DEBRIEF_PAGES"]) / "results" / f"{digest}.json").write_bytes(content)
    elif kind == "export":
        check_export(content, path)
    else:
        check[kind](content)
    if kind == "page" and "DEBRIEF_PAGES" in os.environ and (one_of is None or digest[0] in "0123"):
        keep_page(content, digest, one_of)


def refuse_constant(word: str) -> None:
    raise AssertionError(f"{word} in JSON")


def strict_json(text: str):
    return json.loads(text, parse_constant=refuse_constant)


def check_json(content: bytes, command: str) -> None:
    document = strict_json(content.decode())
    if command == "diff":
        validator("diff.schema.json").validate(document)
        check_diff(document)
    else:
        check_invariants(document)


def check_diff(document: dict) -> None:
    for row in document["figures"]:
        if None not in (row["before"], row["after"], row["difference"]):
            assert math.isclose(row["difference"], row["after"] - row["before"], rel_tol=1e-6, abs_tol=2e-6), row
        assert row["p_value"] is None or 0 <= row["p_value"] <= 1
    names = [row["name"] for row in document["figures"]]
    assert len(set(names)) == len(names)


def keep_page(content: bytes, digest: str, one_of: str | None) -> None:
    """For the validator; the name of the test stands beside it."""
    folder = Path(os.environ["DEBRIEF_PAGES"])
    (folder / f"{digest}.test").write_text(one_of or os.environ.get("PYTEST_CURRENT_TEST", "?").rsplit(" ", 1)[0])
    (folder / f"{digest}.html").write_bytes(content)


EMBEDDED = re.compile(r"<(script|style)[^>]*>.*?</\1>", re.DOTALL)
DRAWN = re.compile(r'\s(?:[dxy]|[xy][12]|c[xy]|r|width|height|points|transform|data-raw)="([^"]*)"')


def check_page(content: bytes) -> None:
    page = content.decode()
    assert page.startswith("<!doctype html>") and page.endswith("</html>\n")
    text = EMBEDDED.sub("", page)
    for embedded in re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', page, re.DOTALL):
        strict_json(embedded)
    attributes = "\n".join(DRAWN.findall(text)).lower()  # in one text: a page has thousands
    for word in ("nan", "inf", "undefined", "null"):
        assert word not in attributes, next(line for line in attributes.split("\n") if word in line)
    check_numbers(re.sub(r"<[^>]*>", "\n", text))


def check_numbers(text: str) -> None:
    text = text.replace("NaN or Infinity taken as absent", "")  # as a reason of data quality
    found = NO_NUMBER.search(text)
    assert found is None, text[max(0, found.start() - 40) : found.end() + 40]


def check_markdown(content: bytes) -> None:
    check_numbers(content.decode())


@cache
def junit_schema():
    import xmlschema  # is large, and processes of the fault suite are to be small

    return xmlschema.XMLSchema(HERE / "junit.xsd")


def check_junit(content: bytes) -> None:
    junit_schema().validate(content.decode())
    for suite in ElementTree.fromstring(content).iter("testsuite"):
        cases = suite.findall("testcase")
        assert len(cases) == int(suite.get("tests"))
        for outcome in ("failure", "skipped"):
            said = int(suite.get({"failure": "failures"}.get(outcome, outcome)))
            assert sum(case.find(outcome) is not None for case in cases) == said


def check_rule_output(content: bytes) -> None:
    document = strict_json(content.decode())
    assert set(document) == {"RuleTriggered", "Violations", "Details", "Datapoints", "RuleParameters"}


def check_export(content: bytes, path: Path) -> None:
    """Tables of other formats hold the same columns as CSV; test_export.py reads them."""
    if path.suffix == ".csv":
        for row in csv.reader(content.decode().splitlines()):
            assert not {"nan", "inf", "-inf", "NaN"} & set(row), row
    elif path.suffix == ".json":
        strict_json(content.decode())
