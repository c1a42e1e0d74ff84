# Catch2 3, the unit tests' framework: a static library, so it has to come from a suite built for this
# system's C library; the running one, else its backports.

catch2_folder=catch2-$catch2_version

catch2_is_there() {
  apt_has libcatch2-dev "$catch2_minimum" || [[ -d $deps/$catch2_folder/include/catch2 ]]
}

catch2_want() {
  catch2_is_there || ! apt_offers libcatch2-dev "$catch2_minimum" || apt_packages+=(libcatch2-dev)
}

catch2_bring() {
  catch2_is_there && return
  local suite
  # shellcheck source=/dev/null
  suite=$(. /etc/os-release && printf '%s-backports' "${VERSION_CODENAME:-unknown}")
  suite_unpack "$suite" libcatch2-dev "$catch2_version" "$scratch/catch2.deb.d"
  deps_place "$scratch/catch2.deb.d/usr" "$catch2_folder"
  say "Catch2 $suite_upstream from Debian $suite (libcatch2-dev $suite_version, signature verified) -> $deps/$catch2_folder"
}
