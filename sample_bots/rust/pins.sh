#!/bin/sh
# Cargo.pins is Cargo.lock (versions and hashes) without where the crates come from.
#
#   sh pins.sh fetch   makes Cargo.lock out of Cargo.pins and gets the crates
#   sh pins.sh save    makes Cargo.pins out of Cargo.lock, after `cargo add` or `cargo update`
set -eu
cd "$(dirname "$0")"

case "${1:-}" in
  fetch)
    # Cargo's own resolving tells how it names the place, and its hashes are checked there.
    rm -f Cargo.lock
    cargo generate-lockfile --quiet
    place=$(grep -m 1 '^source = ' Cargo.lock)
    awk -v place="$place" '/^checksum = / { print place } { print }' Cargo.pins > Cargo.lock
    cargo fetch --locked || {
      echo "Does Cargo.pins still fit Cargo.toml? Make it anew: cargo update --workspace, sh pins.sh save" >&2
      exit 1
    }
    ;;
  save)
    grep -v '^source = ' Cargo.lock > Cargo.pins
    ;;
  *)
    echo "usage: sh pins.sh fetch | save" >&2
    exit 2
    ;;
esac
