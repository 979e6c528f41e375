#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# with-apiserver.sh COMMAND...   starts a new API server, runs COMMAND and exits with its status.
# KUBECONFIG and the variables of DIR/env are set; kubectl and loadgen are in PATH.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
E2E_BIN=${E2E_BIN:-$("$here/build/build.sh")}
export E2E_BIN
dir=$(mktemp -d "${TMPDIR:-/tmp}/kinf-e2e.XXXXXX")
finish() {
  status=$?
  if [ $status -ne 0 ]; then tail -n 30 "$dir"/log/*.log >&2 || true; fi
  "$here/down.sh" "$dir" || rm -rf "$dir"
  exit $status
}
trap finish EXIT
trap 'exit 130' INT TERM
"$here/up.sh" "$dir" >&2
set -a
# shellcheck disable=SC1091
. "$dir/env"
set +a
PATH="$E2E_BIN:$PATH" "$@"
