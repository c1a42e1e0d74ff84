#!/usr/bin/env bash
#
# Records scripts one after another, and says how each ended and what the verdict is:
#
#     run_on_gpu.sh BINARY OUT [SECONDS [NAME…]]
#
# SECONDS: how long each runs (25). NAME…: which; all that have a label for a GPU. OUT gets a NAME.tar.gz of the job, NAME.json, its
# result, and NAME.log, what it printed. PYTHON (python3) runs the scripts. LIMIT: the seconds after which one is stopped; what hangs
# on purpose is stopped 10 seconds after it should have ended.

set -uo pipefail

fail() { # SENTENCE
  printf 'run_on_gpu.sh: %s\n' "$1" >&2
  exit 2
}

(($# >= 2)) || fail 'usage: run_on_gpu.sh BINARY OUT [SECONDS [NAME…]]'
scripts=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
binary=$(realpath "$1")
[[ -x $binary ]] || fail "$1 is no program."
mkdir -p "$2" || exit 2
out=$(realpath "$2")
seconds=${3:-25}
[[ $seconds =~ ^[0-9]+$ ]] || fail "SECONDS is '$seconds'; it is a whole number."
python=${PYTHON:-python3}
shift $(($# < 3 ? $# : 3))

labels() { # EXPRESSION about a label, as `it`
  "$python" -c 'import json, sys
for name, it in json.load(open(sys.argv[1])).items():
    if eval(sys.argv[2]):
        print(name)' "$scripts/labels.json" "$1"
}

names=("$@")
((${#names[@]})) || mapfile -t names < <(labels 'it["gpu"]')
((${#names[@]})) || fail "$scripts/labels.json names no script."
endless=" $(labels 'it["exit"] is None' | tr '\n' ' ') "

work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2

failed=0
for name in "${names[@]}"; do
  if [[ ! -f $scripts/$name.py ]]; then
    printf '%-20s no such script\n' "$name"
    failed=1
    continue
  fi
  limit=${LIMIT:-$((seconds + 60))}
  [[ $endless != *" $name "* ]] || limit=$((seconds + 10))
  SECONDS_PER_JOB=$seconds timeout --kill-after=20 "$limit" "$binary" record --no-report -o "$work/$name" -- \
    "$python" "$scripts/$name.py" >"$out/$name.log" 2>&1
  code=$?
  result=$(grep -a -m 1 '^RESULT ' "$out/$name.log") || result='no RESULT'
  verdict='no recording'
  if [[ -d $work/$name ]]; then
    tar -C "$work" -czf "$out/$name.tar.gz" "$name" || failed=1
    if timeout 120 "$binary" report "$work/$name" -o "$work/report.html" --json "$out/$name.json" >>"$out/$name.log" 2>&1; then
      verdict=$("$python" -c 'import json, sys; print(json.load(open(sys.argv[1]))["verdict"]["title"])' "$out/$name.json")
    else
      verdict='no report'
      failed=1
    fi
    rm -rf "${work:?}/$name"
  else
    failed=1
  fi
  printf '%-20s exit %-4s %s\n%-20s %s\n' "$name" "$code" "$result" '' "$verdict"
done
exit "$failed"
