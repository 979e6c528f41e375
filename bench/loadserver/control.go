// SPDX-License-Identifier: Apache-2.0
// The control listener, with which the harness changes the server while clients watch.
package main

import (
	"fmt"
	mrand "math/rand"
	"net/http"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

func cpuSelf() float64 {
	var ru syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &ru)
	return float64(ru.Utime.Sec+ru.Stime.Sec) + float64(ru.Utime.Usec+ru.Stime.Usec)/1e6
}

func (s *server) control(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	num := func(k string, def int) int {
		if v, err := strconv.Atoi(q.Get(k)); err == nil {
			return v
		}
		return def
	}
	n := len(s.g.ids)
	switch strings.TrimPrefix(r.URL.Path, "/control/") {
	case "stats":
		s.mu.RLock()
		defer s.mu.RUnlock()
		fmt.Fprintf(w, `{"pods":%d,"rv":%d,"logBase":%d,"events":%d,"watchers":%d,"lists":%d,"bytes":%d,"cpu":%.4f}`+"\n", n, s.curRV(), s.logBase, len(s.log), s.watchers.Load(), s.lists.Load(), s.bytesOut.Load(), cpuSelf())
	case "burst": // events=E [kind=modified|churn] [from=I]
		e := num("events", 1000)
		from := num("from", 0)
		evs := make([]event, e)
		for k := range evs {
			if q.Get("kind") == "churn" { // DELETED then ADDED of the same pod
				evs[k] = event{idx: int32((from + k/2) % n), typ: 2}
				if k%2 == 1 {
					evs[k].typ = 0
				}
			} else {
				evs[k] = event{idx: int32((from + k) % n), typ: 1}
			}
		}
		rv := s.append(evs)
		fmt.Fprintf(w, `{"rv":%d,"events":%d}`+"\n", rv, e)
	case "rate": // eps=R seconds=S ; returns when done
		eps, sec := num("eps", 1000), num("seconds", 10)
		tot := eps * sec
		t0 := time.Now()
		var rv int64
		for k := 0; k < tot; {
			due := int(time.Since(t0).Seconds()*float64(eps)) + 1
			if due > tot {
				due = tot
			}
			for ; k < due; k++ {
				rv = s.append([]event{{idx: int32((k * 7919) % n), typ: 1, stamp: time.Now().UnixNano()}})
			}
			next := t0.Add(time.Duration(float64(k) / float64(eps) * 1e9))
			time.Sleep(time.Until(next))
		}
		fmt.Fprintf(w, `{"rv":%d,"events":%d,"seconds":%.3f}`+"\n", rv, tot, time.Since(t0).Seconds())
	case "finish": // ns=default name=sentinel
		ns, name := q.Get("ns"), q.Get("name")
		if ns == "" {
			ns = "default"
		}
		if name == "" {
			name = "sentinel"
		}
		p := buildPod(mrand.New(mrand.NewSource(99)), ns, name, "sentinel", "0123456789", 0, rvBase)
		x := &generated{ids: []podID{{ns, name, "", "sentinel", p.Labels}}}
		for f := range s.g.stores {
			if s.g.stores[f] != nil {
				b := encode(f, p)
				ro, to := locate(b, rvBase)
				x.stores[f] = &store{blob: b, off: []int64{0, int64(len(b))}, rvOff: []int32{ro}, tsOff: []int32{to}}
			}
		}
		s.mu.Lock()
		s.extra = append(s.extra, x)
		id := -int32(len(s.extra))
		s.mu.Unlock()
		rv := s.append([]event{{idx: id, typ: 0, stamp: time.Now().UnixNano()}})
		fmt.Fprintf(w, `{"rv":%d}`+"\n", rv)
	case "stamps": // from=RV to=RV : one "rv ns" line each
		s.mu.RLock()
		defer s.mu.RUnlock()
		from, to := int64(num("from", 0)), int64(num("to", 1<<60))
		for k := range s.log {
			if rv := s.logBase + int64(k); rv >= from && rv <= to {
				fmt.Fprintf(w, "%d %d\n", rv, atomic.LoadInt64(&s.log[k].stamp))
			}
		}
	case "gone": // send 410 to every open watch; older resourceVersions stay too old from now on
		s.mu.Lock()
		s.logBase += int64(len(s.log)) + 1
		s.log = nil
		close(s.goneCh)
		s.goneCh = make(chan struct{})
		close(s.bump)
		s.bump = make(chan struct{})
		s.mu.Unlock()
		fmt.Fprintln(w, `{}`)
	case "cut": // close the API connections at once
		s.connMu.Lock()
		k := len(s.conns)
		for c := range s.conns {
			c.Close()
		}
		s.connMu.Unlock()
		fmt.Fprintf(w, `{"closed":%d}`+"\n", k)
	case "fail": // count=K code=C : the next K pod requests answer C
		s.failCode.Store(int64(num("code", 503)))
		s.fail.Store(int64(num("count", 1)))
		fmt.Fprintln(w, `{}`)
	case "reset": // the original objects; a new log
		s.mu.Lock()
		s.logBase += int64(len(s.log)) + 1
		s.log, s.extra, s.dirty = nil, nil, false
		for i := range s.present {
			s.present[i] = true
			for _, st := range s.g.stores {
				if st != nil {
					put10(st.item(i)[st.rvOff[i]:], s.g.origRV[i])
					put19(st.item(i)[st.tsOff[i]:], 0)
				}
			}
		}
		s.buildGzip(false)
		close(s.bump)
		s.bump = make(chan struct{})
		s.mu.Unlock()
		debug.FreeOSMemory()
		fmt.Fprintln(w, `{}`)
	case "quit":
		fmt.Fprintln(w, `{}`)
		go func() { time.Sleep(50 * time.Millisecond); os.Exit(0) }()
	default:
		http.NotFound(w, r)
	}
}
