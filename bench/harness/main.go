// SPDX-License-Identifier: Apache-2.0
// harness runs one client against a running load server, reads its standard output line by line,
// makes the server change objects, and writes one row of figures.
package main

import (
	"flag"
	"fmt"
	"os"
	"time"
)

var (
	name      = flag.String("name", "client", "name of the row")
	command   = flag.String("cmd", "", "command; {URL} {HOSTPORT} {KUBECONFIG} {CA} {N} {CTL} are replaced")
	serverDir = flag.String("server", "", "the load server's -dir")
	transport = flag.String("transport", "http", "http or tls")
	syncText  = flag.String("synced", "prefix:SYNCED", "line that reports the sync: prefix:X contains:X exact:X; count: the N-th event line, N the pods of the server; exit: the client exits by itself")
	eventText = flag.String("event", "prefix:Updated", "line that is one event")
	skipLines = flag.Int("skip-lines", 0, "with -synced count: header lines that match the event pattern")
	rate      = flag.Int("eps", 1000, "latency phase: events per second; 0 skips it")
	seconds   = flag.Int("seconds", 5, "latency phase: length")
	burst     = flag.Int("burst", 100000, "burst: events; 0 skips it")
	relist    = flag.Bool("relist", false, "expire every version after the sync and measure the relist")
	settle    = flag.Duration("settle", time.Second, "delay between the sync and the second sample of memory")
	bySignal  = flag.Bool("signal-exit", false, "send SIGINT after the sentinel, for a client that does not exit on it")
	syncOnly  = flag.Bool("kill-after-sync", false, "send SIGTERM after the second sample of memory")
	limit     = flag.Duration("timeout", 2*time.Minute, "time limit of the run")
	csvPath   = flag.String("csv", "", "append the row to this file")
	runNumber = flag.Int("run", 1, "number of the run")
	errPath   = flag.String("stderr", "", "file for the client's standard error")
	outPath   = flag.String("keep-stdout", "", "write the client's standard output to this file as well")
)

func main() {
	flag.Parse()
	server, err := openServer(*serverDir, *transport)
	if err == nil {
		_, err = server.call("reset")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	row := row{}
	row.set("at", time.Now().UTC().Format("15:04:05"))
	row.set("name", *name)
	row.set("transport", *transport)
	row.set("n", server.pods)
	row.set("run", *runNumber)
	row.set("load1", load1())
	state := measure(server, row)
	row.set("status", state)
	row.print()
	if *csvPath != "" {
		if err := row.append(*csvPath); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
	}
	if state != "ok" {
		os.Exit(1)
	}
}

// measure starts the client, runs the phases and stops it. It returns the status of the row: ok or
// the problem.
func measure(server *apiServer, row row) string {
	before := sample(server)
	client, err := startClient(server)
	if err != nil {
		return err.Error()
	}
	phases := &phases{server: server, client: client, row: row, deadline: time.After(*limit)}
	state := phases.run(before)
	phases.end(&state)
	row.setUsage(server, client, before)
	return state
}
