// SPDX-License-Identifier: Apache-2.0
// The pods and their serialized forms. The same seed gives the same pods, of 7 KB of JSON each.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand"
	"sort"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

const (
	stampKey   = "bench.kinf.dev/sent"
	zeroStamp  = "0000000000000000000" // 19 digits, patched in place
	rvBase     = int64(1000000000)     // 10 digits, patched in place
	fmtJSON    = 0
	fmtPB      = 1
	fmtMetaJS  = 2
	fmtMetaPB  = 3
	fmtTable   = 4
	numFormats = 5
)

var fmtNames = [numFormats]string{"json", "pb", "metajson", "metapb", "table"}

type podID struct {
	ns, name, node, app string
	labels              map[string]string
}

// store is one wire format of every pod: bytes of item i are blob[off[i]:off[i+1]],
// with the resourceVersion digits at rvOff[i] and the stamp digits at tsOff[i].
type store struct {
	blob         []byte
	off          []int64
	rvOff, tsOff []int32
}

func (s *store) item(i int) []byte { return s.blob[s.off[i]:s.off[i+1]] }

var apps = []string{"robusta", "checkout", "payments", "frontend", "search", "catalog", "ledger", "mailer", "ingest", "auth", "billing", "media"}
var zones = []string{"eu-west-1a", "eu-west-1b", "eu-west-1c"}

func nsOf(i, n, nns int) string {
	k := i * nns / n
	if k == 0 {
		return "default"
	}
	return fmt.Sprintf("ns-%03d", k)
}

func hex(r *rand.Rand, n int) string {
	const d = "0123456789abcdef"
	b := make([]byte, n)
	for i := range b {
		b[i] = d[r.Intn(16)]
	}
	return string(b)
}

func suffix(r *rand.Rand, n int) string {
	const d = "bcdfghjklmnpqrstvwxz2456789"
	b := make([]byte, n)
	for i := range b {
		b[i] = d[r.Intn(len(d))]
	}
	return string(b)
}

var epoch = time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)

func makePod(seed int64, i, n, nns int) *corev1.Pod {
	r := rand.New(rand.NewSource(seed*1000003 + int64(i)))
	app := apps[i%len(apps)]
	ns := nsOf(i, n, nns)
	hash := hex(r, 10)
	name := fmt.Sprintf("%s-%06d-%s-%s", app, i, hash, suffix(r, 5))
	return buildPod(r, ns, name, app, hash, i, rvBase+int64(i)+1)
}

