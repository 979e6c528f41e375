// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"time"
)

type object = map[string]any
type list = []any

var apps = []string{"robusta", "nettool", "frontend", "backend", "cache", "queue", "ingest", "billing"}

func appOf(i int) string { return apps[i%len(apps)] }

func now() string { return time.Now().UTC().Format(time.RFC3339) }

func text(o object) string {
	bytes, err := json.Marshal(o)
	if err != nil {
		panic(err) // objects hold only maps, strings and numbers
	}
	return string(bytes)
}

// newObject returns the i-th object of a kind, about as large as in a real cluster.
func newObject(kind, name string, i int) (string, error) {
	app := appOf(i)
	metadata := object{"name": name, "labels": object{"app": app}}
	switch kind {
	case "pods":
		return text(pod(name, i)), nil
	case "configmaps":
		return text(object{"metadata": metadata, "data": object{
			"key": fmt.Sprint("value-", i), "config.yaml": "a: 1\nb: [1, 2]\n"}}), nil
	case "nodes":
		return text(object{"metadata": metadata, "status": object{
			"capacity":   object{"cpu": "4", "memory": "8Gi", "pods": "110"},
			"conditions": list{object{"type": "Ready", "status": "True"}},
			"addresses":  list{object{"type": "InternalIP", "address": fmt.Sprintf("192.168.0.%d", i%250+2)}}}}), nil
	case "deployments":
		labels := object{"app": name}
		return text(object{"metadata": metadata, "spec": object{"replicas": 3,
			"selector": object{"matchLabels": labels},
			"template": object{"metadata": object{"labels": labels},
				"spec": object{"containers": list{object{"name": "main", "image": image(app)}}}}}}), nil
	case "namespaces":
		return text(object{"metadata": metadata}), nil
	}
	return "", fmt.Errorf("unknown kind %q", kind)
}

func image(app string) string { return "registry.example/" + app + ":1" }

func pod(name string, i int) object {
	app := appOf(i)
	return object{
		"metadata": object{"name": name,
			"labels": object{"app": app, "app.kubernetes.io/name": app,
				"app.kubernetes.io/instance": fmt.Sprintf("%s-%d", app, i%97),
				"tier":                       fmt.Sprint("t", i%3), "pod-template-hash": fmt.Sprintf("%08x", uint32(i*2654435761))},
			"annotations": object{"prometheus.io/scrape": "true", "prometheus.io/port": "8080",
				"checksum/config": fmt.Sprintf("%064x", i)}},
		"spec": object{"nodeName": fmt.Sprint("node-", i%5),
			"containers": list{object{"name": "main", "image": image(app),
				"args": list{"--listen=:8080", "--log=json"},
				"env": list{object{"name": "MODE", "value": "production"},
					object{"name": "POD_NAME", "valueFrom": object{"fieldRef": object{"fieldPath": "metadata.name"}}}},
				"ports": list{object{"name": "http", "containerPort": 8080}},
				"resources": object{"requests": object{"cpu": "50m", "memory": "64Mi"},
					"limits": object{"memory": "128Mi"}},
				"readinessProbe": object{"httpGet": object{"path": "/healthz", "port": "http"}},
				"volumeMounts": list{object{"name": "config", "mountPath": "/etc/app"},
					object{"name": "scratch", "mountPath": "/scratch"}}}},
			"volumes": list{object{"name": "config", "configMap": object{"name": app + "-config"}},
				object{"name": "scratch", "emptyDir": object{}}},
			"tolerations": list{object{"key": "node.kubernetes.io/not-ready", "operator": "Exists",
				"effect": "NoExecute", "tolerationSeconds": 300}}}}
}

// podStatus returns the status that a kubelet reports for a container in the given state.
func podStatus(phase, app string, i int, ready bool, state object) string {
	condition := map[bool]string{true: "True", false: "False"}[ready]
	conditions := list{}
	for _, kind := range []string{"PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"} {
		status := "True"
		if kind == "Ready" || kind == "ContainersReady" {
			status = condition
		}
		conditions = append(conditions, object{"type": kind, "status": status, "lastTransitionTime": now()})
	}
	ip := fmt.Sprintf("10.244.%d.%d", i/250%250, i%250+2)
	return text(object{"status": object{"phase": phase, "conditions": conditions, "startTime": now(),
		"hostIP": "192.168.0.10", "hostIPs": list{object{"ip": "192.168.0.10"}},
		"podIP": ip, "podIPs": list{object{"ip": ip}},
		"containerStatuses": list{object{"name": "main", "image": image(app), "imageID": "",
			"containerID": fmt.Sprintf("containerd://%064x", i),
			"ready":       ready, "restartCount": 0, "started": ready, "state": state}}}})
}

func creating(app string, i int) string {
	return podStatus("Pending", app, i, false, object{"waiting": object{"reason": "ContainerCreating"}})
}

func running(app string, i int) string {
	return podStatus("Running", app, i, true, object{"running": object{"startedAt": now()}})
}

func completed(app string, i int) string {
	return podStatus("Succeeded", app, i, false, object{"terminated": object{"exitCode": 0,
		"reason": "Completed", "startedAt": now(), "finishedAt": now()}})
}
