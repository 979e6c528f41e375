// SPDX-License-Identifier: Apache-2.0
// client-go metadata-only shared informer.
package main

import (
	"kinfbench/clients/go/common"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
)

func main() {
	cs := metadata.NewForConfigOrDie(common.Config())
	f := metadatainformer.NewFilteredSharedInformerFactory(cs, 0, *common.NS, nil)
	common.Run(f.ForResource(schema.GroupVersionResource{Version: "v1", Resource: "pods"}).Informer(), f.Start)
}
