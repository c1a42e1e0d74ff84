"""Whether libkineto detaches CUPTI, NVIDIA's profiling library, from the process after each trace.

Left attached, CUPTI makes every later kernel launch slower: a launch-bound loop loses a fifth of its speed for good. So
sitecustomize.py sets TEARDOWN_CUPTI, which libkineto reads at the end of a trace, unless the user has set it.

Detaching has crashed processes that replay CUDA graphs, so the first capture of one takes it back. The recorder learns of
it, too: a profiler that was detached before must not come back after that.
"""

import os

VARIABLE = "TEARDOWN_CUPTI"
OURS = "DEBRIEF_RECORD_TEARDOWN"  # set where VARIABLE is not the user's; children inherit both


def detach_after_traces():
    """Called before PyTorch is loaded: no other thread reads the environment yet."""
    if VARIABLE not in os.environ:
        os.environ[OURS] = os.environ[VARIABLE] = "1"


def stay_attached():
    """Only replaces a value: that's safe beside threads that read the environment; adding or removing one is not."""
    if OURS in os.environ:
        os.environ[VARIABLE] = "0"


def watch_captures(module, log):
    """`module` is torch.cuda.graphs; torch.compile's graphs come through it as well."""
    original = module.CUDAGraph.capture_begin
    seen = []

    def capture_begin(self, *args, **kwargs):
        if not seen:
            seen.append(True)
            log("graphs")
            stay_attached()
        return original(self, *args, **kwargs)

    capture_begin.__doc__, capture_begin.__wrapped__ = original.__doc__, original
    module.CUDAGraph.capture_begin = capture_begin
