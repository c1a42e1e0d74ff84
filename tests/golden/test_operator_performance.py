"""How fast operators ran: against plain Python over the trace, and against TraceLens's own reports of the same traces.

TraceLens (AMD-AGI/TraceLens) keeps reports of its test traces beside them, in tests/traces: GEMM.csv of commit 932e742,
SDPA_fwd.csv of 4771a86, BinaryElementwise.csv of 87031cd, Normalization.csv of 53a13fd and CONV_bwd.csv of 05c9e7e.
docs/performance.md explains where they differ.
"""

import json
from collections import Counter, defaultdict
from math import prod

import pytest
from conftest import shared
from trace_loading import WORK, Trace, load, parents

MIB = 1 << 20
SIZES = {"float": 4, "c10::BFloat16": 2, "c10::Half": 2, "double": 8, "long int": 8}


def wild(name: str):
    return shared("samples", "traces-in-the-wild", name)


def read(name: str) -> Trace:
    (path,) = wild(name).glob("*.json*")
    return load(path)


H100 = "tl_h100_Qwen_Qwen1.5-0.5B-Chat"


def key_of(op) -> tuple:
    """Operator and shapes, as the table of debrief shows them."""
    shapes = " ".join(json.dumps(dims) for dims in op.args["Input Dims"])
    return op.name, shapes


def launched(trace: Trace, names: set[str]) -> dict:
    """{operator and shapes: (calls, GPU time in us)} of operators that launch work themselves."""
    time, calls = Counter(), defaultdict(set)
    for work in trace.of(*WORK):
        if work.op is not None and work.op.name in names:
            time[key_of(work.op)] += work.length / 1000
            calls[key_of(work.op)].add(work.op)
    return {key: (len(calls[key]), time[key]) for key in time}


def rows_of(result: dict, names: set[str]) -> dict:
    return {
        (row["name"], row["shapes"]): row for row in result["traces"]["performance"]["rows"] if row["name"] in names
    }


# TraceLens on the H100: operator, shapes, GFLOPs, MiB, calls, mean time in us, mean TFLOP/s.
TRACELENS_PRODUCTS = [
    ("aten::mm", "[8944, 1024] [1024, 2816]", 51.581550592, 71.0078125, 48, 84.4844258626302, 610.6657102342793),
    ("aten::mm", "[8944, 2816] [2816, 1024]", 51.581550592, 71.0078125, 24, 76.47029622395833, 674.5509897222395),
    ("aten::mm", "[8944, 1024] [1024, 1024]", 18.756927488, 36.9375, 24, 32.422587076822914, 578.5261168808248),
    (
        "aten::addmm",
        "[1024] [8944, 1024] [1024, 1024] [] []",
        18.766086144,
        36.939453125,
        72,
        32.34827677408854,
        580.1844380894671,
    ),
    ("aten::bmm", "[1, 32, 1] [1, 1, 559]", 3.5776e-05, 0.07049179077148438, 1, 3.52001953125, 0.01016357996948259),
]


def test_products_are_as_tracelens_has_them(debrief):
    result = debrief.result(wild(H100))
    rows = rows_of(result, {"aten::mm", "aten::addmm", "aten::bmm"})
    assert len(rows) == len(TRACELENS_PRODUCTS)
    for name, shapes, gflops, mib, calls, mean, rate in TRACELENS_PRODUCTS:
        row = rows[name, shapes]
        assert row["flops"] == pytest.approx(gflops * 1e9, rel=1e-12)
        assert row["bytes"] == pytest.approx(mib * MIB, rel=1e-12)
        assert row["calls"] == calls
        assert row["us"] / calls == pytest.approx(mean, rel=1e-4)
        assert row["tflops_per_second"] == pytest.approx(rate, rel=5e-4)  # TraceLens: the mean of the calls' rates
        assert row["category"] == "gemm"
    first = rows["aten::mm", "[8944, 1024] [1024, 2816]"]
    assert round(first["tflops_per_second"]) == 611
    assert first["product"] == {"batch": 1, "m": 8944, "n": 2816, "k": 1024}
    assert first["precision"] == "bf16"
    assert first["peak_percent"] == pytest.approx(100 * first["tflops_per_second"] / 989.5, abs=1e-3)
    assert first["roof"] == "compute"
    assert rows["aten::bmm", "[1, 32, 1] [1, 1, 559]"]["precision"] == "fp32"


