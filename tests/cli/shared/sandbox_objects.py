# SPDX-License-Identifier: Apache-2.0
"""Writes to the sandbox of $KUBECONFIG, for the cases.

  sandbox_objects.py create FILE...    JSON objects, one per line; uid-of:PATH is replaced by
                                       the uid of an existing object
  sandbox_objects.py patch PATH JSON   a merge patch
  sandbox_objects.py delete PATH
"""
import json
import os
import re
import sys
import urllib.request


def request(method, path, body=None):
    with open(os.environ["KUBECONFIG"], encoding="utf-8") as file:
        server = re.search(r"server: (\S+)", file.read()).group(1)
    kind = "application/merge-patch+json" if method == "PATCH" else "application/json"
    with urllib.request.urlopen(urllib.request.Request(
            server + path, method=method, data=body and body.encode(),
            headers={"Content-Type": kind})) as answer:
        return json.load(answer)


def create(line):
    thing = json.loads(re.sub(r"uid-of:([^\"]+)",
                              lambda found: request("GET", found[1])["metadata"]["uid"], line))
    group = thing["apiVersion"]
    root = f"/apis/{group}" if "/" in group else f"/api/{group}"
    if thing["kind"] in ("Namespace", "CustomResourceDefinition"):
        return request("POST", f"{root}/{thing['kind'].lower()}s", json.dumps(thing))
    space = thing["metadata"].setdefault("namespace", "default")
    request("POST", f"{root}/namespaces/{space}/{thing['kind'].lower()}s", json.dumps(thing))


verb, *words = sys.argv[1:]
if verb == "create":
    for name in words:
        with open(name, encoding="utf-8") as lines:
            for one in lines:
                create(one)
elif verb == "patch":
    request("PATCH", words[0], words[1])
else:
    request("DELETE", words[0])
