# Packages of the machine's own apt. Root gets them installed; anyone else gets the one command to run.

apt_build_packages=(
  g++ cmake ninja-build ca-certificates curl xz-utils gpgv
  libfmt-dev nlohmann-json3-dev libsimdjson-dev libhowardhinnant-date-dev libcli11-dev zlib1g-dev libisal-dev
  libcurl4-openssl-dev libprotozero-dev libsqlite3-dev
  python3 python3-venv python3-pip
)
# libclang-rt-dev: clang links -fsanitize only with it, and does not depend on it. python3-torch: CPU only, 150 MB with all
# that it needs, two minutes; PyPI's for Linux brings CUDA, which is gigabytes.
apt_test_packages=(
  clang clang-format clang-tidy libclang-rt-dev lld chromium fonts-liberation git python3-torch shellcheck strace valgrind
)

declare -A apt_installed # package -> version
apt_packages=()          # what has to be installed; the parts add to it, so that apt is started once
apt_updated=0

apt_check_there_is_one() {
  command -v apt-get >/dev/null && return
  need "this system has no apt-get; install by its own means what these Debian packages hold, and Catch2 3, inja and" \
    "Arrow C++ with Parquet, then run CMake yourself: ${apt_build_packages[*]} nodejs npm ${apt_test_packages[*]}."
}

# All at once: starting programs is what a set-up with nothing to do spends its time on.
apt_read_installed() {
  local status version package
  while read -r status version package; do
    if [[ $status == installed ]]; then apt_installed[$package]=$version; fi
  done < <(dpkg-query -W -f '${db:Status-Status} ${Version} ${Package}\n')
}

apt_has() { # PACKAGE MINIMUM
  [[ -n ${apt_installed[$1]:-} ]] && dpkg --compare-versions "${apt_installed[$1]}" ge "$2"
}

# Whether the running suite has a package in this version or a newer one.
apt_offers() { # PACKAGE MINIMUM
  local candidate
  compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null || apt_update_once
  candidate=$(LC_ALL=C apt-cache policy "$1" | awk '$1 == "Candidate:" { print $2 }')
  [[ -n $candidate && $candidate != '(none)' ]] && dpkg --compare-versions "$candidate" ge "$2"
}

apt_update_once() {
  ((apt_updated || EUID)) && return
  apt_updated=1
  # A third party's source that is out of order fails the update and need not matter: let the installation decide.
  quietly apt-get -qq -o DPkg::Lock::Timeout=300 update || say "apt-get update failed; going on with the lists there are."
}

apt_bring() {
  local package missing=()
  for package in "${apt_packages[@]}"; do
    [[ -n ${apt_installed[$package]:-} ]] || missing+=("$package")
  done
  ((${#missing[@]})) || return 0

  if ((EUID)); then
    need "${#missing[@]} packages are missing; to install them: sudo apt-get install --no-install-recommends ${missing[*]}"
  fi
  apt_update_once
  say "${missing[*]} from this system's apt."
  DEBIAN_FRONTEND=noninteractive quietly apt-get -qq -y -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 \
    install --no-install-recommends "${missing[@]}" || die "apt-get could not install: ${missing[*]}."
  apt_read_installed
}

# Node may well come from elsewhere than apt.
apt_node_is_there() {
  local version
  command -v npm >/dev/null && version=$(node --version 2>/dev/null) || return
  version=${version#v}
  ((${version%%.*} >= node_minimum))
}

# Chromium's headless shell has the same engine without the browser around it: tests take half as long as in the whole one,
# which serves where a system has no such package.
apt_want_browser() {
  if [[ -n ${apt_installed[chromium-headless-shell]:-} ]] || apt_offers chromium-headless-shell 1; then
    apt_packages+=(chromium-headless-shell)
  else
    apt_packages+=(chromium)
  fi
}

apt_want() { # LEVEL
  apt_packages=("${apt_build_packages[@]}")
  if [[ $1 != build ]]; then
    apt_packages+=("${apt_test_packages[@]}")
    apt_want_browser
  fi
  apt_node_is_there || apt_packages+=(nodejs npm)
}

apt_check_cmake() {
  local version
  version=$(cmake --version | awk 'NR == 1 { print $3 }')
  dpkg --compare-versions "$version" ge "$cmake_minimum" ||
    need "cmake $version is too old; debrief needs $cmake_minimum or newer, which Debian has since version 12."
}
