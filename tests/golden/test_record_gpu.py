"""GPUs of a recording: a small library in the place of NVIDIA's answers as its documentation says, and the lines say the same."""

import json
import os
import shutil
import subprocess

import pytest
from conftest import binary
from test_record import description, lines_of

# Two GPUs. The second refuses what GPUs may refuse: GPM, ECC, its energy counter.
LIBRARY = r"""
#include <time.h>
#ifndef BUSY_MS /* that the energy counter takes */
#define BUSY_MS 0
#endif
typedef struct { unsigned gpu, memory; } Utilization;
typedef struct { unsigned version; unsigned long long total, reserved, free, used; } Memory2;
typedef struct { unsigned version, supported; } Support;
typedef struct { unsigned id; int outcome; double value; char *texts[3]; } Metric;
typedef struct { unsigned version, count; void *before, *after; Metric metrics[333]; } Request;
enum { OK = 0, NOT_SUPPORTED = 3 };
static int devices[2], samples[4], energy[2], made;
static int index_of(void *device) { return (int *)device - devices; }
int nvmlInit_v2(void) { return INIT; }
int nvmlShutdown(void) { return OK; }
const char *nvmlErrorString(int code) { return "Driver Not Loaded"; }
int nvmlDeviceGetCount_v2(unsigned *count) { *count = 2; return OK; }
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device) { *device = &devices[index]; return OK; }
static int text(char *into, unsigned size, const char *from) {
  unsigned i = 0;
  for (; from[i] && i + 1 < size; ++i) into[i] = from[i];
  into[i] = 0;
  return OK;
}
int nvmlSystemGetDriverVersion(char *into, unsigned size) { return text(into, size, "999.1"); }
int nvmlDeviceGetName(void *device, char *into, unsigned size) { return text(into, size, "NVIDIA Test"); }
int nvmlDeviceGetUUID(void *device, char *into, unsigned size) { return text(into, size, index_of(device) ? "GPU-bb" : "GPU-aa"); }
int nvmlDeviceGetUtilizationRates(void *device, Utilization *u) { u->gpu = 40 + index_of(device); u->memory = 7; return OK; }
int nvmlDeviceGetMemoryInfo_v2(void *device, Memory2 *m) {
  if (m->version != (sizeof *m | 2u << 24)) return NOT_SUPPORTED;
  m->total = 1000; m->reserved = 100; m->free = 650; m->used = 250;
  return OK;
}
int nvmlDeviceGetPowerUsage(void *device, unsigned *mw) { *mw = 150500; return OK; }
int nvmlDeviceGetEnforcedPowerLimit(void *device, unsigned *mw) { *mw = 700000; return OK; }
int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *mj) {
  if (index_of(device)) return NOT_SUPPORTED;
  long until = clock() + BUSY_MS * 1000;
  while (BUSY_MS && clock() < until) {}
  *mj = 1000000 + 5000 * energy[0]++;
  return OK;
}
int nvmlDeviceGetTemperature(void *device, int sensor, unsigned *c) { *c = 61; return sensor == 0 ? OK : NOT_SUPPORTED; }
int nvmlDeviceGetClockInfo(void *device, int kind, unsigned *mhz) { *mhz = kind == 1 ? 1400 : 2600; return OK; }
int nvmlDeviceGetMaxClockInfo(void *device, int kind, unsigned *mhz) { *mhz = kind == 1 ? 1980 : 2619; return OK; }
int nvmlDeviceGetCurrentClocksThrottleReasons(void *device, unsigned long long *bits) { *bits = index_of(device) ? 0x41 : 0x4; return OK; }
int nvmlDeviceGetTotalEccErrors(void *device, int kind, int counter, unsigned long long *n) {
  if (index_of(device)) return NOT_SUPPORTED;
  *n = 12;
  return OK;
}
typedef struct { unsigned pid; unsigned long long memory; unsigned instances[2]; } Process;
int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *count, Process *p) {
  p[0].pid = 11; p[1].pid = 12;
  p[0].memory = 200; p[1].memory = ~0ULL; /* not known */
  *count = index_of(device) ? 0 : 2;
  return OK;
}
/* The first GPU has two XID errors from the start, and tells of another kind of event. */
typedef struct { void *device; unsigned long long type, data; unsigned instances[2]; } Event;
static int events;
int nvmlEventSetCreate(void **set) { *set = &events; return OK; }
int nvmlEventSetFree(void *set) { return OK; }
int nvmlDeviceRegisterEvents(void *device, unsigned long long types, void *set) {
  return types == 8 && !index_of(device) ? OK : NOT_SUPPORTED;
}
int nvmlEventSetWait_v2(void *set, Event *event, unsigned timeout) {
  if (timeout || events == 3) return 10;
  event->device = &devices[0];
  event->type = ++events == 2 ? 1 : 8;
  event->data = 31;
  return OK;
}
int nvmlGpmQueryDeviceSupport(void *device, Support *s) { s->supported = !index_of(device); return s->version == 1 ? OK : NOT_SUPPORTED; }
int nvmlGpmSampleAlloc(void **sample) { *sample = &samples[made++]; return OK; }
int nvmlGpmSampleFree(void *sample) { return OK; }
int nvmlGpmSampleGet(void *device, void *sample) { static int clock; *(int *)sample = ++clock; return OK; }
int nvmlGpmMetricsGet(Request *r) {
  if (r->version != 1 || *(int *)r->before >= *(int *)r->after) return NOT_SUPPORTED;
  for (unsigned i = 0; i < r->count; ++i) {
    r->metrics[i].outcome = r->metrics[i].id == 60 ? NOT_SUPPORTED : OK;
    r->metrics[i].value = r->metrics[i].id;
  }
  return OK;
}
"""


