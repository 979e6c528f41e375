// SPDX-License-Identifier: Apache-2.0
// Lists, in one response or in pages, and requests for one pod.
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func (s *server) pods(w http.ResponseWriter, r *http.Request, ns string) {
	if s.fail.Load() > 0 && s.fail.Add(-1) >= 0 {
		code := int(s.failCode.Load())
		if code == 429 || code == 503 {
			w.Header().Set("Retry-After", "1")
		}
		writeStatus(w, code, http.StatusText(code), "injected failure")
		return
	}
	q := r.URL.Query()
	f, ctype, ok := s.pick(r.Header.Get("Accept"))
	if !ok {
		writeStatus(w, 406, "NotAcceptable", "only "+*formats+" are served")
		return
	}
	lo, hi := 0, len(s.g.ids)
	if ns != "" {
		rg := s.nsRange[ns]
		lo, hi = rg[0], rg[1]
	}
	lsel, ok1 := parseSel(q.Get("labelSelector"))
	fsel, ok2 := parseFieldSel(q.Get("fieldSelector"))
	if !ok1 || !ok2 {
		writeStatus(w, 400, "BadRequest", "selector not understood by this test server")
		return
	}
	filtered := q.Get("labelSelector") != "" || q.Get("fieldSelector") != ""
	match := func(i int) bool { return !filtered || (lsel(&s.g.ids[i]) && fsel(&s.g.ids[i])) }
	if v := q.Get("watch"); v == "true" || v == "1" {
		s.watch(w, r, f, ctype, lo, hi, match, ns, filtered)
		return
	}
	s.list(w, r, f, ctype, lo, hi, match, filtered, ns)
}

const chunk = 256 << 10

func (s *server) list(w http.ResponseWriter, r *http.Request, f int, ctype string, lo, hi int, match func(int) bool, filtered bool, ns string) {
	s.lists.Add(1)
	q := r.URL.Query()
	limit, _ := strconv.Atoi(q.Get("limit"))
	if q.Get("resourceVersion") == "0" && !*rv0Paged {
		limit = 0
	}
	s.mu.RLock()
	rv := s.curRV()
	dirty := s.dirty
	s.mu.RUnlock()
	start := lo
	if c := q.Get("continue"); c != "" {
		b, err := base64.RawURLEncoding.DecodeString(c)
		var tok struct {
			RV int64 `json:"rv"`
			I  int   `json:"i"`
		}
		if err != nil || json.Unmarshal(b, &tok) != nil || tok.I < lo || tok.I > hi {
			writeStatus(w, 400, "BadRequest", "continue token not valid")
			return
		}
		if tok.RV < s.logBase-1 {
			writeStatus(w, 410, "Expired", "The provided continue parameter is too old to display a consistent list result.")
			return
		}
		rv, start = tok.RV, tok.I
	}
	h := w.Header()
	h.Set("Content-Type", ctype)
	h.Set("Cache-Control", "no-cache, private")
	if *gz && f == fmtJSON && ns == "" && !filtered && !dirty && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		if b := s.gzPages[fmt.Sprintf("%d/%d", limit, start)]; b != nil {
			h.Set("Content-Encoding", "gzip")
			h.Set("Vary", "Accept-Encoding")
			w.Write(b)
			s.bytesOut.Add(int64(len(b)))
			return
		}
	}
	// select the page
	end, cnt := start, 0
	s.mu.RLock()
	sel := make([]int32, 0, 512)
	for end < hi && (limit <= 0 || cnt < limit) {
		if s.present[end] && match(end) {
			sel = append(sel, int32(end))
			cnt++
		}
		end++
	}
	rest := 0
	for i := end; i < hi; i++ {
		if s.present[i] && match(i) {
			rest++
			if filtered {
				break
			}
		}
	}
	s.mu.RUnlock()
	lm := metav1.ListMeta{ResourceVersion: fmt.Sprint(rv)}
	if rest > 0 {
		lm.Continue = base64.RawURLEncoding.EncodeToString([]byte(fmt.Sprintf(`{"v":"meta.k8s.io/v1","rv":%d,"i":%d}`, rv, end)))
		if !filtered {
			n := int64(rest)
			lm.RemainingItemCount = &n
		}
	}
	st := s.g.stores[f]
	buf := make([]byte, 0, chunk+64<<10)
	var tail []byte
	var pb bool
	switch f {
	case fmtPB, fmtMetaPB:
		pb = true
		m, err := lm.Marshal()
		must(err)
		raw := 1 + varintLen(len(m)) + len(m)
		for _, i := range sel {
			n := len(st.item(int(i)))
			raw += 1 + varintLen(n) + n
		}
		tm := typeMeta("v1", "PodList")
		if f == fmtMetaPB {
			tm = typeMeta("meta.k8s.io/v1", "PartialObjectMetadataList")
		}
		buf = unknownHead(buf, tm, raw)
		buf = append(buf, 0x0a)
		buf = appendVarint(buf, len(m))
		buf = append(buf, m...)
		tail = unknownTail
		h.Set("Content-Length", fmt.Sprint(unknownSize(tm, raw)))
	default:
		m, err := json.Marshal(lm)
		must(err)
		switch f {
		case fmtJSON:
			buf = append(buf, fmt.Sprintf(`{"kind":"PodList","apiVersion":"v1","metadata":%s,"items":[`, m)...)
		case fmtMetaJS:
			buf = append(buf, fmt.Sprintf(`{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":%s,"items":[`, m)...)
		case fmtTable:
			buf = append(buf, fmt.Sprintf(`{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":%s,"columnDefinitions":%s,"rows":[`, m, tableCols)...)
		}
		tail = []byte("]}\n")
	}
	flush := func() bool {
		n, err := w.Write(buf)
		s.bytesOut.Add(int64(n))
		buf = buf[:0]
		return err == nil
	}
	for k := 0; k < len(sel); {
		s.mu.RLock()
		for k < len(sel) && len(buf) < chunk {
			it := st.item(int(sel[k]))
			if pb {
				buf = append(buf, 0x12)
				buf = appendVarint(buf, len(it))
			} else if k > 0 {
				buf = append(buf, ',')
			}
			buf = append(buf, it...)
			k++
		}
		s.mu.RUnlock()
		if len(buf) >= chunk && !flush() {
			return
		}
	}
	buf = append(buf, tail...)
	flush()
}

