"""Writes the lists of docs/ and of the page's script that the sources have: kinds of findings, their colors, and causes of
lost time. `./dev docs` runs it, and tests/structure/test_written_docs.py fails where a document is behind the sources."""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

NEVER_COSTS = "insufficient_data"  # says that nothing is known, so that no time is lost to it


def source(path: str) -> str:
    return (ROOT / "src/result" / path).read_text()


def finding_kinds() -> list[str]:
    """In the order of the table; the last kind stands for those of other versions."""
    return re.findall(r'\.id = "(\w+)"', source("finding_kinds.h"))[:-1]


def colors() -> dict[str, str]:
    """Of kinds that have one on the timeline, by their words."""
    specs = re.findall(r'\.id = "(\w+)",(.*?)\n    \}', source("finding_kinds.h"), re.DOTALL)
    meanings = {name: re.search(r"Meaning::(\w+)", spec) for name, spec in specs}
    return {
        name.replace("_", " "): found[1]
        for name, found in meanings.items()
        if found and found[1] not in ("model", "idle")
    }


def causes() -> list[str]:
    names = re.search(r"kNames<Cause> =[^{]*\{(.*?)\}", source("waste_over_time.h"), re.DOTALL)
    return re.findall(r'"(\w+)"', names[1])


@dataclass
class Place:
    """The list between two texts of a document; both stay."""

    document: str
    before: str
    after: str
    words: str

    def written(self, text: str) -> str:
        start = text.find(self.before) + len(self.before)
        end = text.find(self.after, start)
        if self.before not in text or end < 0:
            raise SystemExit(f"{self.document} has no '{self.before}' … '{self.after}': put the list between them.")
        return text[:start] + self.words + text[end:]


def code(names: list[str], between: str) -> str:
    return between.join(f"`{name}`" for name in names)


def quoted(names: list[str], between: str) -> str:
    return between.join(f'"{name}"' for name in names)


def places() -> list[Place]:
    kinds = finding_kinds()
    shares = [f"waste.{kind}_percent" for kind in kinds if kind != NEVER_COSTS]
    line = "\n" + 14 * " "
    bands = [f'  "{kind}": "{color}",' if " " in kind else f'  {kind}: "{color}",' for kind, color in colors().items()]
    return [
        Place("docs/ci.md", "the job has a finding of this kind: ", " |\n", code(kinds, ", ")),
        Place(
            "docs/figures.md",
            "| `waste.lost_percent` | the share that was lost | % | - |\n| ",
            " | the share that was lost to one kind of finding",
            code(shares, " "),
        ),
        Place(
            "assets/src/timeline/incidents.ts",
            "const bandColors: Readonly<Record<string, string>> = {\n",
            "\n};",
            "\n".join(bands),
        ),
        Place("docs/result.md", "by cause, most first: `cause` (", "), `hours`", code(causes(), ", ")),
        Place("docs/result.schema.json", '"finding_kind": { "enum": [', "]", quoted(kinds, ", ")),
        Place("docs/result.schema.json", '"cause": { "enum": [', "]", quoted(causes(), ", ")),
        Place("docs/config.schema.json", '"pattern": "^ *(', "|severity *>=", "|".join(kinds)),
        Place(
            "docs/config.schema.json",
            '"fail_on": {\n      "description": "What must not be found: kinds of findings, rules, or a severity",\n'
            '      "type": "array",\n      "items": {\n        "anyOf": [\n          {\n            "enum": [',
            "\n            ]",
            line + quoted(kinds, "," + line),
        ),
    ]


def written() -> dict[Path, str]:
    """What each document should be."""
    texts: dict[Path, str] = {}
    for place in places():
        path = ROOT / place.document
        texts[path] = place.written(texts.get(path) or path.read_text())
    return texts


if __name__ == "__main__":
    for document, content in written().items():
        document.write_text(content)
