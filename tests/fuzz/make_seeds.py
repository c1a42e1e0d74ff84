"""Makes the fuzz targets' seeds and dictionaries: make_seeds.py DEBRIEF OUT.

OUT/seeds/<target>/ gets small inputs that were cut out of the sample jobs, of what DEBRIEF writes of one of them, and a
few written here. OUT/dictionaries/<target>.dict gets the words that the target's own sources know, so that no list of
keys has to be kept beside them.
"""

import gzip
import json
import re
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/golden"))
from tensorboard_file import saved_tensor, small_file  # noqa: E402
from tree_model import small_model, ubjson  # noqa: E402

SAMPLES = sorted(path for path in (ROOT / "sample_jobs").iterdir() if path.is_dir())

# Where the words of a target's input stand, below src/.
SOURCES = {
    "condition": ["custom_rules/*.cpp", "compare/figures/*.cpp", "job/tensors.cpp"],
    "config": ["pipeline/config.cpp", "custom_rules/*.cpp", "rules/*.cpp", "compare/figures/*.cpp"],
    "consent": ["trust/consent.cpp"],
    "demands": ["gate/*.cpp", "rules/*.cpp", "compare/figures/*.cpp", "result/findings.h"],
    "failures": ["ingest/failures_reader.cpp", "record/failures.cpp", "aggregate/job_failure.cpp"],
    "gzip": [],
    "job": ["ingest/*.cpp", "ingest/chrome_trace/*.cpp", "ingest/kineto/*.cpp", "sagemaker_figures/*.cpp"],
    "job_description": ["ingest/job_description_reader.cpp", "rules/*.cpp"],
    "kineto": ["ingest/kineto/*.cpp", "ingest/chrome_trace/*.cpp"],
    "mlflow": ["ingest/trackers/mlflow*.cpp"],
    "nvidia_smi": ["ingest/trackers/nvidia_smi*.cpp"],
    "metrics_csv": ["ingest/trackers/metrics_csv_reader.cpp"],
    "page": [],
    "program_output": ["custom_rules/program_output.cpp"],
    "recorder": [
        "record/kineto_wire.cpp",
        "record/process_rank.cpp",
        "record/shim_log.cpp",
        "record/trace_windows.cpp",
    ],
    "result": ["compare/*.cpp", "compare/figures/*.cpp", "result/json*.cpp"],
    "rule_output": ["ingest/rule_output_reader.cpp", "sagemaker_figures/*.cpp"],
    "stacks": ["ingest/stacks_reader.cpp"],
    "tensorboard": ["ingest/trackers/tensorboard_reader.cpp"],
    "tensors": ["ingest/tensors/*.cpp"],
    "trainer_state": ["ingest/trackers/trainer_state_reader.cpp"],
    "system_metrics": ["ingest/system_metrics_reader.cpp", "ingest/series_index.cpp"],
    "text": [],
    "timeline": ["ingest/timeline_*.cpp", "ingest/chrome_trace/*.cpp"],
    "wandb": ["ingest/trackers/wandb*.cpp"],
    "xgboost": ["ingest/xgboost/*.cpp", "job/eval_name.h"],
}

MARKS = [
    "<",
    ">",
    '\\"',
    "'",
    "&",
    "</script>",
    "<!--drawing 0-->",
    "-->",
    "]]>",
    "{{",
    "{% raw %}",
    "\\xE2\\x80\\xAE",
    "|",
]
NUMBERS = ["1e308", "-1e308", "1e-320", "1e999", "9223372036854775807", "18446744073709551615", "-1", "0.5", "null"]
UNITS = ["%", "pp", "ms", "us", "s", "min", "h", "GB", "kB", "MB", ">=", "<=", "==", "!=", "[algo-1]"]
EXTRA = {
    "gzip": ["\\x1F\\x8B\\x08", "\\x00\\x00\\xFF\\xFF"],
    "text": [*MARKS, "www.", "://", "2026-11-14T23:48:10Z", "+01:00", "8MB"],
    "page": MARKS,
    "demands": UNITS + NUMBERS,
    "condition": [*UNITS, *NUMBERS, " for ", " steps", "gradient/*", "scalar.", "metric.", "tensor."],
}

