"""Jobs that have n of one thing: each function writes one and returns what to run. For the growth suite."""

import json
import sqlite3
from pathlib import Path

from debug_output import write_step
from job_files import START
from tensorboard_file import saved_tensor
from tree_model import model, tree
from wandb_file import run_file

BASE = f'{{"schemaVersion": 1, "baseTimeNanoseconds": {START}000000000, "traceEvents": [\n'
METRICS = f"system/incremental/2024081508/{START}.algo-1.json"


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def report(job: Path) -> list:
    return ["report", job, "-o", "page.html", "--json", "result.json", "--quiet"]


def metrics(job: Path, samples) -> list:
    """`samples`: (type, name, dimension, value, node, seconds since the start)."""
    lines = (
        f'{{"Type":"{kind}","Name":"{name}","Dimension":"{dimension}","Value":{value},"NodeId":"{node}","Timestamp":{START + at:.3f}}}\n'
        for kind, name, dimension, value, node, at in samples
    )
    write(job / METRICS, "".join(lines))
    return report(job)


def event(kind: str, name: str, start: int, length: int, thread: int = 1, **arguments) -> str:
    """A slice of a trace; times in microseconds. On a GPU `thread` is the stream."""
    process = arguments.get("device", 0) if kind == "kernel" else 1
    if kind == "kernel":
        arguments |= {"device": process, "stream": thread}
    return json.dumps(
        {
            "ph": "X",
            "cat": kind,
            "name": name,
            "pid": process,
            "tid": thread,
            "ts": start,
            "dur": length,
            "args": arguments,
        }
    )


def trace(job: Path, events, name: str = "x.pt.trace.json", about: str = "") -> list:
    write(job / name, BASE + ",\n".join(events) + "\n]" + about + "}\n")
    return report(job)


def timeline(job: Path, events, process: str = "7-algo-1") -> list:
    head = {
        "name": "process_name",
        "ph": "M",
        "pid": 0,
        "args": {"start_time_since_epoch_in_micros": START * 1_000_000},
    }
    text = ",\n".join([json.dumps(head), *map(json.dumps, events)])
    write(job / f"framework/pevents/2024081508/{START}000000_{process}_pythontimeline.json", f"[\n{text}\n]\n")
    return report(job)


def phase(number: int, name: str) -> dict:
    return {"name": "process_name", "ph": "M", "pid": number, "args": {"name": name}}


def tensors(job: Path, saved) -> list:
    """`saved`: (step, {name: values}); every tensor is a gradient."""
    for step, values in saved:
        events, payload = b"", []
        for name, numbers in values.items():
            frame = saved_tensor(name, numbers, step)
            payload.append({"tensorname": name, "start_idx": len(events), "length": len(frame)})
            events += frame
        path = f"events/{step:012d}/{step:012d}_worker_0.tfevents"
        meta = {"mode": "TRAIN", "mode_step": step, "event_file_name": path}
        index = json.dumps({"meta": meta, "tensor_payload": payload})
        write(job / f"debug-output/index/{step // 1000:09d}/{step:012d}_worker_0.json", index)
        (job / "debug-output" / path).parent.mkdir(parents=True, exist_ok=True)
        (job / "debug-output" / path).write_bytes(events)
    collections = {"collections": {"gradients": {"tensor_names": [], "include_regex": ["^gradient"]}}}
    write(job / "debug-output/collections/000000000/worker_0_collections.json", json.dumps(collections))
    return report(job)


# Saved tensors.


def saved_steps(job, n):
    """Each with a gradient that vanishes."""
    return tensors(job, ((step, {"gradient/w": [0.0, 0.0], "gradient/v": [step, 1.0]}) for step in range(n)))


def saved_tensors(job, n):
    return tensors(job, ((step, {f"gradient/w{i}": [0.0, 1.0] for i in range(n)}) for step in range(3)))


def saved_values(job, n):
    return tensors(job, ((step, {"gradient/w": [float(step)] * n}) for step in range(6)))


def patterns(job, n):
    """Of a collection, each made to take long, and as many names."""
    tensors(job, [(0, {f"{'a' * 30}{i}": [1.0] for i in range(n)})])
    collection = {"tensor_names": [], "include_regex": [f"(a*)*b{i}" for i in range(n)]}
    write(
        job / "debug-output/collections/000000000/worker_0_collections.json",
        json.dumps({"collections": {"losses": collection}}),
    )
    return report(job)


