// SPDX-License-Identifier: Apache-2.0
// CPU and memory used by processes and by the machine (Linux).
package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// cpuOf returns the CPU time of a process and its threads, finished ones too, with ns resolution.
func cpuOf(pid int) float64 {
	var ts syscall.Timespec
	clock := int32(^pid)<<3 | 2
	_, _, failed := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, uintptr(int64(clock)), uintptr(unsafe.Pointer(&ts)), 0)
	if failed != 0 {
		return -1
	}
	return float64(ts.Sec) + float64(ts.Nsec)/1e9
}

// memoryOf returns the resident memory of a process and its peak, in kB.
func memoryOf(pid int) (rss, peak int) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for _, line := range strings.Split(string(text), "\n") {
		words := strings.Fields(line)
		if len(words) < 2 {
			continue
		}
		switch words[0] {
		case "VmRSS:":
			rss, _ = strconv.Atoi(words[1])
		case "VmHWM:":
			peak, _ = strconv.Atoi(words[1])
		}
	}
	return
}

func load1() string {
	text, _ := os.ReadFile("/proc/loadavg")
	return strings.Fields(string(text))[0]
}

// usage is the usage at one moment.
type usage struct {
	at         time.Time
	busy, idle float64 // of the whole machine
	own        float64 // of the harness
	server     map[string]float64
}

func sample(s *apiServer) usage {
	u := usage{at: time.Now(), own: cpuOf(os.Getpid())}
	u.server, _ = s.call("stats")
	text, _ := os.ReadFile("/proc/stat")
	words := strings.Fields(strings.SplitN(string(text), "\n", 2)[0])
	for i := 1; i < len(words) && i < 9; i++ {
		ticks, _ := strconv.ParseFloat(words[i], 64)
		if i == 4 || i == 5 {
			u.idle += ticks / 100
		} else {
			u.busy += ticks / 100
		}
	}
	return u
}
