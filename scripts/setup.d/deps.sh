# The folder that holds the dependencies, outside the checkout: several checkouts share it, and
# deleting build/ never costs a download.

deps=${DEBRIEF_DEPS:-${XDG_CACHE_HOME:-${HOME:?it says where the dependencies go; or set DEBRIEF_DEPS}/.cache}/debrief}
[[ $deps == /* ]] || deps=$PWD/$deps

# One set-up at a time; `scratch` is where things are made before they are renamed into place, so it
# has to be on the same file system.
deps_open() {
  { mkdir -p "$deps" 2>/dev/null && [[ -w $deps ]]; } || need "cannot write to $deps; set DEBRIEF_DEPS to a folder that you own."
  exec {deps_lock}>"$deps/.lock"
  if ! flock --nonblock "$deps_lock"; then
    say "waiting for another set-up to finish in $deps."
    flock "$deps_lock"
  fi
  rm -rf "$deps"/.setup.* # left by a set-up that was killed; the lock says that it is gone
  scratch=$(mktemp -d "$deps/.setup.XXXXXX")
  trap 'rm -rf "$scratch"' EXIT
}

# Whole or not at all: what is in a dependency's folder is complete.
deps_place() { # STAGED NAME
  rm -rf "${deps:?}/$2"
  mv -T "$1" "$deps/$2"
}
