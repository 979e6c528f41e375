// SPDX-License-Identifier: Apache-2.0
// Parses the requested format and the selectors.
package main

import (
	"strings"
)

// pick returns the format for an Accept header; ok=false means 406.
func (s *server) pick(accept string) (f int, ctype string, ok bool) {
	if accept == "" {
		accept = "application/json"
	}
	for _, part := range strings.Split(accept, ",") {
		fs := strings.Split(strings.TrimSpace(part), ";")
		as := ""
		for _, p := range fs[1:] {
			if k, v, _ := strings.Cut(strings.TrimSpace(p), "="); k == "as" {
				as = v
			}
		}
		pb := fs[0] == "application/vnd.kubernetes.protobuf"
		js := fs[0] == "application/json" || fs[0] == "*/*" || fs[0] == "application/*"
		switch {
		case pb && as == "":
			f = fmtPB
		case pb && strings.HasPrefix(as, "PartialObjectMetadata"):
			f = fmtMetaPB
		case js && as == "":
			f = fmtJSON
		case js && strings.HasPrefix(as, "PartialObjectMetadata"):
			f = fmtMetaJS
		case js && as == "Table":
			f = fmtTable
		default:
			continue
		}
		if s.g.stores[f] == nil {
			continue
		}
		ct := "application/json"
		if pb {
			ct = "application/vnd.kubernetes.protobuf"
		}
		return f, ct, true
	}
	return 0, "", false
}

func parseSel(q string) (func(*podID) bool, bool) {
	type req struct {
		k, v string
		neg  bool
	}
	var rs []req
	for _, p := range strings.Split(q, ",") {
		if p == "" {
			continue
		}
		if k, v, ok := strings.Cut(p, "!="); ok {
			rs = append(rs, req{k, v, true})
		} else if k, v, ok := strings.Cut(p, "="); ok {
			rs = append(rs, req{k, strings.TrimPrefix(v, "="), false})
		} else {
			return nil, false
		}
	}
	return func(p *podID) bool {
		for _, r := range rs {
			if (p.labels[r.k] == r.v) == r.neg {
				return false
			}
		}
		return true
	}, true
}

func parseFieldSel(q string) (func(*podID) bool, bool) {
	type req struct {
		k, v string
		neg  bool
	}
	var rs []req
	for _, p := range strings.Split(q, ",") {
		if p == "" {
			continue
		}
		neg := false
		k, v, ok := strings.Cut(p, "!=")
		if ok {
			neg = true
		} else if k, v, ok = strings.Cut(p, "="); !ok {
			return nil, false
		}
		v = strings.TrimPrefix(v, "=")
		switch k {
		case "metadata.name", "metadata.namespace", "spec.nodeName", "status.phase":
		default:
			return nil, false
		}
		rs = append(rs, req{k, v, neg})
	}
	return func(p *podID) bool {
		for _, r := range rs {
			var got string
			switch r.k {
			case "metadata.name":
				got = p.name
			case "metadata.namespace":
				got = p.ns
			case "spec.nodeName":
				got = p.node
			case "status.phase":
				got = "Running"
			}
			if (got == r.v) == r.neg {
				return false
			}
		}
		return true
	}, true
}
