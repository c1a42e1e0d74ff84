"""What the scripts share: for how long to run, and the line at the end. Knows nothing of debrief, nor of PyTorch."""

import os
import sys
import time

SECONDS = float(os.environ.get("SECONDS_PER_JOB", "30"))
BEGAN = time.time()


def running() -> bool:
    return time.time() < BEGAN + SECONDS


def done(steps: int):
    torch = sys.modules.get("torch")
    if torch and torch.cuda.is_available():
        torch.cuda.synchronize()
    seconds = time.time() - BEGAN
    print(f"RESULT steps={steps} seconds={seconds:.2f} per_step_ms={seconds / max(steps, 1) * 1e3:.3f}", flush=True)
