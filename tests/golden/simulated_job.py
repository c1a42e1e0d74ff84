"""A training job, simulated from a plan. Seeded: the same plan and seed give the same bytes.

The plan's defaults are a healthy job: 2 nodes with 2 GPUs and 8 cores, 10 minutes, 8 s until the first step, a slow first
step, steps of half a second in which the GPUs are at 93 %, three idle data-loader workers, gradients on the network behind
the steps."""

import json
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from job_files import SAMPLING, START, Trace, amounts, averages, percents, whole_percents, write_metrics, write_timeline

SECONDS = 600.0
NODES = ("algo-1", "algo-2")
GPUS = 2
CORES = 8
STEP = "Step:ModeKeys.TRAIN"


@dataclass
class Plan:
    """What happens in the job. Times in seconds, levels in percent."""

    seconds: float = SECONDS
    start: float = 8
    finish: float = 2
    step: float = 0.5
    pause: float = 0  # before every `every`th step
    every: int = 1
    pause_for: str = "input"  # input, io, between, or the phase of an event
    inside: float = 0  # in each step, beside its work
    inside_for: str = "cpu"  # cpu, communication, copy, python
    stalls: int = 0  # steps that take `stall` longer
    stall: float = 0
    workers: int = 3
    pin_memory: bool = True
    batch: int = 256
    levels: dict = field(default_factory=dict)  # of GPUs, where it is not 93: {(node, gpu): percent}
    on_cpu: bool = False
    small: bool = False
    gpu_memory: tuple = (62, 62)  # at the first step and at the end
    host_memory: tuple = (22, 24)
    bandwidth: bool = False  # the recorder writes the GPU memory's activity, not what is occupied
    process_per_gpu: bool = False
    backend: str = "gloo"
    late_rank: int | None = None
    more: dict = field(default_factory=dict)  # further series of each node: {(type, name, dimension): values at times}