HAND_MADE = {
    "metrics_csv": [
        "epoch,step,train_loss,val_loss\r\n0,9,1.5,\r\n0,19,nan,\r\n1,19,,0.7\r\n",
        'step,"a ""b"", c"\n1.0,inf\n,2\n',
    ],
    "tensorboard": [small_file()],
    "tensors": [
        b'\x00{"meta": {"mode": "TRAIN", "mode_step": 7, "event_file_name": "events/000000000007/000000000007_worker_0.tfevents"},'
        b' "tensor_payload": [{"tensorname": "w", "start_idx": 0, "length": 96}], "shape_payload": []}',
        b'\x01{"collections": {"losses": {"tensor_names": ["loss"], "include_regex": ["[Ll]oss$"]}}, "_meta": {}}',
        b"\x02" + saved_tensor("w", [0.5, -1.0]),
        b"\x03^(?!gradient).*[a-z]{1,3}(?<!(auc|map))$\ntrain-logloss",
    ],
    "xgboost": [
        b'\x00{"train": {"logloss": [0.6, NaN], "error@0.7": [1]}, "validation_0": {"rmse": [-Infinity, 2e-3]}}',
        b"\x01" + json.dumps(small_model()).encode(),
        b"\x01" + ubjson(small_model()),
    ],
    "trainer_state": [
        '{"global_step": 10, "total_flos": 1e15, "train_batch_size": 8, "log_history": ['
        '{"loss": NaN, "grad_norm": Infinity, "step": 5}, {"eval_loss": -Infinity, "eval_runtime": 0.5, "step": 5}, '
        '{"train_runtime": 3.0, "train_samples_per_second": 2.5, "step": 10}]}',
    ],
    "condition": [
        "gpu.util.p50 < 30 for 5min",
        "gpu[algo-1/gpu0].util <= 30%",
        "gradient/*.abs_mean > 10 for 3 steps",
        "scalar.*loss >= 1e3 for 2 steps",
        "waste.lost_percent != 40",
        "metric.GPU*.max > 5 for 10s",
    ],
    "consent": ['{"config": "/a/debrief.json", "sha256": "00ff", "files": {"rule.py": "12"}}'],
    "config": [
        '{"rules": {"custom": [{"name": "A", "when": "gpu.util < 5 for 1s", "severity": "info"},'
        ' {"name": "B", "program": ["sh", "x"], "timeout": "5s"}]}, "fail_on": ["A"]}',
        '{"rules": {"CPUBottleneck": {"cpu_threshold": 80}, "StepOutlier": {"mode": "TRAIN"}}, "price": 2.5}',
        '{"fail_on": ["severity>=critical", "StepOutlier"], "require": ["gpu.p50 >= 70", "steps.train.p95 < 80ms"]}',
        '{"baseline": "base.json", "tolerance": {"default": "5%", "steps.train.p50": "2ms", "gpu.p50": "3pp"}}',
    ],
    "demands": [
        "fseverity>=warning\nfinput_bound\nfLowGPUUtilization\n",
        "rgpu.p50 >= 70\nrsteps.train.p95 < 80ms\nrgpu[algo-1].p50 != 12.5 %\n",
        "t5%\ntsteps.train.p50=2ms\ntgpu.p50=3pp\n",
    ],
    "mlflow": [
        "\x00run_id: a\nrun_name: 'x'\nstatus: 3\nstart_time: 1700000000000\nlifecycle_stage: active\n",
        "\x011700000000000 0.5 1\n1700000001000 nan 2 data digest\n",
    ],
    "failures": [
        '{"pid":7,"parent":3,"rank":1,"attempt":0,"time":1795114850702949,"step":312,"type":"torch.OutOfMemoryError",'
        '"message":"CUDA out of memory. Tried to allocate 2.00 GiB of which 1.10 GiB is free.",'
        '"frames":[["train.py",9,"main",0],["torch/nn/functional.py",41,"linear",1]]}\n{"pid":7,"exit":1}\n'
        '{"pid":8,"signal":9,"frames":[]}\n',
        '{"DebriefFailures": 1, "Host": "box", "Failures": [{"Process": 7, "Parent": 3, "Time": "2026-11-19T19:00:50Z",'
        ' "Type": "ValueError", "Message": "no file \'/home/me/a.pt\'", "ExitCode": 1, "EndedCommand": true,'
        ' "Frames": [{"File": "a.py", "Line": 3, "Function": "f", "Library": true}]}, {"Signal": 9}]}',
    ],
    "stacks": [
        "debrief stacks 1\nhost box\nprocess 7\nparent 3\nkind loader_worker\nrank 1\ninterval 33000\n"
        "frame 0 own <module> (train.py:30)\nstack 0 -1 0\nframe 1 package f (torch/a.py:9)\nstack 1 0 1\nthread 0 main\n"
        "thread 1 reader\n1700000000000000 1000000 0 1 400\n1700000001000000 500000 0 -1\n1700000000001000 9 1 0\n"
        "cost 9 2000\nleft threads 4\nleft frames 5\nleft stacks 6\ninterval 40000\nfull\n",
        "debrief stacks 1\nhost box\nleft processes 1\n",
    ],
    "nvidia_smi": [
        "timestamp, index, utilization.gpu [%], memory.used [MiB], memory.total [MiB], clocks_event_reasons.active\n"
        "2026/11/16 05:53:58.992, 0, 87 %, 512 MiB, 1024 MiB, 0x0000000000000004\n",
        "timestamp, uuid, power.draw [W]\n2026/11/16 05:53:58.992, GPU-a, [N/A]\n",
        "#Date Time gpu pwr sm tviol\n#YYYYMMDD HH:MM:SS Idx W % bool\n 20261116 05:53:58 0 80 - 1\n",
        "# gpu sm\n# Idx %\n 0 80\n",
    ],
    "page": [
        "algo-1\ngpu0\nTRAIN\naten::conv2d\nvoid kernel<float, 4>(int*)\n",
        "</title>\n\"><b>\n' onload=\n{{ 7*7 }}\n\x00\u202e\n",
    ],
    "program_output": [
        '{"triggered": true, "reason": "r", "severity": "info", "samples": 9, "rows": ['
        '{"step": 3, "name": "a", "what": "w", "value": 0.5, "threshold": 1},'
        ' {"time": "2026-11-14T23:48:10Z", "end": 1794700091.5, "node": "n", "device": "gpu0"}]}',
        '{"triggered": null, "description": "d", "recommendation": "\\u202e"}',
    ],
    "recorder": [
        "\x00\x14" + "\0" * 7 + "req" + "\0" * 29 + "\x03\0\0\0\x01\0\0\0" + "\0" * 8 + "\x07\0\0\0",
        "\x00\x10" + "\0" * 7 + "ctxt" + "\0" * 28 + "\0\0\0\0\x07\0\0\0" + "\0" * 8,
        "\x01\x07\x01\x05\x05\x08\x01\x05\x01\x07\x01\x07\x05\x08\x01\x07\x01",
        "\x024711 python\n4711 torch 2.11.0\n4711 error OSError: the disk is full\n",
        "\x02RANK=1\0WORLD_SIZE=2\0",
        "\x02after=20,steps=4,every=10min",
    ],
    "text": [
        "2026-11-14T23:48:10.5Z",
        "2026-11-14 23:48:10+01:00,22..24",
        "1794700226.683699",
        "8MB",
        "a|b <c> [d](http://e) @f #1",
    ],
}


