// SPDX-License-Identifier: Apache-2.0
// A certificate for 127.0.0.1 and the kubeconfigs that trust it.
package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

func selfSigned(dir string) (tls.Certificate, []byte) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(err)
	ca := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "bench-ca"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(240 * time.Hour), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature}
	caDER, err := x509.CreateCertificate(rand.Reader, ca, ca, &key.PublicKey, key)
	must(err)
	k2, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(err)
	leaf := &x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "127.0.0.1"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(240 * time.Hour), KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"localhost"}}
	der, err := x509.CreateCertificate(rand.Reader, leaf, ca, &k2.PublicKey, key)
	must(err)
	pemCA := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: caDER})
	must(os.WriteFile(filepath.Join(dir, "ca.crt"), pemCA, 0o644))
	return tls.Certificate{Certificate: [][]byte{der, caDER}, PrivateKey: k2}, pemCA
}

func writeKubeconfig(path, url, ca string) {
	c, user := "", "{}"
	if ca != "" { // with TLS and no credentials kubectl asks for a user name
		user = "{token: bench}"
		c = "    certificate-authority-data: " + base64.StdEncoding.EncodeToString([]byte(ca)) + "\n"
	}
	must(os.WriteFile(path, []byte("apiVersion: v1\nkind: Config\ncurrent-context: bench\nclusters:\n- name: bench\n  cluster:\n    server: "+url+"\n"+c+"contexts:\n- name: bench\n  context:\n    cluster: bench\n    user: bench\n    namespace: default\nusers:\n- name: bench\n  user: "+user+"\n"), 0o600))
}
