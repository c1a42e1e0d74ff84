# The Pythons that the golden tests and the benchmark's peers run in. A virtual environment has its own path
# written into its scripts and cannot be renamed into place: the stamp, written last, says that it is whole.
#
# uv installs their packages: in seconds of CPU time where pip takes minutes, most of them to compile what no test imports.

uv_folder=uv-$uv_version

uv_bring() {
  [[ -x $deps/$uv_folder/bin/uv ]] && return
  quietly /usr/bin/python3 -m pip install --disable-pip-version-check --no-input --no-deps --no-compile --only-binary=:all: \
    --target "$scratch/uv" "uv==$uv_version" || die "pip could not install uv $uv_version, which installs the tests' Python packages."
  deps_place "$scratch/uv" "$uv_folder"
}

# From where pip would take packages, and trusting whom the system trusts.
uv() {
  if [[ -z ${uv_index+known} ]]; then # asking pip takes half a second
    uv_index=${PIP_INDEX_URL:-$(/usr/bin/python3 -m pip config get global.index-url 2>/dev/null || true)}
  fi
  [[ -z $uv_index ]] || local -x UV_DEFAULT_INDEX=$uv_index
  UV_CACHE_DIR=$scratch/uv-cache UV_NATIVE_TLS=1 UV_NO_CONFIG=1 "$deps/$uv_folder/bin/uv" "$@"
}

python_bring() { # NAME REQUIREMENTS [--system-site-packages] [OPTION OF 'uv pip install'...]
  local folder=$deps/$1 requirements=$repository/$2 stamp=$deps/$1/.debrief-setup key venv=()
  if [[ ${3:-} == --system-site-packages ]]; then
    venv=("$3")
    set -- "$1" "$2" "${@:4}"
  fi
  [[ -f $requirements ]] || return 0
  key="$(readlink -f /usr/bin/python3) $(sha256sum <"$requirements")"
  [[ -f $stamp && $(<"$stamp") == "$key" ]] && return
  uv_bring
  rm -rf "$folder"
  quietly uv venv --python /usr/bin/python3 "${venv[@]}" "$folder" || die "could not make a virtual environment in $folder."
  quietly uv pip install --python "$folder/bin/python" "${@:3}" -r "$requirements" || die "uv could not install $2."
  printf '%s\n' "$key" >"$stamp"
  say "Python's packages of $2 -> $folder"
}
