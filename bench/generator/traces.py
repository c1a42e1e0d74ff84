"""PyTorch (Kineto) traces, laid out as torch.profiler writes them, one file per rank.

Each step is a forward and a backward pass over layers: operators that nest, launches, kernels on two streams, an
all-reduce, copies, the allocator's events, flow arrows; with `stacks` also Python functions and modules. As in a recorder's
file, the thread's operators come first, by their start, then the allocator's events, then calls and kernels.
"""

import gzip
import random
import tempfile
from contextlib import ExitStack

from generator.shape import START, Shape

HOST = 481_794_000_000_000  # nanoseconds on the host's clock when recording begins
BASE = (START + 30) * 1_000_000_000 - HOST  # half a minute into the job
PID, GPU = 4711, 0
HEAD = """{
  "schemaVersion": 1,
  "deviceProperties": [
    {"id": 0, "name": "NVIDIA H200", "totalGlobalMem": 150109880320, "computeMajor": 9, "computeMinor": 0,
     "maxThreadsPerMultiprocessor": 2048, "numSms": 132}
  ],
  "record_shapes": 1, "profile_memory": 1, "with_stack": %d,
  "distributedInfo": {"backend": "nccl", "rank": %d, "world_size": %d, "pg_count": 1, "nccl_version": "2.21.5"},
  "displayTimeUnit": "ms",
  "baseTimeNanoseconds": %d,
  "traceEvents": [
"""
KERNELS = [
    "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul> >"
    "(int, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul>)",
    "nvjet_sm90_tst_128x256_64x4_1x2_h_bz_coopA_TNT",
    "void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<c10::BFloat16, float>(int, float, "
    "c10::BFloat16 const*, c10::BFloat16 const*, c10::BFloat16 const*, float*, float*, c10::BFloat16*)",
    "void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_128x128_32x5_tn_align8>"
    "(cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_128x128_32x5_tn_align8::Params)",
]
OPERATORS = ["aten::linear", "aten::layer_norm", "aten::add", "aten::scaled_dot_product_attention", "aten::gelu"]


def us(nanoseconds: int) -> str:
    return f"{nanoseconds // 1000}.{nanoseconds % 1000:03d}"


