"""What the report has of a network's layers, against an independent reader of the same tensors (numpy)."""

import math
import sys
import tarfile

import pytest
from conftest import shared

JOBS = ["pytorch-vanishing-gradient", "pytorch-dead-relu", "pytorch-saturated-tanh", "pytorch-exploding-nan"]


@pytest.fixture(params=JOBS)
def saved(request, tmp_path):
    """The job's folder and the other reader's view of it."""
    archive = shared("samples", "smdebug-tensors", f"{request.param}.tar.gz")
    sys.path.insert(0, str(shared("samples", "smdebug-tensors", "tools")))
    from smd_reader import Job

    with tarfile.open(archive) as members:
        members.extractall(tmp_path)
    folder = tmp_path / request.param
    return folder, Job(str(folder / "debug-output"))


def finite(values):
    return [float(value) for value in values.ravel() if math.isfinite(value)]


def test_courses_are_those_of_the_values(debrief, saved):
    folder, job = saved
    model = debrief.result(folder)["model"]
    assert model["tensors_left_out"] == 0
    expected = {
        name
        for collection in ("activations", "biases", "gradients", "weights")
        for name in job.in_collection(collection)
    }
    assert {course["tensor"] for course in model["tensors"]} == expected
    for course in model["tensors"]:
        series = job.series(course["tensor"])
        assert course["steps"] == [step for step, _ in series]
        for at, (_, entry) in enumerate(series):
            values = finite(entry["value"])
            figures = (min(values), sum(values) / len(values), max(values)) if values else (None, None, None)
            for key, figure in zip(("min", "mean", "max"), figures, strict=True):
                near = figure if figure is None else pytest.approx(figure, rel=1e-4, abs=1e-9)
                assert course[key][at] == near, (course["tensor"], key, at)


def test_gradient_size_is_the_mean_of_absolute_values(debrief, saved):
    folder, job = saved
    (measure,) = [one for one in debrief.result(folder)["model"]["measures"] if one["rule"] == "VanishingGradient"]
    assert (measure["relation"], measure["threshold"]) == ("below", 1e-7)
    assert {layer["tensor"] for layer in measure["layers"]} == set(job.in_collection("gradients"))
    for layer in measure["layers"]:
        series = dict(job.series(layer["tensor"]))
        ends = [*measure["steps"][1:], math.inf]
        for begin, end, value in zip(measure["steps"], ends, layer["values"], strict=True):
            sizes = [float(abs(entry["value"]).mean()) for step, entry in series.items() if begin <= step < end]
            if sizes and all(math.isfinite(size) for size in sizes):
                assert value == pytest.approx(min(sizes), rel=1e-5), layer["tensor"]
            else:
                assert value is None, layer["tensor"]


def test_jobs_without_tensors_have_no_model(debrief):
    from conftest import SAMPLE_JOBS

    assert debrief.result(SAMPLE_JOBS / "resnet50-healthy")["model"] is None
    assert 'id="model"' not in (debrief.folder / "report.html").read_text()
