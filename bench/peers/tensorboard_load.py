"""Loads a folder's scalars with TensorBoard's own loader; prints the seconds that took and the peak memory in bytes."""

import resource
import sys
import time

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

start = time.perf_counter()
loaded = EventAccumulator(sys.argv[1], size_guidance={"scalars": 0})
loaded.Reload()
assert loaded.Tags()["scalars"]
print(f"{time.perf_counter() - start:.3f} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}")
