#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# build.sh   builds etcd, kube-apiserver, kubectl, loadgen and informer, unless they exist already, and
# prints their directory. The sources come from the Go module proxy, pinned by go.mod and go.sum. The
# name of the directory is a hash of all inputs.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here"
export CGO_ENABLED=0

store=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/kinf-e2e
version=$(awk '$1 == "require" && $2 == "k8s.io/kubernetes" { print $3 }' go.mod)
minor=${version#v1.}
minor=${minor%%.*}
# The version variables exist twice: for the servers, and for client-go and kubectl.
ldflags="-s -w"
for package in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
  ldflags+=" -X $package.gitVersion=$version -X $package.gitMajor=1 -X $package.gitMinor=$minor"
  ldflags+=" -X $package.gitTreeState=clean"
done
flags=(-buildvcs=false -trimpath "-ldflags=$ldflags")

key=$({ cat go.mod go.sum; go env GOVERSION GOOS GOARCH; echo "${flags[@]}"; } | sha256sum | cut -c1-16)
bin=$store/$key/bin
mkdir -p "$bin"
# If two runs start together, the second waits for the first.
exec 9>"$store/$key/lock"
if command -v flock >/dev/null; then flock 9; fi

# The build cache of these programs takes 2.5 GiB and is not needed afterwards: it is separate and is
# removed at the end. After a failure it stays, so that the next run continues from there.
make_program() { # NAME PACKAGE
  [ -x "$bin/$1" ] && return 0
  local start=$SECONDS
  echo "building $1 $version (some minutes, once)" >&2
  GOCACHE=$store/$key/go-build nice -n 5 go build "${flags[@]}" -o "$bin/$1.part" "$2" >&2
  mv "$bin/$1.part" "$bin/$1"
  echo "built $1 in $((SECONDS - start)) s" >&2
}
make_program etcd go.etcd.io/etcd/server/v3
make_program kube-apiserver k8s.io/kubernetes/cmd/kube-apiserver
make_program kubectl k8s.io/kubernetes/cmd/kubectl
rm -rf "$store/$key/go-build"

for name in loadgen informer; do
  cd "$here/../../$name"
  sum=$(cat ./*.go go.* | sha256sum)
  if [ ! -x "$bin/$name" ] || [ "$(cat "$bin/$name.sum" 2>/dev/null)" != "$sum" ]; then
    nice -n 5 go build -buildvcs=false -trimpath -o "$bin/$name" . >&2
    echo "$sum" > "$bin/$name.sum"
  fi
done
echo "$bin"
