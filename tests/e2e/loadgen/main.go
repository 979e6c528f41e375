// SPDX-License-Identifier: Apache-2.0

// loadgen fills an API server with objects of realistic size and changes them:
//
//	loadgen create -dir DIR -kind pods -n 10000 -ns load -c 32 [-running]
//	loadgen lifecycle -dir DIR -ns default -name nettool -step 300ms    the life of one pod
//	loadgen churn  -dir DIR -ns load -n 1000 -rate 200 -for 10s      patches at a steady rate
//
// DIR is a directory of up.sh. loadgen uses only the standard library.
package main

import (
	"flag"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

type options struct {
	kind, namespace, prefix, name string
	count, parallel               int
	running                       bool
	rate                          float64
	duration, step                time.Duration
}

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: loadgen create|lifecycle|churn -dir DIR [flags]")
		os.Exit(2)
	}
	var o options
	flags := flag.NewFlagSet(os.Args[1], flag.ExitOnError)
	dir := flags.String("dir", os.Getenv("E2E_DIR"), "directory of up.sh")
	flags.StringVar(&o.kind, "kind", "pods", "what to create")
	flags.StringVar(&o.namespace, "ns", "default", "namespace")
	flags.StringVar(&o.prefix, "prefix", "load", "names are PREFIX-000000 and so on")
	flags.StringVar(&o.name, "name", "nettool", "name of the pod (lifecycle)")
	flags.IntVar(&o.count, "n", 100, "how many objects")
	flags.IntVar(&o.parallel, "c", 32, "requests at a time")
	flags.BoolVar(&o.running, "running", false, "also set the status of pods to Running")
	flags.Float64Var(&o.rate, "rate", 100, "patches a second (churn)")
	flags.DurationVar(&o.duration, "for", 10*time.Second, "how long (churn)")
	flags.DurationVar(&o.step, "step", 300*time.Millisecond, "delay between two steps (lifecycle)")
	flags.Parse(os.Args[2:])

	verbs := map[string]func(*api, options) error{"create": create, "lifecycle": lifecycle, "churn": churn}
	run, known := verbs[os.Args[1]]
	server, err := connect(*dir)
	if !known {
		err = fmt.Errorf("unknown verb: %s", os.Args[1])
	}
	if err == nil {
		err = run(server, o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "loadgen:", err)
		os.Exit(1)
	}
}

// tally counts the results of parallel requests and keeps the first error.
type tally struct {
	done, bytes atomic.Int64
	once        sync.Once
	err         error
}

func (t *tally) add(bytes int, err error) {
	if err != nil {
		t.once.Do(func() { t.err = err })
		return
	}
	t.done.Add(1)
	t.bytes.Add(int64(bytes))
}

func inParallel(count, parallel int, work func(i int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range parallel {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < count; i = int(next.Add(1)) - 1 {
				work(i)
			}
		})
	}
	all.Wait()
}

func (o options) nameOf(i int) string { return fmt.Sprintf("%s-%06d", o.prefix, i) }

func create(server *api, o options) error {
	if o.namespace != "default" {
		body, err := newObject("namespaces", o.namespace, 0)
		if err != nil {
			return err
		}
		server.call("POST", collection("namespaces", ""), jsonBody, body) // ignore the error if it exists
	}
	var created tally
	start := time.Now()
	path := collection(o.kind, o.namespace)
	inParallel(o.count, o.parallel, func(i int) {
		body, err := newObject(o.kind, o.nameOf(i), i)
		bytes := 0
		if err == nil {
			bytes, err = server.call("POST", path, jsonBody, body)
		}
		if err == nil && o.running && o.kind == "pods" {
			bytes, err = server.call("PATCH", path+"/"+o.nameOf(i)+"/status", statusPatch, running(appOf(i), i))
		}
		created.add(bytes, err)
	})
	seconds := time.Since(start).Seconds()
	done := created.done.Load()
	fmt.Printf("created %d of %d %s in %.1f s, %d bytes each\n", done, o.count, o.kind, seconds,
		created.bytes.Load()/max(1, done))
	return created.err
}

// lifecycle changes one pod as a scheduler and a kubelet do, from its creation to its deletion.
func lifecycle(server *api, o options) error {
	pods := collection("pods", o.namespace)
	self := pods + "/" + o.name
	const app, i = "nettool", 7
	steps := []struct{ method, path, contentType, body string }{
		{"POST", pods, jsonBody, text(object{
			"metadata": object{"name": o.name, "labels": object{"run": o.name}},
			"spec":     object{"containers": list{object{"name": "main", "image": image(app)}}}})},
		{"POST", self + "/binding", jsonBody, text(object{"metadata": object{"name": o.name},
			"target": object{"apiVersion": "v1", "kind": "Node", "name": "node-1"}})},
		{"PATCH", self + "/status", statusPatch, creating(app, i)},
		{"PATCH", self + "/status", statusPatch, running(app, i)},
		{"DELETE", self, jsonBody, ""}, // the pod has a node: this only sets deletionTimestamp
		{"PATCH", self + "/status", statusPatch, completed(app, i)},
		{"DELETE", self + "?gracePeriodSeconds=0", jsonBody, ""},
	}
	for n, step := range steps {
		if n > 0 {
			time.Sleep(o.step)
		}
		if _, err := server.call(step.method, step.path, step.contentType, step.body); err != nil {
			return err
		}
	}
	return nil
}

func churn(server *api, o options) error {
	var patched tally
	start := time.Now()
	path := collection(o.kind, o.namespace)
	inParallel(int(o.rate*o.duration.Seconds()), o.parallel, func(i int) {
		time.Sleep(time.Until(start.Add(time.Duration(float64(i) / o.rate * float64(time.Second)))))
		// A new value each time: the server ignores a patch that changes nothing.
		value := fmt.Sprintf("%d-%d", start.UnixMilli(), i)
		body := text(object{"metadata": object{"annotations": object{"churn": value}}})
		patched.add(server.call("PATCH", path+"/"+o.nameOf(i%o.count), mergePatch, body))
	})
	fmt.Printf("patched %d times in %.1f s\n", patched.done.Load(), time.Since(start).Seconds())
	return patched.err
}
