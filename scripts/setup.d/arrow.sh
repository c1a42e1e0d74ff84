# Arrow C++ with Parquet, from the first that can be had: the system's packages; the wheel of pyarrow,
# which carries the C++ headers and libraries; a minimal static build of Debian's source package.

arrow_wheel_folder=arrow-$arrow_version-wheel
arrow_source_folder=arrow-$arrow_version-source

# What the build from source takes from apt.
arrow_source_packages=(libthrift-dev libboost-dev libzstd-dev libsnappy-dev rapidjson-dev)

# Looks where CMake would, without starting it.
arrow_is_in_system() {
  local prefix version prefixes
  IFS=: read -ra prefixes <<<"${CMAKE_PREFIX_PATH:-}"
  for prefix in "${prefixes[@]}" /usr/local /usr; do
    for version in "$prefix"/lib/{,*/}cmake/Arrow/ArrowConfigVersion.cmake "$prefix"/lib64/cmake/Arrow/ArrowConfigVersion.cmake; do
      [[ -f $version && -f ${version%/Arrow/*}/Parquet/ParquetConfig.cmake ]] || continue
      dpkg --compare-versions "$(sed -n 's/^set(PACKAGE_VERSION "\(.*\)")$/\1/p' "$version")" ge "$arrow_version" && return
    done
  done
  return 1
}

arrow_is_there() {
  case $DEBRIEF_ARROW in
    system) arrow_is_in_system ;;
    wheel) [[ -d $deps/$arrow_wheel_folder/licenses ]] ;;
    source) [[ -d $deps/$arrow_source_folder/licenses ]] ;;
    *) [[ -d $deps/$arrow_wheel_folder/licenses || -d $deps/$arrow_source_folder/licenses ]] || arrow_is_in_system ;;
  esac
}

arrow_want() {
  arrow_is_there && return
  case $DEBRIEF_ARROW in
    system)
      apt_offers libparquet-dev "$arrow_version" || need "this system's apt has no libparquet-dev $arrow_version or newer; unset DEBRIEF_ARROW to take Arrow from elsewhere."
      apt_packages+=(libarrow-dev libparquet-dev)
      ;;
    wheel) ;;
    source) apt_packages+=("${arrow_source_packages[@]}") ;;
    *) ((EUID)) || ! apt_offers libparquet-dev "$arrow_version" || apt_packages+=(libarrow-dev libparquet-dev) ;;
  esac
}

arrow_bring() {
  arrow_is_there && return
  if [[ $DEBRIEF_ARROW == system ]]; then
    die "the system's Arrow is older than $arrow_version, or lacks Parquet."
  elif [[ $DEBRIEF_ARROW == source ]]; then
    arrow_bring_source
  elif arrow_fetch_wheel; then
    arrow_unpack_wheel
  elif [[ $DEBRIEF_ARROW == wheel ]]; then
    die "the wheel of pyarrow $arrow_version cannot be had."
  else
    say "the wheel of pyarrow $arrow_version cannot be had; Arrow has to be built from source."
    arrow_bring_source
  fi
}

# Which Python a wheel is for does not matter to its C++: it is the one that pyarrow.txt has the hashes of.
arrow_fetch_wheel() {
  local log=$scratch/pip.log
  /usr/bin/python3 -m pip download --disable-pip-version-check --no-input --no-deps --only-binary=:all: --require-hashes \
    --implementation cp --python-version 3.11 --abi cp311 --platform "manylinux_2_28_$(uname -m)" \
    --requirement "$parts/pyarrow.txt" --dest "$scratch/wheel" >"$log" 2>&1 && return
  if grep -q 'DO NOT MATCH THE HASHES' "$log"; then
    die "the wheel of pyarrow $arrow_version is not the one that scripts/setup.d/pyarrow.txt pins (its SHA256 differs); nothing of it was used."
  fi
  grep '^ERROR' "$log" >&2
  return 1
}

arrow_unpack_wheel() {
  /usr/bin/python3 "$parts/unpack_arrow.py" "$scratch"/wheel/*.whl "$scratch/arrow"
  deps_place "$scratch/arrow" "$arrow_wheel_folder"
  say "Arrow $arrow_version from the Python package index (wheel of pyarrow, SHA256 as pinned) -> $deps/$arrow_wheel_folder"
}

# Tables, CSV, IPC and Parquet with its usual codecs, and nothing else.
arrow_bring_source() {
  local source=$scratch/arrow-source build=$scratch/arrow-build stage=$scratch/arrow-stage prefix=$deps/$arrow_source_folder
  local log=$deps/$arrow_source_folder.log seconds=$SECONDS
  apt_packages=("${arrow_source_packages[@]}")
  apt_bring
  suite_unpack "$arrow_suite" xtl-dev "$xtl_version" "$scratch/xsimd"
  suite_unpack "$arrow_suite" libxsimd-dev "$xsimd_version" "$scratch/xsimd"
  suite_source "$arrow_suite" apache-arrow "$arrow_version" "$source"
  say "building Arrow from Debian $arrow_suite's source (apache-arrow $suite_version, signature verified): some 10 minutes on two cores; log in $log"
  # Without the prefix map, messages in the library would name this run's scratch folder.
  {
    cmake -S "$source/cpp" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$prefix" \
      -DCMAKE_CXX_FLAGS="-ffile-prefix-map=$scratch/=" \
      -DCMAKE_PREFIX_PATH="$scratch/xsimd/usr" -DARROW_DEPENDENCY_SOURCE=SYSTEM \
      -DARROW_BUILD_STATIC=ON -DARROW_BUILD_SHARED=OFF -DARROW_BUILD_UTILITIES=OFF \
      -DARROW_COMPUTE=OFF -DARROW_CSV=ON -DARROW_IPC=ON -DARROW_PARQUET=ON -DARROW_WITH_ZSTD=ON -DARROW_WITH_SNAPPY=ON \
      -DARROW_MIMALLOC=OFF -DARROW_JEMALLOC=OFF -DARROW_WITH_UTF8PROC=OFF -DARROW_WITH_RE2=OFF &&
      cmake --build "$build" &&
      DESTDIR=$stage cmake --install "$build"
  } >"$log" 2>&1 || die "Arrow did not build; see $log."
  mkdir -p "$stage$prefix/licenses"
  cp "$source/LICENSE.txt" "$source/NOTICE.txt" "$stage$prefix/licenses/"
  deps_place "$stage$prefix" "$arrow_source_folder"
  say "Arrow $suite_upstream built in $((SECONDS - seconds)) s -> $prefix"
}