func buildPod(r *rand.Rand, ns, name, app, hash string, i int, rv int64) *corev1.Pod {
	created := metav1.NewTime(epoch.Add(time.Duration(r.Intn(86400*30)) * time.Second))
	started := metav1.NewTime(created.Add(7 * time.Second))
	node := fmt.Sprintf("ip-10-%d-%d-%d.eu-west-1.compute.internal", 4+i%3, r.Intn(200), r.Intn(250))
	tr, fa := true, false
	grace := int64(30)
	tolS := int64(300)
	prio := int32(0)
	mode := int32(420)
	exp := int64(3607)
	pp := corev1.PreemptLowerPriority
	uid := func() string {
		return hex(r, 8) + "-" + hex(r, 4) + "-4" + hex(r, 3) + "-a" + hex(r, 3) + "-" + hex(r, 12)
	}
	labels := map[string]string{
		"app": app, "app.kubernetes.io/name": app, "app.kubernetes.io/instance": app + "-prod",
		"app.kubernetes.io/version": fmt.Sprintf("v1.%d.%d", r.Intn(40), r.Intn(20)), "app.kubernetes.io/managed-by": "Helm",
		"pod-template-hash": hash, "team": "team-" + fmt.Sprint(i%17), "topology.kubernetes.io/zone": zones[i%3],
	}
	mf1 := `{"f:metadata":{"f:annotations":{".":{},"f:` + stampKey + `":{},"f:checksum/config":{},"f:prometheus.io/port":{},"f:prometheus.io/scrape":{}},"f:generateName":{},"f:labels":{".":{},"f:app":{},"f:app.kubernetes.io/instance":{},"f:app.kubernetes.io/managed-by":{},"f:app.kubernetes.io/name":{},"f:app.kubernetes.io/version":{},"f:pod-template-hash":{},"f:team":{},"f:topology.kubernetes.io/zone":{}},"f:ownerReferences":{".":{},"k:{\"uid\":\"` + uid() + `\"}":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"main\"}":{".":{},"f:args":{},"f:env":{".":{},"k:{\"name\":\"LOG_LEVEL\"}":{".":{},"f:name":{},"f:value":{}},"k:{\"name\":\"POD_IP\"}":{".":{},"f:name":{},"f:valueFrom":{".":{},"f:fieldRef":{}}}},"f:image":{},"f:imagePullPolicy":{},"f:livenessProbe":{".":{},"f:failureThreshold":{},"f:httpGet":{".":{},"f:path":{},"f:port":{},"f:scheme":{}},"f:periodSeconds":{},"f:successThreshold":{},"f:timeoutSeconds":{}},"f:name":{},"f:ports":{".":{},"k:{\"containerPort\":8080,\"protocol\":\"TCP\"}":{".":{},"f:containerPort":{},"f:name":{},"f:protocol":{}}},"f:resources":{".":{},"f:limits":{".":{},"f:memory":{}},"f:requests":{".":{},"f:cpu":{},"f:memory":{}}},"f:terminationMessagePath":{},"f:terminationMessagePolicy":{},"f:volumeMounts":{".":{},"k:{\"mountPath\":\"/etc/config\"}":{".":{},"f:mountPath":{},"f:name":{}}}}},"f:dnsPolicy":{},"f:enableServiceLinks":{},"f:restartPolicy":{},"f:schedulerName":{},"f:securityContext":{},"f:serviceAccount":{},"f:serviceAccountName":{},"f:terminationGracePeriodSeconds":{},"f:volumes":{".":{},"k:{\"name\":\"config\"}":{".":{},"f:configMap":{".":{},"f:defaultMode":{},"f:name":{}},"f:name":{}}}}}`
	mf2 := `{"f:status":{"f:conditions":{"k:{\"type\":\"ContainersReady\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:status":{},"f:type":{}},"k:{\"type\":\"Initialized\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:status":{},"f:type":{}},"k:{\"type\":\"Ready\"}":{".":{},"f:lastProbeTime":{},"f:lastTransitionTime":{},"f:status":{},"f:type":{}}},"f:containerStatuses":{},"f:hostIP":{},"f:hostIPs":{},"f:phase":{},"f:podIP":{},"f:podIPs":{".":{},"k:{\"ip\":\"10.0.0.1\"}":{".":{},"f:ip":{}}},"f:startTime":{}}}`
	sum := "sha256:" + hex(r, 64)
	p := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name: name, GenerateName: app + "-" + hash + "-", Namespace: ns, UID: types.UID(uid()),
			ResourceVersion: fmt.Sprint(rv), CreationTimestamp: created, Labels: labels,
			Annotations: map[string]string{
				stampKey: zeroStamp, "checksum/config": hex(r, 64), "prometheus.io/scrape": "true", "prometheus.io/port": "8080",
				"cni.projectcalico.org/podIP": fmt.Sprintf("10.%d.%d.%d/32", r.Intn(250), r.Intn(250), r.Intn(250)), "cni.projectcalico.org/containerID": hex(r, 64),
			},
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: app + "-" + hash, UID: types.UID(uid()), Controller: &tr, BlockOwnerDeletion: &tr}},
			ManagedFields: []metav1.ManagedFieldsEntry{
				{Manager: "kube-controller-manager", Operation: "Update", APIVersion: "v1", Time: &created, FieldsType: "FieldsV1", FieldsV1: &metav1.FieldsV1{Raw: []byte(mf1)}},
				{Manager: "kubelet", Operation: "Update", APIVersion: "v1", Time: &started, FieldsType: "FieldsV1", Subresource: "status", FieldsV1: &metav1.FieldsV1{Raw: []byte(mf2)}},
			},
		},
		Spec: corev1.PodSpec{
			Volumes: []corev1.Volume{
				{Name: "config", VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: corev1.LocalObjectReference{Name: app + "-config"}, DefaultMode: &mode}}},
				{Name: "kube-api-access-" + suffix(r, 5), VolumeSource: corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{DefaultMode: &mode, Sources: []corev1.VolumeProjection{
					{ServiceAccountToken: &corev1.ServiceAccountTokenProjection{ExpirationSeconds: &exp, Path: "token"}},
					{ConfigMap: &corev1.ConfigMapProjection{LocalObjectReference: corev1.LocalObjectReference{Name: "kube-root-ca.crt"}, Items: []corev1.KeyToPath{{Key: "ca.crt", Path: "ca.crt"}}}},
				}}}},
			},
			Containers: []corev1.Container{{
				Name: "main", Image: "registry.example.com/platform/" + app + ":" + labels["app.kubernetes.io/version"], Args: []string{"--listen=:8080", "--config=/etc/config/app.yaml", "--log-format=json"},
				Ports: []corev1.ContainerPort{{Name: "http", ContainerPort: 8080, Protocol: "TCP"}, {Name: "metrics", ContainerPort: 9090, Protocol: "TCP"}},
				Env: []corev1.EnvVar{{Name: "LOG_LEVEL", Value: "info"}, {Name: "POD_IP", ValueFrom: &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{APIVersion: "v1", FieldPath: "status.podIP"}}},
					{Name: "DB_DSN", ValueFrom: &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{LocalObjectReference: corev1.LocalObjectReference{Name: app + "-db"}, Key: "dsn"}}}, {Name: "OTEL_ENDPOINT", Value: "http://otel-collector.observability:4317"}},
				Resources:              corev1.ResourceRequirements{Limits: corev1.ResourceList{"memory": resource.MustParse("512Mi")}, Requests: corev1.ResourceList{"cpu": resource.MustParse("250m"), "memory": resource.MustParse("256Mi")}},
				VolumeMounts:           []corev1.VolumeMount{{Name: "config", MountPath: "/etc/config"}, {Name: "kube-api-access", ReadOnly: true, MountPath: "/var/run/secrets/kubernetes.io/serviceaccount"}},
				LivenessProbe:          &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/healthz", Port: intstr.FromString("http"), Scheme: "HTTP"}}, TimeoutSeconds: 1, PeriodSeconds: 10, SuccessThreshold: 1, FailureThreshold: 3},
				ReadinessProbe:         &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/readyz", Port: intstr.FromString("http"), Scheme: "HTTP"}}, TimeoutSeconds: 1, PeriodSeconds: 5, SuccessThreshold: 1, FailureThreshold: 3},
				TerminationMessagePath: "/dev/termination-log", TerminationMessagePolicy: "File", ImagePullPolicy: "IfNotPresent",
				SecurityContext: &corev1.SecurityContext{AllowPrivilegeEscalation: &fa, ReadOnlyRootFilesystem: &tr, RunAsNonRoot: &tr, Capabilities: &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}}},
			}},
			RestartPolicy: "Always", TerminationGracePeriodSeconds: &grace, DNSPolicy: "ClusterFirst", ServiceAccountName: app, DeprecatedServiceAccount: app,
			NodeName: node, SecurityContext: &corev1.PodSecurityContext{}, SchedulerName: "default-scheduler", Priority: &prio, EnableServiceLinks: &tr, PreemptionPolicy: &pp,
			Tolerations: []corev1.Toleration{{Key: "node.kubernetes.io/not-ready", Operator: "Exists", Effect: "NoExecute", TolerationSeconds: &tolS}, {Key: "node.kubernetes.io/unreachable", Operator: "Exists", Effect: "NoExecute", TolerationSeconds: &tolS}},
		},
		Status: corev1.PodStatus{
			Phase: "Running", HostIP: "10.4.17.22", HostIPs: []corev1.HostIP{{IP: "10.4.17.22"}}, PodIP: fmt.Sprintf("10.%d.%d.%d", r.Intn(250), r.Intn(250), r.Intn(250)), StartTime: &created, QOSClass: "Burstable",
			ContainerStatuses: []corev1.ContainerStatus{{Name: "main", Ready: true, RestartCount: int32(r.Intn(3)), Image: "registry.example.com/platform/" + app + ":" + labels["app.kubernetes.io/version"], ImageID: "registry.example.com/platform/" + app + "@" + sum, ContainerID: "containerd://" + hex(r, 64), Started: &tr, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: started}}}},
		},
	}
	p.Status.PodIPs = []corev1.PodIP{{IP: p.Status.PodIP}}
	for _, c := range []string{"PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"} {
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: corev1.PodConditionType(c), Status: "True", LastTransitionTime: started})
	}
	return p
}

