"""Parses a trace with HTA, as its own analyses do first; prints the seconds that took and the peak memory in bytes."""

import logging
import resource
import sys
import time
import warnings

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)

from hta.common.trace import parse_trace_file  # noqa: E402  (imports are HTA's own cost, not its parser's)

start = time.perf_counter()
parse_trace_file(sys.argv[1])
print(f"{time.perf_counter() - start:.3f} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}")
