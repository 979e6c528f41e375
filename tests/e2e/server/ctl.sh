#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ctl.sh DIR COMMAND   controls the servers that up.sh started in DIR.
#   start-apiserver  stop-apiserver  restart-apiserver  kill-apiserver    TERM, or KILL for kill-
#   freeze-apiserver  thaw-apiserver                                      a server that hangs
#   start-etcd  stop-etcd  kill-etcd
#   back-up-etcd         keeps a copy of what etcd has now; it stops for a moment
#   restore-etcd         goes back to that copy; stop the apiserver before, as one should
#   compact [REVISION]   compacts the history of etcd (default: up to the newest revision)
#   forget KEY...        deletes keys behind the server's back, say /registry/pods/default/web-1
#   replace-trust        of a stopped apiserver: another CA, and `renewed-token` instead of `viewer-token`
#   status
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
dir=$1 command=$2
shift 2
# shellcheck disable=SC1091
. "$dir/env"

# A zombie counts as stopped once its last thread has ended, which closes its sockets.
runs() {
  kill -0 "$1" 2>/dev/null && [[ "$(awk '{ print $3, $20 }' "/proc/$1/stat" 2>/dev/null)" != "Z "[01] ]]
}
alive() { [ -s "$dir/$1.pid" ] && runs "$(cat "$dir/$1.pid")"; }

stop() { # NAME SIGNAL
  if alive "$1"; then
    local pid
    pid=$(cat "$dir/$1.pid")
    kill "-$2" "$pid" 2>/dev/null || true
    for _ in $(seq 200); do runs "$pid" || break; sleep 0.05; done
    if runs "$pid"; then kill -KILL "$pid"; fi
  fi
  rm -f "$dir/$1.pid"
}

start() { # NAME SECONDS READY-COMMAND -- PROGRAM ARGUMENT...
  local name=$1 end=$((SECONDS + $2)) ready=$3
  shift 4
  if alive "$name"; then echo "$name of $dir is already running" >&2; exit 1; fi
  setsid nohup "$@" >>"$dir/log/$name.log" 2>&1 </dev/null &
  echo $! >"$dir/$name.pid"
  while [ $SECONDS -lt $end ]; do
    "$ready" && return 0
    alive "$name" || break
    sleep 0.05
  done
  echo "$name did not start; the end of $dir/log/$name.log:" >&2
  tail -n 20 "$dir/log/$name.log" >&2
  exit 1
}

fetch() { curl -sS --noproxy '*' -m 5 "$@" 2>/dev/null || true; }
etcd_ready() { fetch "$E2E_ETCD/health" | grep -q true; }
apiserver_ready() {
  [ "$(fetch --cacert "$dir/pki/ca.crt" -H 'Authorization: Bearer admin-token' \
    "$E2E_SERVER/readyz")" = ok ]
}

start_etcd() {
  start etcd 30 etcd_ready -- "$E2E_BIN/etcd" --name e2e --data-dir "$dir/etcd" \
    --unsafe-no-fsync --log-level error --quota-backend-bytes 6442450944 --snapshot-count 5000 \
    --listen-client-urls "$E2E_ETCD" --advertise-client-urls "$E2E_ETCD" \
    --listen-peer-urls "$E2E_ETCD_PEER" --initial-advertise-peer-urls "$E2E_ETCD_PEER" \
    --initial-cluster "e2e=$E2E_ETCD_PEER"
}

# With the default grace period of 0 s, a stopping server neither serves nor ends its watches for 15 s;
# with 1 s it ends them cleanly. ServiceAccount admission needs a controller, which does not run here;
# the endpoint reconciler rejects a loopback address.
start_apiserver() {
  local flags=()
  case $E2E_PROFILE in
    default) ;;
    nocache) flags+=(--watch-cache=false) ;;
    tiny) flags+=(--enable-priority-and-fairness=false --max-requests-inflight=1
                  --max-mutating-requests-inflight=1) ;;
    *) echo "unknown profile: $E2E_PROFILE" >&2; exit 2 ;;
  esac
  # shellcheck disable=SC2206
  flags+=($E2E_EXTRA)
  start apiserver 90 apiserver_ready -- "$E2E_BIN/kube-apiserver" --v=1 \
    --etcd-servers="$E2E_ETCD" --etcd-compaction-interval="$E2E_COMPACT" \
    --bind-address=127.0.0.1 --secure-port="$E2E_PORT" --endpoint-reconciler-type=none \
    --tls-cert-file="$dir/pki/apiserver.crt" --tls-private-key-file="$dir/pki/apiserver.key" \
    --client-ca-file="$dir/pki/ca.crt" --token-auth-file="$dir/pki/tokens.csv" \
    --authorization-mode=RBAC --service-account-issuer=https://kinf.test \
    --service-account-key-file="$dir/pki/sa.pub" \
    --service-account-signing-key-file="$dir/pki/sa.key" \
    --service-cluster-ip-range=10.0.0.0/16 --disable-admission-plugins=ServiceAccount \
    --allow-privileged=true --shutdown-watch-termination-grace-period="${GRACE:-1s}" \
    "${flags[@]}"
}

etcd_call() { curl -sS --fail --noproxy '*' -m 30 "$E2E_ETCD$1" -d "$2"; }
newest_revision() {
  etcd_call /v3/maintenance/status '{}' |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["header"]["revision"])'
}

case $command in
  start-etcd) start_etcd ;;
  stop-etcd) stop etcd TERM ;;
  kill-etcd) stop etcd KILL ;;
  back-up-etcd)
    stop etcd TERM
    rm -rf "$dir/etcd-copy"
    cp -a "$dir/etcd" "$dir/etcd-copy"
    start_etcd ;;
  restore-etcd)
    stop etcd KILL
    rm -rf "$dir/etcd"
    cp -a "$dir/etcd-copy" "$dir/etcd"
    start_etcd ;;
  start-apiserver) start_apiserver ;;
  stop-apiserver) stop apiserver TERM ;;
  restart-apiserver) stop apiserver TERM; start_apiserver ;;
  kill-apiserver) stop apiserver KILL ;;
  freeze-apiserver) kill -STOP "$(cat "$dir/apiserver.pid")" ;;
  thaw-apiserver) kill -CONT "$(cat "$dir/apiserver.pid")" ;;
  compact)
    revision=${1:-$(newest_revision)}
    etcd_call /v3/kv/compaction "{\"revision\":\"$revision\",\"physical\":true}" >/dev/null
    echo "compacted at revision $revision" ;;
  forget)
    for key in "$@"; do
      etcd_call /v3/kv/deleterange "{\"key\":\"$(printf %s "$key" | base64 -w0)\"}" |
        grep -q '"deleted":"1"' || { echo "no key $key" >&2; exit 1; }
    done ;;
  replace-trust)
    cd "$dir/pki"
    # shellcheck disable=SC1091
    . "$here/pki.sh"
    new_ca ca
    issue_apiserver ca
    sed -i 's/^viewer-token/renewed-token/' tokens.csv ;;
  status)
    for name in etcd apiserver; do
      if alive "$name"; then
        pid=$(cat "$dir/$name.pid")
        echo "$name pid $pid, $(awk '/VmRSS/ { print $2 }' "/proc/$pid/status") KiB resident"
      else
        echo "$name down"
      fi
    done ;;
  *) echo "unknown command: $command" >&2; exit 2 ;;
esac
