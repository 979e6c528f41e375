//go:build tools

// SPDX-License-Identifier: Apache-2.0

// Package tools imports the program that go.mod and go.sum pin. It is never compiled. It has a module of
// its own, because only `./dev e2e controllers` builds it.
package tools

import (
	_ "k8s.io/kubernetes/cmd/kube-controller-manager"
)
