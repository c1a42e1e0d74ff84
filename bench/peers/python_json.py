"""Reads files with Python's json, and does nothing with them: JSON lines, or one document a file.

    python_json.py lines|documents PATH

Prints the seconds that took and the peak memory in bytes.
"""

import json
import resource
import sys
import time
from pathlib import Path

what, path = sys.argv[1], Path(sys.argv[2])
files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
start = time.perf_counter()
for file in files:
    with open(file) as text:
        if what == "lines":
            for line in text:
                json.loads(line)
        else:
            json.load(text)
print(f"{time.perf_counter() - start:.3f} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}")