class Job:
    """Signals and events of a plan."""

    def __init__(self, plan: Plan, seed: int):
        self.plan = plan
        self.rng = np.random.default_rng(seed)
        self.gap = min(plan.step / 100, 0.005)  # between steps, at the least
        self.gpu = {(node, gpu): [] for node in NODES for gpu in range(GPUS)}
        self.cpu = {(node, core): [] for node in NODES for core in range(CORES)}
        self.io = {key: [] for key in self.cpu}
        self.rates = {(node, name): [] for node in NODES for name in ("receive", "transmit", "read", "write")}
        per_node = GPUS if plan.process_per_gpu else 1
        self.processes = [
            (node, 27 + index, [index] if plan.process_per_gpu else list(range(GPUS)))
            for node in NODES
            for index in range(per_node)
        ]
        self.events = {process[:2]: [] for process in self.processes}
        self.traces = (
            [
                Trace(node, pid, rank, len(self.processes), gpus[0], plan.backend)
                for rank, (node, pid, gpus) in enumerate(self.processes)
            ]
            if plan.inside_for in ("communication", "copy", "python")
            else []
        )
        self.run()

    def cores(self, cores, start: float, end: float, level: float, table: dict | None = None) -> None:
        for node in NODES:
            for core in cores:
                (self.cpu if table is None else table)[node, core].append((start, end, level))

    def rate(self, name: str, start: float, end: float, level: float) -> None:
        for node in NODES:
            self.rates[node, name].append((start, end, level))

    def event(self, phase: str, name: str, start: float, end: float, **arguments) -> None:
        for node, pid in self.events:
            self.events[node, pid].append((phase, name, start, end, {"pid": pid, **arguments}))

    def run(self) -> None:
        plan, rng = self.plan, self.rng
        self.cores([0], 0, plan.start, 97)
        self.rate("read", 0, plan.start * 0.8, 60e6)
        self.rate("receive", 0, plan.start * 0.5, 90e6)
        self.event(
            "DataLoaderIterInitialize",
            "_MultiProcessingDataLoaderIter.__init__",
            plan.start - 0.2,
            plan.start - 0.1,
            pin_memory=plan.pin_memory,
            num_workers=plan.workers,
        )
        usual = plan.step + plan.pause / plan.every + plan.inside
        stalled = {
            round(
                (index + 0.5)
                * (plan.seconds - plan.start - plan.finish - plan.stalls * plan.stall)
                / usual
                / plan.stalls
            )
            for index in range(plan.stalls)
        }
        now, number, last = plan.start, 0, plan.seconds - plan.finish
        while True:
            pause = plan.pause * max(rng.normal(1, 0.1), 0.5) if plan.pause and number % plan.every == 0 else 0
            inside = plan.inside * max(rng.normal(1, 0.05), 0.5)
            work = plan.step * rng.normal(1, 0.02) + (2.5 if number == 0 else 0)
            stall = plan.stall * rng.normal(1, 0.1) if number in stalled else 0
            if now + pause + inside + work + stall + self.gap > last:
                break
            now = self.wait(now, pause)
            end = now + inside + work + stall
            self.event(STEP, STEP, now, end, step_num=str(number))
            self.work(now, inside, work, number)
            self.stalled(end - stall, end)
            now, number = end, number + 1
        self.cores(range(1, 1 + plan.workers), plan.start, now, 94 if plan.pause and plan.pause_for == "input" else 12)
        self.cores([0], now, plan.seconds, 96)
        self.rate("write", now, plan.seconds, 20e6)

    def wait(self, now: float, pause: float) -> float:
        """Until the next step starts."""
        plan = self.plan
        loads = plan.pause_for in ("input", "io")
        loading = 0.4 * self.gap + (pause if loads else 0)
        self.event("DataLoaderIter", "_MultiProcessingDataLoaderIter::GetNext", now, now + loading, worker_id=-1)
        if plan.pause_for == "io":
            self.cores(range(1, 5), now, now + pause, 88, self.io)
            self.rate("read", now, now + pause, 110e6)
        elif not loads:
            self.cores([0], now, now + pause, 97)
        if pause and not loads and plan.pause_for != "between":
            self.event(plan.pause_for, "of debrief", now + loading, now + loading + pause)
        return now + pause + self.gap

    def work(self, start: float, inside: float, work: float, number: int) -> None:
        plan = self.plan
        first, second = (start + inside, start + inside + work) if plan.inside_for == "cpu" else (start, start + work)
        for key, signal in self.gpu.items():
            signal.append((first, second, min(max(plan.levels.get(key, 93) * self.rng.normal(1, 0.015), 0), 100)))
        busy = 65 if not plan.small else 98
        for process in range(len(self.processes) // len(NODES)):
            self.cores([7 - process if process else 0], first, second, busy)
        if plan.on_cpu:
            self.cores(range(CORES), first, second, 55)
        gradients = 2e6 if plan.small else 60e6
        self.rate("receive", first, second, gradients)
        self.rate("transmit", first, second, gradients)
        self.rate("read", start, second, 8e6)
        if inside and plan.inside_for == "cpu":
            self.cores(range(CORES), start, first, 97)
        if plan.inside_for == "communication":
            self.communicate(start, second, second + inside, number)
        if plan.inside_for in ("copy", "python"):
            self.cores([0], second, second + inside, 97)
        if plan.inside_for == "python" and 20 <= number < 24:
            for trace in self.traces:
                self.record_step(trace, start, second, second + inside, number)  # PyTorch knows nothing of the rest
        if plan.inside_for == "copy" and 20 <= number < 24:
            for trace in self.traces:
                self.record_copies(trace, start, second, second + inside, number)

    def arrival(self, rank: int | None, computed: float, end: float) -> float:
        """When a rank enters the all-reduce that ends at `end`."""
        return computed if rank is None or rank != self.plan.late_rank else end - 0.1 * (end - computed)

    def communicate(self, start: float, computed: float, end: float, number: int) -> None:
        moving = self.arrival(self.plan.late_rank, computed, end)
        self.rate("receive", moving, end, 1.1e9)
        self.rate("transmit", moving, end, 1.1e9)
        self.cores([0, 7], computed, end, 40)
        if self.plan.backend == "nccl":
            for signal in self.gpu.values():
                signal.append((computed, end, 99))
        if 20 <= number < 24:
            for trace in self.traces:
                self.record(trace, start, computed, end, number)

    @staticmethod
    def record_step(trace: Trace, start: float, computed: float, end: float, number: int) -> float:
        """A traced step of kernels one after another, up to `computed`; how long one takes, with the gap before it."""
        trace.add("user_annotation", f"ProfilerStep#{number}", start, end)
        kernels = 25
        each = (computed - start) / kernels
        for index in range(kernels):
            at = start + index * each
            trace.kernel("ampere_sgemm_128x64_nn", at, at + 0.02 * each, at + 0.97 * each)
        return each

    def record(self, trace: Trace, start: float, computed: float, end: float, number: int) -> None:
        """A traced step: kernels one after another, then an all-reduce."""
        self.record_step(trace, start, computed, end, number)
        arrives = self.arrival(trace.rank, computed, end) + self.rng.uniform(0, 1e-4)
        about = {
            "Collective name": "allreduce",
            "In msg nelems": 25_000_000,
            "dtype": "Float",
            "Group size": len(self.processes),
            "Process Group Name": "0",
        }
        if end > computed and self.plan.backend == "nccl":
            trace.kernel(
                "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
                arrives,
                arrives + 1e-5,
                end - 1e-5,
                stream=20,
                **about,
            )
        elif end > computed:
            trace.add("user_annotation", "gloo:all_reduce", arrives, end - 1e-5, tid=trace.pid + 40, **about)

    def record_copies(self, trace: Trace, start: float, computed: float, end: float, number: int) -> None:
        """A traced step: kernels, then the next batch out of pageable memory; without time for that, it is copied out of
        pinned memory while a kernel runs."""
        each = self.record_step(trace, start, computed, end, number)
        if end > computed:
            trace.copy("Pageable", computed + 1e-4, end - 1e-4, blocking=True, gigabytes=4 * (end - computed))
        else:
            trace.copy("Pinned", start + 0.1 * each, start + 0.9 * each, blocking=False, gigabytes=each, stream=20)

    def stalled(self, start: float, end: float) -> None:
        if end > start:
            self.cores([0], start, end, 97)
            self.rate("write", start, end, 280e6)

    def write(self, folder: Path) -> None:
        for node in NODES:
            times = np.arange(SAMPLING, self.plan.seconds + SAMPLING / 2, SAMPLING)
            times += self.rng.uniform(-0.004, 0.004, len(times))
            write_metrics(folder, node, times, self.columns(node, times))
        (folder / "job.json").write_text(
            json.dumps(
                {
                    "TrainingJobName": "simulated",
                    "TrainingStartTime": START,
                    "TrainingEndTime": START + self.plan.seconds,
                    "ResourceConfig": {"InstanceType": "ml.p4d.24xlarge", "InstanceCount": len(NODES)},
                    "HyperParameters": {"batch-size": str(self.plan.batch)},
                    "Framework": "pytorch 2.5",
                }
            )
        )
        for (node, pid), events in self.events.items():
            write_timeline(folder, f"{pid}-{node}", events)
        for trace in self.traces:
            trace.write(folder)

    def columns(self, node: str, times: np.ndarray) -> list:
        def noisy(values: np.ndarray, size: float) -> np.ndarray:
            """What is at rest stays at rest."""
            return values + self.rng.normal(0, size, len(values)) * (values > 1)

        plan, columns = self.plan, []
        for core in range(CORES):
            idle = np.abs(self.rng.normal(1, 0.8, len(times)))
            columns.append(
                (
                    "cpu",
                    f"cpu{core}",
                    "CPUUtilization",
                    percents(noisy(averages(self.cpu[node, core], times), 2) + idle),
                )
            )
        for core in range(CORES):
            columns.append(
                ("cpu", f"cpu{core}", "I/OWaitPercentage", percents(noisy(averages(self.io[node, core], times), 3)))
            )
        for gpu in range(GPUS):
            columns.append(
                ("gpu", f"gpu{gpu}", "GPUUtilization", whole_percents(noisy(averages(self.gpu[node, gpu], times), 1.5)))
            )
            used = plan.levels.get((node, gpu), 93) > 0
            memory = np.interp(times, [plan.start, self.plan.seconds], plan.gpu_memory)
            occupied = np.where((times > plan.start) & used, memory + self.rng.normal(0, 0.02, len(times)), 0.4)
            activity = averages(self.gpu[node, gpu], times) * self.rng.uniform(0.8, 1.05, len(times))
            columns.append(
                ("gpu", f"gpu{gpu}", "GPUMemoryUtilization", percents(activity if plan.bandwidth else occupied))
            )
        host = np.interp(times, [0, plan.start, self.plan.seconds], [4, *plan.host_memory]) + self.rng.normal(
            0, 0.1, len(times)
        )
        columns.append(("memory", "MemoryUsedPercent", "", percents(host)))
        for kind, name, dimension, rate in (
            ("network", "ReceiveBytesPerSecond", "Algorithm", "receive"),
            ("network", "TransmitBytesPerSecond", "Algorithm", "transmit"),
            ("i/o", "ReadThroughputInBytesPerSecond", "", "read"),
            ("i/o", "WriteThroughputInBytesPerSecond", "", "write"),
        ):
            values = averages(self.rates[node, rate], times)
            columns.append((kind, name, dimension, amounts(values * self.rng.normal(1, 0.08, len(times)))))
        columns += [(*names, amounts(values(times))) for names, values in plan.more.items()]
        return columns


def write_job(folder: Path, plan: Plan, seed: int = 1) -> Path:
    folder.mkdir(parents=True)
    Job(plan, seed).write(folder)
    return folder


def leave_system_metrics(job: Path) -> Path:
    """The job as if nothing but its system metrics had been recorded."""
    shutil.rmtree(job / "profiler-output/framework")
    shutil.rmtree(job / "traces", ignore_errors=True)  # few plans have any
    return job
