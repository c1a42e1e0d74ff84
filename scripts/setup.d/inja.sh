# inja, the templates' engine: headers only, so a newer suite's package serves any older system.

inja_folder=inja-$inja_version

inja_is_there() {
  apt_has inja-dev "$inja_minimum" || [[ -f $deps/$inja_folder/license/copyright ]]
}

inja_want() {
  # Headers are not worth asking a user for sudo.
  inja_is_there || ((EUID)) || ! apt_offers inja-dev "$inja_minimum" || apt_packages+=(inja-dev)
}

inja_bring() {
  inja_is_there && return
  suite_unpack "$inja_suite" inja-dev "$inja_version" "$scratch/inja.deb.d"
  mkdir -p "$scratch/inja/license"
  mv "$scratch/inja.deb.d/usr/include" "$scratch/inja/"
  mv "$scratch/inja.deb.d/usr/share/doc/inja-dev/copyright" "$scratch/inja/license/"
  deps_place "$scratch/inja" "$inja_folder"
  say "inja $suite_upstream from Debian $inja_suite (inja-dev $suite_version, signature verified) -> $deps/$inja_folder"
}