class Recorder:
    """Makes events as text and keeps the clock of the host and of two streams."""

    def __init__(self, shape: Shape, rank: int):
        self.random = random.Random(f"{shape.seed} rank {rank}")
        self.stacks = shape.stacks
        self.layers = shape.layers
        self.host = HOST
        self.streams = {7: 0, 20: 0}
        self.id = 0
        self.allocated = 2 << 30
        self.of_thread: list[tuple[int, int, str]] = []  # of the current step: start, end and text, to be sorted
        self.of_allocator: list[str] = []
        self.of_device: list[str] = []  # with the calls that asked for it

    def tick(self, low: int, high: int) -> int:
        self.host += self.random.randrange(low, high)
        return self.host

    def whole(self, cat: str, name: str, pid, tid, start: int, end: int, args: str) -> str:
        return (
            f'  {{\n    "ph": "X", "cat": "{cat}", "name": "{name}", "pid": {pid}, "tid": {tid},\n'
            f'    "ts": {us(start)}, "dur": {us(end - start)},\n    "args": {{\n      {args}\n    }}\n  }},\n'
        )

    def on_thread(self, cat: str, name: str, start: int, end: int, args: str) -> None:
        self.of_thread.append((start, -end, self.whole(cat, name, PID, PID, start, end, args)))

    def flow(self, ph: str, ident: int, pid, tid, at: int) -> None:
        end = ', "bp": "e"' if ph == "f" else ""
        self.of_device.append(
            f'  {{\n    "ph": "{ph}", "id": {ident}, "pid": {pid}, "tid": {tid}, "ts": {us(at)},\n'
            f'    "cat": "ac2g", "name": "ac2g"{end}\n  }},\n'
        )

    def memory(self, size: int) -> None:
        self.allocated += size
        self.of_allocator.append(
            f'  {{\n    "ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]",\n    "pid": {PID}, "tid": {PID},\n'
            f'    "ts": {us(self.host)},\n    "args": {{\n      "Total Reserved": 15277752320, "Total Allocated": {self.allocated}, '
            f'"Bytes": {size}, "Device Id": {GPU}, "Device Type": 1, "Addr": {139692670451712 + 512 * (self.id % 4096)}, '
            f'"Ev Idx": {self.id}\n    }}\n  }},\n'
        )

    def launch(self, name: str, length: int, external: int, stream: int = 7, args: str = "") -> None:
        self.id += 1
        begin = self.tick(300, 1200)
        end = self.tick(3000, 9000)
        self.of_device.append(
            self.whole(
                "cuda_runtime",
                "cudaLaunchKernel",
                PID,
                PID,
                begin,
                end,
                f'"External id": {external}, "cbid": 211, "correlation": {self.id}',
            )
        )
        self.flow("s", self.id, PID, PID, begin)
        start = max(self.streams[stream] + 900, end + 2000)
        self.streams[stream] = start + length
        blocks = self.random.choice((132, 264, 8192))
        self.of_device.append(
            self.whole(
                "kernel",
                name,
                GPU,
                stream,
                start,
                start + length,
                f'"External id": {external}, "queued": 0, "device": {GPU}, "context": 1, "stream": {stream}, '
                f'"correlation": {self.id}, "registers per thread": 32, "shared memory": 0, "blocks per SM": {blocks / 132:.6f}, '
                f'"warps per SM": {blocks / 33:.6f}, "grid": [{blocks}, 1, 1], "block": [128, 1, 1], '
                f'"est. achieved occupancy %": {self.random.randrange(10, 95)}{args}',
            )
        )
        self.flow("f", self.id, GPU, stream, start)

    def operator(self, name: str, depth: int) -> None:
        """An operator and those inside of it; the innermost launches a kernel."""
        self.id += 1
        external = self.id
        start = self.tick(500, 3000)
        if depth > 0:
            self.operator(name + "_", depth - 1)
        else:
            self.memory(self.random.choice((1 << 20, 8 << 20)))
            self.launch(self.random.choice(KERNELS), self.random.randrange(4000, 90_000), external)
            self.memory(-self.random.choice((1 << 20, 8 << 20)))
        end = self.tick(500, 2000)
        rows = self.random.choice((512, 4096, 8192))
        self.on_thread(
            "cpu_op",
            name,
            start,
            end,
            f'"External id": {external},"Record function id": 0, "Concrete Inputs": ["", "", ""], "Input type": '
            f'["c10::BFloat16", "c10::BFloat16", "c10::BFloat16"], "Input Strides": [[1024, 1], [1024, 1], [1]], '
            f'"Input Dims": [[{rows}, 1024], [4096, 1024], [4096]], "Ev Idx": {external}',
        )

    def layer(self, index: int) -> None:
        start = self.host
        for name in OPERATORS:
            self.operator(name, self.random.randrange(0, 3))
            if self.stacks:
                for line in range(4):
                    self.on_thread(
                        "python_function",
                        f"torch/nn/functional.py({1000 + line}): {name[6:]}_{line}",
                        start,
                        self.host,
                        f'"Python parent id": {self.id}, "Python id": {self.id + 1}, "Ev Idx": {self.id}',
                    )
        if self.stacks:
            self.on_thread(
                "python_function",
                f"nn.Module: Block_{index}",
                start,
                self.host,
                f'"Python parent id": 1, "Python id": {self.id}, "Python module id": {index}, "Ev Idx": {self.id}',
            )

    def step(self, number: int) -> tuple[str, str, str]:
        """What the thread, the allocator and the device did."""
        for events in (self.of_thread, self.of_allocator, self.of_device):
            events.clear()
        start = self.tick(1000, 2000)
        self.id += 1
        external = self.id
        for index in range(self.layers):
            self.layer(index)
        self.launch(
            "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
            400_000,
            external,
            20,
            ', "Collective name": "allreduce", "In msg nelems": 4194304, "Out msg nelems": 4194304, "Group size": 8, '
            '"dtype": "BFloat16", "Process Group Name": "0"',
        )
        self.host = max(self.host, *self.streams.values())
        self.on_thread(
            "user_annotation",
            f"ProfilerStep#{number}",
            start,
            self.host,
            f'"External id": {external}, "Ev Idx": {external}',
        )
        return (
            "".join(text for _, _, text in sorted(self.of_thread)),
            "".join(self.of_allocator),
            "".join(self.of_device),
        )


def trace_text(shape: Shape, rank: int, name: str):
    """The trace in pieces. What comes behind the thread's events waits in files, since traces can be large."""
    recorder = Recorder(shape, rank)
    head = HEAD % (shape.stacks, rank, shape.nodes * shape.gpus, BASE)
    yield head
    written, number = len(head), 0
    with ExitStack() as stack:
        later = [stack.enter_context(tempfile.TemporaryFile("w+")) for _ in range(2)]
        while number < shape.trace_steps if shape.trace_megabytes is None else written < shape.trace_megabytes * 1e6:
            number += 1
            now, *rest = recorder.step(number)
            for file, text in zip(later, rest, strict=True):
                file.write(text)
            written += len(now) + sum(map(len, rest))
            yield now
        for file in later:
            file.seek(0)
            while piece := file.read(1 << 20):
                yield piece
    yield (
        f'  {{\n    "name": "process_name", "ph": "M", "ts": 0.000, "pid": {PID}, "tid": 0,\n    "args": {{\n'
        f'      "name": "python3"\n    }}\n  }}\n  ],\n  "traceName": "{name}"\n}}\n'
    )


def write_trace(shape: Shape, rank: int) -> None:
    name = f"rank{rank}.pt.trace.json"
    path = shape.out / "traces" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if not shape.gz:
        with open(path, "w") as file:
            file.writelines(trace_text(shape, rank, name))
        return
    with open(path.with_name(name + ".gz"), "wb") as packed, gzip.GzipFile("", "wb", 6, packed, mtime=0) as file:
        for piece in trace_text(shape, rank, name):
            file.write(piece.encode())
