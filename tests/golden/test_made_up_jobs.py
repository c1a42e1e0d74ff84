"""The jobs that the browser tests make up (hostile names, damaged files, many nodes, no metrics) hold what every job holds."""

import json
import subprocess

from conftest import ROOT

WRITE = """
import {{ madeUpJobs }} from "{jobs}";
import {{ join }} from "node:path";
const written = Object.entries(madeUpJobs).map(([name, {{ write, options }}]) => [write(join("{folder}", name)), options ?? []]);
console.log(JSON.stringify(written));
"""


def test_made_up_jobs(debrief, tmp_path):
    script = WRITE.format(jobs=ROOT / "tests/browser/jobs.mjs", folder=tmp_path / "jobs")
    written = json.loads(
        subprocess.run(
            ["node", "--input-type=module", "--eval", script], check=True, capture_output=True, text=True
        ).stdout
    )
    assert len(written) >= 4
    for job, options in written:
        debrief.result(job, "--markdown", "summary.md", "--rule-outputs", "rules", *options)
        gate = ("--require", "job.duration > 0", "--junit", "junit.xml", "-o", "page.html")
        debrief.run("check", job, *options, *gate, expect={0, 3})  # 3: one of them is cut off
        debrief.run(
            "diff", job, "result.json", "-o", "diff.html", "--json", "diff.json", "--markdown", "diff.md", *options
        )
        # 2: an XGBoost model has nothing over time.
        debrief.run("export", job, "--to", "timeline.json", *options, expect={0, 2} if "xgboost" in job else 0)
