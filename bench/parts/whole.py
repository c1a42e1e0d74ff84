"""Whole reports and the build: the large job, the sample jobs, many small jobs in one call, and how fast pages open."""

import json
import os
import subprocess
import tempfile
import time
from multiprocessing import Pool
from pathlib import Path

from generate import describe
from generator.metrics import write_metrics
from generator.shape import Shape
from generator.timelines import write_timelines
from measure import words
from measure.bench import HERE, SAMPLES, Bench
from measure.inputs import size_of
from measure.run import Failed, best, last_line, on_cores, report, spend


def large(bench: Bench) -> str:
    job = bench.inputs.make(bench.sizes.large)
    size, page = size_of(job), bench.scratch / "large.html"
    cost = best(max(bench.repeat - 1, 1), bench.binary, job, page)
    bench.costs["Large job"] = (size, cost)
    bench.figures |= {
        "large.seconds": cost.wall,
        "large.memory": cost.memory,
        "large.memory_per_byte": cost.memory / size,
        "page.large": page.stat().st_size,
    }
    if bench.cores >= 16:
        two, sixteen = (seconds_on(cores, bench, job, page) for cores in (2, 16))
        bench.figures["large.times_two_cores"] = two / sixteen
    return (
        f"`bench/generate.py OUT {bench.sizes.large}` writes {words.size(size)} in {sum(1 for _ in job.rglob('*.json'))} files.\n\n"
        + words.table(
            ["", "time", "of all cores", "speed", "peak memory", "memory per byte", "page"],
            [
                [
                    "whole report",
                    words.seconds(cost.wall),
                    words.seconds(cost.cpu),
                    words.speed(size / cost.wall),
                    words.size(cost.memory),
                    f"{cost.memory / size:.3f}",
                    words.size(page.stat().st_size),
                ]
            ],
        )
        + "\n"
    )


def seconds_on(cores: int, bench: Bench, job: Path, page: Path) -> float:
    with on_cores(cores):
        return best(bench.repeat, bench.binary, job, page).wall


def sample_jobs() -> list[Path]:
    return sorted(path for path in SAMPLES.iterdir() if path.is_dir())


def samples(bench: Bench) -> str:
    rows = []
    for job in sample_jobs():
        page = bench.scratch / f"{job.name}.html"
        cost = best(max(bench.repeat, 5), bench.binary, job, page)
        rows.append(
            [
                job.name,
                words.size(size_of(job)),
                words.seconds(cost.wall),
                words.seconds(cost.cpu),
                words.size(cost.memory),
                words.size(page.stat().st_size),
            ]
        )
        for figure, value in {"sample.seconds": cost.wall, "page.sample": page.stat().st_size}.items():
            bench.figures[figure] = max(bench.figures.get(figure, 0), value)
    return words.table(["", "on disk", "time", "of all cores", "peak memory", "page"], rows) + "\n"


def pages(bench: Bench) -> str:
    """Pages that other parts left are opened; the samples' are made where they are not there."""
    for job in sample_jobs():
        if not (page := bench.scratch / f"{job.name}.html").exists():
            report(bench.binary, job, page)
    made = [
        page
        for page in [*(bench.scratch / f"{job.name}.html" for job in sample_jobs()), bench.scratch / "large.html"]
        if page.exists()
    ]
    run = subprocess.run(["node", HERE / "page.mjs", "--json", *made], capture_output=True, text=True, check=False)
    if run.returncode:
        raise Failed(next((line for line in run.stderr.splitlines() if "Error" in line), "node bench/page.mjs failed"))
    rows, heads = [], ["first screen", "timeline", "worst zoom", "figures", "node"]
    for found in json.loads(run.stdout):
        rows.append(
            [
                found["report"],
                words.size(found["size"]),
                *("–" if found[head] is None else f"{found[head]:.0f} ms" for head in heads),
            ]
        )
        bench.figures["page.first_screen"] = max(bench.figures.get("page.first_screen", 0), found["first screen"] / 1e3)
    return (
        words.table(["", "size", *heads], rows)
        + "\n\nFirst screen: the first paint of the page's text. Timeline: its charts can be "
        "zoomed. Worst zoom: of ten, from the key to the frame that shows it. Figures: from a zoom to the tables of its window. "
        "Node: from choosing one to its charts.\n"
    )


def write_small_job(place: tuple[Path, int]) -> None:
    folder, number = place
    shape = Shape(
        folder / f"job-{number:04d}",
        nodes=1,
        gpus=1,
        cores=4,
        minutes=1 + number % 5,
        steps=120,
        operators=5,
        seed=number,
    )
    describe(shape)
    write_metrics(shape, "algo-1", range(shape.minutes))
    write_timelines(shape, "algo-1", range(shape.minutes))


def each(bench: Bench) -> str:
    """Many small jobs in one call, and the first of them one by one."""
    count = bench.sizes.small_jobs
    jobs, out = bench.scratch / "jobs", bench.scratch / "reports"
    with Pool() as pool:
        pool.map(write_small_job, [(jobs, number) for number in range(count)], 10)
    folders = sorted(jobs.iterdir())
    with tempfile.TemporaryFile("w+") as stderr:
        wall, cpu, memory = spend([bench.binary, "report", "--quiet", "--each", *folders, "--out-dir", out], stderr)
    single = folders[: max(count // 20, 1)]
    start = time.perf_counter()
    for folder in single:
        report(bench.binary, folder, bench.page)
    one_by_one = (time.perf_counter() - start) / len(single)
    bench.figures["each.seconds"] = wall / count
    return (
        words.table(
            ["", "jobs", "in all", "each", "of all cores, each", "peak memory"],
            [
                [
                    "one call with `--each`",
                    str(count),
                    words.seconds(wall),
                    words.seconds(wall / count),
                    words.seconds(cpu / count),
                    words.size(memory),
                ],
                [
                    "one call per job",
                    str(len(single)),
                    words.seconds(one_by_one * len(single)),
                    words.seconds(one_by_one),
                    "",
                    "",
                ],
            ],
        )
        + f"\n\nThe jobs have {words.size(size_of(jobs) / count)} each on average.\n"
    )


def build(bench: Bench) -> str:
    """The release build from nothing: what a newcomer waits for, once the dependencies are there."""
    folder = bench.scratch / "build"
    configure = ["cmake", "-S", HERE.parent, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"]
    environment = {**os.environ, "CCACHE_DISABLE": "1"}
    start = time.perf_counter()
    for command in (configure, ["cmake", "--build", folder]):
        run = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        if run.returncode:
            raise Failed(f"{command[0]} ended with {run.returncode}: {last_line(run.stdout)}")
    seconds = time.perf_counter() - start
    objects = sum(1 for _ in folder.rglob("*.o"))
    bench.figures["build.seconds"] = seconds
    return f"`cmake` and `ninja` on {bench.cores} cores, without a compiler cache: {words.seconds(seconds)}, {objects} objects.\n"
