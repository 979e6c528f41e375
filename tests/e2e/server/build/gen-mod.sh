#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# gen-mod.sh VERSION   pins another Kubernetes release, such as 1.36.3.
# Kubernetes replaces its own modules by directories of its repository; a build from the module proxy
# needs the published modules instead. etcd keeps the version that the release pins.
set -euo pipefail
version=${1:?usage: gen-mod.sh VERSION}
cd "$(dirname "$0")"
released=$(go mod download -json "k8s.io/kubernetes@v$version" | jq -r .GoMod)
etcd=$(awk '$1 == "go.etcd.io/etcd/server/v3" { print $2; exit }' "$released")

write_module() { # NAME FOLDER REQUIREMENT...
  cd "$2"
  {
    printf 'module kinf.test/%s\n\n' "$1"
    awk '/^go / { print; exit }' "$released"
    awk '/^godebug / { print "\n" $0; exit }' "$released"
    printf '\nrequire k8s.io/kubernetes v%s\n' "$version"
    shift 2
    if [ $# -gt 0 ]; then printf 'require %s\n' "$@"; fi
    printf '\nreplace (\n'
    awk -v v="v0.${version#1.}" \
      '$2 == "=>" && $3 ~ /^\.\/staging\// { print "\t" $1 " => " $1 " " v }' "$released"
    echo ')'
  } > go.mod
  rm -f go.sum
  go mod tidy
}
(write_module apiserver . "go.etcd.io/etcd/server/v3 $etcd")
(write_module controllermanager controller-manager)
