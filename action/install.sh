#!/usr/bin/env bash
# Installs a released promptc for action.yml: finds out which release is meant, downloads the archive for this runner,
# verifies it, and unpacks the program into $RUNNER_TEMP/promptc-action.
#
# Afterwards $GITHUB_OUTPUT says installed=true. Where no release can be had, the script says why and sets
# installed=false, and the action builds promptc with Go. An archive that differs from what its release states is an
# error: then nothing is installed or built.
#
# v1 and v1.2 mean the newest release that starts so. The tags name the releases, and git lists them from any server,
# without a token and without the limits of GitHub's API; pre-releases have a version of their own (v1.2.3-rc1). A tag
# without checksums.txt has no published release: it is skipped.
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

# Ends the script. The caller puts ::warning:: in front where a release was wanted; elsewhere, building is what is meant.
build() {
  printf '%s: promptc is built with Go\n' "$1"
  echo 'installed=false' >>"$GITHUB_OUTPUT"
  exit 0
}

# Prints the HTTP status.
fetch() {
  curl --fail --silent --show-error --location --proto "=${SERVER%%:*}" --connect-timeout 20 --max-time 300 \
    --retry 2 --retry-delay 1 --output "$1" --write-out '%{http_code}' -- "$SERVER/$REPOSITORY/releases/download/$release/$1"
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

# What is wanted: a version (v1.2.3), the newest release of a line of them (v1, v1.2), or that of a commit.
version='^v[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$'
line='^v[0-9]{1,3}(\.[0-9]+)?$'
wanted="$ACTION_REF"
if [[ -n $VERSION ]]; then
  wanted="v${VERSION#v}"
  if ! [[ $wanted =~ $version || $wanted =~ $line ]]; then build 'the input "version" names no release'; fi
elif [[ $ACTION_REPOSITORY != "$REPOSITORY" ]]; then
  build "the action is not taken from $REPOSITORY"
fi

# The releases that may be meant, the newest first.
releases=
if [[ $wanted =~ $version ]]; then
  releases="$wanted"
elif [[ $wanted =~ $line || $wanted =~ ^[0-9a-f]{40}$ ]]; then
  tags="$(GIT_TERMINAL_PROMPT=0 git -c http.lowSpeedLimit=1 -c http.lowSpeedTime=30 ls-remote --tags --sort=-version:refname \
    -- "$SERVER/$REPOSITORY" 'v*')" || build "::warning::the releases of $REPOSITORY cannot be listed"
  while read -r commit name; do
    name="${name#refs/tags/}"
    if [[ $commit == "$wanted" ]]; then
      name="${name%^\{\}}"
    elif [[ $name != "$wanted".* || $name == *-* ]]; then
      continue
    fi
    if [[ $name =~ $version ]]; then releases+="$name "; fi
  done <<<"$tags"
fi
if [[ -z $releases && ! $wanted =~ $line ]]; then build 'the action is not named at a release'; fi

case "$RUNNER_OS-$RUNNER_ARCH" in
  Linux-X64) archive=linux_amd64.tar.gz ;;
  Linux-ARM64) archive=linux_arm64.tar.gz ;;
  macOS-X64) archive=darwin_amd64.tar.gz ;;
  macOS-ARM64) archive=darwin_arm64.tar.gz ;;
  Windows-X64) archive=windows_amd64.zip ;;
  Windows-ARM64) archive=windows_arm64.zip ;;
  *) build "::warning::no release is made for $RUNNER_OS on $RUNNER_ARCH" ;;
esac

# All names below are in this folder: on Windows, tar takes what stands before a colon for a host.
cd -- "$(mktemp -d "$RUNNER_TEMP/promptc-release-XXXXXX")"
published=
for release in $releases; do
  if code="$(fetch checksums.txt)"; then
    published=true
    break
  fi
  if [[ $code != 404 ]]; then build "::warning::checksums.txt of $release cannot be downloaded"; fi
  echo "$release is not published"
done
if [[ -z $published ]]; then build "::warning::no release of $wanted is published"; fi
archive="promptc_${release#v}_$archive"
expected="$(awk -v name="$archive" '$2 == name || $2 == "*" name { print $1 }' checksums.txt)"
[[ $expected =~ ^[0-9a-f]{64}$ ]] || fail "checksums.txt of $release has no single SHA-256 for $archive"

# The cache may have been written by anybody's job: what is in it counts if it is what the release has.
cached="${RUNNER_TOOL_CACHE:-$RUNNER_TEMP}/promptc/$archive"
if cp -- "$cached" "$archive" 2>/dev/null && [[ "$(sha256 "$archive")" == "$expected" ]]; then
  echo "$archive is in the cache"
else
  fetch "$archive" >/dev/null || build "::warning::$archive cannot be downloaded"
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
