# Every version that set-up asks for. What apt's running suite has comes in that suite's version;
# npm's and Python's pins stand in assets/package-lock.json, tests/browser/package-lock.json,
# scripts/lint/package-lock.json, tests/requirements.txt, tests/trackers/requirements.txt,
# tests/xgboost/requirements.txt, tests/torch/requirements.txt and bench/peers/requirements.txt.

cmake_minimum=3.25
node_minimum=18

inja_version=3.5.0
inja_minimum=3.4 # of one that the system has
inja_suite=testing

catch2_version=3.7.1
catch2_minimum=3

uv_version=0.13.8 # installs the tests' Python packages

arrow_version=25.0.0 # its wheel's hashes are in pyarrow.txt beside this file
arrow_suite=testing

# Arrow's build from source asks for a newer xsimd than stable suites have, and xsimd for xtl.
xsimd_version=14.3.0
xtl_version=0.8.2
