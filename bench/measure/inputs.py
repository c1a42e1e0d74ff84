"""The jobs that are measured: generated once per run, or found in the folder where an earlier run left them."""

import gzip
import os
import shutil
import subprocess
import sys
from pathlib import Path

GENERATE = Path(__file__).resolve().parent.parent / "generate.py"


def size_of(path: Path) -> int:
    if path.is_file():
        return path.stat().st_size
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())


class Inputs:
    def __init__(self, folder: Path):
        self.folder = folder

    def make(self, options: str) -> Path:
        """A job with these options of generate.py; it appears under its name when it is whole."""
        place = self.folder / "_".join(options.replace("--", "").split())
        if not place.exists():
            begun = place.with_name(place.name + ".part")
            shutil.rmtree(begun, ignore_errors=True)
            subprocess.run([sys.executable, GENERATE, begun, *options.split()], check=True)
            begun.rename(place)
        return place

    def trace(self, megabytes: float, layers: int) -> Path:
        job = self.make(f"--parts traces --nodes 1 --traces 1 --layers {layers} --trace-megabytes {megabytes:g}")
        return job / "traces/rank0.pt.trace.json"

    def run_log(self, kind: str, name: str, megabytes: float) -> Path:
        """A folder with one file of what a training script logged ("events", "wandb"); it appears when it is whole."""
        place = self.folder / f"{kind}-{megabytes:g}"
        if not place.exists():
            begun = place.with_name(place.name + ".part")
            shutil.rmtree(begun, ignore_errors=True)
            script = GENERATE.parent / "generator/trackers.py"
            subprocess.run([sys.executable, script, kind, begun / name, str(megabytes)], check=True)
            begun.rename(place)
        return place

    def saved_tensors(self, steps: int, tensors: int) -> Path:
        """A job that saved a number of each tensor at each step; it appears when it is whole."""
        place = self.folder / f"tensors-{steps}-{tensors}"
        if not place.exists():
            begun = place.with_name(place.name + ".part")
            shutil.rmtree(begun, ignore_errors=True)
            script = GENERATE.parent / "generator/tensors.py"
            subprocess.run([sys.executable, script, begun, str(steps), str(tensors)], check=True)
            begun.rename(place)
        return place

    def packed(self, plain: Path) -> Path:
        """The file as .gz, as `gzip -6` makes it."""
        place = plain.parent.with_name("packed") / (plain.name + ".gz")
        place.parent.mkdir(exist_ok=True)
        if not place.exists():
            begun = place.with_suffix(".part")
            with open(plain, "rb") as source, gzip.GzipFile(begun, "wb", 6, mtime=0) as target:
                shutil.copyfileobj(source, target, 1 << 20)
            begun.rename(place)
        return place

    def first_minutes(self, job: Path, minutes: int) -> Path:
        """The beginning of a job: its own files, under a second name."""
        place = job.with_name(f"{job.name}_first_{minutes}")
        if not place.exists():
            begun = place.with_name(place.name + ".part")
            shutil.rmtree(begun, ignore_errors=True)
            for folder in ("system/incremental", "framework/pevents"):
                stamps: dict[int, list[Path]] = {}
                for file in (job / "profiler-output" / folder).rglob("*.json"):
                    stamps.setdefault(int(file.name.split("_")[0].split(".")[0]), []).append(file)
                for stamp in sorted(stamps)[:minutes]:
                    for file in stamps[stamp]:
                        link = begun / file.relative_to(job)
                        link.parent.mkdir(parents=True, exist_ok=True)
                        os.link(file, link)
            begun.rename(place)
        return place
