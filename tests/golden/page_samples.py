"""Reads the samples out of a page as docs/page.md describes them: html.parser, zlib and numpy, nothing of debrief."""

import base64
import json
import zlib
from html.parser import HTMLParser
from pathlib import Path

import numpy as np


class Scripts(HTMLParser):
    """Script elements: [(attributes, text), ...]."""

    def __init__(self, html: str):
        super().__init__()
        self.found, self.text = [], None
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        if tag == "script":
            self.found.append([dict(attributes), ""])
            self.text = self.found[-1]

    def handle_endtag(self, tag):
        if tag == "script":
            self.text = None

    def handle_data(self, data):
        if self.text:
            self.text[1] += data


class Page:
    """A page's timeline; `index` is None where it has none."""

    def __init__(self, path: Path):
        self.html = path.read_text()
        scripts = Scripts(self.html).found
        self.executable = [text for attributes, text in scripts if "type" not in attributes]
        data = {attributes["id"]: text for attributes, text in scripts if "type" in attributes}
        self.index = json.loads(data.pop("timeline-index")) if "timeline-index" in data else None
        self.steps = json.loads(data.pop("steps-index")) if "steps-index" in data else None
        self.blocks = {name: zlib.decompress(base64.b64decode(text, validate=True)) for name, text in data.items()}

    def array(self, holder: dict, place: list) -> np.ndarray:
        """Values of an array; NaN: no sample."""
        return self.numbers(self.blocks[f"timeline-{holder['block']}"], place)

    @staticmethod
    def numbers(block: bytes, place: list) -> np.ndarray:
        offset, count, width, delta, scale = place
        planes = np.frombuffer(block, np.uint8, count * width, offset).reshape(width, count).astype(np.uint64)
        stored = sum(plane << np.uint64(8 * byte) for byte, plane in enumerate(planes))
        if delta:
            stored = np.cumsum(stored) % 2 ** (8 * width)
        values = stored.astype(float)
        values[stored == 2 ** (8 * width) - 1] = np.nan
        return values * scale if scale else 2 ** (values / 1600) - 1

    def series(self, holder: dict, which: str = "mean", device: int | None = None):
        """(microseconds, values) of a metric or of one of its devices."""
        place = holder[which] if device is None else holder[which][device]
        times = self.array(holder, holder.get("times") or holder["starts"])
        return self.index["start"] * 1000 + times * 1000, self.array(holder, place)

    def metrics(self):
        """(node, metric) of every node."""
        for node in self.index["nodes"]:
            for metric in node["metrics"]:
                yield node["name"], metric

    def critical(self, which: str) -> list[int]:
        """Numbers of the slices of an embedded step that are on its critical path."""
        view = next(view for view in self.steps["views"] if view["which"] == which)
        return [int(number) for number in self.numbers(self.blocks["steps-0"], view["critical"])]

    def step(self, which: str):
        """(view, slices) of an embedded step; a slice is (track, kind, name, start, duration, depth, launch), times in ns
        after the step's start, `launch` the number of a slice or None."""
        block = self.blocks["steps-0"]
        view = next(view for view in self.steps["views"] if view["which"] == which)
        offset, length = self.steps["names"]
        names = block[offset : offset + length].decode().split("\n")
        kinds = [self.steps["kinds"][int(kind)] for kind in self.numbers(block, self.steps["kind_of_name"])]
        column = {
            name: self.numbers(block, view[name]) for name in ("starts", "durations", "names", "depths", "launches")
        }
        launches = iter(column["launches"])
        slices = []
        for track in view["tracks"]:
            if track["other"]:
                break  # the step's own are first
            for _ in range(track["slices"]):
                at = len(slices)
                name = int(column["names"][at])
                launch = next(launches) if track["gpu"] else np.nan
                slices.append(
                    (
                        track["name"],
                        kinds[name],
                        names[name],
                        round(column["starts"][at]) + view["first"],
                        round(column["durations"][at]),
                        int(column["depths"][at]),
                        None if np.isnan(launch) else int(launch),
                    )
                )
        return view, slices