def pruned(value, most=2):
    """The value with `most` entries of each list: a seed shows the shape, the fuzzer does the rest."""
    if isinstance(value, dict):
        return {key: pruned(entry, most) for key, entry in list(value.items())[:60]}
    if isinstance(value, list):
        return [pruned(entry, most) for entry in value[:most]]
    return round(value, 3) if isinstance(value, float) else value


def text_of(path):
    return gzip.decompress(path.read_bytes()).decode()


def metrics(job, most=2):
    """Samples of each kind of series."""
    files = sorted(job.glob("profiler-output/system/incremental/*/*.json.gz"))
    lines = {}
    for line in text_of(files[0]).splitlines():
        sample = json.loads(line)
        if re.fullmatch(r"([cg]pu[2-9]|cpu\d\d+)", sample["Name"]) is None:
            lines.setdefault((sample["Name"], sample["Dimension"]), []).append(line)
    return "\n".join(line for series in lines.values() for line in series[:most]) + "\n"


def timeline(job, most=60):
    """A few events of each name of a process, with what names them."""
    files = sorted(job.glob("profiler-output/framework/pevents/*/*.json.gz"))
    kept, seen = [], {}
    for event in json.loads(text_of(files[-1])):
        key = (event["ph"], event["pid"], event["name"])
        seen[key] = seen.get(key, 0) + 1
        if seen[key] <= 3:
            kept.append(json.dumps(event))
    return "[\n" + ",\n".join(kept[:most]) + "\n]\n"


