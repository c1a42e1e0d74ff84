# npm's packages, from each folder's lock file. npm ci deletes node_modules first, so a stamp in it
# holds only for a whole installation.

npm_bring() { # FOLDER
  local folder=$repository/$1 stamp hash
  [[ -f $folder/package.json ]] || return 0
  [[ -f $folder/package-lock.json ]] || die "$1/package-lock.json is missing; npm's packages are only taken as it pins them."
  stamp=$folder/node_modules/.debrief-setup
  hash=$(sha256sum <"$folder/package-lock.json")
  [[ -f $stamp && $(<"$stamp") == "$hash" ]] && return
  # Browser tests drive the system's chromium.
  PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 quietly npm --prefix "$folder" ci --no-audit --no-fund ||
    die "npm ci failed in $1/."
  mkdir -p "$folder/node_modules" # npm makes none for a lock file without packages
  printf '%s\n' "$hash" >"$stamp"
  say "npm's packages of $1/package-lock.json -> $1/node_modules"
}
