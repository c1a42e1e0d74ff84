# The Pythons that the golden tests and the benchmark's peers run in. A virtual environment has its own path
# written into its scripts and cannot be renamed into place: the stamp, written last, says that it is whole.

python_bring() { # NAME REQUIREMENTS [--system-site-packages] [PIP-OPTION...]
  local folder=$deps/$1 requirements=$repository/$2 stamp=$deps/$1/.debrief-setup key venv=()
  if [[ ${3:-} == --system-site-packages ]]; then
    venv=("$3")
    set -- "$1" "$2" "${@:4}"
  fi
  [[ -f $requirements ]] || return 0
  key="$(readlink -f /usr/bin/python3) $(sha256sum <"$requirements")"
  [[ -f $stamp && $(<"$stamp") == "$key" ]] && return
  rm -rf "$folder"
  quietly /usr/bin/python3 -m venv "${venv[@]}" "$folder" || die "could not make a virtual environment in $folder."
  quietly "$folder/bin/python" -m pip install --disable-pip-version-check --no-input "${@:3}" -r "$requirements" ||
    die "pip could not install $2."
  printf '%s\n' "$key" >"$stamp"
  say "Python's packages of $2 -> $folder"
}