@pytest.fixture
def recorded(tmp_path):
    """Records `sleep` with the library in place."""
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")

    def make(init="OK", env=None, busy_ms=0):
        (tmp_path / "nvml.c").write_text(LIBRARY)
        library = tmp_path / "libnvidia-ml.so.1"
        subprocess.run(
            ["gcc", "-shared", "-fPIC", "-w", f"-DINIT={init}", f"-DBUSY_MS={busy_ms}", "nvml.c", "-o", library],
            cwd=tmp_path,
            check=True,
        )
        words = [binary(), "record", "-o", "job", "--interval", "100ms", "--no-report", "--", "sleep", "1"]
        variables = {**os.environ, "LD_LIBRARY_PATH": str(tmp_path), **(env or {})}
        variables.pop("SLURM_NTASKS", None)
        outcome = subprocess.run(words, cwd=tmp_path, env=variables, capture_output=True, text=True, check=True)
        return tmp_path / "job", outcome

    return make


def values_of_gpus(job) -> dict[str, dict[str, list[float]]]:
    gpus: dict = {}
    for line in lines_of(job):
        if line["Type"] == "gpu":
            gpus.setdefault(line["Name"], {}).setdefault(line["Dimension"], []).append(line["Value"])
    return gpus


def test_lines_say_what_the_library_says(recorded, debrief):
    job, _ = recorded()
    gpus = values_of_gpus(job)
    assert set(gpus) == {"gpu0", "gpu1"}
    same = {
        "GPUMemoryUtilization": 25,
        "GPUMemoryUsedBytes": 250,
        "GPUMemoryBusyPercent": 7,
        "GPUPowerWatts": 150.5,
        "GPUPowerLimitWatts": 700,
        "GPUTemperatureCelsius": 61,
        "GPUSMClockMHz": 1400,
        "GPUSMClockMaxMHz": 1980,
        "GPUMemoryClockMHz": 2600,
    }
    for number, (name, gpu) in enumerate(sorted(gpus.items())):
        for dimension, value in {**same, "GPUUtilization": 40 + number}.items():
            assert set(gpu[dimension]) == {value}, (name, dimension)
    assert set(gpus["gpu0"]["GPUPowerThrottledPercent"]) == {100}
    assert set(gpus["gpu0"]["GPUThermalThrottledPercent"]) == {0}
    assert set(gpus["gpu1"]["GPUPowerThrottledPercent"]) == {0}
    assert set(gpus["gpu1"]["GPUThermalThrottledPercent"]) == {100}
    # Counters are from the start on, in joules.
    energy = gpus["gpu0"]["GPUEnergyJoules"]
    assert energy == [5.0 * number for number in range(len(energy))]
    assert set(gpus["gpu0"]["GPUECCCorrectedErrors"]) == {0}
    assert set(gpus["gpu0"]["GPUXIDErrors"]) == {2}
    assert "GPUXIDErrors" not in gpus["gpu1"]
    assert (set(gpus["gpu0"]["GPUProcesses"]), set(gpus["gpu1"]["GPUProcesses"])) == ({2}, {0})
    assert set(gpus["gpu0"]["GPUProcessMemoryBytes/11"]) == {200}
    assert not [
        name for gpu in gpus.values() for name in gpu if name.startswith("GPUProcessMemoryBytes/") and name[-2:] != "11"
    ]
    # Between two samples, so one less; percent, or bytes of MiB.
    assert gpus["gpu0"]["GPUSMActivePercent"] == [2.0] * (len(energy) - 1)
    assert set(gpus["gpu0"]["GPUTensorActivePercent"]) == {5}
    assert set(gpus["gpu0"]["GPUDRAMActivePercent"]) == {10}
    assert set(gpus["gpu0"]["GPUPCIeTransmitBytesPerSecond"]) == {20 * 2**20}
    assert "GPUNVLinkReceiveBytesPerSecond" not in gpus["gpu0"]  # refused: absent, not zero
    assert not {"GPUEnergyJoules", "GPUSMActivePercent", "GPUECCCorrectedErrors"} & set(gpus["gpu1"])
    recording = description(job)["Recording"]
    assert recording["Gpus"] == [{"Name": "NVIDIA Test", "Uuid": "GPU-aa"}, {"Name": "NVIDIA Test", "Uuid": "GPU-bb"}]
    assert recording["Driver"] == "999.1"
    assert description(job)["ResourceConfig"]["InstanceType"].startswith("2x NVIDIA Test, ")
    result = debrief.result(job, "--strict")
    assert result["job"]["gpu_energy_kwh"] == pytest.approx(energy[-1] / 3.6e6, abs=1e-6)
    usage = {row["metric"]: row for row in result["system_usage"]}
    assert usage["GPU"]["p50"] == 40.5


