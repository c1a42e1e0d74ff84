"""Jobs with one fault each get that fault as their verdict, from all they recorded and from system metrics alone."""

import json
import re

import pytest
from conftest import Debrief
from faulty_job import FAULTS, STRENGTHS, Fault
from independent import events
from job_files import START
from simulated_job import Plan, leave_system_metrics, write_job

# What leaves nothing of its own in system metrics:
# - late_rank: three ranks wait while the fourth does something else; on the wire and on the cores that is any pause.
# - pageable_copies: to a sampler, a GPU that only copies is idle for no reason.
# - exposed_nccl: NCCL's kernels wait on the GPU, so that samples show it at work.
# - saving and the like: to a sampler, a pause is a pause.
FULL_ONLY = {
    "late_rank",
    "pageable_copies",
    "exposed_nccl",
    "saving",
    "collecting_garbage",
    "compiling",
    "code_outside_pytorch",
}


def scores(result: dict) -> list:
    return [(finding["kind"], finding["severity"], finding["score"]) for finding in result["findings"]]


@pytest.mark.parametrize("strength", STRENGTHS)
@pytest.mark.parametrize("name", FAULTS)
def test_fault_is_the_verdict(name, strength, debrief, tmp_path):
    fault = FAULTS[name](strength)
    job = write_job(tmp_path / "job", fault.plan)
    check_verdict(debrief.result(job), fault)
    if name not in FULL_ONLY:
        check_verdict(debrief.result(leave_system_metrics(job)), fault)


def check_verdict(result: dict, fault: Fault) -> None:
    assert result["verdict"]["kind"] == fault.kind, scores(result)
    costly = [finding for finding in result["findings"] if finding["severity"] != "info"]
    assert costly[0]["kind"] == fault.kind, scores(result)
    first = costly[0]
    assert any(character.isdigit() for character in first["why"]), first["why"]
    assert first["evidence"]
    assert first["windows"]
    if fault.share is None:
        assert first["score"] == 0
    else:
        assert result["findings"][0]["kind"] == fault.kind, scores(result)
        assert first["score"] == pytest.approx(fault.share, abs=0.1), scores(result)
    others = [finding for finding in costly[1:] if finding["kind"] not in fault.also]
    assert others == [], scores(result)


@pytest.mark.parametrize("seed", [2, 3])
@pytest.mark.parametrize("name", ["input_bound", "between_steps"])
def test_pauses_count_wherever_samples_fall(name, seed, debrief, tmp_path):
    """Pauses of 0.7 s, sampled every 0.5 s: most of each is in samples that are idle in part."""
    fault = FAULTS[name]("mild")
    result = debrief.result(leave_system_metrics(write_job(tmp_path / "job", fault.plan, seed)))
    assert result["verdict"]["kind"] == fault.kind, scores(result)
    assert result["verdict"]["score"] == pytest.approx(fault.share, abs=0.05)


def healthy_plans():
    """The plans of all faults without what is wrong in them."""
    yield "half a second", Plan()
    yield "long steps", Plan(step=2.5)
    yield "short steps", Plan(step=0.1)
    yield "a process per GPU", Plan(process_per_gpu=True)
    yield "traced", Plan(step=2.5, inside_for="communication", process_per_gpu=True)
    yield "code that takes no time", Plan(step=2.5, inside_for="python", process_per_gpu=True)
    yield "copies that kernels hide", Plan(step=2.5, inside_for="copy", process_per_gpu=True)
    yield "bandwidth of GPU memory, up to 99 %", Plan(bandwidth=True)
    yield "four workers, unpinned", Plan(workers=4, pin_memory=False)


@pytest.mark.parametrize(
    ("name", "plan"), list(healthy_plans()), ids=lambda value: value if isinstance(value, str) else ""
)
def test_without_fault_is_healthy(name, plan, debrief, tmp_path):
    job = write_job(tmp_path / "job", plan)
    check_health(debrief.result(job))
    check_health(debrief.result(leave_system_metrics(job)))


def check_health(result: dict) -> None:
    assert result["verdict"]["kind"] == "healthy", scores(result)
    assert [finding for finding in result["findings"] if finding["severity"] != "info"] == []
    waste = result["waste"]
    assert waste["unit"] == "GPU-hours"
    assert waste["paid"] == pytest.approx(4 * result["job"]["job_duration_in_seconds"] / 3600, abs=1e-4)
    assert waste["busy"] / waste["paid"] == pytest.approx(0.905, abs=0.02)


@pytest.mark.parametrize(
    ("minutes", "kind", "confidence"),
    [(1, "insufficient_data", "high"), (7, "healthy", "low"), (9.5, "healthy", "high")],
)
def test_monitoring_that_ends_early_is_no_health(minutes, kind, confidence, debrief, tmp_path):
    """What has no samples is not known: of ten minutes, these are sampled."""
    job = write_job(tmp_path / "job", Plan())
    for path in (job / "profiler-output/system").rglob("*.json"):
        lines = [
            line
            for line in path.read_text().splitlines(keepends=True)
            if json.loads(line)["Timestamp"] < START + 60 * minutes
        ]
        path.write_text("".join(lines))
    result = debrief.result(job)
    assert (result["verdict"]["kind"], result["verdict"]["confidence"]) == (kind, confidence), scores(result)
    unmeasured = rf"(?<![\d.]){100 * (1 - 6 * minutes / 60):.0f}% "
    why = result["verdict"]["why"]
    assert bool(re.search(unmeasured, why)) == (confidence == "low" or kind == "insufficient_data"), why


