# How set-up speaks: one line per thing it does, on stderr, so that what ./dev prints as a result
# stays alone on stdout.

said=0

say() {
  said=1
  printf 'setup: %s\n' "$*" >&2
}

# Something went wrong that set-up cannot repair.
die() {
  say "$*"
  exit 1
}

# The user has to do something first.
need() {
  say "$*"
  exit 2
}

# Other programs' output matters only when they fail.
quietly() {
  local log status
  log=$(mktemp "$scratch/log.XXXXXX")
  "$@" >"$log" 2>&1 && return
  status=$?
  tail -n 20 "$log" >&2
  return "$status"
}
