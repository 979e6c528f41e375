// SPDX-License-Identifier: Apache-2.0
// The current pods, and the log of events that every watch reads.
package main

import (
	"net"
	"sync"
	"sync/atomic"
)

type event struct {
	idx   int32 // >=0 pod index, <0 extra[-idx-1]
	typ   uint8
	stamp int64 // ns since epoch; 0 until first composed
}

var typNames = [...]string{"ADDED", "MODIFIED", "DELETED"}

type server struct {
	g *generated

	mu      sync.RWMutex
	log     []event // event k has rv logBase+k
	logBase int64
	present []bool
	extra   []*generated // one-item stores (sentinels)
	dirty   bool         // any event since start or reset
	nsRange map[string][2]int
	bump    chan struct{} // closed on every append

	watchers atomic.Int64
	lists    atomic.Int64
	bytesOut atomic.Int64
	goneAt   atomic.Int64 // incremented by /control/gone
	goneCh   chan struct{}
	fail     atomic.Int64 // next K list/watch requests answer failCode
	failCode atomic.Int64

	gzPages map[string][]byte

	connMu sync.Mutex
	conns  map[net.Conn]struct{}
}

func (s *server) curRV() int64 { return s.logBase + int64(len(s.log)) - 1 }

func put10(b []byte, v int64) {
	for i := 9; i >= 0; i-- {
		b[i] = byte('0' + v%10)
		v /= 10
	}
}
func put19(b []byte, v int64) {
	for i := 18; i >= 0; i-- {
		b[i] = byte('0' + v%10)
		v /= 10
	}
}

// append adds events and patches the stored state, under the lock.
func (s *server) append(evs []event) int64 {
	s.mu.Lock()
	for _, e := range evs {
		s.log = append(s.log, e)
		rv := s.curRV()
		if e.idx < 0 {
			continue
		}
		s.dirty = true
		switch e.typ {
		case 2:
			s.present[e.idx] = false
		case 0:
			s.present[e.idx] = true
		}
		for _, st := range s.g.stores {
			if st != nil {
				it := st.item(int(e.idx))
				put10(it[st.rvOff[e.idx]:], rv)
				put19(it[st.tsOff[e.idx]:], e.stamp)
			}
		}
	}
	rv := s.curRV()
	close(s.bump)
	s.bump = make(chan struct{})
	s.mu.Unlock()
	return rv
}
