"""The words of docs/style.md: nothing that a person reads has one of its list to avoid.

Read are the string literals of src, the text of templates, the texts of the page's script, and the documents; comments
and names of fields are not. A word is allowed where it is right, with the reason, in ALLOWED.
"""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

AVOID = re.compile(
    r"\b(held|told|as a whole|of (?:its|their) own|in all(?= *[.,;:)]|$)|greatest|least|for want of|beside|stray(?:s|ed)?"
    r"|(?:go|goes|went) by|mend(?:s|ed)?|outlying|datapoints?|figures?|stretch(?:es)? of time|the first (?:\{\}|N|\d+) of)\b",
    re.IGNORECASE,
)

# What is right as it is, as a pattern around the word, and why.
ALLOWED = [
    (r"at\s+(?:the )?least", "a bound"),
    (r"least busy", "there is no shorter way to say it"),
    (r"told\s+apart", "distinguished"),
    (r"figures\.md", "a document"),
    (r"<?/?fig(?:ure|caption)\b", "an element of HTML"),
    (r"key-figures|\.figure\b|figure\.", "classes of the page"),
]

# Texts of others that have to stay byte for byte, names that programs read, and words about the words.
SKIPPED = {
    "docs/style.md": "lists the words",
    "docs/benchmarks.md": "is written by ./dev bench",
    "docs/rules.md": "is written by debrief rules --markdown, whose texts are read in src",
    "CHANGELOG.md": "says what was",
}

LITERAL = re.compile(
    r'//[^\n]*|/\*.*?\*/|#\s*include[^\n]*|R"(?P<mark>[^(\s]*)\((?P<raw>.*?)\)(?P=mark)"'
    r"|\"(?P<text>(?:[^\"\\\n]|\\.)*)\"|'(?:[^'\\\n]|\\.)+'",
    re.DOTALL,
)
SCRIPT = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?P<text>(?:[^\"\\\n]|\\.)*)\"|'(?P<single>(?:[^'\\\n]|\\.)*)'|`(?P<raw>(?:[^`\\]|\\.)*)`",
    re.DOTALL,
)
CODE = re.compile(r"```.*?```|`[^`\n]*`|\]\([^)]*\)|^    .*$", re.DOTALL | re.MULTILINE)


def is_prose(text):
    """Keys such as "figures" are a single word; sentences have several."""
    return " " in text.strip()


def literals(source, pattern):
    """(offset, text) of literals; those that follow one another are one."""
    joined = []
    end = None
    for found in pattern.finditer(source):
        text = next((value for name, value in found.groupdict().items() if name != "mark" and value is not None), None)
        if text is None:
            continue
        if joined and end is not None and not source[end : found.start()].strip():
            joined[-1] = (joined[-1][0], joined[-1][1] + text)
        else:
            joined.append((found.start(), text))
        end = found.end()
    return [(offset, text) for offset, text in joined if is_prose(text)]


def prose(path, source):
    """(offset, text) of what a person reads."""
    if path.suffix in (".cpp", ".h"):
        return literals(source, LITERAL)
    if path.suffix == ".ts":
        return literals(source, SCRIPT)
    if path.suffix == ".html":
        blank = re.sub(r"\{%.*?%\}|\{\{.*?\}\}|<[^>]*>", lambda found: " " * len(found[0]), source, flags=re.DOTALL)
        return [(0, blank)]
    return [(0, CODE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), source))]


def bad_words(path, source):
    allowed = re.compile("|".join(pattern for pattern, _ in ALLOWED), re.IGNORECASE)
    out = []
    for offset, text in prose(path, source):
        spans = [found.span() for found in allowed.finditer(text)]
        for found in AVOID.finditer(text):
            if any(first <= found.start() < last for first, last in spans):
                continue
            where = offset if path.suffix in (".cpp", ".h", ".ts") else found.start()
            line = source.count("\n", 0, where) + 1
            around = " ".join(text[max(0, found.start() - 40) : found.end() + 40].split())
            out.append(f"{path}:{line}: '{found[0]}' in '{around}'")
    return out


def places():
    folders = {"src": (".cpp", ".h"), "templates": (".html",), "assets/src": (".ts",), "docs": (".md", ".1")}
    for folder, suffixes in folders.items():
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in suffixes:
                yield path.relative_to(ROOT)
    for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"):
        yield Path(name)


def test_no_text_has_a_word_to_avoid():
    found = [
        line
        for path in places()
        if str(path) not in SKIPPED
        for line in bad_words(path, (ROOT / path).read_text(encoding="utf-8"))
    ]
    assert not found, "docs/style.md has a better word for each of these:\n" + "\n".join(found)


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("a.cpp", 'say("The rule held for {}.");'),
        ("a.cpp", 'say("Busy in "\n    "the greatest part.");'),
        ("a.html", "<p>{{ x }} of the time, 3 s in all.</p>"),
        ("a.ts", 'const hint = "The figures of the window";'),
        ("a.md", "A datapoint is a sample.\n"),
    ],
)
def test_a_word_to_avoid_is_found(name, source):
    assert len(bad_words(Path(name), source)) == 1


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("a.cpp", '// what it held\njson["figures"]; say("at least {} samples");'),
        ("a.html", '<figure class="key-figures"><p>in all cases</p></figure>'),
        ("a.md", "`figures` are told apart.\n"),
    ],
)
def test_names_comments_and_right_words_are_not(name, source):
    assert bad_words(Path(name), source) == []