def test_a_slow_energy_counter_is_asked_rarely(recorded):
    """In between, the power says it: 150.5 W for a tenth of a second."""
    job, _ = recorded(busy_ms=5)
    gpu = values_of_gpus(job)["gpu0"]
    energy = gpu["GPUEnergyJoules"]
    assert len(energy) == len(gpu["GPUPowerWatts"]) > 5
    seconds = [line["Timestamp"] for line in lines_of(job) if line["Dimension"] == "GPUEnergyJoules"]
    assert energy[0] == 0
    for at in range(1, len(energy)):
        assert energy[at] - energy[at - 1] == pytest.approx(150.5 * (seconds[at] - seconds[at - 1]), rel=0.2)


def test_energy_in_money(recorded, debrief):
    """At a price of a kWh; without one, nothing is said of money."""
    job, _ = recorded()
    energy = values_of_gpus(job)["gpu0"]["GPUEnergyJoules"]
    assert debrief.result(job)["job"]["gpu_energy_cost"] is None
    result = debrief.result(job, "--energy-price", "30000")
    assert result["job"]["gpu_energy_cost"] == pytest.approx(30000 * energy[-1] / 3.6e6, abs=1e-6)
    debrief.run("report", job, "--energy-price", "30000", "-o", "page.html", "--quiet")
    page = (debrief.folder / "page.html").read_text()
    assert f"Wh GPU energy (${30000 * energy[-1] / 3.6e6:.2f})" in page.replace("\u00a0", " ")
    assert debrief.refused("report", job, "--energy-price", "cheap").startswith("--energy-price: invalid price 'cheap'")


@pytest.mark.parametrize(("visible", "utilization"), [("1", [41]), ("GPU-bb,0", [41, 40]), ("", [])])
def test_gpus_are_those_that_the_job_sees(recorded, visible, utilization):
    job, _ = recorded(env={"CUDA_VISIBLE_DEVICES": visible})
    gpus = values_of_gpus(job)
    assert [gpus[f"gpu{number}"]["GPUUtilization"][0] for number in range(len(gpus))] == utilization
    assert len(json.loads((job / "job.json").read_text())["Recording"]["Gpus"]) == len(utilization)


def test_driver_that_does_not_answer_is_noted(recorded):
    job, outcome = recorded(init="9")
    assert values_of_gpus(job) == {}
    note = "NVIDIA's driver does not answer (Driver Not Loaded); GPUs are not recorded"
    assert note in description(job)["Recording"]["Notes"]
    assert f"debrief: note: {note}\n" in outcome.stderr
