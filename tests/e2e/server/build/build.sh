#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# build.sh [controller-manager]   builds etcd, kube-apiserver, kubectl, loadgen, informer and Kubernetes' example controllers,
# unless they exist already, and prints their directory. The sources come from the Go module proxy,
# pinned by go.mod and go.sum. The name of the directory is a hash of all inputs. With the argument it also
# builds kube-controller-manager, which takes as long as the others together.
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
if [ "${1:-}" = controller-manager ]; then
  cd "$here/controller-manager"
  make_program kube-controller-manager k8s.io/kubernetes/cmd/kube-controller-manager
fi
rm -rf "$store/$key/go-build"

make_small_program() { # NAME FOLDER PACKAGE; one that is built again when its folder changes
  cd "$here/../../$2"
  local sum
  sum=$(cat ./*.go go.* | sha256sum)
  if [ -x "$bin/$1" ] && [ "$(cat "$bin/$1.sum" 2>/dev/null)" = "$sum" ]; then return 0; fi
  nice -n 5 go build -buildvcs=false -trimpath -o "$bin/$1" "$3" >&2
  echo "$sum" > "$bin/$1.sum"
}
make_small_program loadgen loadgen .
make_small_program informer informer .
make_small_program workqueue examples k8s.io/client-go/examples/workqueue
make_small_program sample-controller examples k8s.io/sample-controller
# The manifests that belong to sample-controller.
if [ ! -d "$bin/sample-controller.manifests" ]; then
  module=$(go list -m -f '{{.Dir}}' k8s.io/sample-controller)
  rm -rf "$bin/sample-controller.part"
  cp -r "$module/artifacts/examples" "$bin/sample-controller.part"
  chmod -R u+w "$bin/sample-controller.part"
  mv "$bin/sample-controller.part" "$bin/sample-controller.manifests"
fi
echo "$bin"
