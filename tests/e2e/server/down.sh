#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# down.sh DIR [--keep]   stops what up.sh started in DIR and removes DIR, unless --keep is given.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
dir=$1
[ -f "$dir/env" ] || { echo "$dir is not a directory of up.sh" >&2; exit 1; }
"$here/ctl.sh" "$dir" kill-apiserver # SIGKILL also ends a stopped process
if [ "${2:-}" = --keep ]; then
  "$here/ctl.sh" "$dir" stop-etcd
else
  "$here/ctl.sh" "$dir" kill-etcd
  rm -rf "$dir"
fi
