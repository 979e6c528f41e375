# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Functions that make keys and certificates in the current folder. up.sh and ctl.sh source this file.
new_key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:prime256v1 -out "$1" 2>/dev/null; }
new_ca() { # NAME
  new_key "$1.key"
  openssl req -x509 -new -key "$1.key" -subj "/CN=$1" -days 2 -sha256 -out "$1.crt" 2>/dev/null
}
issue() { # CA NAME SUBJECT EXTENSIONS
  new_key "$2.key"
  openssl req -new -key "$2.key" -subj "$3" 2>/dev/null |
    openssl x509 -req -CA "$1.crt" -CAkey "$1.key" -CAcreateserial -days 2 -sha256 \
      -extfile <(printf '%b\n' "keyUsage=digitalSignature\n$4") -out "$2.crt" 2>/dev/null
}
issue_apiserver() { # CA
  issue "$1" apiserver /CN=kube-apiserver \
    'extendedKeyUsage=serverAuth\nsubjectAltName=IP:127.0.0.1,DNS:localhost,DNS:kubernetes'
}