// encode gives the item bytes in one format (without list separators or watch envelope).
func encode(f int, p *corev1.Pod) []byte {
	switch f {
	case fmtJSON:
		b, err := json.Marshal(p)
		must(err)
		return b
	case fmtPB:
		b, err := p.Marshal()
		must(err)
		return b
	case fmtMetaJS, fmtMetaPB, fmtTable:
		m := &metav1.PartialObjectMetadata{ObjectMeta: p.ObjectMeta}
		if f == fmtMetaPB {
			b, err := m.Marshal()
			must(err)
			return b
		}
		m.TypeMeta = metav1.TypeMeta{Kind: "PartialObjectMetadata", APIVersion: "meta.k8s.io/v1"}
		b, err := json.Marshal(m)
		must(err)
		if f == fmtMetaJS {
			return b
		}
		cells, err := json.Marshal([]any{p.Name, "1/1", "Running", fmt.Sprint(p.Status.ContainerStatuses[0].RestartCount), "8d", p.Status.PodIP, p.Spec.NodeName, "<none>", "<none>"})
		must(err)
		return []byte(`{"cells":` + string(cells) + `,"object":` + string(b) + `}`)
	}
	panic("format")
}

type generated struct {
	ids    []podID
	stores [numFormats]*store
	origRV []int64
}

