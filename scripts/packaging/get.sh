#!/bin/sh
# Fetches nimlet, checks it, and installs it for one user, without root:
#
#     curl -fsSL ADDRESS/v@VERSION@/get.sh | sh
#
# It goes to ~/.local/bin, or to the folder in NIMLET_INSTALL_DIR. NIMLET_VERSION names another version,
# NIMLET_DOWNLOADS another address. What does not match SHA256SUMS, or does not start, changes nothing.
set -eu

downloads=${NIMLET_DOWNLOADS:-@DOWNLOADS@}
version=${NIMLET_VERSION:-@VERSION@}
version=${version#v}
min_glibc=@MIN_GLIBC@
scratch=''

fail() {
  printf 'nimlet: %s\n' "$1" >&2
  exit 1
}

clean_up() {
  [ -z "$scratch" ] || rm -rf -- "$scratch"
}

# All is in functions, which the last line calls: a script that arrived in part does nothing.
main() {
  [ -n "$downloads" ] || fail "no release is published yet: name the address of one in NIMLET_DOWNLOADS"
  file=nimlet-$version-$(system_name)
  if [ -n "${NIMLET_INSTALL_DIR:-}" ]; then
    folder=$NIMLET_INSTALL_DIR
  else
    [ -n "${HOME:-}" ] || fail "HOME is not set: name a folder in NIMLET_INSTALL_DIR"
    folder=$HOME/.local/bin
  fi
  mkdir -p -- "$folder" 2>/dev/null ||
    fail "the folder $folder cannot be made: name another one in NIMLET_INSTALL_DIR"
  # as PATH and the folder beside it want it: absolute, without a slash at its end
  absolute=$(CDPATH='' cd -- "$folder" 2>/dev/null && pwd) ||
    fail "the folder $folder cannot be entered: name another one in NIMLET_INSTALL_DIR"
  folder=$absolute
  [ ! -d "$folder/nimlet" ] ||
    fail "$folder/nimlet is a folder: name another folder in NIMLET_INSTALL_DIR"
  trap clean_up EXIT
  trap 'exit 1' HUP INT TERM
  # in that folder, as only within one file system a file is replaced at once or not at all
  scratch=$(mktemp -d "$folder/.nimlet-get.XXXXXX" 2>/dev/null) ||
    fail "$folder cannot be written: name another folder in NIMLET_INSTALL_DIR"

  address=${downloads%/}/v$version
  fetch "$address/SHA256SUMS" "$scratch/SHA256SUMS"
  wanted=$(sum_of "$file")
  [ -n "$wanted" ] || fail "$address/SHA256SUMS has no line for $file: there is none for this system"
  fetch "$address/$file" "$scratch/nimlet"
  found=$(digest "$scratch/nimlet")
  [ "$found" = "$wanted" ] ||
    fail "$file is not what SHA256SUMS says: expected $wanted, found $found; nothing was changed"
  chmod 755 "$scratch/nimlet"
  shown=$("$scratch/nimlet" --version </dev/null 2>/dev/null) ||
    fail "$file does not start on this system; nothing was changed. $(needed)"
  fetch_page
  mv -f -- "$scratch/nimlet" "$folder/nimlet" || fail "$folder/nimlet cannot be replaced"
  printf 'installed %s as %s\n' "$shown" "$folder/nimlet"
  case "$folder" in
    */bin) share_files || printf 'without its man page and completions: %s cannot be written\n' "$share" ;;
  esac
  say_path
}

# The end of the file's name for this system.
system_name() {
  system=$(uname -s) machine=$(uname -m)
  case "$machine" in
    x86_64 | amd64) machine=x86_64 ;;
    aarch64 | arm64) machine=aarch64 ;;
    *) fail "there is no nimlet for $system on $machine: compile it from source" ;;
  esac
  case "$system" in
    Linux)
      check_linux >&2
      printf 'linux-%s\n' "$machine"
      ;;
    Darwin)
      # a shell that runs translated says x86_64 on ARM
      if [ "$(sysctl -n hw.optional.arm64 2>/dev/null || :)" = 1 ]; then machine=aarch64; fi
      printf 'macos-%s\n' "$machine"
      ;;
    MINGW* | MSYS* | CYGWIN*) fail "on Windows install nimlet with npm, or fetch the .exe from $downloads" ;;
    *) fail "there is no nimlet for $system: compile it from source" ;;
  esac
}

needed() {
  printf 'nimlet needs Linux with glibc %s or later, and /proc' "$min_glibc"
}

