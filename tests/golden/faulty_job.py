"""Jobs with one fault each, at three strengths; without it they are the same job and healthy."""

from dataclasses import dataclass, field

import numpy as np
from simulated_job import GPUS, NODES, SECONDS, Plan

STRENGTHS = ("mild", "middle", "strong")
LONG = 2 * SECONDS  # a loop long enough for its startup to count
SHARES = {"mild": 0.15, "middle": 0.35, "strong": 0.70}


@dataclass
class Fault:
    """A kind, the plan that has it, and the share of the job's GPU time that it takes (None: takes nothing)."""

    kind: str
    plan: Plan
    share: float | None
    also: set = field(default_factory=set)  # other kinds that are true of it as well


def pause_for(share: float, work: float) -> float:
    """Seconds of pause beside `work` seconds of work so that `share` of both is pause."""
    return work * share / (1 - share)


def in_loop(share: float) -> float:
    """Share of the loop that is this share of the job."""
    return share * SECONDS / (SECONDS - 10)


def pausing(kind: str, strength: str, **more) -> Fault:
    share = SHARES[strength]
    every = {"mild": 8, "middle": 8, "strong": 2}[strength]  # pauses of 0.7 to 2.5 s
    return Fault(kind, Plan(pause=pause_for(in_loop(share), 0.5 * every), every=every, **more), share)


def input_bound(strength: str) -> Fault:
    return pausing("input_bound", strength, workers=2, pin_memory=False)


def between_steps(strength: str) -> Fault:
    return pausing("between_steps", strength, pause_for="between")


def io_bound(strength: str) -> Fault:
    share = SHARES[strength]
    return Fault("io_bound", Plan(step=2.5, pause=pause_for(in_loop(share), 2.5), pause_for="io"), share)


def cpu_bound(strength: str) -> Fault:
    share = SHARES[strength]
    return Fault("cpu_bound", Plan(step=6, inside=pause_for(in_loop(share), 6)), share)


def communication_bound(strength: str) -> Fault:
    share = SHARES[strength]
    return Fault(
        "communication_bound",
        Plan(step=2.5, inside=pause_for(in_loop(share), 2.5), inside_for="communication", process_per_gpu=True),
        share,
    )


def late_rank(strength: str) -> Fault:
    """Three ranks wait in their all-reduce for the fourth, which does something else meanwhile."""
    fault = communication_bound(strength)
    fault.plan.late_rank = 3
    return fault


def exposed_nccl(strength: str) -> Fault:
    """NCCL's kernels wait on the GPU itself, which a sampler sees at work."""
    fault = communication_bound(strength)
    fault.plan.backend = "nccl"
    return fault


def pageable_copies(strength: str) -> Fault:
    """After each step its next batch is copied from memory that is not pinned; the GPU computes nothing meanwhile."""
    share = SHARES[strength]
    return Fault(
        "copy_bound",
        Plan(step=2.5, inside=pause_for(in_loop(share), 2.5), inside_for="copy", process_per_gpu=True),
        share,
    )


def underutilized(strength: str) -> Fault:
    level = {"mild": 55, "middle": 35, "strong": 15}[strength]
    levels = {(node, gpu): level for node in NODES for gpu in range(GPUS)}
    plan = Plan(step=0.1, levels=levels, small=True, batch=8, gpu_memory=(3, 3))
    return Fault("underutilized", plan, (1 - level / 100) * 590 / SECONDS)


def hardly_filled(strength: str) -> Fault:
    """A kernel always runs, and most of the GPU has nothing to do: utilization alone calls that healthy."""
    filled = {"mild": 25, "middle": 10, "strong": 1}[strength]
    more = {("gpu", f"gpu{gpu}", "GPUSMActivePercent"): always(filled) for gpu in range(GPUS)}
    return Fault("underutilized", Plan(more=more), (93 - filled) / 100 * 590 / SECONDS)


def idle_gpus(strength: str) -> Fault:
    unused = {
        "mild": [("algo-2", 1)],
        "middle": [("algo-1", 1), ("algo-2", 1)],
        "strong": [("algo-1", 1), ("algo-2", 0), ("algo-2", 1)],
    }[strength]
    return Fault("idle_gpus", Plan(levels=dict.fromkeys(unused, 0)), len(unused) / 4)


def unused_gpus(strength: str) -> Fault:
    """All GPUs of a job that computes on its cores, with steps of 2, 5 or 15 s."""
    levels = {(node, gpu): 0 for node in NODES for gpu in range(GPUS)}
    return Fault(
        "idle_gpus", Plan(step={"mild": 2, "middle": 5, "strong": 15}[strength], levels=levels, on_cpu=True), 1
    )


