# Single packages of a Debian suite that the machine does not run, unpacked and never installed. The
# chain of trust is apt's own: Debian's key signs the suite's Release, which has the indexes' SHA256,
# which have the packages' SHA256. Mirror, proxy and credentials are those of the machine's apt.

# Set by suite_unpack and suite_source: the version that the suite had, as Debian's and as upstream's.
suite_version=
suite_upstream=

suite_fetch() { # URL FILE
  local url=${1/#file:/copy:} # the method `file` leaves the file where it is
  # As root apt would fetch as the user _apt, who cannot write here.
  /usr/lib/apt/apt-helper -o APT::Sandbox::User=root download-file "$url" "$2" >"$scratch/fetch.log" 2>&1
}

suite_check_hash() { # FILE SHA256 WHAT
  sha256sum --check --status <<<"$2  $1" ||
    die "$3 is not what the signed index says (its SHA256 differs); nothing of it was used."
}

# The mirrors that apt is configured with, whether or not it has ever been updated.
suite_mirrors() {
  local site
  apt-get update --print-uris | sed -n "s|^'\(.*\)/dists/.*/InRelease' .*|\1|p" | awk '!seen[$0]++' | while read -r site; do
    # apt-helper does not know the list of mirrors that cloud images use.
    if [[ $site == mirror+file:* ]]; then
      site=$(awk '/^[^#]/ { print $1; exit }' "/${site#mirror+file:}")
    fi
    printf '%s\n' "${site%/}"
  done
}

# Only Debian's own keys can speak for a suite of Debian's. A suite is signed by several keys and an
# old keyring lacks the newest: one good signature is enough, a bad one is too many. What is read
# later is gpgv's output: the signed text alone, of which there must be exactly one.
suite_verify() { # INRELEASE RELEASE
  local keyring=/usr/share/keyrings/debian-archive-keyring.gpg status
  [[ -r $keyring ]] || need "Debian's archive keys are not on this system; install the package debian-archive-keyring."
  # gpgv's exit status would also count a signature by an unknown key as a failure.
  status=$(gpgv --keyring "$keyring" --weak-digest SHA1 --status-fd 1 --output "$2" "$1" 2>/dev/null) || true
  grep -q '^\[GNUPG:\] GOODSIG ' <<<"$status" &&
    ! grep -qE '^\[GNUPG:\] (BADSIG|ERROR) ' <<<"$status" &&
    (($(grep -c '^\[GNUPG:\] PLAINTEXT ' <<<"$status") == 1))
}

# A mirror could serve another suite, or last year's, with a good signature.
suite_check_release() { # SUITE RELEASE
  local until check=true
  grep -qxE "(Suite|Codename): $1" "$2" || die "the mirror's Release for Debian $1 is another suite's."
  until=$(sed -n 's/^Valid-Until: //p' "$2")
  eval "$(apt-config shell check Acquire::Check-Valid-Until/b)"
  if [[ -n $until && $check == true ]] && (($(date -d "$until" +%s) < $(date +%s))); then
    die "the mirror's Release for Debian $1 was valid until $until; apt's Acquire::Check-Valid-Until says to mind."
  fi
}

# Leaves the suite's verified Release and its mirror's address in $scratch; once per run.
suite_open() { # SUITE
  local folder=$scratch/suite/$1 site unverified=
  [[ -d $folder ]] && return
  mkdir -p "$scratch/suite" "$folder.new"
  while read -r site; do
    suite_fetch "$site/dists/$1/InRelease" "$folder.new/InRelease" || continue
    if suite_verify "$folder.new/InRelease" "$folder.new/Release"; then
      suite_check_release "$1" "$folder.new/Release"
      printf '%s\n' "$site" >"$folder.new/site"
      mv "$folder.new" "$folder"
      return
    fi
    unverified=$site
    rm -f "$folder.new"/*
  done < <(suite_mirrors)
  [[ -z $unverified ]] ||
    die "the signature of $unverified's Debian $1 is not good (none of this system's Debian archive keys vouches for it); nothing of it was used."
  [[ ! -f $scratch/fetch.log ]] || tail -n 3 "$scratch/fetch.log" >&2
  die "none of the mirrors that apt is configured with has Debian $1."
}

# Leaves a suite's verified index at $suite_index; once per run.
suite_open_index() { # SUITE PATH
  local folder=$scratch/suite/$1 site hash
  suite_open "$1"
  suite_index=$folder/${2//\//_}
  [[ -f $suite_index ]] && return
  site=$(<"$folder/site")
  hash=$(awk -v path="$2.xz" '/^[^ ]/ { on = $1 == "SHA256:" } on && $3 == path { print $1 }' "$folder/Release")
  [[ -n $hash ]] || die "Debian $1 has no $2."
  # By its hash an index is found even while the mirror is being updated.
  suite_fetch "$site/dists/$1/${2%/*}/by-hash/SHA256/$hash" "$suite_index.xz" ||
    suite_fetch "$site/dists/$1/$2.xz" "$suite_index.xz" || die "could not fetch $2.xz of Debian $1 from $site."
  suite_check_hash "$suite_index.xz" "$hash" "$2.xz of Debian $1 at $site"
  xz --decompress --keep "$suite_index.xz"
}

# Prints a package's paragraph of the index: the wanted upstream version's, else the last there is,
# since suites move on and mirrors keep no old versions.
suite_find() { # PACKAGE WANTED
  awk -v RS= -v package="$1" -v wanted="$2" '
    $1 != "Package:" || $2 != package { next }
    { last = $0; version = $0 }
    { sub(/(^|.*\n)Version: ([0-9]+:)?/, "", version) }
    index(version, wanted "-") == 1 { exit }
    END { print last }' "$suite_index"
}

suite_field() { # NAME PARAGRAPH
  awk -v name="$1:" '$1 == name { print $2 }' <<<"$2"
}

suite_take_version() { # SUITE PACKAGE WANTED PARAGRAPH
  suite_version=$(suite_field Version "$4")
  suite_upstream=${suite_version#*:}
  suite_upstream=${suite_upstream%-*}
  [[ $suite_upstream == "$3" ]] ||
    say "NOTE: Debian $1 has moved on: taking $2 $suite_version, where $3 is what debrief was tested with."
}

# Unpacks a binary package's files into a folder.
suite_unpack() { # SUITE PACKAGE WANTED FOLDER
  local paragraph site
  suite_open_index "$1" "main/binary-$(dpkg --print-architecture)/Packages"
  paragraph=$(suite_find "$2" "$3")
  [[ -n $paragraph ]] || die "Debian $1 has no package $2."
  suite_take_version "$1" "$2" "$3" "$paragraph"
  site=$(<"$scratch/suite/$1/site")
  suite_fetch "$site/$(suite_field Filename "$paragraph")" "$scratch/$2.deb" || die "could not fetch $2 $suite_version from $site."
  suite_check_hash "$scratch/$2.deb" "$(suite_field SHA256 "$paragraph")" "$2 $suite_version at $site"
  mkdir -p "$4"
  dpkg-deb -x "$scratch/$2.deb" "$4"
}

# Unpacks a source package's upstream tarball into a folder.
suite_source() { # SUITE PACKAGE WANTED FOLDER
  local paragraph site hash file
  suite_open_index "$1" main/source/Sources
  paragraph=$(suite_find "$2" "$3")
  [[ -n $paragraph ]] || die "Debian $1 has no source package $2."
  suite_take_version "$1" "$2" "$3" "$paragraph"
  site=$(<"$scratch/suite/$1/site")
  read -r hash file < <(awk '/^[^ ]/ { on = $1 == "Checksums-Sha256:" } on && $3 ~ /\.orig\.tar\.[a-z0-9]+$/ { print $1, $3 }' <<<"$paragraph")
  suite_fetch "$site/$(suite_field Directory "$paragraph")/$file" "$scratch/$file" || die "could not fetch $file from $site."
  suite_check_hash "$scratch/$file" "$hash" "$file at $site"
  mkdir -p "$4"
  tar -xf "$scratch/$file" -C "$4" --strip-components=1
}