def indexes_of_one_file(job, n):
    """Each step says that its tensor lies where that of the first one does."""
    tensors(job, [(0, {"gradient/w": [1.0] * 30_000})])
    index = (job / "debug-output/index/000000000/000000000000_worker_0.json").read_text()
    for step in range(1, n):
        write(job / f"debug-output/index/{step // 1000:09d}/{step:012d}_worker_0.json", index)
    return report(job)


def saving_workers(job, n):
    """Each with its part of one step, and a list of names of its own."""
    tensors(job, [(0, {"gradient/w": [1.0]})])
    events = (job / "debug-output/events/000000000000/000000000000_worker_0.tfevents").read_bytes()
    index = json.loads((job / "debug-output/index/000000000/000000000000_worker_0.json").read_text())
    for worker in range(1, n):
        path = f"events/000000000000/000000000000_worker_{worker}.tfevents"
        index["meta"]["event_file_name"] = path
        (job / "debug-output" / path).write_bytes(events)
        write(job / f"debug-output/index/000000000/000000000000_worker_{worker}.json", json.dumps(index))
        collections = {"gradients": {"tensor_names": [f"w{worker}/{i}" for i in range(20)], "include_regex": []}}
        write(
            job / f"debug-output/collections/000000000/worker_{worker}_collections.json",
            json.dumps({"collections": collections}),
        )
    return report(job)


# XGBoost.


def validation_rows(job, n):
    """Labels and predictions of two rounds; no two predictions are alike."""
    values = {"labels": [float(i % 2) for i in range(n)], "predictions": [(i * 7919 % n) / n for i in range(n)]}
    for step in range(2):
        write_step(job, step, {"feature_importance/weight/f0": 1.0, **values})
    return report(job)


def model_trees(job, n):
    trees = [tree((i % 50, 1.0 + i, 10.0), (i % 7, 1.0, 5.0)) for i in range(n)]
    write(job / "model.json", json.dumps(model(trees, [f"feature {i}" for i in range(50)])))
    return report(job)


def model_features(job, n):
    """Each tree splits by another, and is a chain of ten."""
    trees = [tree(*((at + i, 1.0, 5.0) for i in range(10))) for at in range(0, n, 10)]
    write(job / "model.json", json.dumps(model(trees, [f"feature {i}" for i in range(n)])))
    return report(job)


def eval_rounds(job, n):
    values = [1 / (i + 1) for i in range(n)]
    write(job / "evals_result.json", json.dumps({"train": {"rmse": values}, "test": {"rmse": values}}))
    return report(job)


# Samples.


def samples(job, n):
    return metrics(job, [("gpu", "gpu0", "GPUUtilization", i % 100, "algo-1", i / 2) for i in range(n)])


def nodes(job, n):
    return metrics(job, [("cpu", "cpu0", "CPUUtilization", i % 100, f"algo-{i}", i / 100) for i in range(n)])


def devices(job, n):
    """Cores that are never sampled together."""
    return metrics(job, [("cpu", f"cpu{i}", "CPUUtilization", i % 100, "algo-1", i / 10) for i in range(n)])


def jumps(job, n):
    """Of the clock: each looks like a job of its own."""
    return metrics(job, [("cpu", f"cpu{i}", "CPUUtilization", 5, "algo-1", 3700 * i) for i in range(n)])


def dmon_gpus(job, n):
    """Of a log without times, in which a tick ends where a GPU comes again."""
    rows = "".join(f"{i} 100 50\n" for i in range(n))
    write(job / "dmon.log", f"# gpu pwr sm\n# Idx W %\n{rows}0 100 50\n")
    return report(job)


# Timelines.


def reversed_events(job, n):
    events = [{"name": "s", "ph": "X", "pid": 0, "ts": (n - i) * 3_700_000_000, "dur": 1} for i in range(n)]
    return timeline(job, events)


def steps(job, n):
    events = [phase(1, "Step:ModeKeys.TRAIN")]
    events += [
        {"name": "s", "ph": "X", "pid": 1, "ts": i * 1000, "dur": 900, "args": {"step_num": i}} for i in range(n)
    ]
    return timeline(job, events)


