"""debrief against the trackers' own packages (requirements.txt): they write and it reads, or both read the same file.

DEBRIEF_BINARY names the binary. Samples that may not be redistributed are read from ../shared beside the checkout; tests say
that they were skipped where it is not there.
"""

import json
import os
import subprocess
import tarfile
from pathlib import Path

import pandas
import pytest

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared"

for name, value in {"WANDB_MODE": "offline", "WANDB_SILENT": "true", "MLFLOW_ENABLE_ASYNC_LOGGING": "false"}.items():
    os.environ[name] = value
os.environ["GIT_PYTHON_REFRESH"] = "quiet"


def binary() -> Path:
    return (ROOT / os.environ.get("DEBRIEF_BINARY", "build/release/debrief")).resolve()


def sample(*parts: str) -> Path:
    path = SHARED.joinpath("samples", *parts)
    if not path.exists():
        pytest.skip(f"no {path.relative_to(SHARED.parent)} beside the checkout")
    return path


def unpacked(archive: Path, folder: Path) -> Path:
    with tarfile.open(archive) as files:
        # W&B's folder has links to logs elsewhere.
        files.extractall(folder, [one for one in files.getmembers() if one.isfile()])
    return folder


class Debrief:
    def __init__(self, folder: Path):
        self.folder = folder

    def run(self, *arguments) -> None:
        subprocess.run([binary(), *map(str, arguments)], cwd=self.folder, check=True, timeout=600)

    def scalars(self, job, *options) -> dict[str, list[tuple[int, float]]]:
        """Name -> [(step, value)] in the order of steps; a run's name goes before it with a slash."""
        self.run("export", job, "--to", "scalars.csv", "--table", "scalars", "--quiet", *options)
        table = pandas.read_csv(self.folder / "scalars.csv", keep_default_na=False, dtype=str)
        out: dict[str, list] = {}
        for row in table.to_dict("records"):
            out.setdefault(row["name"], []).append((int(row["step"]), float(row["value"])))
        return out

    def result(self, job, *options) -> dict:
        self.run("report", job, "-o", "report.html", "--json", "result.json", "--quiet", *options)
        return json.loads((self.folder / "result.json").read_text())


@pytest.fixture
def debrief(tmp_path) -> Debrief:
    folder = tmp_path / "out"
    folder.mkdir()
    return Debrief(folder)
