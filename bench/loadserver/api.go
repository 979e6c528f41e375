// SPDX-License-Identifier: Apache-2.0
// The paths of the API: discovery, namespaces, pods.
package main

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"net/http"
	"strings"
)

func (s *server) api(w http.ResponseWriter, r *http.Request) {
	if *verbose {
		log.Printf("%s %s %s accept=%q enc=%q", r.Proto, r.Method, r.URL, r.Header.Get("Accept"), r.Header.Get("Accept-Encoding"))
	}
	js := func(body string) { w.Header().Set("Content-Type", "application/json"); io.WriteString(w, body) }
	agg := strings.Contains(r.Header.Get("Accept"), "as=APIGroupDiscoveryList") && strings.Contains(r.Header.Get("Accept"), "v=v2;")
	aggT := "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"
	p := strings.TrimSuffix(r.URL.Path, "/")
	switch {
	case p == "/version":
		js(`{"major":"1","minor":"37","gitVersion":"v1.37.2","gitCommit":"0000000000000000000000000000000000000000","gitTreeState":"clean","buildDate":"2026-11-01T00:00:00Z","goVersion":"go1.26.0","compiler":"gc","platform":"linux/amd64"}`)
	case p == "/healthz" || p == "/readyz" || p == "/livez":
		io.WriteString(w, "ok")
	case p == "/api" && agg:
		w.Header().Set("Content-Type", aggT)
		io.WriteString(w, `{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","metadata":{},"items":[{"metadata":{"creationTimestamp":null},"versions":[{"version":"v1","resources":[{"resource":"pods","responseKind":{"group":"","version":"v1","kind":"Pod"},"scope":"Namespaced","singularResource":"pod","verbs":["get","list","watch"],"shortNames":["po"],"categories":["all"]},{"resource":"namespaces","responseKind":{"group":"","version":"v1","kind":"Namespace"},"scope":"Cluster","singularResource":"namespace","verbs":["get","list"],"shortNames":["ns"]}],"freshness":"Current"}]}]}`)
	case p == "/apis" && agg:
		w.Header().Set("Content-Type", aggT)
		io.WriteString(w, `{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","metadata":{},"items":[]}`)
	case p == "/api":
		js(`{"kind":"APIVersions","versions":["v1"],"serverAddressByClientCIDRs":[{"clientCIDR":"0.0.0.0/0","serverAddress":"127.0.0.1"}]}`)
	case p == "/apis":
		js(`{"kind":"APIGroupList","apiVersion":"v1","groups":[]}`)
	case p == "/api/v1":
		js(`{"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"namespaces","singularName":"namespace","namespaced":false,"kind":"Namespace","verbs":["get","list"],"shortNames":["ns"]},{"name":"pods","singularName":"pod","namespaced":true,"kind":"Pod","verbs":["get","list","watch"],"shortNames":["po"],"categories":["all"]}]}`)
	case p == "/api/v1/namespaces":
		var b bytes.Buffer
		b.WriteString(`{"kind":"NamespaceList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[`)
		sep := ""
		for i := 0; i < len(s.g.ids); {
			ns := s.g.ids[i].ns
			fmt.Fprintf(&b, `%s{"metadata":{"name":"%s","resourceVersion":"1"}}`, sep, ns)
			sep = ","
			i = s.nsRange[ns][1]
		}
		b.WriteString(`]}`)
		js(b.String())
	case p == "/api/v1/pods":
		s.pods(w, r, "")
	default:
		seg := strings.Split(strings.TrimPrefix(p, "/api/v1/namespaces/"), "/")
		if strings.HasPrefix(p, "/api/v1/namespaces/") && len(seg) == 2 && seg[1] == "pods" {
			s.pods(w, r, seg[0])
		} else if strings.HasPrefix(p, "/api/v1/namespaces/") && len(seg) == 3 && seg[1] == "pods" {
			s.one(w, r, seg[0], seg[2])
		} else {
			writeStatus(w, 404, "NotFound", "the server could not find the requested resource")
		}
	}
}
