//go:build tools

// SPDX-License-Identifier: Apache-2.0

// Package tools imports the programs that go.mod and go.sum pin. It is never compiled.
package tools

import (
	_ "go.etcd.io/etcd/server/v3"
	_ "k8s.io/kubernetes/cmd/kube-apiserver"
	_ "k8s.io/kubernetes/cmd/kubectl"
)