def modes(job, n):
    events = []
    for i in range(n):
        events += [
            phase(i + 1, f"Step:ModeKeys.M{i}"),
            {"name": "s", "ph": "X", "pid": i + 1, "ts": i * 1000, "dur": 900},
        ]
    return timeline(job, events)


def timeline_names(job, n):
    events = [phase(1, "cpu_functions")]
    events += [{"name": f"op{i}", "ph": "X", "pid": 1, "ts": i * 10, "dur": 5} for i in range(n)]
    return timeline(job, events)


def processes(job, n):
    for i in range(n):
        events = [phase(1, "Step:ModeKeys.TRAIN")]
        events += [{"name": "s", "ph": "X", "pid": 1, "ts": 1000 * k + i, "dur": 900} for k in range(3)]
        timeline(job, events, f"{i}-algo-{i}")
    return report(job)


# PyTorch traces.


def names(job, n):
    return trace(job, [event("cpu_op", f"op::{i:x}", 10 * i, 5) for i in range(n)])


def launched(n: int, first: int = 0, thread: int = 1) -> list:
    """Kernels that calls at `first` start, one by one."""
    events = [event("cuda_runtime", "cudaLaunchKernel", first + i % 5, 1, thread, correlation=i) for i in range(n)]
    return events + [event("kernel", f"k{i}", first + 100 + 2 * i, 1, 7, correlation=i) for i in range(n)]


def nested(job, n, kind, name):
    around = [event(kind, name.format(i), i, 2 * n - 2 * i + 10) for i in range(n)]
    return trace(job, around + launched(n, n))


def nesting(job, n):
    return nested(job, n, "cpu_op", "aten::{}")


def annotations(job, n):
    return nested(job, n, "user_annotation", "range {}")


def modules(job, n):
    return nested(job, n, "python_function", "nn.Module: M_{}")


def overlapping(job, n):
    """Operators of which none holds another."""
    return trace(job, [event("cpu_op", "aten::add", i, n) for i in range(n)])


def profiled_steps(job, n):
    """Steps that are all open at once, and kernels that run through all of them."""
    events = [event("user_annotation", f"ProfilerStep#{i}", i, 4 * n) for i in range(n)]
    events += [event("kernel", "k", 2 * i, n, 7, correlation=i, **{"blocks per SM": 1}) for i in range(n)]
    return trace(job, events)


def gpus(job, n):
    events = [event("user_annotation", f"ProfilerStep#{i}", 10 * i, 5) for i in range(n)]
    return trace(job, events + [event("kernel", "k", 10 * i, 3, 7, device=i) for i in range(n)])


def streams(job, n):
    return trace(job, [event("kernel", "k", 10 * i, 3, i) for i in range(n)])


def threads(job, n):
    """Each has a range; the backward pass on one of them starts kernels."""
    events = [event("user_annotation", "range", 0, 10 * n, 10 + i) for i in range(n)]
    events.append(event("cpu_op", "autograd::engine::evaluate_function: A", 0, 10 * n, 1))
    return trace(job, events + launched(n, 1))


def allocations(job, n):
    bucket = 172_933  # a number of buckets that a table grows to: addresses that fall into one of them
    events = [
        json.dumps(
            {
                "ph": "i",
                "cat": "cpu_instant_event",
                "name": "[memory]",
                "pid": 1,
                "tid": 1,
                "ts": i,
                "s": "t",
                "args": {
                    "Total Allocated": 512 * i,
                    "Bytes": 512,
                    "Addr": bucket * (i + 1),
                    "Device Id": 0,
                    "Device Type": 1,
                },
            }
        )
        for i in range(n)
    ]
    return trace(job, [*events, event("cpu_op", "aten::add", 0, n)])


def categories(job, n):
    return trace(job, [f'{{"ph":"{i:x}"}}' for i in range(n)] + [event("cpu_op", "aten::add", 0, n)])


def brackets(job, n):
    good = event("cpu_op", "aten::add", 0, 5)
    return trace(job, [good, "]}" * n + "\n" + good])


def empty_lines(job, n):
    """In an event that has no end."""
    good = event("cpu_op", "aten::add", 0, 5)
    return trace(job, [good, '{"a":[' + "\n" * n + '"', good])


