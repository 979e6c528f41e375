# SPDX-License-Identifier: Apache-2.0
"""Stands in front of the API server of $KUBECONFIG for a user who may read pods in some namespaces
only; see server_proxy.py.

  restricted_proxy.py CLOSED

Refuses pods in all namespaces together, and in each namespace that is named in the file CLOSED.
"""
import pathlib
import re
import sys

import server_proxy

CLOSED = pathlib.Path(sys.argv[1])


class Proxy(server_proxy.Proxy):
    def do_GET(self):
        path = self.path.split("?")[0]
        namespace = re.fullmatch(r"/api/v1/(?:namespaces/([^/]+)/)?pods", path)
        if namespace and (not namespace[1] or namespace[1] in CLOSED.read_text().split()):
            self.answer(403, {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": 403,
                              "reason": "Forbidden", "message": "pods is forbidden"})
        else:
            super().do_GET()


server_proxy.serve(Proxy)
