# SPDX-License-Identifier: Apache-2.0
"""Stands in front of the API server of $KUBECONFIG and answers the requests for pods from a script,
with exactly its documents; see server_proxy.py.

  scripted_pods.py SCRIPT

The script has one JSON document per line: {"version", "items"} answers the next list, {"events"} the
next watch, which then ends. After the last line, watches stay open.
"""
import json
import pathlib
import sys
import time

import server_proxy

LINES = [json.loads(line) for line in pathlib.Path(sys.argv[1]).read_text().splitlines()]
LISTS = iter([line for line in LINES if "items" in line])
WATCHES = iter([line for line in LINES if "events" in line])


class Proxy(server_proxy.Proxy):
    def do_GET(self):
        path, _, query = self.path.partition("?")
        if path != "/api/v1/namespaces/default/pods":
            super().do_GET()
        elif "watch=true" in query:
            self.watch(next(WATCHES, None))
        else:
            script = next(LISTS)
            self.answer(200, {"kind": "PodList", "apiVersion": "v1",
                              "metadata": {"resourceVersion": script["version"]},
                              "items": script["items"]})

    def watch(self, script):
        self.begin(200)
        for event in script["events"] if script else []:
            self.wfile.write(json.dumps(event, separators=(",", ":")).encode() + b"\n")
            time.sleep(0.2)
        while not script:
            time.sleep(60)


server_proxy.serve(Proxy)