# Ends with one sentence where the program could not start.
check_linux() {
  if glibc=$(getconf GNU_LIBC_VERSION 2>/dev/null); then
    glibc=${glibc#glibc }
    at_least "$glibc" "$min_glibc" || fail "$(needed); found glibc $glibc"
  elif ldd --version 2>&1 | grep -qi musl || ls /lib/ld-musl-* >/dev/null 2>&1; then
    fail "$(needed); found musl, as on Alpine: use an image with glibc, as debian:12-slim"
  fi
  [ -e /proc/self/exe ] || fail "$(needed); found no /proc"
}

# at_least FOUND WANTED, both as 2.27
at_least() {
  [ "${1%%.*}" -gt "${2%%.*}" ] && return 0
  [ "${1%%.*}" -eq "${2%%.*}" ] || return 1
  minor=${1#*.}
  [ "${minor%%.*}" -ge "${2#*.}" ]
}

# fetch ADDRESS FILE
fetch() {
  case "$1" in
    # nor is what it leads to fetched without
    https://*) secure='--proto =https --tlsv1.2' ;;
    *) secure='' ;;
  esac
  if command -v curl >/dev/null 2>&1; then
    # a server that stalls is given up, a slow one is not
    # what secure holds are words of their own
    # shellcheck disable=SC2086
    curl $secure -fsSL --connect-timeout 30 --speed-limit 1 --speed-time 60 --retry 2 -o "$2" -- "$1" ||
      fail "$1 could not be fetched; nothing was changed"
  elif command -v wget >/dev/null 2>&1; then
    # that of BusyBox knows no --version, and may crash with -T
    patience=''
    if wget --version >/dev/null 2>&1; then patience='-T 30'; fi
    # shellcheck disable=SC2086
    wget -q $patience -O "$2" -- "$1" || fail "$1 could not be fetched; nothing was changed"
  else
    fail "curl or wget is needed, and neither is there"
  fi
}

# The man page, where the release has one.
fetch_page() {
  wanted=$(sum_of nimlet.1)
  [ -n "$wanted" ] || return 0
  fetch "$address/nimlet.1" "$scratch/nimlet.1"
  [ "$(digest "$scratch/nimlet.1")" = "$wanted" ] ||
    fail "nimlet.1 is not what SHA256SUMS says; nothing was changed"
}

# Puts the man page and completions where shells and man look for what lies in the folder.
share_files() {
  share=${folder%/*}/share
  if [ -f "$scratch/nimlet.1" ]; then put "$scratch/nimlet.1" man/man1/nimlet.1 || return 1; fi
  for shell in bash zsh fish; do
    "$folder/nimlet" --completions "$shell" </dev/null >"$scratch/$shell" || return 1
  done
  put "$scratch/bash" bash-completion/completions/nimlet &&
    put "$scratch/zsh" zsh/site-functions/_nimlet &&
    put "$scratch/fish" fish/vendor_completions.d/nimlet.fish
}

# put FILE PLACE, below the shared folder
put() {
  target=$share/$2
  mkdir -p -- "${target%/*}" 2>/dev/null && cp -- "$1" "$target" 2>/dev/null && chmod 644 "$target"
}

# The digest that SHA256SUMS has for a file.
sum_of() {
  while read -r digest name rest; do
    if [ "$name" = "$1" ] && [ -z "$rest" ]; then printf '%s\n' "$digest"; fi
  done <"$scratch/SHA256SUMS"
}

digest() {
  if command -v sha256sum >/dev/null 2>&1; then
    sum=$(sha256sum <"$1")
  elif command -v shasum >/dev/null 2>&1; then
    sum=$(shasum -a 256 <"$1")
  elif command -v openssl >/dev/null 2>&1; then
    sum=$(openssl dgst -sha256 -r <"$1")
  else
    fail "sha256sum, shasum or openssl is needed to check what was fetched, and none is there"
  fi
  printf '%s\n' "${sum%% *}"
}

say_path() {
  case ":${PATH:-}:" in
    *":$folder:"*)
      first=$(command -v nimlet || :)
      [ "$first" = "$folder/nimlet" ] || printf 'PATH finds %s first\n' "$first"
      ;;
    *)
      printf '%s is not on your PATH. For this shell, and as a line of your shell'\''s start-up file:\n' "$folder"
      # $PATH is for the shell that reads the line
      # shellcheck disable=SC2016
      printf '\n    export PATH="%s:$PATH"\n\n' "$folder"
      printf 'In fish: fish_add_path "%s"\n' "$folder"
      ;;
  esac
}

main
