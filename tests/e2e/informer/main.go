// SPDX-License-Identifier: Apache-2.0

// informer runs client-go's shared informer for pods. On SIGUSR1 it prints its store, sorted, one
// `NAMESPACE/NAME UID RESOURCEVERSION` per line, and then END. On SIGINT it exits.
package main

import (
	"bufio"
	"fmt"
	"os"
	"os/signal"
	"sort"
	"sync"
	"syscall"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

// state is the state that the events add up to.
type state struct {
	sync.Mutex
	lines map[string]string
	wrong string
}

func line(pod *corev1.Pod) string {
	return fmt.Sprintf("%s/%s %s %s", pod.Namespace, pod.Name, pod.UID, pod.ResourceVersion)
}

// set applies an add (isNew) or update event, and notes an error if it does not fit the state.
func (t *state) set(object any, isNew bool) {
	pod := object.(*corev1.Pod)
	t.Lock()
	defer t.Unlock()
	key := pod.Namespace + "/" + pod.Name
	if _, known := t.lines[key]; known == isNew {
		t.wrong = fmt.Sprintf("%s: known %v, new %v", key, known, isNew)
	}
	t.lines[key] = line(pod)
}

func (t *state) remove(object any) {
	if last, ok := object.(cache.DeletedFinalStateUnknown); ok {
		object = last.Obj
	}
	pod := object.(*corev1.Pod)
	t.Lock()
	defer t.Unlock()
	key := pod.Namespace + "/" + pod.Name
	if _, known := t.lines[key]; !known {
		t.wrong = key + ": deleted while absent"
	}
	delete(t.lines, key)
}

// dump prints the store, and whether the events differ from it.
func (t *state) dump(store cache.Store) {
	t.Lock()
	defer t.Unlock()
	var lines []string
	for _, object := range store.List() {
		lines = append(lines, line(object.(*corev1.Pod)))
	}
	sort.Strings(lines)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for _, one := range lines {
		fmt.Fprintln(out, one)
	}
	if t.wrong != "" {
		fmt.Fprintln(out, "WRONG", t.wrong)
	}
	behind := len(lines) != len(t.lines)
	for _, object := range store.List() {
		pod := object.(*corev1.Pod)
		behind = behind || t.lines[pod.Namespace+"/"+pod.Name] != line(pod)
	}
	if behind {
		fmt.Fprintln(out, "BEHIND: the events and the store differ")
	}
	fmt.Fprintln(out, "END")
}

func main() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	factory := informers.NewSharedInformerFactory(kubernetes.NewForConfigOrDie(config), 0)
	pods := factory.Core().V1().Pods().Informer()
	events := &state{lines: map[string]string{}}
	if _, err := pods.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { events.set(object, true) },
		UpdateFunc: func(_, object any) { events.set(object, false) },
		DeleteFunc: events.remove,
	}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGUSR1, syscall.SIGINT)
	stop := make(chan struct{})
	factory.Start(stop)
	fmt.Println("STARTED")
	for caught := range signals {
		if caught == syscall.SIGINT {
			close(stop)
			factory.Shutdown()
			return
		}
		events.dump(pods.GetStore())
	}
}
