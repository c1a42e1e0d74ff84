"""HTA's figures of one trace as JSON: run by the Python that HTA is installed in, with the trace's path."""

import json
import logging
import sys
import warnings

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)

from hta.trace_analysis import TraceAnalysis  # noqa: E402  (it warns as it is imported)

analysis = TraceAnalysis(trace_files={0: sys.argv[1]}, trace_dir="/", include_last_profiler_step=True)
temporal = analysis.get_temporal_breakdown(visualize=False).iloc[0]
overlap = analysis.get_comm_comp_overlap(visualize=False).iloc[0]["comp_comm_overlap_pctg"]
idle = analysis.get_idle_time_breakdown(ranks=[0], visualize=False)[0]
queue = analysis.get_queue_length_summary(ranks=[0])["queue_length"]["max"]
print(
    json.dumps(
        {
            "span": float(temporal["kernel_time(us)"]),
            "idle": float(temporal["idle_time(us)"]),
            "compute": float(temporal["compute_time(us)"]),
            "overlap": None if overlap != overlap else float(overlap),
            "idle_by_reason": {
                f"{row.stream} {row.idle_category}": float(row.idle_time) for row in idle.itertuples(index=False)
            },
            "queue_max": float(queue.max()),
        }
    )
)