def trace(job, most=50):
    """What the trace says of itself and a few events of each category, one to a line, as a job's mutator knows them."""
    path = sorted(job.glob("traces/*.json.gz"))[0]
    document = json.loads(text_of(path))
    kept, seen = [], {}
    for event in document["traceEvents"]:
        key = (event["ph"], event.get("cat"), event["name"] if event["ph"] in "Mi" else "")
        seen[key] = seen.get(key, 0) + 1
        if seen[key] <= 2:
            kept.append({**event, "name": event["name"][:80]})
    head = json.dumps({key: value for key, value in document.items() if key != "traceEvents"})
    events = ",\n".join(map(json.dumps, kept[:most]))
    return f'{head[:-1]}{", " if len(head) > 2 else ""}"traceEvents": [\n{events}\n]}}'


def rule_files(debrief, job, folder):
    """SageMaker's rule files and the result document, as DEBRIEF writes them."""
    subprocess.run(
        [
            debrief,
            "report",
            job,
            "-q",
            "-o",
            folder / "page.html",
            "--json",
            folder / "result.json",
            "--rule-outputs",
            folder / "rules",
        ],
        check=True,
    )
    rules = {
        path.stem: json.dumps(pruned(json.loads(path.read_text())))
        for path in sorted((folder / "rules").glob("*.json"))
    }
    return rules, json.dumps(pruned(json.loads((folder / "result.json").read_text()), 1))


def mlflow_database():
    """The tables that matter, with a run."""
    with sqlite3.connect(":memory:") as database:
        database.executescript("""
            pragma page_size = 512;
            create table runs (run_uuid, name, status, start_time, end_time, lifecycle_stage);
            create table metrics (key, value, timestamp, run_uuid, step, is_nan);
            create table latest_metrics (key);
            create table params (key, value, run_uuid);
            insert into runs values ('a', 'x', 'FINISHED', 1700000000000, null, 'active');
            insert into metrics values ('loss', 0.5, 1700000000000, 'a', 1, 0);
            insert into metrics values ('system/gpu_0_power_usage_watts', 300, 1700000000000, 'a', 0, 0);
            insert into params values ('lr', '0.1', 'a');
        """)
        database.commit()
        return database.serialize()


def protobuf(*fields):
    """Fields of a small message: numbers and texts."""
    out = b""
    for number, value in fields:
        head = number << 3 | (0 if isinstance(value, int) else 2)
        out += bytes([head & 127 | 128, head >> 7])
        rest = value if isinstance(value, int) else len(value)
        while rest > 127:
            out += bytes([rest & 127 | 128])
            rest >>= 7
        out += bytes([rest]) + (b"" if isinstance(value, int) else value)
    return out


