"""Reads a job with smdebug's PandasFrame, as its notebooks and rules do first: its system metrics, or its timelines.

    smdebug_frame.py metrics|timelines PROFILER-OUTPUT

Prints the seconds that took, the peak memory in bytes and the rows of the table.
"""

import os
import resource
import sys
import time
import warnings

warnings.filterwarnings("ignore")
os.environ["SMDEBUG_LOG_LEVEL"] = "error"

from smdebug.profiler.analysis.utils.profiler_data_to_pandas import PandasFrame  # noqa: E402  (imports are not the reader's cost)

what, folder = sys.argv[1:]
start = time.perf_counter()
frame = PandasFrame(folder)
table = frame.get_all_system_metrics() if what == "metrics" else frame.get_all_framework_metrics()
print(f"{time.perf_counter() - start:.3f} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024} {len(table)}")
