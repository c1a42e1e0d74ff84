"""A script may end at any moment of a trace window, in any way: it ends as without the recorder."""

import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest
from conftest import PYTHON, binary
from ending import ENDINGS, MOMENTS
from endings import differences, run_plain, run_recorded, traces


def has_windows() -> bool:
    code = "import torch, sys; sys.exit(tuple(map(int, torch.__version__.split('.')[:2])) < (2, 7))"
    return subprocess.run([PYTHON, "-c", code], capture_output=True, check=False).returncode == 0


@pytest.fixture(scope="module", autouse=True)
def windows():
    if not has_windows():
        pytest.skip("PyTorch here is older than 2.7, and has no trace windows; DEBRIEF_TORCH_PYTHON names a newer one")


@pytest.mark.parametrize("ending", ENDINGS)
def test_an_ending_is_that_of_the_plain_run(tmp_path, ending):
    with ThreadPoolExecutor(2) as pool:
        plain = pool.submit(run_plain, PYTHON, ending, tmp_path / "plain")
        recorded = {
            moment: pool.submit(run_recorded, binary(), PYTHON, ending, moment, tmp_path / moment) for moment in MOMENTS
        }
    for moment in MOMENTS:
        assert differences(plain.result(), recorded[moment].result()) == [], moment
    assert len(traces(tmp_path / "written")) == 1
