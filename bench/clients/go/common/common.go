// SPDX-License-Identifier: Apache-2.0
// Package common is shared by the client-go benchmark clients.
package common

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

var (
	Kubeconfig = flag.String("kubeconfig", os.Getenv("KUBECONFIG"), "")
	PB         = flag.Bool("pb", false, "ask for protobuf")
	JSON       = flag.Bool("json", false, "ask for JSON (generated clients of this client-go ask for protobuf first by default)")
	Trim       = flag.Bool("trim", false, "drop managedFields with a transform")
	GC         = flag.Bool("gc", false, "runtime.GC + FreeOSMemory after sync (not natural: shows the live heap)")
	NS         = flag.String("ns", metav1.NamespaceAll, "")
	NoGzip     = flag.Bool("nogzip", false, "DisableCompression")
)

func Config() *rest.Config {
	flag.Parse()
	c, err := clientcmd.BuildConfigFromFlags("", *Kubeconfig)
	if err != nil {
		panic(err)
	}
	if *PB {
		c.ContentType = "application/vnd.kubernetes.protobuf"
		c.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	}
	if *JSON {
		c.ContentType = "application/json"
		c.AcceptContentTypes = "application/json"
	}
	c.DisableCompression = *NoGzip
	return c
}

// Run adds the printing handler, starts the informer and returns after the sentinel.
// It prints nothing for objects of the initial list, and the SYNCED line once the handler has
// received all of them (HasSynced of the registration).
func Run(inf cache.SharedIndexInformer, start func(stop <-chan struct{})) {
	if *Trim {
		if err := inf.SetTransform(func(o any) (any, error) {
			if a, err := meta.Accessor(o); err == nil {
				a.SetManagedFields(nil)
			}
			return o, nil
		}); err != nil {
			panic(err)
		}
	}
	stop := make(chan struct{})
	var once sync.Once
	line := func(verb string, o any) {
		a, err := meta.Accessor(o)
		if err != nil {
			return
		}
		fmt.Printf("%s %s/%s %s\n", verb, a.GetNamespace(), a.GetName(), a.GetResourceVersion())
		if a.GetName() == "sentinel" {
			once.Do(func() { close(stop) })
		}
	}
	reg, err := inf.AddEventHandler(cache.ResourceEventHandlerDetailedFuncs{
		AddFunc: func(o any, initial bool) {
			if !initial {
				line("Added", o)
			}
		},
		UpdateFunc: func(_, o any) { line("Updated", o) },
		DeleteFunc: func(o any) {
			if d, ok := o.(cache.DeletedFinalStateUnknown); ok {
				o = d.Obj
			}
			line("Deleted", o)
		},
	})
	if err != nil {
		panic(err)
	}
	start(stop)
	for !reg.HasSynced() { // polls more often than cache.WaitForCacheSync (100 ms)
		time.Sleep(2 * time.Millisecond)
	}
	fmt.Printf("SYNCED %d\n", len(inf.GetStore().ListKeys()))
	if *GC {
		runtime.GC()
		debug.FreeOSMemory()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		fmt.Fprintf(os.Stderr, "heap_after_gc %d\n", m.HeapAlloc)
	}
	<-stop
}