def ranks(job, n):
    """Files of processes that meet in collectives."""
    for i in range(n):
        events = [event("user_annotation", "ProfilerStep#1", 0, 1000)]
        events += [
            event("kernel", "ncclDevKernel_AllReduce_Sum_f32", 100 * k + i % 50, 60, 7, correlation=k)
            for k in range(1, 5)
        ]
        about = f', "distributedInfo": {{"backend": "nccl", "rank": {i}, "world_size": {n}}}'
        trace(job, events, f"rank{i}.pt.trace.json", about)
    return report(job)


def failed_processes(job, n):
    """Each of them told why it ended."""
    failures = [
        {
            "Process": i,
            "Parent": i // 2,
            "Rank": i,
            "Type": "ValueError",
            "Message": f"rank {i} of '/data/{i}'",
            "Frames": [{"File": "train.py", "Line": line, "Function": "main"} for line in range(20)],
        }
        for i in range(n)
    ]
    write(job / "failures" / "box-1.json", json.dumps({"DebriefFailures": 1, "Host": "box", "Failures": failures}))
    return samples(job, 100)


def sampled_stacks(job, n):
    """Of one process: no two alike, and each a little different from the one before."""
    lines = [
        "debrief stacks 1",
        "host algo-1",
        "process 7",
        "thread 0 main",
        "frame 0 own main (train.py:1)",
        "stack 0 -1 0",
    ]
    for i in range(1, n):
        lines.append(f"frame {i} own f{i % 100} (m{i % 37}.py:{i})")
        lines.append(f"stack {i} {i - 1 if i % 50 else 0} {i}")
        lines.append(f"{START + i // 100}{i % 100:02}0000 10000 0 {i}")
    write(job / "stacks" / "algo-1-7-1.stacks", "\n".join(lines) + "\n")
    return samples(job, 100)


# What trackers log.


def csv_rows(job, n):
    write(job / "metrics.csv", "step,loss,lr\n" + "".join(f"{i},{4 - i / n},1e-4\n" for i in range(n)))
    return report(job)


def csv_columns(job, n):
    names = ",".join(f"layer{i}/norm" for i in range(n))
    rows = "".join(f"{step}," + ",".join(f"{i % 7}" for i in range(n)) + "\n" for step in range(3))
    write(job / "metrics.csv", f"step,{names}\n{rows}")
    return report(job)


def wandb_rows(job, n):
    job.mkdir(parents=True, exist_ok=True)
    (job / "run.wandb").write_bytes(run_file((i, START + i, {"loss": 4 - i / n}) for i in range(n)))
    return report(job)


def mlflow_runs(job, n):
    """Of one store; the newest is the job's."""
    for i in range(n):
        run = job / "mlruns" / "1" / f"{i:032x}"
        write(run / "meta.yaml", f"run_id: {i:032x}\nrun_name: run-{i}\nstatus: 3\nstart_time: {START + i}000\n")
        write(run / "metrics" / "loss", "".join(f"{START + i}{step:03} {1 / step} {step}\n" for step in range(1, 20)))
    return report(job)


def mlflow_parameters(job, n):
    """Of one run; each has a file."""
    run = job / "mlruns/0/a"
    write(run / "meta.yaml", f"run_id: a\nstart_time: {START}000\n")
    write(run / "metrics/loss", f"{START}000 1 0\n{START + 1}000 1 1\n")
    for i in range(n):
        write(run / f"params/p{i}", "1")
    return report(job)


def mlflow_database(job, rows, key=None):
    """One run with this many values of a metric; `key` is the default of its name."""
    job.mkdir(parents=True, exist_ok=True)
    with sqlite3.connect(job / "mlflow.db") as database:
        database.executescript(
            "create table latest_metrics(key); create table runs(run_uuid, name, start_time);"
            "create table metrics(run_uuid, value, timestamp, step, is_nan);"
        )
        database.execute("insert into runs values ('r', 'r', ?)", [START * 1000])
        values = ((START * 1000 + i, i) for i in range(rows))
        database.executemany("insert into metrics values ('r', 1.0, ?, ?, 0)", values)
        database.execute(f"alter table metrics add column key text default '{key or 'loss'}'")
    return report(job)


def database_rows(job, n):
    return mlflow_database(job, 10 * n)


