"""The verdicts of real jobs: what a careful person says who reads their numbers.

Where two kinds are given, honest people differ; the first is the one to prefer."""

import tarfile

import pytest
from conftest import SAMPLE_JOBS, shared

# kind, what why has to say, what next has to say
SAMPLES = {
    "resnet50-healthy": ("healthy", [], []),
    "gpt-train-eval": ("healthy", [], []),
    "dataloader-starved": (
        "input_bound",
        ["1.68 s of each 1.75 s iteration", "16 cpu cores"],
        ["num_workers=14 (now 2)", "would take about 124", "pin_memory=true"],
    ),
    "ddp-gloo-straggler": ("communication_bound", ["rank 1"], ["rank 1"]),
    "small-batch-mlp": ("underutilized", ["12%"], ["batch", "now 8", "memory", "%"]),
}

# SageMaker's Dataloader rule gives the seconds of one load; with num_workers 0 the training process itself loads, so
# that load × steps / loop is the share of the loop that goes to loading. Its "GPU memory" is bandwidth, not occupancy.
RECORDED = {
    # GPU at 20 % in training, in bursts of 0 and 80; loads take 0.65 of 0.88 s per step; 29 % before the first step
    "golden/job-01": {"input_bound"},
    # GPU at 4 % while loads of 86 ms fill steps of 66 ms, by workers nobody counted; 265 of 529 s before the first step
    "golden/job-02": {"input_bound", "underutilized"},
    # no framework data; flips between 0 and 19 % and is never above 20 %; one or two cores busy
    "golden/job-03": {"underutilized", "input_bound"},
    # one burst in 3 s: loads of 3.46 s fill steps of 3.35 s (51 % of the job); 268 of 594 s before the first step (45 %)
    "golden/job-04": {"input_bound"},
    # GPU at 0 for 84 minutes
    "golden/job-05": {"idle_gpus"},
    # no GPU; 99 % in steps, 4 % before the first; half of the hyperthreads busy is all of the cores
    "golden/job-06": {"healthy"},
    # no GPU; steps fill the loop; 8 % before the first
    "golden/job-07": {"healthy"},
    # no GPU; 79 of 171 s before the first step: a loop too short to weigh that against
    "golden/job-08": {"healthy"},
    # no GPU; both cores at 100 %: it uses what it pays for; 11 % before the first step
    "golden/job-09": {"healthy", "slow_start"},
    # no GPU; 116 of 462 s before the first step
    "golden/job-10": {"healthy"},
    # GPU p50 0, p75 62 on both nodes for 4 h; loads take 1.06 of 1.19 s per step
    "rule-outputs/job-01": {"input_bound"},
    # three of four GPUs never above 8 %
    "rule-outputs/job-02": {"idle_gpus"},
    # an LLM on four GPUs at p25 98, p50 100
    "rule-outputs/job-03": {"healthy"},
    # two nodes without GPUs; steps fill the loop, 2 % before the first
    "rule-outputs/job-04": {"healthy"},
    # GPU p50 5, p95 54; loads of 0.39 s fill steps of 0.38 s, one of 8 cores busy; 20 % before the first step
    "rule-outputs/job-05": {"input_bound", "underutilized"},
    # GPU medians of 86 and 11: the second node sits at 0 for 44 % of its samples, the first for 14 %
    "rule-outputs/job-06": {"load_imbalance", "underutilized"},
    # GPU p95 6; loads take 5.9 of 6.2 s per step; a core above 90 % in 61 % of samples while the GPU idles
    "rule-outputs/job-07": {"input_bound", "cpu_bound"},
    # 6 workers on 4 cores at p50 100 %, GPU p50 7
    "rule-outputs/job-08": {"cpu_bound", "input_bound"},
    # GPU at 0 over 263 s
    "rule-outputs/job-09": {"idle_gpus"},
    # no GPU; 94 % in steps (most of them EVAL), 2 % before the first
    "rule-outputs/job-10": {"healthy"},
    # GPU p50 0, p95 100; loads take 1.82 of 2.73 s per step; 21 % before the first
    "rule-outputs/job-11": {"input_bound"},
    # no framework data; GPU steadily at 15 to 19, never above 22; CPU at 24 %
    "rule-outputs/job-12": {"underutilized"},
    # no GPU; 73 % in steps, 27 % outside of them and not loading (3 %)
    "rule-outputs/job-13": {"healthy", "between_steps"},
    # GPU steadily at 21 on both nodes; loads take 0.176 of 0.209 s per step
    "rule-outputs/job-14": {"input_bound", "underutilized"},
}