func locate(b []byte, rv int64) (int32, int32) {
	r := bytes.Index(b, []byte(fmt.Sprint(rv)))
	t := bytes.Index(b, []byte(zeroStamp))
	if r < 0 || t < 0 {
		panic("placeholder not found")
	}
	return int32(r), int32(t)
}

func generate(seed int64, n, nns int, on [numFormats]bool) *generated {
	g := &generated{}
	if nns > n {
		nns = n
	}
	type ord struct {
		i    int
		k, s string
	}
	// names are "<app>-<i>-..." : sort by namespace then name, like the server's key order.
	order := make([]ord, n)
	for i := range order {
		order[i] = ord{i, nsOf(i, n, nns), fmt.Sprintf("%s-%06d", apps[i%len(apps)], i)}
	}
	sort.Slice(order, func(a, b int) bool {
		if order[a].k != order[b].k {
			return order[a].k < order[b].k
		}
		return order[a].s < order[b].s
	})
	for f := range on {
		if on[f] {
			g.stores[f] = &store{off: []int64{0}}
		}
	}
	for _, o := range order {
		p := makePod(seed, o.i, n, nns)
		g.ids = append(g.ids, podID{p.Namespace, p.Name, p.Spec.NodeName, p.Labels["app"], p.Labels})
		rv := rvBase + int64(o.i) + 1
		g.origRV = append(g.origRV, rv)
		for f := range on {
			if s := g.stores[f]; s != nil {
				b := encode(f, p)
				r, t := locate(b, rv)
				if s.blob == nil {
					s.blob = make([]byte, 0, (len(b)+200)*n)
				}
				s.blob = append(s.blob, b...)
				s.off = append(s.off, int64(len(s.blob)))
				s.rvOff = append(s.rvOff, r)
				s.tsOff = append(s.tsOff, t)
			}
		}
	}
	return g
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
