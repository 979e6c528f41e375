// SPDX-License-Identifier: Apache-2.0
// Watches and streaming lists.
package main

import (
	"fmt"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"
)

func (s *server) watch(w http.ResponseWriter, r *http.Request, f int, ctype string, lo, hi int, match func(int) bool, ns string, filtered bool) {
	q := r.URL.Query()
	sie := q.Get("sendInitialEvents") == "true"
	if q.Get("sendInitialEvents") != "" {
		if !*watchList {
			writeStatus(w, 422, "Invalid", `ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled`)
			return
		}
		if q.Get("resourceVersionMatch") != "NotOlderThan" {
			writeStatus(w, 422, "Invalid", `ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan`)
			return
		}
	}
	bm := q.Get("allowWatchBookmarks") == "true" || q.Get("allowWatchBookmarks") == "1"
	rvs := q.Get("resourceVersion")
	initial := sie || ((rvs == "" || rvs == "0") && q.Get("sendInitialEvents") == "")
	var timeout <-chan time.Time
	if t, _ := strconv.Atoi(q.Get("timeoutSeconds")); t > 0 {
		tm := time.NewTimer(time.Duration(t) * time.Second)
		defer tm.Stop()
		timeout = tm.C
	}
	h := w.Header()
	if ctype != "application/json" {
		ctype += ";stream=watch"
	}
	h.Set("Content-Type", ctype)
	h.Set("Cache-Control", "no-cache, private")
	w.WriteHeader(200)
	rc := http.NewResponseController(w)
	rc.Flush()
	first := true
	st := s.g.stores[f]
	buf := make([]byte, 0, chunk+64<<10)
	out := func() bool {
		n, err := w.Write(buf)
		s.bytesOut.Add(int64(n))
		buf = buf[:0]
		if err != nil {
			return false
		}
		return rc.Flush() == nil
	}
	s.mu.RLock()
	logv, base := s.log, s.logBase
	gone := s.goneCh
	s.mu.RUnlock()
	var cur int // index of the next event in the log
	if initial {
		cur = len(logv)
		rv := base + int64(len(logv)) - 1
		for i := lo; i < hi; {
			s.mu.RLock()
			for i < hi && len(buf) < chunk {
				if s.present[i] && match(i) {
					buf = appendEvent(buf, f, "ADDED", st.item(i), st.rvOff[i], st.tsOff[i], 0, 0, first)
					first = false
				}
				i++
			}
			s.mu.RUnlock()
			if !out() {
				return
			}
		}
		if sie {
			buf = appendBookmark(buf, f, rv, true)
			if !out() {
				return
			}
		}
	} else {
		rv, err := strconv.ParseInt(rvs, 10, 64)
		if err != nil {
			buf = appendError(buf, f, statusObj(400, "BadRequest", "invalid resourceVersion"))
			out()
			return
		}
		if rv < base-1 {
			buf = appendError(buf, f, statusObj(410, "Expired", fmt.Sprintf("too old resource version: %d (%d)", rv, base)))
			out()
			return
		}
		cur = int(rv - base + 1)
		if cur > len(logv) {
			cur = len(logv)
		}
	}
	s.watchers.Add(1)
	defer s.watchers.Add(-1)
	var tick <-chan time.Time
	if bm && *bookmark > 0 {
		t := time.NewTicker(*bookmark)
		defer t.Stop()
		tick = t.C
	}
	for {
		s.mu.RLock()
		logv = s.log
		same := s.logBase == base
		bump := s.bump
		s.mu.RUnlock()
		if !same { // the log has been reset
			buf = appendError(buf, f, statusObj(410, "Expired", "log reset"))
			out()
			return
		}
		for cur < len(logv) {
			s.mu.RLock()
			now := time.Now().UnixNano()
			for cur < len(logv) && len(buf) < chunk {
				e := &logv[cur]
				rv := base + int64(cur)
				cur++
				ist, k := st, int(e.idx)
				if e.idx < 0 {
					x := s.extra[-e.idx-1]
					if ns != "" && x.ids[0].ns != ns {
						continue
					}
					ist, k = x.stores[f], 0
				} else if k < lo || k >= hi || !match(k) {
					continue
				}
				stamp := atomic.LoadInt64(&e.stamp)
				if stamp == 0 {
					stamp = now
					atomic.StoreInt64(&e.stamp, now)
				}
				buf = appendEvent(buf, f, typNames[e.typ], ist.item(k), ist.rvOff[k], ist.tsOff[k], rv, stamp, first)
				first = false
			}
			s.mu.RUnlock()
			if len(buf) > 0 && !out() {
				return
			}
		}
		select {
		case <-bump:
		case <-tick:
			buf = appendBookmark(buf, f, base+int64(cur)-1, false)
			if !out() {
				return
			}
		case <-timeout:
			return
		case <-gone:
			buf = appendError(buf, f, statusObj(410, "Expired", "too old resource version (injected)"))
			out()
			return
		case <-r.Context().Done():
			return
		}
	}
}