def database_defaults(job, n):
    """A long name that stands in no row."""
    return mlflow_database(job, 10 * n, "k" * 50 * n)


def wandb_beside_mlflow(job, n):
    """One run with many values, and many that lasted as long."""
    wandb_rows(job, 10 * n)
    with sqlite3.connect(job / "mlflow.db") as database:
        database.executescript(
            "create table latest_metrics(key); create table runs(run_uuid, name, start_time, end_time);"
            "create table metrics(run_uuid, key, value, timestamp, step, is_nan);"
        )
        runs = ((f"r{i}", START * 1000, (START + 100) * 1000) for i in range(n))
        database.executemany("insert into runs values (?, 'x', ?, ?)", runs)
    return report(job)


def trainer_states(job, n):
    """That differ, each in a folder."""
    for i in range(n):
        log = [{"step": step, "loss": step + i} for step in range(20)]
        write(job / f"checkpoint-{i}/trainer_state.json", json.dumps({"global_step": i, "log_history": log}))
    return report(job)


def attempts(job, n):
    """Each logs ten steps again and ten more."""
    rows = (f"{10 * i + step},{step}\n" for i in range(n) for step in range(20))
    write(job / "metrics.csv", "step,loss\n" + "".join(rows))
    return report(job)


# Rule outputs and result documents.


def rule_values(job, n):
    details = {f"algo-{i}": {"gpu0": {"p05": 1, "p50": 2, "p95": 3}} for i in range(n)}
    write(
        job / "profiler-reports/LowGPUUtilization.json",
        json.dumps({"RuleTriggered": 1, "Violations": 1, "Datapoints": 9, "RuleParameters": "", "Details": details}),
    )
    return report(job)


def compared(job, result: dict) -> list:
    write(job / "a.json", json.dumps(result))
    write(job / "b.json", json.dumps(result))
    return ["diff", job / "a.json", job / "b.json", "-o", "page.html", "--json", "diff.json"]


def all_compared_rows(job, n, result):
    """A comparison of two results that have n rows of each of these."""
    rows = {"steps": ("mode", n), "rules": ("rule", 4 * n), "devices": ("device", 2 * n), "findings": ("title", 2 * n)}
    more = {}
    for key, (named, count) in rows.items():
        row = result[key][0]
        more[key] = [{**row, named: f"{row[named]} {i}"} for i in range(count)]
    return compared(job, {**result, **more})


# Each with the smaller n. Those in a row have no work in common, so they grow together in one job: what counts them costs
# more to start than they do.
GROUPS = [
    [(samples, 4500), (devices, 1200)],
    [(nodes, 200)],
    [(jumps, 1500), (reversed_events, 2000)],
    [(steps, 4000), (timeline_names, 4000)],
    [(modes, 1000), (processes, 60)],
    [(names, 3000), (overlapping, 3000)],
    [(nesting, 1000), (allocations, 3000)],
    [(annotations, 1000), (categories, 10_000)],
    [(modules, 1000), (brackets, 60_000)],
    [(profiled_steps, 400), (empty_lines, 60_000)],
    [(streams, 600), (threads, 600)],
    [(gpus, 400)],
    [(failed_processes, 1000)],
    [(sampled_stacks, 20_000)],
    [(ranks, 40)],
    [(rule_values, 600)],
    [(saved_steps, 300)],
    [(saved_tensors, 1000)],
    [(saved_values, 20_000)],
    [(validation_rows, 5000)],
    [(model_trees, 1500), (eval_rounds, 10_000)],
    [(model_features, 8000)],
    [(csv_rows, 6000), (csv_columns, 3000)],
    [(wandb_rows, 8000)],
    [(mlflow_runs, 100)],
    [(mlflow_parameters, 300), (dmon_gpus, 2500)],
    [(patterns, 40)],
    [(indexes_of_one_file, 300)],
    [(saving_workers, 100)],
    [(database_rows, 2000)],
    [(database_defaults, 1500)],
    [(wandb_beside_mlflow, 800)],
    [(trainer_states, 100), (attempts, 2000)],
]


def together(group: list):
    """Writes one job of what a group has, each in a folder of its own; `times` as many."""

    def make(job: Path, times: int) -> list:
        for one, n in group:
            one(job / one.__name__, n * times)
        return report(job)

    return make