func (s *server) one(w http.ResponseWriter, r *http.Request, ns, name string) {
	rg := s.nsRange[ns]
	for i := rg[0]; i < rg[1]; i++ {
		if s.g.ids[i].name == name && s.present[i] && s.g.stores[fmtJSON] != nil {
			w.Header().Set("Content-Type", "application/json")
			s.mu.RLock()
			b := append([]byte(`{"kind":"Pod","apiVersion":"v1",`), s.g.stores[fmtJSON].item(i)[1:]...)
			s.mu.RUnlock()
			w.Write(b)
			return
		}
	}
	writeStatus(w, 404, "NotFound", fmt.Sprintf("pods %q not found", name))
}

// buildGzip compresses the JSON list pages (level 1, as the real server). After a reset the list
// resourceVersion inside them is the one of the start; that is older but still valid only at start,
// so a reset rebuilds them when asked.
func (s *server) buildGzip(at bool) {
	if !*gz || s.g.stores[fmtJSON] == nil {
		return
	}
	s.gzPages = map[string][]byte{}
	st := s.g.stores[fmtJSON]
	rv := s.curRV()
	n := len(s.g.ids)
	for _, limit := range []int{0, 500} {
		for start := 0; start < n; {
			end := n
			if limit > 0 && start+limit < n {
				end = start + limit
			}
			lm := metav1.ListMeta{ResourceVersion: fmt.Sprint(rv)}
			if end < n {
				lm.Continue = base64.RawURLEncoding.EncodeToString([]byte(fmt.Sprintf(`{"v":"meta.k8s.io/v1","rv":%d,"i":%d}`, rv, end)))
				k := int64(n - end)
				lm.RemainingItemCount = &k
			}
			m, _ := json.Marshal(lm)
			var b bytes.Buffer
			zw, _ := gzip.NewWriterLevel(&b, 1)
			fmt.Fprintf(zw, `{"kind":"PodList","apiVersion":"v1","metadata":%s,"items":[`, m)
			for i := start; i < end; i++ {
				if i > start {
					zw.Write([]byte{','})
				}
				zw.Write(st.item(i))
			}
			io.WriteString(zw, "]}\n")
			zw.Close()
			s.gzPages[fmt.Sprintf("%d/%d", limit, start)] = b.Bytes()
			start = end
		}
	}
}
