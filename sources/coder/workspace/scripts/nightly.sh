#!/bin/sh
# Checks the documentation every night and keeps the last seven reports.
set -eu

root=${1:?usage: nightly.sh FOLDER}
reports=${REPORTS:-"$HOME/linkwatch"}
mkdir -p "$reports"

status=0
linkwatch --json --cache "$reports/cache.db" "$root" >"$reports/new.json" || status=$?
mv "$reports/new.json" "$reports/$(date -u +%F).json"
ls "$reports"/????-??-??.json | sort -r | tail -n +8 | xargs -r rm --
exit "$status"
