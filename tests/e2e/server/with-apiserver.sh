#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# with-apiserver.sh COMMAND...   runs COMMAND beside a fresh API server and ends with its status.
# COMMAND finds KUBECONFIG and the variables of DIR/env set, and kubectl and loadgen in its PATH.
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