def wandb_records():
    """One of each kind that is read."""

    def items(field, key, **values):
        return [(field, protobuf((key, name.encode()), (16, text))) for name, text in values.items()]

    time = protobuf((1, 1_700_000_000), (2, 5))
    yield protobuf(
        (17, protobuf((1, b"id"), (4, protobuf(*items(1, 1, lr=b"0.1"))), (8, b"name"), (13, b"vm"), (17, time)))
    )
    yield protobuf((2, protobuf(*items(1, 2, _step=b"1", loss=b"NaN", _timestamp=b"1.7e9"), (2, protobuf((1, 1))))))
    stats = [(3, protobuf((1, key), (16, b"5"))) for key in (b"gpu.0.gpu", b"cpu", b"network.sent", b"disk.vda.in")]
    yield protobuf((7, protobuf((2, time), *stats)))
    yield protobuf((18, protobuf((1, 1))))
    yield protobuf((26, protobuf((18, b"H200"), (19, 1))))


def seeds(debrief):
    """Target and content of each seed."""
    yield "mlflow", mlflow_database()
    yield "wandb", b"\x1e".join(wandb_records())
    with tempfile.TemporaryDirectory() as folder:
        rules, result = rule_files(debrief, SAMPLES[1], Path(folder))
    for number, text in enumerate(rules.values()):
        yield "rule_output", bytes([number]) + text.encode()  # the byte chooses the rule
    yield "result", result.encode()
    yield (
        "result",
        result.encode() + b"\0" + result.replace("1", "2").replace("debrief.result/2", "debrief.result/1").encode(),
    )
    recorded = [(7, "StepOutlier"), (8, "OverallFrameworkMetrics"), (9, "OverallSystemUsage"), (10, "Dataloader")]
    yield "job", b"".join(b"\x1e%c%s" % (kind, rules[name].encode()) for kind, name in recorded if name in rules)
    for job in SAMPLES:
        parts = [(job / "job.json").read_text(), metrics(job), timeline(job), trace(job)]
        for target, text in zip(["job_description", "system_metrics", "timeline", "kineto"], parts, strict=True):
            yield target, text if isinstance(text, bytes) else text.encode()
        yield "gzip", gzip.compress(parts[2].encode(), mtime=0)
        # Small ones: what matters is how files fit together, and half of the work is in proportion to the records.
        small = [parts[0], metrics(job, 1), timeline(job, 12), trace(job, 14)]
        for kinds in ([0, 1, 3, 5], [0, 1, 3]):
            yield (
                "job",
                b"".join(b"\x1e%c%s" % (kind, text.encode()) for kind, text in zip(kinds, small, strict=False)),
            )
    yield "gzip", gzip.compress(b"one", mtime=0) + gzip.compress(b"two", 0, mtime=0)
    for target, texts in HAND_MADE.items():
        for text in texts:
            yield target, text if isinstance(text, bytes) else text.encode()


def words(target):
    found = set()
    for pattern in SOURCES[target]:
        for path in (ROOT / "src").glob(pattern):
            found.update(re.findall(r'"([A-Za-z_#][\w .:/#-]{1,30})"', re.sub(r"#include.*", "", path.read_text())))
    return sorted(found) + EXTRA.get(target, NUMBERS)


def main():
    debrief, out = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    for target in SOURCES:
        (out / "seeds" / target).mkdir(parents=True, exist_ok=True)
        (out / "corpus" / target).mkdir(parents=True, exist_ok=True)
        (out / "dictionaries").mkdir(exist_ok=True)
        (out / "dictionaries" / f"{target}.dict").write_text("".join(f'"{word}"\n' for word in words(target)))
    for number, (target, content) in enumerate(seeds(debrief)):
        (out / "seeds" / target / f"seed-{number}").write_bytes(content)


if __name__ == "__main__":
    main()
