# The Python that the golden tests run in. A virtual environment has its own path written into its
# scripts and cannot be renamed into place: the stamp, written last, says that it is whole.

python_bring() {
  local requirements=$repository/tests/requirements.txt stamp=$deps/python/.debrief-setup key
  [[ -f $requirements ]] || return 0
  key="$(readlink -f /usr/bin/python3) $(sha256sum <"$requirements")"
  [[ -f $stamp && $(<"$stamp") == "$key" ]] && return
  rm -rf "$deps/python"
  quietly /usr/bin/python3 -m venv "$deps/python" || die "could not make a virtual environment in $deps/python."
  quietly "$deps/python/bin/python" -m pip install --disable-pip-version-check --no-input -r "$requirements" ||
    die "pip could not install tests/requirements.txt."
  printf '%s\n' "$key" >"$stamp"
  say "Python's packages of tests/requirements.txt -> $deps/python"
}
