"""Files that grow, shrink, vanish or are replaced while they are read, and files that cannot be read at all."""

import gzip
import os
import random
import shutil
import subprocess
import threading
import time

import pytest
from conftest import binary
from cut_samples import METRICS, TIMELINES, TRACES, cut_sample
from fault_case import Case, check_refusal, read_result, run
from faults import times
from invariants import check_invariants

COPIES = 40  # of the cut samples' content, so that reading takes a while


def large_job(folder, copies=COPIES):
    """Several megabytes in each kind of file, and many small files."""
    cut = cut_sample("ddp-gloo-straggler")
    head, begin, rest = cut.text("trace").partition('"traceEvents": [\n')
    body, end, tail = rest.rpartition("\n  }\n  ],")
    first, *events = cut.text("timeline").splitlines()[1:-1]
    files = {
        cut.metrics: cut.text("metrics") * copies,
        cut.timeline: "[\n"
        + first
        + "\n"
        + ",\n".join([event.removesuffix(",") for event in events] * copies)
        + "\n]\n",
        cut.trace: head + begin + "\n  },\n".join([body] * copies) + end + tail,
    }
    for number in range(1, 201):
        files[cut.metrics.replace("1794703200", str(1794703200 + number))] = cut.text("metrics")[:4000]
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return [folder / path for path in files]


def grow(path):
    with path.open("ab") as file:
        file.write(b'{"half": "of a line')


def shrink(path):
    os.truncate(path, path.stat().st_size // 3)


def vanish(path):
    path.unlink()


def replace(path):
    path.with_name(".new").write_bytes(b"something else\n")
    path.with_name(".new").rename(path)


def empty(path):
    os.truncate(path, 0)


@pytest.mark.parametrize("change", [grow, shrink, vanish, replace, empty])
def test_files_that_change_while_they_are_read(faults, change):
    rng = random.Random(change.__name__)
    for number in range(times(6)):
        job = faults.folder / f"job-{number}"
        paths = large_job(job)
        stop = threading.Event()

        def meddle(paths=paths, stop=stop):
            stop.wait(rng.random() * 0.15)
            for path in [*paths[:3], *rng.sample(paths[3:], 60)]:
                if stop.is_set():
                    break
                change(path)
                time.sleep(0.001)

        writer = threading.Thread(target=meddle)
        writer.start()
        try:
            outcome = faults.one(f"{change.__name__} {number}", job=str(job), size=20_000_000)
        finally:
            stop.set()
            writer.join()
        metrics = outcome.read(METRICS)
        assert outcome.code in (0, 3)
        not_metrics = ("file is cut off inside an event", "event is not valid JSON", "text between events")
        lost = sum(
            count for reason, count in outcome.lost().items() if reason not in not_metrics and "event" not in reason
        )
        assert metrics["records"] == metrics["samples"] + lost
        shutil.rmtree(job)


def test_a_folder_that_vanishes(faults):
    for number in range(times(6)):
        job = faults.folder / f"job-{number}"
        large_job(job)
        remover = threading.Timer(0.01 * number, shutil.rmtree, (job,), {"ignore_errors": True})
        remover.start()
        outcome = faults.one(f"folder vanishes {number}", job=str(job), size=20_000_000)
        remover.join()
        assert outcome.code in (0, 2, 3)


def test_what_cannot_be_read_is_named(faults):
    """Folders in the place of files, links that lead nowhere, pipes, devices: none is waited for."""
    cut = cut_sample("resnet50-healthy")
    job = faults.folder / "job"
    for path, content in cut.files.items():
        (job / path).parent.mkdir(parents=True, exist_ok=True)
        (job / path).write_bytes(content)
    system = (job / cut.metrics).parent
    (system / "1794700140.algo-1.json").mkdir()
    (system / "1794700141.algo-1.json").symlink_to("nowhere")
    (system / "1794700142.algo-1.json").symlink_to("/etc/passwd")
    (system / "1794700143.algo-1.json").symlink_to(".")
    os.mkfifo(system / "1794700144.algo-1.json")
    whole = faults.one("whole", cut.files)
    plain, following = faults.all(
        [
            Case("odd files", job=str(job), size=10**6),
            Case("links", job=str(job), options=("--follow-links",), size=10**6),
        ]
    )
    for outcome in (plain, following):
        assert outcome.read(METRICS)["samples"] == whole.read(METRICS)["samples"]
    assert sum("symbolic link" in row["reason"] for row in plain.quality["ignored"]) == 3
    for outcome in (plain, following):
        assert sum("a pipe, a socket or a device" in row["reason"] for row in outcome.quality["ignored"]) == 1
    for odd in (system / "1794700144.algo-1.json", "/dev/zero", "/dev/null"):
        outcome = faults.one(str(odd), job=str(odd))
        assert outcome.code == 2
        assert "neither a folder nor a file" in outcome.sentence


def without_rights() -> list[str]:
    """Root may read and write everything, unless it gives up the rights to."""
    if os.geteuid() != 0:
        return []
    if shutil.which("setpriv") is None:
        pytest.skip("setpriv is not at hand to give up root's rights")
    return ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]


