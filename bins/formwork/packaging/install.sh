#!/bin/sh
# Installs the program formwork of a release: downloads its archive, compares the SHA-256, and unpacks the program.
set -eu

usage() {
  cat <<'TEXT'
install.sh [--version VERSION] [--url URL] [--to FOLDER]

  --version  a release such as 0.1.0 (default: the latest one)
  --url      folder of the archive and of SHA256SUMS, instead of the release's (or FORMWORK_DOWNLOAD_URL)
  --to       where the program goes (default: /usr/local/bin as root, else ~/.local/bin)
TEXT
}

fail() {
  echo "install.sh: $1" >&2
  exit 1
}

releases=https://github.com/formwork/formwork/releases
version=
url=${FORMWORK_DOWNLOAD_URL:-}
folder=

while [ $# -gt 0 ]; do
  case $1 in
    --help | -h) usage && exit 0 ;;
    --version | --url | --to) [ $# -ge 2 ] || fail "$1 needs a value" ;;
    *) fail "unknown option $1 (--help lists them)" ;;
  esac
  case $1 in
    --version) version=${2#v} ;;
    --url) url=$2 ;;
    --to) folder=$2 ;;
  esac
  shift 2
done

if [ -z "$url" ]; then
  if [ -n "$version" ]; then url=$releases/download/v$version; else url=$releases/latest/download; fi
fi
if [ -z "$folder" ]; then
  if [ "$(id -u)" = 0 ]; then folder=/usr/local/bin; else folder=${HOME:?}/.local/bin; fi
fi

[ "$(uname -s)" = Linux ] || fail "there are archives for Linux only; build it elsewhere: cargo build --release"
case $(uname -m) in
  x86_64 | amd64) architecture=x86_64 ;;
  aarch64 | arm64) architecture=aarch64 ;;
  *) fail "there is no archive for $(uname -m)" ;;
esac
archive=formwork-$architecture-linux.tar.gz

if command -v curl >/dev/null; then
  download() { curl --fail --silent --show-error --location --output "$2" "$1"; }
elif command -v wget >/dev/null; then
  download() { wget --quiet --output-document="$2" "$1"; }
else
  fail "neither curl nor wget is installed"
fi
command -v sha256sum >/dev/null || fail "sha256sum is not installed"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
download "$url/$archive" "$work/$archive" || fail "$url/$archive cannot be downloaded"
download "$url/SHA256SUMS" "$work/SHA256SUMS" || fail "$url/SHA256SUMS cannot be downloaded"
grep " $archive\$" "$work/SHA256SUMS" >"$work/expected" || fail "SHA256SUMS does not name $archive"
(cd "$work" && sha256sum --check --status expected) || fail "the SHA-256 of $archive is not that of SHA256SUMS"

tar -xzf "$work/$archive" -C "$work" || fail "$archive cannot be unpacked"
mkdir -p "$folder" 2>/dev/null || fail "$folder cannot be created"
# Renamed in place, so that a program that runs is not overwritten.
cp "$work/formwork/formwork" "$folder/.formwork.new" 2>/dev/null || fail "$folder cannot be written"
chmod 0755 "$folder/.formwork.new"
if ! installed=$("$folder/.formwork.new" --version 2>"$work/error"); then
  rm -f "$folder/.formwork.new"
  fail "the program does not run here: $(head -n 1 "$work/error")"
fi
mv "$folder/.formwork.new" "$folder/formwork"
# The manual and completion go beside a folder called bin, where man and the shells look; the program works without.
share=${folder%/bin}/share
if [ "$share" != "$folder/share" ]; then
  install_file() {
    mkdir -p "$share/$2" 2>/dev/null && cp "$1" "$share/$2/" 2>/dev/null || echo "$share/$2 cannot be written" >&2
  }
  for page in "$work"/formwork/man/*.1; do install_file "$page" man/man1; done
  install_file "$work/formwork/completions/formwork" bash-completion/completions
  install_file "$work/formwork/completions/_formwork" zsh/site-functions
  install_file "$work/formwork/completions/formwork.fish" fish/vendor_completions.d
fi
echo "$installed is in $folder/formwork"
case :$PATH: in
  *:"$folder":*) ;;
  *) echo "$folder is not in PATH." ;;
esac