def test_attention_is_as_tracelens_has_it(debrief):
    result = debrief.result(wild(H100))
    (row,) = rows_of(result, {"aten::_flash_attention_forward"}).values()
    assert row["flops"] == pytest.approx(10.239377408e9)
    assert row["bytes"] == pytest.approx(69.875 * MIB)
    assert (row["calls"], row["category"]) == (24, "attention")
    assert row["us"] == pytest.approx(2722.705, abs=0.1)
    assert row["tflops_per_second"] == pytest.approx(90.289, rel=5e-4)


# Operator, shapes, MiB, and elements of the result.
TRACELENS_ELEMENTS = [
    ("aten::add", "[16, 16, 559, 64] [16, 16, 559, 64] []", 52.40625, 9158656),
    ("aten::mul", "[16, 559, 1024] [16, 559, 1]", 69.90911865234375, 9158656),
    ("aten::mul", "[16, 16, 559, 64] [1, 1, 559, 64]", 35.0057373046875, 9158656),
    ("aten::mul", "[1024] [16, 559, 1024]", 34.939453125, 9158656),
    ("aten::mul", "[16, 559, 2816] [16, 559, 2816]", 144.1171875, 25186304),
    ("aten::add", "[16, 559, 1] [] []", 0.06824493408203125, 8944),
]


def test_elementwise_work_is_as_tracelens_has_it(debrief):
    rows = rows_of(debrief.result(wild(H100)), {"aten::add", "aten::mul"})
    for name, shapes, mib, elements in TRACELENS_ELEMENTS:
        assert rows[name, shapes]["bytes"] == pytest.approx(mib * MIB, rel=1e-12)
        assert rows[name, shapes]["flops"] == elements
    row = rows["aten::mul", "[16, 559, 2816] [16, 559, 2816]"]
    assert row["tb_per_second"] == pytest.approx(2.955965918518416, rel=5e-4)
    assert row["bandwidth_percent"] == pytest.approx(100 * row["tb_per_second"] / 3.35, abs=1e-3)
    assert row["roof"] == "memory"


def test_normalization_is_as_tracelens_has_it_but_where_it_counts_statistics_that_are_not_there(debrief):
    result = debrief.result(wild("tl_norm_layers"))
    rows = result["traces"]["performance"]["rows"]

    def of(name: str, affine: str) -> dict:
        (row,) = (row for row in rows if row["name"] == name and row["shapes"].startswith(affine))
        return row

    batch = of("aten::miopen_batch_norm", "[8, 16, 32, 32] [16] [16] [16] [16]")
    assert batch["bytes"] == pytest.approx(1.0003662109375 * MIB)
    assert batch["flops"] == pytest.approx(655456, abs=96)  # TraceLens: and six for each channel
    back = of(
        "aten::native_layer_norm_backward", "[8, 16, 32, 32] [8, 16, 32, 32] [] [8, 1, 1, 1] [8, 1, 1, 1] [16, 32"
    )
    assert back["bytes"] == pytest.approx(1.75 * MIB, abs=64)  # and the statistics of eight rows
    assert back["flops"] == 1179648
    layer = of("aten::native_layer_norm", "[8, 16, 32, 32] [] [16, 32, 32] [16, 32, 32]")
    assert layer["bytes"] == pytest.approx((1.375 - 4 * 16384 * 4 / MIB) * MIB)
    # The GPU's caches hold what these read: faster than its memory is no share of it.
    assert all(0 <= (row["bandwidth_percent"] or 0) <= 100 for row in rows)


