// SPDX-License-Identifier: Apache-2.0
// client-go dynamic shared informer (unstructured objects).
package main

import (
	"kinfbench/clients/go/common"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
)

func main() {
	cs := dynamic.NewForConfigOrDie(common.Config())
	f := dynamicinformer.NewFilteredDynamicSharedInformerFactory(cs, 0, *common.NS, nil)
	common.Run(f.ForResource(schema.GroupVersionResource{Version: "v1", Resource: "pods"}).Informer(), f.Start)
}
