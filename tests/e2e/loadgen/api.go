// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

const (
	jsonBody    = "application/json"
	mergePatch  = "application/merge-patch+json"
	statusPatch = "application/strategic-merge-patch+json"
)

// api is a client of the server in an up.sh directory, as admin. It uses HTTP/1.1, so that parallel
// requests use parallel connections.
type api struct {
	base string
	http *http.Client
}

func connect(dir string) (*api, error) {
	env, err := os.ReadFile(filepath.Join(dir, "env"))
	if err != nil {
		return nil, err
	}
	base := ""
	for line := range strings.Lines(string(env)) {
		if value, ok := strings.CutPrefix(line, "E2E_SERVER="); ok {
			base = strings.Trim(strings.TrimSpace(value), "'")
		}
	}
	authority, err := os.ReadFile(filepath.Join(dir, "pki", "ca.crt"))
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority)
	return &api{base, &http.Client{Transport: &http.Transport{
		TLSClientConfig:     &tls.Config{RootCAs: roots},
		TLSNextProto:        map[string]func(string, *tls.Conn) http.RoundTripper{},
		MaxIdleConnsPerHost: 256,
	}}}, nil
}

// call returns the size of the response. A status of 300 or more is an error with the response.
func (a *api) call(method, path, contentType, body string) (int, error) {
	request, err := http.NewRequest(method, a.base+path, bytes.NewReader([]byte(body)))
	if err != nil {
		return 0, err
	}
	request.Header.Set("Authorization", "Bearer admin-token")
	request.Header.Set("Content-Type", contentType)
	response, err := a.http.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode >= 300 {
		err = fmt.Errorf("%s %s: %s: %s", method, path, response.Status, answer)
	}
	return len(answer), err
}

func collection(kind, namespace string) string {
	switch kind {
	case "nodes", "namespaces":
		return "/api/v1/" + kind
	case "deployments", "replicasets":
		return "/apis/apps/v1/namespaces/" + namespace + "/" + kind
	default:
		return "/api/v1/namespaces/" + namespace + "/" + kind
	}
}
