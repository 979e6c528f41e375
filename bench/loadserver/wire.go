// SPDX-License-Identifier: Apache-2.0
// Encodes responses: envelopes in JSON and protobuf, watch frames, bookmarks, errors.
package main

import (
	"encoding/json"
	"fmt"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func varintLen(n int) int {
	l := 1
	for n >= 0x80 {
		n >>= 7
		l++
	}
	return l
}
func appendVarint(b []byte, n int) []byte {
	for n >= 0x80 {
		b = append(b, byte(n)|0x80)
		n >>= 7
	}
	return append(b, byte(n))
}

func typeMeta(apiVersion, kind string) []byte {
	b := []byte{0x0a}
	b = appendVarint(b, len(apiVersion))
	b = append(b, apiVersion...)
	b = append(b, 0x12)
	b = appendVarint(b, len(kind))
	return append(b, kind...)
}

var (
	tmPod  = typeMeta("v1", "Pod")
	tmMeta = typeMeta("meta.k8s.io/v1", "PartialObjectMetadata")
	tmStat = typeMeta("v1", "Status")
)

// unknownHead starts a k8s protobuf envelope around a raw message of n bytes; unknownTail ends it.
func unknownHead(dst, tm []byte, n int) []byte {
	dst = append(dst, 'k', '8', 's', 0, 0x0a)
	dst = appendVarint(dst, len(tm))
	dst = append(dst, tm...)
	dst = append(dst, 0x12)
	return appendVarint(dst, n)
}

var unknownTail = []byte{0x1a, 0, 0x22, 0}

func unknownSize(tm []byte, n int) int {
	return 4 + 1 + varintLen(len(tm)) + len(tm) + 1 + varintLen(n) + n + 4
}

// pbFrameHead writes everything of one watch frame up to the raw message.
func pbFrameHead(dst, tm []byte, typ string, n int) []byte {
	raw := unknownSize(tm, n)
	ext := 1 + varintLen(raw) + raw
	ev := 1 + 1 + len(typ) + 1 + varintLen(ext) + ext
	dst = append(dst, byte(ev>>24), byte(ev>>16), byte(ev>>8), byte(ev), 0x0a, byte(len(typ)))
	dst = append(dst, typ...)
	dst = append(dst, 0x12)
	dst = appendVarint(dst, ext)
	dst = append(dst, 0x0a)
	dst = appendVarint(dst, raw)
	return unknownHead(dst, tm, n)
}

const tableCols = `[{"name":"Name","type":"string","format":"name","description":"Name must be unique within a namespace.","priority":0},{"name":"Ready","type":"string","format":"","description":"The aggregate readiness state of this pod for accepting traffic.","priority":0},{"name":"Status","type":"string","format":"","description":"The aggregate status of the containers in this pod.","priority":0},{"name":"Restarts","type":"string","format":"","description":"The number of times the containers in this pod have been restarted.","priority":0},{"name":"Age","type":"string","format":"","description":"Creation time.","priority":0},{"name":"IP","type":"string","format":"","description":"Pod IP.","priority":1},{"name":"Node","type":"string","format":"","description":"Node.","priority":1},{"name":"Nominated Node","type":"string","format":"","description":"Nominated node.","priority":1},{"name":"Readiness Gates","type":"string","format":"","description":"Readiness gates.","priority":1}]`

// appendEvent appends one watch frame of item it in format f; rv/stamp are patched in.
// It returns the buffer and the position of the item inside it.
func appendEvent(dst []byte, f int, typ string, it []byte, rvOff, tsOff int32, rv, stamp int64, first bool) []byte {
	var pos int
	switch f {
	case fmtPB, fmtMetaPB:
		tm := tmPod
		if f == fmtMetaPB {
			tm = tmMeta
		}
		dst = pbFrameHead(dst, tm, typ, len(it))
		pos = len(dst)
		dst = append(dst, it...)
		dst = append(dst, unknownTail...)
	case fmtJSON:
		dst = append(dst, `{"type":"`...)
		dst = append(dst, typ...)
		dst = append(dst, `","object":{"kind":"Pod","apiVersion":"v1",`...)
		pos = len(dst) - 1
		dst = append(dst, it[1:]...)
		dst = append(dst, '}', '\n')
	case fmtMetaJS:
		dst = append(dst, `{"type":"`...)
		dst = append(dst, typ...)
		dst = append(dst, `","object":`...)
		pos = len(dst)
		dst = append(dst, it...)
		dst = append(dst, '}', '\n')
	case fmtTable:
		dst = append(dst, `{"type":"`...)
		dst = append(dst, typ...)
		dst = append(dst, `","object":{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"`...)
		var d [10]byte
		r := rv
		if r == 0 {
			copy(d[:], it[rvOff:rvOff+10])
		} else {
			put10(d[:], r)
		}
		dst = append(dst, d[:]...)
		dst = append(dst, `"},"columnDefinitions":`...)
		if first {
			dst = append(dst, tableCols...)
		} else {
			dst = append(dst, "null"...)
		}
		dst = append(dst, `,"rows":[`...)
		pos = len(dst)
		dst = append(dst, it...)
		dst = append(dst, `]}}`...)
		dst = append(dst, '\n')
	}
	if rv != 0 {
		put10(dst[pos+int(rvOff):], rv)
		put19(dst[pos+int(tsOff):], stamp)
	}
	return dst
}

func appendBookmark(dst []byte, f int, rv int64, initialEnd bool) []byte {
	var ann map[string]string
	if initialEnd {
		ann = map[string]string{"k8s.io/initial-events-end": "true"}
	}
	om := metav1.ObjectMeta{ResourceVersion: fmt.Sprint(rv), Annotations: ann}
	switch f {
	case fmtPB, fmtMetaPB:
		b, err := (&metav1.PartialObjectMetadata{ObjectMeta: om}).Marshal() // a Pod's field 1 is metadata as well
		must(err)
		tm := tmPod
		if f == fmtMetaPB {
			tm = tmMeta
		}
		dst = pbFrameHead(dst, tm, "BOOKMARK", len(b))
		dst = append(dst, b...)
		return append(dst, unknownTail...)
	}
	b, err := json.Marshal(om)
	must(err)
	switch f {
	case fmtJSON:
		return append(dst, fmt.Sprintf(`{"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1","metadata":%s,"spec":{"containers":null},"status":{}}}`+"\n", b)...)
	case fmtMetaJS:
		return append(dst, fmt.Sprintf(`{"type":"BOOKMARK","object":{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":%s}}`+"\n", b)...)
	}
	return append(dst, fmt.Sprintf(`{"type":"BOOKMARK","object":{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"%d"},"columnDefinitions":null,"rows":[{"cells":["","","","","","","","",""],"object":{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":%s}}]}}`+"\n", rv, b)...)
}

func statusObj(code int, reason, msg string) *metav1.Status {
	return &metav1.Status{TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: "Failure", Message: msg, Reason: metav1.StatusReason(reason), Code: int32(code)}
}

func appendError(dst []byte, f int, st *metav1.Status) []byte {
	if f == fmtPB || f == fmtMetaPB {
		b, err := st.Marshal()
		must(err)
		dst = pbFrameHead(dst, tmStat, "ERROR", len(b))
		dst = append(dst, b...)
		return append(dst, unknownTail...)
	}
	b, err := json.Marshal(st)
	must(err)
	return append(dst, fmt.Sprintf(`{"type":"ERROR","object":%s}`+"\n", b)...)
}

func writeStatus(w http.ResponseWriter, code int, reason, msg string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	json.NewEncoder(w).Encode(statusObj(code, reason, msg))
}
