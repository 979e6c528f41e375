// SPDX-License-Identifier: Apache-2.0
// The client's process and the goroutine that reads its standard output.
package main

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"
)

// pattern is prefix:X, contains:X, exact:X or any:. For the sync it can also be count or exit.
type pattern struct {
	kind string
	text []byte
}

func parsePattern(s string) pattern {
	kind, text, _ := strings.Cut(s, ":")
	return pattern{kind, []byte(text)}
}

func (p pattern) match(line []byte) bool {
	switch p.kind {
	case "prefix":
		return bytes.HasPrefix(line, p.text)
	case "contains":
		return bytes.Contains(line, p.text)
	case "exact":
		return bytes.Equal(line, p.text)
	}
	return p.kind == "any"
}

type client struct {
	cmd     *exec.Cmd
	pid     int
	started time.Time
	eof     chan struct{}

	// Written by the reader before synced is closed.
	synced            chan struct{}
	firstByte, syncAt time.Time
	syncCPU           float64
	syncRSS, syncPeak int

	events   atomic.Int64 // lines that are events, after the sync
	target   atomic.Int64 // the event that is reported on hit
	hit      chan struct{}
	hitAt    atomic.Int64
	hitCPU   float64
	record   atomic.Bool
	arrivals []int64

	syncLine, eventLine pattern
	toSync              int // event lines until the sync, with -synced count
	tee                 *os.File
}

// startClient runs the command by `sh -c exec`, so that its pid is the client's own.
func startClient(s *apiServer) (*client, error) {
	c := &client{
		eof: make(chan struct{}), synced: make(chan struct{}), hit: make(chan struct{}, 4),
		arrivals: make([]int64, 0, 1<<20), toSync: s.pods + *skipLines,
		syncLine: parsePattern(*syncText), eventLine: parsePattern(*eventText),
	}
	c.target.Store(-1)
	c.cmd = exec.Command("/bin/sh", "-c", "exec "+s.fill(*command))
	c.cmd.Env = append(os.Environ(), "KUBECONFIG="+s.kubeconfig)
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	c.cmd.Stdout = write
	if *errPath != "" {
		if c.cmd.Stderr, err = os.Create(*errPath); err != nil {
			return nil, err
		}
	}
	if *outPath != "" {
		if c.tee, err = os.Create(*outPath); err != nil {
			return nil, err
		}
	}
	c.started = time.Now()
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	write.Close()
	c.pid = c.cmd.Process.Pid
	go c.read(read)
	return c, nil
}

func (c *client) read(from *os.File) {
	defer close(c.eof)
	buf := make([]byte, 256<<10)
	var begun []byte // an incomplete line
	for {
		n, err := from.Read(buf)
		now := time.Now()
		if n > 0 && c.firstByte.IsZero() {
			c.firstByte = now
		}
		if c.tee != nil {
			c.tee.Write(buf[:n])
		}
		for rest := buf[:n]; len(rest) > 0; {
			i := bytes.IndexByte(rest, '\n')
			if i < 0 {
				begun = append(begun, rest...)
				break
			}
			line := rest[:i]
			if len(begun) > 0 {
				begun = append(begun, line...)
				line = begun
			}
			c.take(line, now)
			begun = begun[:0]
			rest = rest[i+1:]
		}
		if err != nil {
			return
		}
	}
}

func (c *client) take(line []byte, now time.Time) {
	is := c.eventLine.match(line)
	if c.syncAt.IsZero() {
		if c.syncLine.kind == "count" {
			if is {
				c.toSync--
			}
			is = is && c.toSync == 0
		} else {
			is = c.syncLine.match(line)
		}
		if is {
			c.syncCPU = cpuOf(c.pid)
			c.syncRSS, c.syncPeak = memoryOf(c.pid)
			c.syncAt = now
			close(c.synced)
		}
		return
	}
	if !is {
		return
	}
	if c.record.Load() {
		c.arrivals = append(c.arrivals, now.UnixNano())
	}
	if c.events.Add(1) == c.target.Load() {
		c.hitCPU = cpuOf(c.pid)
		c.hitAt.Store(now.UnixNano())
		c.hit <- struct{}{}
	}
}
