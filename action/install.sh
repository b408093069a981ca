#!/usr/bin/env bash
# Installs a released promptc for action.yml: finds out which release is meant, downloads the archive for this runner,
# verifies it, and unpacks the program into $RUNNER_TEMP/promptc-action.
#
# Afterwards $GITHUB_OUTPUT says installed=true. Where no release can be had, the script says why and sets
# installed=false, and the action builds promptc with Go. An archive that differs from what its release states is an
# error: then nothing is installed or built.
#
#   SERVER, REPOSITORY  where the releases are
#   VERSION             the input "version"; empty for the release at which the action was named
#   ACTION_REPOSITORY   the repository of the action; empty for a local one
#   ACTION_REF          the tag, commit or branch at which the action was named; empty for a local one
#   GH_TOKEN            lets gh ask GitHub for attestations
set -euo pipefail

fail() {
  printf '::error::promptc was not installed: %s\n' "$1"
  exit 3
}

# A release that was asked for and cannot be had is a warning; where none was asked for, building is what is meant.
build() {
  local form='%s: promptc is built with Go\n'
  if [[ -n $release ]]; then form='::warning::%s: promptc is built with Go, which takes longer\n'; fi
  # shellcheck disable=SC2059 # one of the two forms above
  printf "$form" "$1"
  echo 'installed=false' >>"$GITHUB_OUTPUT"
  exit 0
}

fetch() {
  curl --fail --silent --show-error --location --proto "=${SERVER%%:*}" --connect-timeout 20 --max-time 300 \
    --retry 2 --retry-delay 1 --output "$2" -- "$SERVER/$REPOSITORY/releases/download/$release/$1"
}

sha256() {
  if command -v sha256sum >/dev/null; then sha256sum <"$1"; else shasum -a 256 <"$1"; fi | cut -d ' ' -f 1
}

# GitHub signs which workflow made an archive, from which tag. Only a gh with a token for github.com can ask for that.
# One that does not know --source-ref is so old that it exits with 0 where there is no attestation at all.
attest() {
  local help said
  if [[ -z ${GH_TOKEN-} || $GITHUB_SERVER_URL != https://github.com ]] || ! help="$(gh attestation verify --help 2>&1)" ||
    [[ $help != *--source-ref* ]]; then
    echo 'the attestation was not verified: that takes a recent gh, a token, and github.com'
    return
  fi
  said="$(gh attestation verify "$1" --repo "$REPOSITORY" --source-ref "refs/tags/$release" \
    --signer-workflow "$REPOSITORY/.github/workflows/release.yml" --format json)" || said=
  [[ $said == *'"verificationResult"'* ]] || fail "GitHub does not attest that the release workflow made $1 from $release"
  echo 'the attestation is right'
}

# Which release is meant: the one that is named, or the one whose tag points at the commit that is named.
form='^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$'
release=
if [[ v${VERSION#v} =~ $form ]]; then
  release="v${VERSION#v}"
elif [[ -n $VERSION ]]; then
  build 'the input "version" names no release'
elif [[ $ACTION_REPOSITORY != "$REPOSITORY" ]]; then
  build "the action is not taken from $REPOSITORY"
elif [[ $ACTION_REF =~ $form ]]; then
  release="$ACTION_REF"
elif [[ $ACTION_REF =~ ^[0-9a-f]{40}$ ]]; then
  tags="$(GIT_TERMINAL_PROMPT=0 git -c http.lowSpeedLimit=1 -c http.lowSpeedTime=30 ls-remote --tags -- "$SERVER/$REPOSITORY" 'v*')" ||
    build "the releases of $REPOSITORY cannot be listed"
  while read -r commit name; do
    name="${name#refs/tags/}"
    name="${name%^\{\}}"
    if [[ $commit == "$ACTION_REF" && $name =~ $form ]]; then release="$name"; fi
  done <<<"$tags"
fi
if [[ -z $release ]]; then build 'the action is not named at a release'; fi

case "$RUNNER_OS-$RUNNER_ARCH" in
  Linux-X64) archive=linux_amd64.tar.gz ;;
  Linux-ARM64) archive=linux_arm64.tar.gz ;;
  macOS-X64) archive=darwin_amd64.tar.gz ;;
  macOS-ARM64) archive=darwin_arm64.tar.gz ;;
  Windows-X64) archive=windows_amd64.zip ;;
  Windows-ARM64) archive=windows_arm64.zip ;;
  *) build "no release is made for $RUNNER_OS on $RUNNER_ARCH" ;;
esac
archive="promptc_${release#v}_$archive"

# All names below are in this folder: on Windows, tar takes what stands before a colon for a host.
cd -- "$(mktemp -d "$RUNNER_TEMP/promptc-release-XXXXXX")"
fetch checksums.txt checksums.txt || build "$release has no checksums.txt that can be downloaded"
expected="$(awk -v name="$archive" '$2 == name || $2 == "*" name { print $1 }' checksums.txt)"
[[ $expected =~ ^[0-9a-f]{64}$ ]] || fail "checksums.txt of $release has no single SHA-256 for $archive"

# The cache may have been written by anybody's job: what is in it counts if it is what the release has.
cached="${RUNNER_TOOL_CACHE:-$RUNNER_TEMP}/promptc/$archive"
if cp -- "$cached" "$archive" 2>/dev/null && [[ "$(sha256 "$archive")" == "$expected" ]]; then
  echo "$archive is in the cache"
else
  fetch "$archive" "$archive" || build "$archive cannot be downloaded"
  [[ "$(sha256 "$archive")" == "$expected" ]] || fail "the SHA-256 of $archive is not the one in checksums.txt of $release"
fi
attest "$archive"
if ! { mkdir -p -- "${cached%/*}" && cp -- "$archive" "$cached.$$" && mv -f -- "$cached.$$" "$cached"; }; then
  echo "$archive cannot be kept in the cache"
fi

program=promptc
if [[ $archive == *.zip ]]; then
  program=promptc.exe
  unzip -q "$archive" "$program"
else
  tar -xzf "$archive" "$program"
fi
mkdir -p -- "$RUNNER_TEMP/promptc-action"
mv -f -- "$program" "$RUNNER_TEMP/promptc-action/$program"
said="$("$RUNNER_TEMP/promptc-action/$program" version)" || fail "the program of $archive does not run here"
printf 'installed %s\n' "$said"
echo 'installed=true' >>"$GITHUB_OUTPUT"
