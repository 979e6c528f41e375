# SPDX-License-Identifier: Apache-2.0
"""What kinf requests of each object, seen in the bodies that a real API server sends."""
import re

from objects import pod
from trial import case, expect, expect_equal


def kinds(err):
    """Returns the kind of each body that `-v 8` logged."""
    return re.findall(r'body: \{"kind":"(\w+)"', err)


def logged(t, *words):
    status, out, err = t.kinf(*words, "-n", t.namespace, "-v", "8").finish()
    expect(status == 0, f"kinf {' '.join(words)} exited with {status}: {err}")
    return out, kinds(err)


@case("names, counts and --metadata request only metadata, although the server may not know drop")
def metadata(t):
    t.server.create("pods", t.namespace, pod("web", {"app": "web"}))
    metadata_list = "PartialObjectMetadataList"
    for words, wanted in ((["index", "pods", "--by", "app", "--count"], "1"),
                          (["get", "pods", "-o", "name"], "pod/web"),
                          (["watch", "pods", "--once", "-o", "name"], "pod/web"),
                          (["watch", "pods", "-o", "name", "--max-events=1"], "pod/web")):
        out, found = logged(t, *words)
        expect_equal((out.strip(), found[-1]), (wanted, metadata_list), " ".join(words))
    out, found = logged(t, "get", "pods", "--metadata")
    expect_equal(([line.split()[0] for line in out.splitlines()], found[-1]),
                 (["NAME", "web"], metadata_list), "get --metadata")
    out, found = logged(t, "get", "pods")
    expect_equal((out.split()[:2], found[-1]), (["NAME", "READY"], "Table"), "get")
    out, found = logged(t, "get", "pods", "-o", "json", "--drop", ".spec")
    expect('"spec"' not in out and "managedFields" not in out and '"phase"' in out, out)
