"""What debrief is to reach on two cores, and whether it did: judged from figures, never by hand."""

from dataclasses import dataclass

from measure import words


@dataclass(frozen=True)
class Demand:
    figure: str  # in Bench.figures
    least: float | None = None
    most: float | None = None  # the bound itself passes
    say: object = words.times
    what: str = ""

    def measured(self, value: float) -> str:
        return f"{self.say(value)} {self.what}".strip()

    def met(self, value: float) -> bool:
        return (self.least is None or value >= self.least) and (self.most is None or value <= self.most)


@dataclass(frozen=True)
class Target:
    key: str  # of its reasons in notes.md
    work: str
    target: str
    demands: tuple[Demand, ...]
    not_yet: str = ""  # why no part of the benchmark measures it


def two_digits(value: float) -> str:
    return f"{value:.2f}"


TARGETS = (
    Target(
        "metrics",
        "SageMaker system metrics (JSON lines)",
        "1 GB/s or more; at least 100 times smdebug's PandasFrame",
        (
            Demand("metrics.speed", least=1e9, say=words.speed),
            Demand("metrics.times_smdebug", least=100, what="times PandasFrame"),
        ),
    ),
    Target(
        "timelines",
        "framework timelines",
        "0.7 of simdjson's bare scan on as many cores, or better",
        (Demand("timelines.of_scan", least=0.7, say=two_digits, what="of the scan"),),
    ),
    Target(
        "trace",
        "PyTorch trace, plain and .gz",
        "faster than simdjson's own on-demand scan of the same events; at least 60 times HTA's parse",
        (
            Demand("trace.of_scan", least=1, say=two_digits, what="of the scan"),
            Demand("gz.of_scan", least=1, say=two_digits, what="of the scan (.gz)"),
            Demand("trace.times_hta", least=60, what="times HTA"),
        ),
    ),
    Target(
        "trackers",
        "TensorBoard events and W&B runs",
        "200 MB/s or more; faster than TensorBoard's own loader",
        (
            Demand("events.speed", least=2e8, say=words.speed, what="(events)"),
            Demand("wandb.speed", least=2e8, say=words.speed, what="(W&B)"),
            Demand("events.times_tensorboard", least=1, what="times EventAccumulator"),
        ),
    ),
    Target(
        "tensors",
        "reductions of 200 tensors at 10,000 steps, read and judged by all rules on the model",
        "under 2 s, under 200 MB resident; at least 50 times smdebug's trial API",
        (
            Demand("tensors.seconds", most=2, say=words.seconds),
            Demand("tensors.memory", most=2e8, say=words.size),
            Demand("tensors.times_trial", least=50, what="times the trial API"),
        ),
    ),
    Target(
        "large",
        "whole report, job of 8 nodes × 8 GPUs × 96 cores × 2 h at 500 ms (about 3 GB of JSON)",
        "under 4 s, under 800 MB resident",
        (
            Demand("large.seconds", most=4, say=words.seconds),
            Demand("large.memory", most=8e8, say=words.size),
        ),
    ),
    Target(
        "scaling",
        "the same job on 16 cores",
        "five times as fast as on two",
        (Demand("large.times_two_cores", least=5, what="times as fast"),),
    ),
    Target(
        "ranks",
        "traces of 256 ranks, 100 MB each",
        "under 1 GB of memory, whatever the number of ranks",
        (Demand("ranks.memory", most=1e9, say=words.size),),
        not_yet="the input has 26 GB, and the generator writes no such job yet",
    ),
    Target(
        "memory",
        "peak memory",
        "under 0.3 bytes per input byte on large jobs",
        (
            Demand("large.memory_per_byte", most=0.3, say=two_digits, what="on the large job"),
            Demand("linear.job_per_byte", most=0.3, say=two_digits, what="on metrics and timelines, 16×"),
            Demand("trace.memory_per_byte", most=0.3, say=two_digits, what="on the trace, 16×"),
        ),
    ),
    Target(
        "sample",
        "a sample job",
        "under 0.15 s from start to written page",
        (Demand("sample.seconds", most=0.15, say=words.seconds, what="for the slowest"),),
    ),
    Target(
        "each",
        "a thousand small jobs in one call",
        "under 10 ms each",
        (Demand("each.seconds", most=0.01, say=words.seconds, what="each"),),
    ),
    Target(
        "linear",
        "1×, 4×, 16× jobs and traces",
        "time within 10 % of linear; memory grows slower than input",
        (
            Demand("linear.job", most=1.1, say=two_digits, what="times linear (job)"),
            Demand("linear.trace", most=1.1, say=two_digits, what="times linear (trace)"),
            Demand("linear.job_memory", most=1, say=two_digits, what="of the input's growth in memory (job)"),
            Demand("linear.trace_memory", most=1, say=two_digits, what="of the input's growth in memory (trace)"),
        ),
    ),
    Target(
        "page",
        "the page",
        "a sample's 1 MB or less; the large job's 8 MB (`--max-size`) or less; first screen in under a second",
        (
            Demand("page.sample", most=1e6, say=words.size, what="(largest of the samples)"),
            Demand("page.large", most=8e6, say=words.size, what="(large job)"),
            Demand("page.first_screen", most=1, say=words.seconds, what="(slowest of all)"),
        ),
    ),
    Target(
        "recorder",
        "recorder, a sample every 500 ms",
        "under 1 % of a core, under 40 MB, under 1 % of step time",
        (
            Demand("recorder.core_percent", most=1, say=two_digits, what="% of a core"),
            Demand("recorder.memory", most=4e7, say=words.size),
            Demand("recorder.step_percent", most=1, say=two_digits, what="% of step time"),
        ),
    ),
    Target(
        "build",
        "`./dev build` from nothing, without a compiler cache",
        "4 minutes",
        (Demand("build.seconds", most=240, say=words.seconds),),
    ),
    Target(
        "ci",
        "`.ci/run` from nothing, without a compiler cache",
        "30 minutes",
        (Demand("ci.seconds", most=1800, say=words.seconds),),
        not_yet="CI's own clock tells; a benchmark that starts it would run itself",
    ),
)


def judge(target: Target, figures: dict[str, float]) -> tuple[str, str]:
    """What was measured, and whether that is enough; a figure that is missing is not met, and not failed either."""
    said, failed, missing = [], False, False
    for demand in target.demands:
        value = figures.get(demand.figure)
        if value is None:
            said.append(f"not measured: {target.not_yet}" if target.not_yet else "not measured")
            missing = True
        else:
            said.append(demand.measured(value) if demand.met(value) else f"**{demand.measured(value)}**")
            failed = failed or not demand.met(value)
    verdict = "**not met**" if failed else "not measured" if missing else "met"
    return "; ".join(dict.fromkeys(said)), verdict