def load_imbalance(strength: str) -> Fault:
    lower, level = {"mild": (2, 61), "middle": (2, 21), "strong": (3, 19)}[strength]
    levels = dict.fromkeys([("algo-1", 1), ("algo-2", 0), ("algo-2", 1)][3 - lower :], level)
    return Fault(
        "load_imbalance", Plan(levels=levels, process_per_gpu=True), lower * (93 - level) / 400 * 590 / SECONDS
    )


def step_stalls(strength: str) -> Fault:
    stalls, stall = {"mild": (6, 15), "middle": (7, 30), "strong": (8, 40)}[strength]
    return Fault("step_stalls", Plan(stalls=stalls, stall=stall), stalls * stall / SECONDS)


def slow_start(strength: str) -> Fault:
    return Fault("slow_start", Plan(seconds=LONG, start=LONG * SHARES[strength]), SHARES[strength])


def slow_finish(strength: str) -> Fault:
    return Fault("slow_finish", Plan(seconds=LONG, finish=LONG * SHARES[strength]), SHARES[strength])


def saving(strength: str) -> Fault:
    return pausing("save_bound", strength, pause_for="Checkpoint")


def collecting_garbage(strength: str) -> Fault:
    return pausing("gc_bound", strength, pause_for="GarbageCollection")


def compiling(strength: str) -> Fault:
    return pausing("compile_bound", strength, pause_for="Compile")


def code_outside_pytorch(strength: str) -> Fault:
    share = SHARES[strength]
    plan = Plan(step=2.5, inside=pause_for(in_loop(share), 2.5), inside_for="python", process_per_gpu=True)
    return Fault("python_bound", plan, share)


GROWN = {"mild": 70, "middle": 85, "strong": 97}
FULL = {"mild": 92, "middle": 96, "strong": 99}


def gpu_memory_growth(strength: str) -> Fault:
    return Fault("memory_growth", Plan(gpu_memory=(35, GROWN[strength])), None, {"memory_pressure"})


def host_memory_growth(strength: str) -> Fault:
    return Fault("memory_growth", Plan(host_memory=(22, GROWN[strength])), None, {"memory_pressure"})


def gpu_memory_pressure(strength: str) -> Fault:
    return Fault("memory_pressure", Plan(gpu_memory=(FULL[strength],) * 2), None)


def host_memory_pressure(strength: str) -> Fault:
    return Fault("memory_pressure", Plan(host_memory=(FULL[strength],) * 2), None)


def often(share: float):
    """100 in this share of every 10 s, else 0."""
    return lambda times: np.where(times % 10 < 10 * share, 100.0, 0.0)


def always(value: float):
    return lambda times: np.full(len(times), float(value))


def gpu_too_hot(strength: str) -> Fault:
    share = {"mild": 0.1, "middle": 0.3, "strong": 0.7}[strength]
    return Fault("gpu_throttled", Plan(more={("gpu", "gpu0", "GPUThermalThrottledPercent"): often(share)}), None)


def gpu_short_of_power(strength: str) -> Fault:
    clock = {"mild": 1350, "middle": 1200, "strong": 800}[strength]
    more = {
        ("gpu", "gpu1", "GPUPowerThrottledPercent"): always(100),
        ("gpu", "gpu1", "GPUSMClockMHz"): always(clock),
        ("gpu", "gpu1", "GPUSMClockMaxMHz"): always(1980),
    }
    return Fault("gpu_throttled", Plan(more=more), None)


def cpu_limit(strength: str) -> Fault:
    share = {"mild": 15, "middle": 40, "strong": 80}[strength]
    more = {("cgroup", "CPULimitCores", ""): always(4), ("cgroup", "CPUThrottledPercent", ""): always(share)}
    return Fault("cpu_throttled", Plan(more=more), None)


def memory_limit(strength: str) -> Fault:
    return Fault("memory_pressure", Plan(more={("cgroup", "MemoryOfLimitPercent", ""): always(FULL[strength])}), None)


def out_of_memory(strength: str) -> Fault:
    killed = {"mild": 1, "middle": 2, "strong": 5}[strength]
    kills = {("cgroup", "OOMKills", ""): lambda times: np.minimum(times // 100, killed)}
    return Fault("memory_pressure", Plan(more=kills), None)


FAULTS = {
    fault.__name__: fault
    for fault in (
        input_bound,
        cpu_bound,
        io_bound,
        underutilized,
        hardly_filled,
        idle_gpus,
        unused_gpus,
        load_imbalance,
        step_stalls,
        slow_start,
        slow_finish,
        between_steps,
        gpu_memory_growth,
        host_memory_growth,
        gpu_memory_pressure,
        host_memory_pressure,
        gpu_too_hot,
        gpu_short_of_power,
        cpu_limit,
        memory_limit,
        out_of_memory,
        communication_bound,
        late_rank,
        exposed_nccl,
        pageable_copies,
        saving,
        collecting_garbage,
        compiling,
        code_outside_pytorch,
    )
}