def test_backward_convolutions_are_as_tracelens_has_them_but_read_the_gradient_once(debrief):
    rows = rows_of(debrief.result(wild("tl_mi300_resnet_ckpt")), {"aten::convolution_backward"})
    shapes = "[10, 64, 56, 56] [10, 64, 56, 56] [64, 64, 3, 3] [] [] [] [] [] [] [] []"
    row = rows["aten::convolution_backward", shapes]
    assert row["flops"] == pytest.approx(4.62422016e9)
    assert row["bytes"] == pytest.approx(15.453125 * MIB - prod((10, 64, 56, 56)) * 2)
    assert row["calls"] == 12
    assert row["us"] / 12 == pytest.approx(97.0008, rel=1e-4)


def test_forward_convolutions_against_plain_python(debrief):
    trace = read("tl_mi300_resnet_ckpt")
    rows = rows_of(debrief.result(wild("tl_mi300_resnet_ckpt")), {"aten::miopen_convolution"})
    seen = launched(trace, {"aten::miopen_convolution"})
    assert len(seen) > 8
    inputs = {key_of(op): op.args for op in trace.of("op") if op.name == "aten::miopen_convolution"}
    for key, (calls, time) in seen.items():
        image, weight = inputs[key]["Input Dims"][:2]
        padding, stride, dilation = (json.loads(inputs[key]["Concrete Inputs"][at]) for at in (3, 4, 5))
        places = [
            len(range(0, length + 2 * pad - dilate * (size - 1), step))
            for length, size, pad, step, dilate in zip(image[2:], weight[2:], padding, stride, dilation, strict=True)
        ]
        row = rows[key]
        assert row["flops"] == 2 * image[0] * prod(places) * prod(weight)
        assert row["bytes"] == 2 * (prod(image) + prod(weight) + image[0] * weight[0] * prod(places))
        assert row["calls"] == calls
        assert row["us"] == pytest.approx(time, abs=0.01)


def matrix_flops(op) -> float:
    dims = op.args["Input Dims"]
    if op.name == "aten::_flash_attention_forward":
        batch, queries, heads, size = dims[0]
        assert op.args["Concrete Inputs"][8] == "True" and dims[1] == dims[0]
        return 2 * batch * heads * queries * queries * size * 2 / 2
    bias = op.name == "aten::addmm"
    a, b = dims[1:3] if bias else dims[:2]
    return 2 * prod(a) * b[-1] + (prod(a[:-1]) * b[-1] if bias else 0)


def test_utilization_is_matrix_work_over_the_step(debrief):
    trace = read(H100)
    result = debrief.result(wild(H100))
    names = {"aten::mm", "aten::addmm", "aten::bmm", "aten::_flash_attention_forward"}
    calls = {work.op for work in trace.of(*WORK) if work.op is not None and work.op.name in names}
    (start, end, number) = trace.steps[0]
    flops = sum(matrix_flops(op) for op in calls if start <= op.start < end)

    performance = result["traces"]["performance"]
    (step,) = performance["steps"]
    (breakdown,) = result["traces"]["steps"]
    assert (step["number"], step["us"]) == (breakdown["number"], breakdown["us"]) and step["number"] == number
    assert step["flops"] == pytest.approx(flops, rel=1e-12)
    assert (step["precision"], step["gpus"], step["known_percent"]) == ("bf16", 1, 100)
    assert step["utilization"] == pytest.approx(100 * flops / (step["us"] * 1e-6) / 989.5e12, abs=1e-5)
    assert performance["utilization"] == step["utilization"]
    (gpu,) = performance["gpus"]
    assert (gpu["gpu"], gpu["model"]) == ("NVIDIA H100 80GB HBM3", "H100 SXM")


