// SPDX-License-Identifier: Apache-2.0
// client-go SharedInformerFactory, typed pods.
package main

import (
	"kinfbench/clients/go/common"

	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
)

func main() {
	cs := kubernetes.NewForConfigOrDie(common.Config())
	f := informers.NewSharedInformerFactoryWithOptions(cs, 0, informers.WithNamespace(*common.NS))
	common.Run(f.Core().V1().Pods().Informer(), f.Start)
}
