#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# up.sh [DIR]   starts etcd and kube-apiserver on free ports of 127.0.0.1, writes one kubeconfig per
# authentication method to DIR/kube, and prints DIR as its last line. Several can run in parallel.
#
# E2E_BIN   the directory that build/build.sh printed (required)
# PROFILE   default     like a small production server
#           nocache     no watch cache: a compaction of etcd takes effect at once
#           tiny        one request at a time: answers 429 under load
# COMPACT   how often the server compacts etcd (0: never; `ctl.sh DIR compact` does it)
# APISERVER_EXTRA   more flags for kube-apiserver, separated by spaces
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
: "${E2E_BIN:?set it to the folder that build/build.sh prints}"
for program in etcd kube-apiserver; do
  [ -x "$E2E_BIN/$program" ] || { echo "no $E2E_BIN/$program: run build/build.sh" >&2; exit 1; }
done
E2E_BIN=$(cd "$E2E_BIN" && pwd)
dir=${1:-$(mktemp -d "${TMPDIR:-/tmp}/kinf-e2e.XXXXXX")}
mkdir -p "$dir"/{pki,etcd,log,kube}
chmod 700 "$dir"
dir=$(cd "$dir" && pwd)

# Below the range of ephemeral ports: while a server is down, no outgoing connection may take its
# port.
read -r api_port etcd_port peer_port < <(python3 - <<'PY'
import random, socket
free = []
while len(free) < 3:
    port = random.randrange(20000, 32000)
    with socket.socket() as one:
        try:
            one.bind(("127.0.0.1", port))
        except OSError:
            continue
    if port not in free:
        free.append(port)
print(*free)
PY
)
server=https://127.0.0.1:$api_port

# ---- keys and certificates: a CA that signs everything, and an unrelated CA -------------------
cd "$dir/pki"
# shellcheck disable=SC1091
. "$here/pki.sh"
new_ca ca
new_ca otherca
issue_apiserver ca
issue ca admin /O=system:masters/CN=admin extendedKeyUsage=clientAuth
issue ca nobody /CN=nobody extendedKeyUsage=clientAuth
new_key sa.key
openssl pkey -in sa.key -pubout -out sa.pub 2>/dev/null
printf '%s\n' 'admin-token,admin,u-admin,"system:masters"' \
  'viewer-token,viewer,u-viewer,"viewers"' 'nobody-token,nobody,u-nobody,"guests"' > tokens.csv
printf admin-token > token.txt

# ---- kubeconfigs ---------------------------------------------------------------------------
cd "$dir/kube"
base64_of() { base64 -w0 < "../pki/$1"; }
kubeconfig() { # NAME SERVER CLUSTER-LINE USER-LINE...
  local name=$1 url=$2 trust=$3
  shift 3
  {
    printf '%s\n' 'apiVersion: v1' 'kind: Config' 'current-context: e2e' 'clusters:' \
      '- name: e2e' '  cluster:' "    server: $url" "    $trust" 'contexts:' '- name: e2e' \
      '  context: {cluster: e2e, user: someone, namespace: default}' 'users:' '- name: someone' \
      '  user:'
    printf '    %s\n' "$@"
  } > "$name.yaml"
}
cat > credential.sh <<'X'
#!/bin/sh
echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential",
"status":{"token":"admin-token"}}'
X
chmod +x credential.sh
trust="certificate-authority-data: $(base64_of ca.crt)"
kubeconfig admin-cert "$server" "$trust" "client-certificate-data: $(base64_of admin.crt)" \
  "client-key-data: $(base64_of admin.key)"
kubeconfig admin-certfile "$server" 'certificate-authority: ../pki/ca.crt' \
  'client-certificate: ../pki/admin.crt' 'client-key: ../pki/admin.key'
kubeconfig admin-token "$server" "$trust" 'token: admin-token'
kubeconfig admin-tokenfile "$server" "$trust" 'tokenFile: ../pki/token.txt'
kubeconfig admin-exec "$server" "$trust" 'exec:' \
  '  apiVersion: client.authentication.k8s.io/v1' '  command: ./credential.sh' \
  '  interactiveMode: Never'
kubeconfig admin-localhost "https://localhost:$api_port" "$trust" 'token: admin-token'
kubeconfig admin-insecure "$server" 'insecure-skip-tls-verify: true' 'token: admin-token'
# May get, list and watch in namespace default and nowhere else.
kubeconfig viewer "$server" "$trust" 'token: viewer-token'
# Authenticated, but without permissions: 403.
kubeconfig nobody "$server" "$trust" 'token: nobody-token'
kubeconfig nobody-cert "$server" "$trust" "client-certificate-data: $(base64_of nobody.crt)" \
  "client-key-data: $(base64_of nobody.key)"
# Not authenticated: 401. Without credentials: system:anonymous, 403.
kubeconfig bad-token "$server" "$trust" 'token: wrong-token'
kubeconfig anonymous "$server" "$trust" '{}'
# A CA that did not sign the server's certificate, and a port without TLS.
kubeconfig wrong-ca "$server" "certificate-authority-data: $(base64_of otherca.crt)" \
  'token: admin-token'
kubeconfig no-tls "https://127.0.0.1:$peer_port" "$trust" 'token: admin-token'

cd "$dir"
cat > ./env <<E
E2E_DIR='$dir'
E2E_BIN='$E2E_BIN'
E2E_PROFILE='${PROFILE:-default}'
E2E_SERVER='$server'
E2E_ETCD='http://127.0.0.1:$etcd_port'
E2E_ETCD_PEER='http://127.0.0.1:$peer_port'
E2E_PORT='$api_port'
E2E_COMPACT='${COMPACT:-0}'
E2E_EXTRA='${APISERVER_EXTRA:-}'
KUBECONFIG='$dir/kube/admin-cert.yaml'
E
"$here/ctl.sh" "$dir" start-etcd
"$here/ctl.sh" "$dir" start-apiserver

# ---- what every test needs: namespace default, and the viewers' permissions in it -------------
request() {
  curl -sS --noproxy '*' -m 20 --cacert pki/ca.crt -H 'Authorization: Bearer admin-token' \
    -H 'Content-Type: application/json' -o /dev/null -w '%{http_code}' "$@" 2>/dev/null || true
}
for _ in $(seq 100); do
  [ "$(request "$server/api/v1/namespaces/default")" = 200 ] && break
  sleep 0.1
done
create() { # PATH BODY; retries, because the server may refuse requests right after its start
  for _ in $(seq 10); do
    case $(request -X POST "$server$1" -d "$2") in 2??|409) return 0 ;; esac
    sleep 0.2
  done
  echo "cannot create in $1" >&2
  return 1
}
# Use a custom role: the built-in role `view` stays empty without the controller that fills it.
rbac=/apis/rbac.authorization.k8s.io/v1/namespaces/default
create $rbac/roles '{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role",
  "metadata":{"name":"viewers"},
  "rules":[{"apiGroups":["*"],"resources":["*"],"verbs":["get","list","watch"]}]}'
create $rbac/rolebindings '{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"RoleBinding",
  "metadata":{"name":"viewers"},
  "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"Role","name":"viewers"},
  "subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"Group","name":"viewers"}]}'
echo "$dir"