# What TraceLens's categories of the H100's trace are, in ms: of work that operators launched, by operator.
TRACELENS_CATEGORIES = {"elementwise": 17.360615234375, "GEMM": 9.001277587890625, "SDPA_fwd": 2.722704345703125}


def test_categories_sum_to_all_gpu_work(debrief):
    trace = read(H100)
    operators = debrief.result(wild(H100))["traces"]["operators"]
    work = trace.of(*WORK)
    shares = {row["category"]: row["us"] for row in operators["categories"]}
    assert sum(shares.values()) == pytest.approx(sum(each.length for each in work) / 1000, abs=0.01)
    assert sum(row["calls"] for row in operators["categories"]) == len(work)

    launched = Counter()
    for row in operators["by_name"]:
        if not row["outside_operators"]:
            launched[row["category"]] += row["device_self_us"]
    assert launched["gemm"] == pytest.approx(1000 * TRACELENS_CATEGORIES["GEMM"], abs=0.1)
    assert launched["attention"] == pytest.approx(1000 * TRACELENS_CATEGORIES["SDPA_fwd"], abs=0.1)
    # Casts and copies are elementwise to TraceLens, and apart here; concatenation is "other" there.
    joined = sum(each.length for each in work if each.op and each.op.name == "aten::cat") / 1000
    moved = launched["copy"] - joined
    assert launched["elementwise"] + moved == pytest.approx(1000 * TRACELENS_CATEGORIES["elementwise"], rel=1e-3)


def test_where_shapes_are_missing_nothing_is_made_up(debrief):
    result = debrief.result(shared("samples", "kineto", "ns_resolution_trace"))
    performance = result["traces"]["performance"]
    assert performance["rows"] == [] and performance["steps"] == []
    assert performance["without_shapes_us"] > 0
    assert performance["utilization"] is None
    assert "record_shapes=True" in (debrief.folder / "report.html").read_text()


@pytest.mark.parametrize(
    "name",
    ["tl_b200_eager", "tl_sglang_decode", "tl_vllm_decode", "tl_mi210_gpu_only", "hta_diff_control", "hta_neg_queue"],
)
def test_gpu_time_is_known_or_says_why_not(debrief, name):
    traces = debrief.result(wild(name))["traces"]
    performance = traces["performance"]
    parts = ("known_us", "without_shapes_us", "without_formula_us", "outside_us")
    assert sum(performance[part] for part in parts) == pytest.approx(traces["operators"]["device_self_us"], abs=0.1)
    if name in ("tl_sglang_decode", "tl_vllm_decode", "tl_mi210_gpu_only"):  # graphs, or no host events at all
        assert performance["outside_us"] > 0.9 * traces["operators"]["device_self_us"]


def test_a_utilization_that_would_be_too_low_is_none(debrief):
    """Torch 1.9 does not record strides, so the FLOPs of convolutions, two thirds of the GPU time, are not known."""
    performance = debrief.result(wild("kin_resnet50_num_workers_0"))["traces"]["performance"]
    assert len(performance["steps"]) == 6
    for step in performance["steps"]:
        assert step["flops"] > 0 and step["known_percent"] < 1 and step["utilization"] is None
    assert performance["utilization"] is None


def test_time_of_every_operator_is_that_of_its_kernels(debrief):
    """The whole table against the trace: of the innermost operator with a formula around each launch."""
    trace = read(H100)
    performance = debrief.result(wild(H100))["traces"]["performance"]
    names = {row["name"] for row in performance["rows"]}
    time = Counter()
    for work in trace.of(*WORK):
        around = [] if work.op is None else [work.op, *parents(work.op)]
        found = next((each for each in around if each.kind == "op" and each.name in names), None)
        if found is not None:
            time[key_of(found)] += work.length / 1000
    listed = Counter()
    for row in performance["rows"]:
        listed[row["name"], row["shapes"]] += row["us"]
    for key, us in listed.items():
        assert us == pytest.approx(time[key], abs=0.01)
