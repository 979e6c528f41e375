// SPDX-License-Identifier: Apache-2.0
// The phases of a run: sync, relist, steady rate, burst, end.
package main

import (
	"fmt"
	"syscall"
	"time"
)

type phases struct {
	server   *apiServer
	client   *client
	row      row
	deadline <-chan time.Time
	ended    bool // there is nothing left to wait for
}

func (p *phases) run(before usage) string {
	if state := p.sync(before); state != "ok" || p.ended {
		return state
	}
	if *syncOnly {
		p.client.cmd.Process.Signal(syscall.SIGTERM)
		p.ended = true
		return "ok"
	}
	for _, phase := range []func() string{p.relist, p.steady, p.burst} {
		if state := phase(); state != "ok" {
			return state
		}
	}
	return "ok"
}

func (p *phases) fail(state string) string {
	p.client.cmd.Process.Signal(syscall.SIGKILL)
	p.ended = true
	return state
}

func (p *phases) sync(before usage) string {
	c := p.client
	select {
	case <-c.synced:
	case <-c.eof:
		p.ended = true
		if *syncText == "exit" {
			p.row.set("sync_s", time.Since(c.started).Seconds())
			return "ok"
		}
		return "ended-before-sync"
	case <-p.deadline:
		return p.fail("timeout-sync")
	}
	stats, err := p.server.call("stats")
	if err != nil {
		return p.fail("control: " + err.Error())
	}
	p.row.set("sync_s", c.syncAt.Sub(c.started).Seconds())
	p.row.set("first_byte_s", c.firstByte.Sub(c.started).Seconds())
	p.row.set("sync_cpu_s", c.syncCPU)
	p.row.set("rss_sync_kb", c.syncRSS)
	p.row.set("hwm_sync_kb", c.syncPeak)
	p.row.set("srv_sync_cpu_s", stats["cpu"]-before.server["cpu"])
	p.row.set("sync_bytes", int64(stats["bytes"]-before.server["bytes"]))
	time.Sleep(*settle)
	rss, _ := memoryOf(c.pid)
	p.row.set("rss_settle_kb", rss)
	if *syncOnly {
		return "ok"
	}
	return p.awaitWatch()
}

// awaitWatch waits until a watch is open, because not all clients count earlier events.
func (p *phases) awaitWatch() string {
	for i := 0; i < 2000; i++ {
		if stats, err := p.server.call("stats"); err == nil && stats["watchers"] >= 1 {
			return "ok"
		}
		time.Sleep(5 * time.Millisecond)
	}
	return p.fail("no-watch")
}

// relist waits until the client has a watch again and has used no CPU for half a second.
func (p *phases) relist() string {
	if !*relist {
		return "ok"
	}
	c := p.client
	lines, cpu := c.events.Load(), cpuOf(c.pid)
	if _, err := p.server.call("gone"); err != nil {
		return p.fail("control: " + err.Error())
	}
	last, quiet := cpu, 0
	for i := 0; quiet < 5 && i < 600; i++ {
		time.Sleep(100 * time.Millisecond)
		now := cpuOf(c.pid)
		stats, _ := p.server.call("stats")
		if now-last < 0.002 && stats["watchers"] >= 1 && i > 20 {
			quiet++
		} else {
			quiet = 0
		}
		last = now
	}
	p.row.set("relist_cpu_s", last-cpu)
	p.row.set("relist_lines", c.events.Load()-lines)
	return "ok"
}

// await calls start and waits for n more events.
func (p *phases) await(n int64, start func() error) string {
	c := p.client
	for len(c.hit) > 0 {
		<-c.hit
	}
	c.target.Store(c.events.Load() + n)
	if err := start(); err != nil {
		return p.fail("control: " + err.Error())
	}
	select {
	case <-c.hit:
		return "ok"
	case <-c.eof:
		p.ended = true
		return "ended-early"
	case <-p.deadline:
		return p.fail("timeout-events")
	}
}

func (p *phases) steady() string {
	if *rate <= 0 || *seconds <= 0 {
		return "ok"
	}
	c := p.client
	cpu := cpuOf(c.pid)
	stats, _ := p.server.call("stats")
	from, to := int64(stats["rv"])+1, int64(0)
	c.record.Store(true)
	state := p.await(int64(*rate**seconds), func() error {
		done, err := p.server.call(fmt.Sprintf("rate?eps=%d&seconds=%d", *rate, *seconds))
		to = int64(done["rv"])
		return err
	})
	c.record.Store(false)
	if state != "ok" {
		return state
	}
	p.row.set("rate_cpu_s", c.hitCPU-cpu)
	sent, err := p.server.stamps(from, to)
	if err != nil {
		return p.fail("control: " + err.Error())
	}
	if len(sent) != len(c.arrivals) {
		return fmt.Sprintf("stamps %d != arrivals %d", len(sent), len(c.arrivals))
	}
	p.row.setLatency(sent, c.arrivals)
	return "ok"
}

func (p *phases) burst() string {
	if *burst <= 0 {
		return "ok"
	}
	c := p.client
	before, _ := p.server.call("stats")
	cpu, started := cpuOf(c.pid), time.Now()
	state := p.await(int64(*burst), func() error {
		_, err := p.server.call(fmt.Sprintf("burst?events=%d", *burst))
		return err
	})
	if state != "ok" {
		return state
	}
	took := float64(c.hitAt.Load()-started.UnixNano()) / 1e9
	after, _ := p.server.call("stats")
	p.row.set("burst_s", took)
	p.row.set("burst_eps", float64(*burst)/took)
	p.row.set("burst_cpu_s", c.hitCPU-cpu)
	p.row.set("burst_events", *burst)
	p.row.set("srv_burst_cpu_s", after["cpu"]-before["cpu"])
	rss, peak := memoryOf(c.pid)
	p.row.set("rss_end_kb", rss)
	p.row.set("hwm_end_kb", peak)
	return "ok"
}

// end stops the client as usual, and by signals if it does not exit.
func (p *phases) end(state *string) {
	c := p.client
	asked := time.Now()
	if *state == "ok" && !p.ended {
		finish := func() error { _, err := p.server.call("finish"); return err }
		if *bySignal {
			*state = p.await(1, finish)
			c.cmd.Process.Signal(syscall.SIGINT)
		} else {
			finish()
		}
	}
	done := make(chan error, 1)
	go func() { done <- c.cmd.Wait() }()
	for _, force := range []struct {
		after  time.Duration
		signal syscall.Signal
	}{{10 * time.Second, syscall.SIGTERM}, {3 * time.Second, syscall.SIGKILL}} {
		select {
		case <-done:
			p.row.set("exit_ms", float64(time.Since(asked).Microseconds())/1e3)
			return
		case <-time.After(force.after):
			c.cmd.Process.Signal(force.signal)
			if *state == "ok" {
				*state = "no-exit"
			}
		}
	}
	<-done
}
