"""What debrief says of models, against labels that were written before it was run on any of their logs (unseen_logs.py)."""

import os
import subprocess
import sys
from pathlib import Path

from unseen_logs import KINDS, LOGS

PRECISION = 0.95
RECALL = 0.90


def test_findings_about_models_are_right_on_logs_that_were_labeled_before(debrief, tmp_path):
    # One thread: small matrices take longer with more, and sums come out in the same order everywhere.
    writer = Path(__file__).with_name("unseen_logs.py")
    subprocess.run(
        [sys.executable, writer, tmp_path / "logs"], env={**os.environ, "OPENBLAS_NUM_THREADS": "1"}, check=True
    )

    rightly, wrongly, missed = 0, [], []
    for log in LOGS:
        result = debrief.result(tmp_path / "logs" / log.name)
        assert result["curves"], f"no curves were read of {log.name}"
        findings = {each["kind"]: each for each in result["findings"] if each["kind"] in KINDS}
        said = frozenset(findings)
        for kind in sorted(said - log.allowed):
            wrongly.append(f"{log.name}: {kind} is wrong: {findings[kind]['why']}")
        rightly += len(said & log.right)
        missed += [f"{log.name}: {kind} is missing" for kind in sorted(log.right - said)]
        if log.either:
            rightly += bool(said & log.either)
            missed += (
                [f"{log.name}: one of {', '.join(sorted(log.either))} is missing"] if not said & log.either else []
            )

    precision = rightly / (rightly + len(wrongly))
    recall = rightly / (rightly + len(missed))
    summary = "\n".join(
        [
            f"{len(LOGS)} logs, {rightly} findings right, precision {precision:.3f}, recall {recall:.3f}",
            *wrongly,
            *missed,
        ]
    )
    print(summary)
    assert len(LOGS) >= 36 and 2 * sum(log.healthy for log in LOGS) >= len(LOGS)
    assert precision >= PRECISION and recall >= RECALL, summary
