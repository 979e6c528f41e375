//go:build tools

// SPDX-License-Identifier: Apache-2.0

// Package examples imports the example controllers of Kubernetes that go.mod and go.sum pin. They run
// unchanged against kinf sandbox. This package is never compiled.
package examples

import (
	_ "k8s.io/client-go/examples/workqueue"
	_ "k8s.io/sample-controller"
)
