#!/bin/sh
# Installs the compiled binary for one user.
#
#     scripts/install.sh [BINARY]
#
# BINARY is dist/nimlet where none is given. It goes to ~/.local/bin, or to the folder in
# NIMLET_INSTALL_DIR. A binary that does not start is not installed, and an installed one is replaced
# at once or not at all.
set -eu

fail() {
  printf 'install: %s\n' "$1" >&2
  exit 1
}

here=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
binary=${1:-$here/dist/nimlet}
[ -f "$binary" ] || fail "expected a binary at $binary, found none: make it with 'deno task compile'"
if [ -n "${NIMLET_INSTALL_DIR:-}" ]; then
  folder=$NIMLET_INSTALL_DIR
else
  [ -n "${HOME:-}" ] || fail "HOME is not set: name a folder in NIMLET_INSTALL_DIR"
  folder=$HOME/.local/bin
fi

mkdir -p -- "$folder" || fail "the folder $folder could not be made"
folder=$(CDPATH='' cd -- "$folder" && pwd)
[ ! -d "$folder/nimlet" ] || fail "$folder/nimlet is a folder: name another folder in NIMLET_INSTALL_DIR"
new=$folder/.nimlet-install.$$
trap 'rm -f -- "$new"' EXIT
trap 'exit 1' HUP INT TERM
cp -- "$binary" "$new" || fail "$folder cannot be written"
chmod 755 "$new"
needed=''
if [ "$(uname -s)" = Linux ]; then needed='. It needs glibc 2.27 or later (not musl), and /proc'; fi
version=$("$new" --version </dev/null) ||
  fail "$binary does not start on this system; nothing was changed$needed"
mv -f -- "$new" "$folder/nimlet" || fail "$folder/nimlet could not be replaced"
printf 'installed %s as %s\n' "$version" "$folder/nimlet"

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
