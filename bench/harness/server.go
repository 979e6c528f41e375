// SPDX-License-Identifier: Apache-2.0
// A client for the load server: its addresses and its control listener.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

type apiServer struct {
	pods       int
	kubeconfig string
	control    string
	words      *strings.Replacer
}

func openServer(dir, transport string) (*apiServer, error) {
	text, err := os.ReadFile(filepath.Join(dir, "addrs"))
	if err != nil {
		return nil, err
	}
	addrs := map[string]string{}
	for _, line := range strings.Split(string(text), "\n") {
		if key, value, ok := strings.Cut(line, "="); ok {
			addrs[key] = value
		}
	}
	url := addrs["URL"]
	if transport == "tls" {
		url = addrs["TLSURL"]
	}
	_, hostPort, _ := strings.Cut(url, "//")
	s := &apiServer{control: addrs["CTL"] + "/control/"}
	if s.pods, err = strconv.Atoi(addrs["PODS"]); err != nil {
		return nil, err
	}
	if s.kubeconfig, err = filepath.Abs(filepath.Join(dir, "kubeconfig-"+transport)); err != nil {
		return nil, err
	}
	s.words = strings.NewReplacer("{URL}", url, "{HOSTPORT}", hostPort, "{KUBECONFIG}", s.kubeconfig,
		"{CA}", addrs["CA"], "{N}", addrs["PODS"], "{CTL}", addrs["CTL"])
	return s, nil
}

func (s *apiServer) fill(command string) string { return s.words.Replace(command) }

func (s *apiServer) get(path string) ([]byte, error) {
	client := http.Client{Timeout: *limit}
	answer, err := client.Get(s.control + path)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	return io.ReadAll(answer.Body)
}

// call sends a control request. It returns the response, an object of numbers.
func (s *apiServer) call(path string) (map[string]float64, error) {
	text, err := s.get(path)
	if err != nil {
		return nil, err
	}
	numbers := map[string]float64{}
	return numbers, json.Unmarshal(text, &numbers)
}

// stamps returns the times at which the events from one version to another were sent, in ns.
func (s *apiServer) stamps(from, to int64) ([]int64, error) {
	text, err := s.get(fmt.Sprintf("stamps?from=%d&to=%d", from, to))
	if err != nil {
		return nil, err
	}
	var sent []int64
	for _, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		_, stamp, _ := bytes.Cut(line, []byte(" "))
		ns, err := strconv.ParseInt(string(stamp), 10, 64)
		if err != nil {
			return nil, err
		}
		sent = append(sent, ns)
	}
	return sent, nil
}
