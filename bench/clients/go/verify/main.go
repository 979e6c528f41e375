// SPDX-License-Identifier: Apache-2.0
// verify checks that the load server's JSON and protobuf responses decode to the same objects, paged
// or not, listed or streamed.
package main

import (
	"context"
	"fmt"
	"os"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/tools/clientcmd"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	ctx := context.Background()
	var lists [][]corev1.Pod
	for _, ct := range []string{"application/json", "application/vnd.kubernetes.protobuf"} {
		c, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
		must(err)
		c.ContentType, c.AcceptContentTypes = ct, ct
		cs := kubernetes.NewForConfigOrDie(c)
		l, err := cs.CoreV1().Pods("").List(ctx, metav1.ListOptions{})
		must(err)
		lists = append(lists, l.Items)
		var paged []corev1.Pod
		o := metav1.ListOptions{Limit: 7}
		for {
			l, err := cs.CoreV1().Pods("").List(ctx, o)
			must(err)
			paged = append(paged, l.Items...)
			if o.Continue = l.Continue; o.Continue == "" {
				break
			}
		}
		lists = append(lists, paged)
		tru := true
		w, err := cs.CoreV1().Pods("").Watch(ctx, metav1.ListOptions{SendInitialEvents: &tru, ResourceVersionMatch: "NotOlderThan", AllowWatchBookmarks: true})
		must(err)
		var ws []corev1.Pod
		for e := range w.ResultChan() {
			p := e.Object.(*corev1.Pod)
			if e.Type == "BOOKMARK" {
				fmt.Println("bookmark", p.ResourceVersion, p.Annotations, "list rv", l.ResourceVersion)
				break
			}
			p.TypeMeta = metav1.TypeMeta{}
			ws = append(ws, *p)
		}
		w.Stop()
		lists = append(lists, ws)
		ns, err := cs.CoreV1().Pods("ns-001").List(ctx, metav1.ListOptions{LabelSelector: "app=robusta"})
		must(err)
		fmt.Println(ct, "full", len(l.Items), "paged", len(paged), "watchlist", len(ws), "ns-001 app=robusta", len(ns.Items))
	}
	for i := 1; i < len(lists); i++ {
		fmt.Println("list 0 ==", i, equality.Semantic.DeepEqual(lists[0], lists[i]))
	}
	c, _ := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	mc := metadata.NewForConfigOrDie(c)
	ml, err := mc.Resource(corev1.SchemeGroupVersion.WithResource("pods")).List(ctx, metav1.ListOptions{})
	must(err)
	same := len(ml.Items) == len(lists[0])
	for i := range ml.Items {
		same = same && equality.Semantic.DeepEqual(ml.Items[i].ObjectMeta, lists[0][i].ObjectMeta)
	}
	fmt.Println("metadata pb ==", same, len(ml.Items))
}