# Recorded on an H200; their README says what is true of each.
LIVE = {
    # 42 % busy in the loop: small batches of a small model
    "hf-healthy": "underutilized",
    # loss NaN from step 15 on, gradients from step 10: 79 % of the job's GPU time comes after that
    "hf-diverges": "diverged",
    # in the loop steps of 6 ms leave the GPU at 6.5 %
    "lightning-csv": "underutilized",
    # 43 % of the job: gaps of 2 ms that the script sleeps, 16 % start, 7 % between steps
    "jax-train": "idle",
    # 64 MB kept by each step, until the limit ends the job
    "memory-snapshot-oom": "memory_growth",
    # 33 of 165 s are compilation, before the loop; then the GPU is busy with graphs
    "compiled-cudagraphs": "healthy",
}


def reading(result: dict) -> list:
    return [
        result["verdict"],
        [(finding["kind"], finding["severity"], finding["score"]) for finding in result["findings"]],
    ]


@pytest.mark.parametrize("name", SAMPLES)
def test_sample_job(name, debrief):
    kind, why, following = SAMPLES[name]
    result = debrief.result(SAMPLE_JOBS / name)
    verdict = result["verdict"]
    assert verdict["kind"] == kind, reading(result)
    for text in why:
        assert text in verdict["why"].lower(), verdict
    for text in following:
        assert text in verdict["next"].lower(), verdict


def test_too_short_a_job(debrief, tmp_path):
    """Twelve steps in 3.4 of 31 s, all of them profiled with stacks: what the GPU waits for is the profiler."""
    with tarfile.open(shared("jobs", "gpt-with-stacks.tar.gz")) as archive:
        archive.extractall(tmp_path)
    result = debrief.result(tmp_path / "gpt-with-stacks")
    assert result["verdict"]["kind"] == "insufficient_data", reading(result)


@pytest.mark.parametrize("name", RECORDED)
def test_recorded_job(name, debrief):
    result = debrief.result(shared(*name.split("/")))
    assert result["verdict"]["kind"] in RECORDED[name], reading(result)
    assert result["verdict"]["why"]
    assert result["verdict"]["next"]


@pytest.mark.parametrize("name", LIVE)
def test_live_job(name, debrief, tmp_path):
    with tarfile.open(shared("samples", "live", f"{name}.tar.gz")) as archive:
        archive.extractall(tmp_path)
    result = debrief.result(tmp_path / name)
    assert result["verdict"]["kind"] == LIVE[name], reading(result)


@pytest.mark.parametrize("name", ["lightning-csv", "hf-healthy"])
def test_no_more_gain_than_samples_allow(name, debrief, tmp_path):
    """Larger batches take as long to load: what the loader and the disk take of the loop stays."""
    with tarfile.open(shared("samples", "live", f"{name}.tar.gz")) as archive:
        archive.extractall(tmp_path)
    result = debrief.result(tmp_path / name)
    (finding,) = [one for one in result["findings"] if one["kind"] == "underutilized"]
    lost = {one["cause"]: one["percent"] for one in result["waste"]["causes"]}
    in_loop = 100 - lost.pop("startup", 0) - lost.pop("shutdown", 0)
    stays = sum(lost.get(cause, 0) for cause in ("data", "disk", "cpu", "imbalance"))
    if finding["gain"] is not None:  # of the GPU's own work, which only traces know
        assert finding["gain"] <= 1.01 * in_loop / (stays or 1)


def test_profile_before_any_remedy(debrief, tmp_path):
    """Nothing was profiled, so nobody knows what the GPU waits for."""
    with tarfile.open(shared("samples", "live", "hf-healthy.tar.gz")) as archive:
        archive.extractall(tmp_path)
    actions = debrief.result(tmp_path / "hf-healthy")["verdict"]["actions"]
    assert "debrief record" in actions[0]
    assert "times faster" not in " ".join(actions)  # nor how much there is to gain


def test_idle_time_has_one_number(debrief, tmp_path):
    """What another finding is about is counted there: the verdict's sentence and its cost say the same."""
    with tarfile.open(shared("samples", "live", "jax-train.tar.gz")) as archive:
        archive.extractall(tmp_path)
    result = debrief.result(tmp_path / "jax-train")
    assert "between_steps" in [finding["kind"] for finding in result["findings"]]
    verdict = result["verdict"]
    assert f"notes below, {100 * verdict['score']:.0f}% of the training loop's GPU time is lost: " in verdict["why"]
    assert "between steps" not in verdict["why"]