@pytest.mark.parametrize(("kind", "source"), [("metrics", METRICS), ("timeline", TIMELINES), ("trace", TRACES)])
def test_files_without_permission_are_named(faults, kind, source):
    cut = cut_sample("gpt-train-eval")
    job = faults.folder / "job"
    for path, content in cut.files.items():
        (job / path).parent.mkdir(parents=True, exist_ok=True)
        (job / path).write_bytes(content)
    closed = job / getattr(cut, kind)
    for place, reason, mode in (
        (closed, "cannot be read (Permission denied)", 0),
        (closed.parent, "cannot be listed or looked at", 0),
        (closed.parent, "cannot be listed or looked at", 0o600),
    ):
        before = place.stat().st_mode
        place.chmod(mode)
        ended = run(
            [
                *without_rights(),
                binary(),
                "report",
                job,
                "-o",
                "report.html",
                "--json",
                "result.json",
                "-q",
                "--strict",
            ],
            faults.folder,
        )
        faults.count(1)
        place.chmod(before)
        assert ended.code == 3, ended.stderr
        result = read_result(faults.folder / "result.json")
        check_invariants(result)
        (row,) = result["data_quality"]["damaged_files"]
        assert row["reason"] == reason
        assert row["count"] == 1
        assert row["first_seen"] in str(closed)
        assert source not in [row["source"] for row in result["data_quality"]["sources"]]


@pytest.mark.parametrize(
    ("kind", "source", "packed"),
    [
        ("metrics", METRICS, False),
        ("timeline", TIMELINES, False),
        ("trace", TRACES, False),
        ("metrics", METRICS, True),
        ("trace", TRACES, True),
    ],
)
def test_what_comes_before_a_failing_disk_is_kept(faults, traceable, kind, source, packed):
    """A read that fails in the middle of a file ends the file, and costs nothing that came before."""
    job = faults.folder / "job"
    large_job(job, 8 * COPIES)
    bad = job / getattr(cut_sample("ddp-gloo-straggler"), kind)
    if packed:
        bad.write_bytes(gzip.compress(bad.read_bytes(), 0))  # stored: as long as it was
    assert bad.stat().st_size > 3 << 20  # it is read a megabyte at a time
    whole = faults.one("good disk", job=str(job), size=160_000_000)
    ended = run(
        [
            "strace",
            "-f",
            "-qq",
            "-o",
            "/dev/null",
            "-P",
            bad,
            "-e",
            "trace=read",
            "-e",
            "inject=read:error=EIO:when=2+",
            binary(),
            "report",
            job,
            "-o",
            "report.html",
            "--json",
            "result.json",
            "-q",
            "--strict",
        ],
        faults.folder,
    )
    faults.count(1)
    assert ended.code == 3, ended.stderr
    result = read_result(faults.folder / "result.json")
    check_invariants(result)
    (row,) = result["data_quality"]["damaged_files"]
    assert row == {
        "reason": "cannot be read to its end (Input/output error)",
        "count": 1,
        "first_seen": str(bad.relative_to(job)),
    }
    (read,) = [row for row in result["data_quality"]["sources"] if row["source"] == source]
    others = whole.read(source)["files"] - 1
    assert read["files"] == others + 1
    assert 200 + 5 * others < read["records"] < whole.read(source)["records"]


def test_no_permission_for_all_of_it_is_one_sentence(faults):
    job = faults.folder / "job"
    job.mkdir()
    file = job / "1737457740.algo-1.json"
    file.write_text("{}")
    file.chmod(0)
    for path in (job, file):
        ended = run([*without_rights(), binary(), "report", path], faults.folder)
        faults.count(1)
        assert ended.code == 2
        assert "cannot be read (Permission denied)" in check_refusal(ended)
    job.chmod(0)
    ended = run([*without_rights(), binary(), "report", job], faults.folder)
    faults.count(1)
    job.chmod(0o700)
    assert "check its permissions" in check_refusal(ended)


def test_deeper_than_a_path_can_say(faults):
    """Folders within folders until their path is longer than the system takes: what lies there is named as lost."""
    job = faults.folder / "job"
    cut = cut_sample("resnet50-healthy")
    (job / "system").mkdir(parents=True)
    (job / "system/1794700080.algo-1.json").write_bytes(cut.files[cut.metrics])
    name = "d" * 200
    script = f"cd {job}; for i in $(seq 30); do mkdir {name}; cd {name}; done; echo x >deepest"
    subprocess.run(["bash", "-c", script], check=True)
    try:
        outcome = faults.one("deep folders", job=str(job), size=10**6)
    finally:
        subprocess.run(["rm", "-rf", job], check=True)
    assert outcome.lost("damaged_files") == {"cannot be listed or looked at": 1}
