"""Looks for vanishing gradients with smdebug's trial API, as SageMaker's own rule does: every reduction of every step.

    smdebug_trial.py DEBUG-OUTPUT

Prints the seconds that took, the peak memory in bytes and how many values were looked at.
"""

import logging
import os
import resource
import sys
import time
import warnings

warnings.filterwarnings("ignore")
os.environ["SMDEBUG_LOG_LEVEL"] = "error"
logging.disable(logging.CRITICAL)

from smdebug.trials import create_trial  # noqa: E402  (imports are not the reader's cost)

start = time.perf_counter()
trial = create_trial(sys.argv[1])
count = vanishing = 0
for step in trial.steps():
    for name in trial.tensor_names(collection="gradients"):
        count += 1
        vanishing += trial.tensor(name).reduction_value(step, "mean", abs=True) < 1e-7
assert count > 0
assert vanishing == 0
print(f"{time.perf_counter() - start:.3f} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024} {count}")