def test_late_rank_is_named(debrief, tmp_path):
    result = debrief.result(write_job(tmp_path / "job", FAULTS["late_rank"]("middle").plan))
    verdict = result["verdict"]
    assert "rank 3" in verdict["why"] + verdict["next"]


def test_next_step_has_the_jobs_numbers(debrief, tmp_path):
    """Two workers load on eight cores, six of which are idle; a step of half a second waits longer for its batch."""
    job = write_job(tmp_path / "job", FAULTS["input_bound"]("strong").plan)
    result = debrief.result(job)
    evidence = {row["name"]: row["value"] for row in result["findings"][0]["evidence"]}
    assert (evidence["workers"], evidence["cores"]) == (2, 8)
    assert evidence["median step"] == pytest.approx(0.5, abs=0.01)
    found = events(job)
    steps = [(start, start + length) for phase, _, start, length, _ in found if phase.startswith("Step:")]
    begin, end = min(first for first, _ in steps), max(last for _, last in steps)
    waits = [
        max(0, min(start + length, end) - max(start, begin)) / 1e6
        for phase, _, start, length, _ in found
        if phase == "DataLoaderIter"
    ]
    assert evidence["wait per iteration"] == pytest.approx(sum(waits) / len(steps), rel=1e-3)
    assert evidence["wait per iteration"] < result["headline"]["iteration"]["mean"]
    raised, limited, pinned = result["verdict"]["actions"]
    assert raised.startswith("Set num_workers=6 (now 2).")
    assert re.findall(r"\d+", limited) == ["7"]  # workers that would hide the wait
    assert pinned == "Set pin_memory=True."


def test_price_gives_money(debrief, tmp_path):
    job = write_job(tmp_path / "job", FAULTS["input_bound"]("strong").plan)
    waste = debrief.result(job, "--price", "3.5")["waste"]
    assert waste["price"] == 3.5
    assert waste["parts"][0]["money"] == pytest.approx(3.5 * waste["parts"][0]["hours"], abs=1e-2)


def test_where_and_when(debrief, tmp_path):
    """A slow start is over when the first step begins; an idle GPU is named."""
    result = debrief.result(write_job(tmp_path / "start", FAULTS["slow_start"]("middle").plan))
    (window,) = result["findings"][0]["windows"]
    assert window["start"] == result["job"]["start_time"]
    assert window["seconds"] == pytest.approx(420, abs=3)
    result = debrief.result(write_job(tmp_path / "idle", FAULTS["idle_gpus"]("mild").plan))
    assert [(place["node"], place["device"]) for place in result["findings"][0]["where"]] == [("algo-2", "gpu1")]
    assert result["findings"][0]["where"][0]["share"] == pytest.approx(1, abs=0.01)


def few_samples(folder, count: int):
    system = folder / "profiler-output/system/incremental/2024081508"
    system.mkdir(parents=True)
    metrics = (("cpu", "cpu0", "CPUUtilization"), ("gpu", "gpu0", "GPUUtilization"))
    lines = [
        json.dumps(
            {
                "Type": kind,
                "Name": name,
                "Dimension": dimension,
                "Value": 40.0,
                "NodeId": "algo-1",
                "Timestamp": START + 0.5 * sample,
            }
        )
        for sample in range(count)
        for kind, name, dimension in metrics
    ]
    (system / f"{START}.algo-1.json").write_text("\n".join(lines) + "\n")
    return folder


def one_step_trace(folder):
    events = [
        {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 9, "tid": 9, "ts": 0.0, "dur": 500.0},
        {
            "ph": "X",
            "cat": "cpu_op",
            "name": "aten::mm",
            "pid": 9,
            "tid": 9,
            "ts": 10.0,
            "dur": 300.0,
            "args": {"External id": 1},
        },
    ]
    folder.mkdir()
    (folder / "worker.1.pt.trace.json").write_text(
        json.dumps({"schemaVersion": 1, "traceEvents": events, "traceName": "x"})
    )
    return folder


@pytest.mark.parametrize(
    "make", [lambda folder: few_samples(folder, 3), one_step_trace], ids=["three samples", "a trace without a GPU"]
)
def test_too_little_to_say(make, debrief, tmp_path):
    verdict = debrief.result(make(tmp_path / "job"))["verdict"]
    assert verdict["kind"] == "insufficient_data"
    assert verdict["severity"] == "info"
    assert verdict["next"]


def test_cores_alone_are_a_job(tmp_path):
    """Without GPUs time is counted in hours of the job, and work is the share of the cores that works."""
    debrief = Debrief(tmp_path)
    folder = leave_system_metrics(write_job(tmp_path / "job", Plan(step=2, on_cpu=True)))
    for path in folder.rglob("*.algo-*.json"):
        path.write_text("".join(line for line in path.open() if '"gpu"' not in line))
    result = debrief.result(folder)
    assert result["waste"]["unit"] == "node-hours"
    samples = [json.loads(line) for path in folder.rglob("*.algo-*.json") for line in path.open()]
    cores = [sample["Value"] for sample in samples if sample["Dimension"] == "CPUUtilization"]
    assert result["waste"]["busy_percent"] == pytest.approx(sum(cores) / len(cores), abs=2)
    assert result["verdict"]["kind"] == "idle"
