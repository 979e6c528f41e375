// SPDX-License-Identifier: Apache-2.0
// loadserver is an API server for pods that uses little CPU itself: it generates and serializes
// every object in every format before it listens.
package main

import (
	"context"
	"crypto/tls"
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"time"
)

var (
	nPods     = flag.Int("pods", 1000, "number of pods")
	nNS       = flag.Int("namespaces", 20, "number of namespaces")
	seed      = flag.Int64("seed", 1, "generator seed")
	addr      = flag.String("addr", "127.0.0.1:0", "plain HTTP listener")
	tlsAddr   = flag.String("tls-addr", "127.0.0.1:0", "TLS listener (HTTP/2 and HTTP/1.1); empty disables")
	ctlAddr   = flag.String("ctl", "127.0.0.1:0", "control listener")
	dir       = flag.String("dir", ".", "directory for ca.crt, kubeconfig-http, kubeconfig-tls and addrs")
	formats   = flag.String("formats", "json,pb,metajson,metapb,table", "wire formats to pre-serialize")
	gz        = flag.Bool("gzip", false, "serve gzip lists (JSON full list and 500-item pages, all namespaces) to clients that accept it")
	watchList = flag.Bool("watchlist", true, "support sendInitialEvents")
	bookmark  = flag.Duration("bookmark", 10*time.Second, "bookmark interval on watches that allow them")
	rv0Paged  = flag.Bool("rv0-paged", false, "honour limit when resourceVersion=0 (the real watch cache does not)")
	maxLife   = flag.Duration("max-life", time.Hour, "exit after this time")
	verbose   = flag.Bool("v", false, "log requests")
)

func main() {
	flag.Parse()
	must(os.MkdirAll(*dir, 0o755))
	t0 := time.Now()
	var on [numFormats]bool
	for _, f := range strings.Split(*formats, ",") {
		for i, n := range fmtNames {
			if f == n {
				on[i] = true
			}
		}
	}
	s := &server{logBase: rvBase + 100000000, bump: make(chan struct{}), goneCh: make(chan struct{}), conns: map[net.Conn]struct{}{}, nsRange: map[string][2]int{}}
	s.g = generate(*seed, *nPods, *nNS, on)
	s.present = make([]bool, len(s.g.ids))
	for i, id := range s.g.ids {
		s.present[i] = true
		rg, ok := s.nsRange[id.ns]
		if !ok {
			rg[0] = i
		}
		rg[1] = i + 1
		s.nsRange[id.ns] = rg
	}
	s.buildGzip(true)
	debug.FreeOSMemory()
	sizes := ""
	for f, st := range s.g.stores {
		if st != nil {
			sizes += fmt.Sprintf(" %s=%dB/item", fmtNames[f], len(st.blob)/len(s.g.ids))
		}
	}

	mux := http.HandlerFunc(s.api)
	track := func(c net.Conn, st http.ConnState) {
		s.connMu.Lock()
		switch st {
		case http.StateNew:
			s.conns[c] = struct{}{}
		case http.StateClosed, http.StateHijacked:
			delete(s.conns, c)
		}
		s.connMu.Unlock()
	}
	ln, err := net.Listen("tcp", *addr)
	must(err)
	cl, err := net.Listen("tcp", *ctlAddr)
	must(err)
	hs := &http.Server{Handler: mux, ConnState: track}
	cs := &http.Server{Handler: http.HandlerFunc(s.control)}
	go hs.Serve(ln)
	go cs.Serve(cl)
	url := "http://" + ln.Addr().String()
	writeKubeconfig(filepath.Join(*dir, "kubeconfig-http"), url, "")
	turl := ""
	if *tlsAddr != "" {
		cert, ca := selfSigned(*dir)
		tl, err := net.Listen("tcp", *tlsAddr)
		must(err)
		ts := &http.Server{Handler: mux, ConnState: track, TLSConfig: &tls.Config{Certificates: []tls.Certificate{cert}, NextProtos: []string{"h2", "http/1.1"}}, ErrorLog: log.New(io.Discard, "", 0)}
		ts.HTTP2 = &http.HTTP2Config{MaxConcurrentStreams: 250}
		go ts.ServeTLS(tl, "", "")
		turl = "https://" + tl.Addr().String()
		writeKubeconfig(filepath.Join(*dir, "kubeconfig-tls"), turl, string(ca))
	}
	line := fmt.Sprintf("URL=%s\nTLSURL=%s\nCTL=http://%s\nPID=%d\nPODS=%d\nCA=%s\n", url, turl, cl.Addr(), os.Getpid(), len(s.g.ids), filepath.Join(*dir, "ca.crt"))
	must(os.WriteFile(filepath.Join(*dir, "addrs.tmp"), []byte(line), 0o644))
	must(os.Rename(filepath.Join(*dir, "addrs.tmp"), filepath.Join(*dir, "addrs")))
	fmt.Printf("ready in %.1fs%s\n%s", time.Since(t0).Seconds(), sizes, line)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	select {
	case <-ctx.Done():
	case <-time.After(*maxLife):
	}
}
