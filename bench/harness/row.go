// SPDX-License-Identifier: Apache-2.0
// One row of figures, in CSV.
package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"syscall"
	"time"
)

var columns = []string{"at", "name", "transport", "n", "run", "status", "sync_s", "first_byte_s",
	"sync_cpu_s", "rss_sync_kb", "hwm_sync_kb", "rss_settle_kb", "sync_bytes", "srv_sync_cpu_s",
	"relist_cpu_s", "relist_lines", "lat_p50_us", "lat_p90_us", "lat_p99_us", "lat_max_us",
	"rate_cpu_s", "burst_s", "burst_eps", "burst_cpu_s", "burst_events", "srv_burst_cpu_s",
	"rss_end_kb", "hwm_end_kb", "maxrss_kb", "total_cpu_s", "user_s", "sys_s", "exit_ms",
	"harness_cpu_s", "wall_s", "other_cpu_frac", "load1"}

type row map[string]string

func (r row) set(column string, value any) {
	if f, ok := value.(float64); ok {
		r[column] = strconv.FormatFloat(f, 'f', 4, 64)
	} else {
		r[column] = fmt.Sprint(value)
	}
}

// setLatency compares the time of the k-th line with that of the k-th event sent.
func (r row) setLatency(sent, arrivals []int64) {
	took := make([]float64, len(sent))
	for i := range sent {
		took[i] = float64(arrivals[i]-sent[i]) / 1e3
	}
	sort.Float64s(took)
	last := len(took) - 1
	r.set("lat_p50_us", took[last*50/100])
	r.set("lat_p90_us", took[last*90/100])
	r.set("lat_p99_us", took[last*99/100])
	r.set("lat_max_us", took[last])
}

// setUsage is called after the client has exited.
func (r row) setUsage(s *apiServer, c *client, before usage) {
	after := sample(s)
	state := c.cmd.ProcessState
	peak := state.SysUsage().(*syscall.Rusage).Maxrss
	total := state.UserTime().Seconds() + state.SystemTime().Seconds()
	r.set("total_cpu_s", total)
	r.set("user_s", state.UserTime().Seconds())
	r.set("sys_s", state.SystemTime().Seconds())
	r.set("maxrss_kb", peak)
	if *syncText == "exit" {
		r.set("sync_cpu_s", total)
		r.set("hwm_sync_kb", peak)
	}
	own := after.own - before.own
	server := after.server["cpu"] - before.server["cpu"]
	busy := after.busy - before.busy
	others := max(0, (busy-total-server-own)/(busy+after.idle-before.idle))
	r.set("harness_cpu_s", own)
	r.set("wall_s", time.Since(c.started).Seconds())
	r.set("other_cpu_frac", others)
}

func (r row) print() {
	for _, column := range columns {
		if r[column] != "" {
			fmt.Printf("%-16s %s\n", column, r[column])
		}
	}
}

func (r row) append(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	_, missing := os.Stat(path)
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer file.Close()
	writer := csv.NewWriter(file)
	if missing != nil {
		writer.Write(columns)
	}
	line := make([]string, len(columns))
	for i, column := range columns {
		line[i] = r[column]
	}
	writer.Write(line)
	writer.Flush()
	return writer.Error()
}
