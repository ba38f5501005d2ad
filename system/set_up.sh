# The part of the launcher that installs: Deno and the packages of pakfs into `.tools/`, and what mounting needs with the
# system's package manager. `pakfs` reads this file when something is missing, and before it mounts. What this run may not
# install, it prints the command for, and exits with 2.
# shellcheck shell=sh disable=SC2154 # the launcher sets root, tools, blocked, command, runtime_packages and fetched

npm_registry=https://registry.npmjs.org

# Prints a sentence, then the command on a line of its own, ready to be copied.
ask_user() {
  say "$1; run:"
  printf '  %s\n' "$2" >&2
  exit 2
}
# As ask_user, for a command that root has to run.
ask_root() {
  is_root || set -- "$1" "sudo $2"
  ask_user "$1" "$2"
}
can_be_root() { is_root || { has sudo && sudo -n true 2>/dev/null; }; }
as_root() { if is_root; then "$@"; else sudo -n "$@"; fi; }
quoted() { printf "'%s'" "$(printf %s "$1" | sed "s/'/'\\\\''/g")"; }

# Whether this user may write below $tools.
may_write() {
  directory=$DENO_DIR
  while [ ! -e "$directory" ]; do directory=${directory%/*}; done
  [ -d "$directory" ] && [ -w "$directory" ]
}

# Prints a setting of npm's from the file of the program or of the user: npm_setting KEY.
npm_setting() {
  sed -n "s|^ *$1 *= *[\"']\{0,1\}\([^[:space:]\"']*\).*|\1|p" "$root/.npmrc" "${HOME:-}/.npmrc" 2>/dev/null | head -n 1
}

# Prints the command that sets pakfs up, for which sudo passes no variables on.
set_up_command() {
  may_write || is_root || printf 'sudo '
  [ "$registry" = "$npm_registry" ] || set -- "NPM_CONFIG_REGISTRY=$(quoted "$registry") "
  echo "env PAKFS_NO_INSTALL=0 ${1:-}$(quoted "$root/pakfs") --version"
}

# Sets `registry`, the one that npm would use. Ends with that command if this run may not set up: require_set_up REASON.
require_set_up() {
  registry=${NPM_CONFIG_REGISTRY:-${npm_config_registry:-$(npm_setting registry)}}
  registry=${registry:-$npm_registry}
  registry=${registry%/}
  may_write || blocked="$blocked, and $tools cannot be written to"
  may_write || ! is_root || fail "$1$blocked"
  may_install || ask_user "$1$blocked" "$(set_up_command)"
}

# --- Deno -------------------------------------------------------------------------------------------------------------

is_binary() { case $(head -c 4 "$1" 2>/dev/null) in ?ELF) ;; *) return 1 ;; esac }
remember() {
  [ -w "$DENO_DIR" ] && is_binary "$1" || return 0
  real=$(readlink -f -- "$1" 2>/dev/null) || return 0
  (umask 022 && printf '%s\n' "$real" >"$remembered") 2>/dev/null || true
}

# Sets `deno` if a path is Deno and new enough: usable_deno PATH.
usable_deno() {
  [ -x "$1" ] && [ ! -d "$1" ] || return 1
  deno=$1
  ! is_remembered "$1" || return 0
  if ! is_binary "$1"; then
    # The script of npm's package waits for another process, which signals would not reach.
    started=$(DENO_DIR=/dev/null "$1" eval --no-config 'console.log(Deno.execPath())' 2>/dev/null </dev/null) || started=''
    ! is_binary "$started" || ! usable_deno "$started" || return 0
    deno=$1
  fi
  case $("$1" --version 2>/dev/null) in
  "deno 2.9."* | "deno 2."[1-9][0-9]* | "deno "[3-9]* | "deno "[1-9][0-9]*) remember "$1" ;;
  *) return 1 ;;
  esac
}

# Sets `deno`, which is installed if none is found.
find_deno() {
  if [ -n "${DENO:-}" ]; then
    usable_deno "$(command -v "$DENO")" || fail "DENO is set to $DENO, which is not Deno 2.9 or newer; unset it"
    return
  fi
  for found in "$(command -v deno || true)" "$tools/bin/deno"; do
    ! usable_deno "$found" || return 0
  done
  install_deno
}

# Fails if Deno is installed and does not start: another download would not help.
require_runnable() {
  [ ! -f "$tools/bin/deno" ] || shown=$("$tools/bin/deno" --version 2>&1) ||
    fail "$tools/bin/deno does not start: ${shown##*: }; on a disk mounted noexec nothing does." \
      "Put Deno 2.9 or newer elsewhere and name it with DENO=PATH"
}

# Fetches a file of the registry: fetch URL FILE. The token does not appear in the list of processes.
fetch() {
  if has curl; then
    token=$(npm_setting "//${registry#*://}/:_authToken")
    case $token in '${'*'}') token=$(printenv "$(echo "$token" | tr -d '${}')" || true) ;; esac
    progress=-sS
    [ ! -t 2 ] || progress=-#
    echo "${token:+Authorization: Bearer $token}" | curl -fL "$progress" --connect-timeout 30 -H @- -o "$2" "$1" >&2
  else
    wget -q -t 2 -O "$2" "$1" >&2
  fi
}

# Installs the binary of npm's package for this platform, which is a tarball.
install_deno() {
  reason='Deno 2.9 or newer was not found'
  platform='' loader=''
  # The loader of the C library that the binary is for, and the sha512 of its `integrity` in hexadecimal.
  case $(uname -m) in
  x86_64)
    platform=linux-x64-glibc version=2.9.6 loader=/lib64/ld-linux-x86-64.so.2
    sha512=de67784ca2c2bb3b0b0e67cea02e4a37b34065ac525643209bae2f83a7e80f4d
    sha512=${sha512}090400c2a584b6ff942a5dfce09cfe59433de22cff6f05026d120735d7a380a1
    ;;
  aarch64)
    platform=linux-arm64-glibc version=2.9.5 loader=/lib/ld-linux-aarch64.so.1
    sha512=22e623b33f4f1a5ec225c35732e376eca34307c438d1bacadd21b797e4d73035
    sha512=${sha512}56eb564ac1c9f47d01c11e75c58a2ca013023c6f2fdf2a7012125ba1641d5ab7
    ;;
  esac
  [ -e "$loader" ] ||
    fail "$reason, and npm has none for this system, $(uname -m)${platform:+ without glibc};" \
      "install Deno with the system's package manager, see https://deno.com"
  require_set_up "$reason"
  require_runnable
  has curl || has wget || fail "$reason, nor curl or wget to fetch it with; install curl"

  # Next to its place first: what is cut off or damaged must not look like an installation.
  new=$tools/new.$$
  trap 'rm -rf "$new"' EXIT
  trap 'exit 130' HUP INT TERM
  for_all mkdir -p "$new" "$tools/bin"
  url=$registry/@deno/$platform/-/$platform-$version.tgz
  say "fetching Deno from $url"
  fetch "$url" "$new/package.tgz" ||
    fail "$url could not be fetched; connect to a network, or name another registry with NPM_CONFIG_REGISTRY"
  [ "$(sha512sum <"$new/package.tgz")" = "$sha512  -" ] ||
    fail "$url is not Deno as it was published: its sha512 is another, so it was not installed;" \
      "try again, or name another registry with NPM_CONFIG_REGISTRY"
  { for_all tar -xzf "$new/package.tgz" -C "$new" package/deno && mv -f "$new/package/deno" "$tools/bin/deno"; } >&2 ||
    fail "Deno could not be written to $tools; see the line above"
  rm -rf "$new"
  trap - EXIT HUP INT TERM
  usable_deno "$tools/bin/deno" || require_runnable
}

# --- Packages ---------------------------------------------------------------------------------------------------------

fetch_packages() {
  missing="the packages of pakfs are not in $DENO_DIR"
  require_set_up "$missing"
  say "fetching packages into $DENO_DIR"
  for_all mkdir -p "$DENO_DIR"
  for_all env NPM_CONFIG_REGISTRY="$registry" "$deno" cache --quiet --config "$root/deno.json" "$root/mod.ts" \
    "$root/repl/main.ts" "$root/daemon/main.ts" "$root/system/build/main.ts" "$root"/*/*_worker.ts \
    "$root"/*/*/*_worker.ts "$root"/*/*/*/*_worker.ts "$root/web/page/three.js" >&2 ||
    ask_user "$missing, and fetching them failed: connect to a network" "$(set_up_command)"
  (umask 022 && { printf '%s\n' "$runtime_packages" "$registry" && cat "$root/deno.lock"; } >"$fetched")
  # The first run is the only one that needs a network.
  offer_packages
}

# Builds the client and the daemon: their modules in a few files, which load in half of the time (system/build/main.ts).
build() {
  [ ! -t 2 ] || say "building the programs, once after each change"
  for_all "$deno" run --quiet --no-prompt --cached-only --config "$root/deno.json" --allow-read --allow-env --allow-ffi \
    --allow-sys "--allow-write=$tools" "$root/system/build/main.ts" >/dev/null 2>&1 3>&- || true
}

# --- The system's packages --------------------------------------------------------------------------------------------

has_library() {
  for library in /usr/lib/*-linux-gnu/"$1" /lib/*-linux-gnu/"$1" /usr/lib64/"$1" /usr/lib/"$1" /lib64/"$1" /lib/"$1" \
    /usr/local/lib/"$1"; do
    [ ! -e "$library" ] || return 0
  done
  case $(ldconfig -p 2>/dev/null || /sbin/ldconfig -p 2>/dev/null) in *"$1"*) return 0 ;; esac
  return 1
}
has_libfuse() { [ -n "${DENO_FUSE_LIBRARY:-}" ] || has_library libfuse3.so.3 || has_library libfuse3.so.4; }

missing_fuse() {
  if ! has_libfuse; then echo "libfuse 3"; elif ! has fusermount3; then echo "fusermount3"; fi
}

# Prints the command that installs all that pakfs can use.
package_command() {
  if has apt-get; then
    # Lists are often missing in containers, or too old to fetch what they name.
    echo "sh -c 'apt-get update; apt-get install -y fuse3 libdeflate0'"
  elif has dnf; then
    echo "dnf install -y fuse3 fuse3-libs libdeflate"
  elif has pacman; then
    echo "pacman -S --needed --noconfirm fuse3 libdeflate"
  elif has zypper; then
    echo "zypper --non-interactive install fuse3 libdeflate0"
  elif has apk; then
    echo "apk add -U fuse3 fuse3-libs libdeflate"
  else
    return 1
  fi
}

# Runs what package_command printed.
run_package_command() {
  say "installing: $1"
  eval "as_root env DEBIAN_FRONTEND=noninteractive $1" >&2
}

ensure_fuse() {
  missing=$(missing_fuse)
  if [ -n "$missing" ]; then
    reason="$missing is missing, which mounting needs"
    install=$(package_command) ||
      fail "$reason; install it (package fuse3) with your system's package manager"
    { may_install && can_be_root; } || ask_root "$reason$blocked" "$install"
    say "$reason"
    run_package_command "$install" || true
    missing=$(missing_fuse)
    [ -z "$missing" ] || fail "$missing is still missing after: $install"
  fi
  without=''
  [ "$command" != daemon ] || without='; pakfs daemon --no-mount answers queries without it'
  if [ ! -e /dev/fuse ] && may_install && can_be_root && has modprobe; then
    say "/dev/fuse does not exist: loading the kernel's module with modprobe fuse"
    as_root modprobe fuse 2>/dev/null || true
  fi
  [ -e /dev/fuse ] ||
    fail "/dev/fuse does not exist; load the kernel's module (modprobe fuse)," \
      "or start the container with --device /dev/fuse --cap-add SYS_ADMIN$without"
  { [ -r /dev/fuse ] && [ -w /dev/fuse ]; } ||
    ask_root "this user may not open /dev/fuse$without" "chmod 0666 /dev/fuse"
  # There fusermount3 finds the mounts that a user may end; a system that was just unpacked does not have it.
  link='ln -s ../proc/self/mounts /etc/mtab'
  # shellcheck disable=SC2086
  [ -e /etc/mtab ] || { may_install && can_be_root && as_root $link && say "made /etc/mtab, which unmounting needs"; } ||
    is_root || ask_root "/etc/mtab is missing, without which no user can unmount" "$link"
}

# Installs what mounting needs, and libdeflate, for speed, if that is possible without asking.
offer_packages() {
  { [ -n "$(missing_fuse)" ] || ! has_library libdeflate.so.0; } && may_install && can_be_root || return 0
  install=$(package_command) || return 0
  run_package_command "$install" || say "could not be installed; continuing without it"
}
