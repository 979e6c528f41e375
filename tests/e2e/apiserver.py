# SPDX-License-Identifier: Apache-2.0
"""A real kube-apiserver with its etcd, and a minimal client to compare kinf with."""
import http.client
import json
import os
import pathlib
import ssl
import subprocess
import tempfile
import urllib.parse

from lines import Failure, Lines

SCRIPTS = pathlib.Path(__file__).parent / "server"
JSON = "application/json"
TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io"
MERGE_PATCH = "application/merge-patch+json"


def path_of(resource, namespace, name=""):
    """Returns the path of a resource: pods, configmaps, deployments.apps, widgets.kinf.test (all v1)."""
    plural, _, group = resource.partition(".")
    prefix = f"/apis/{group}/v1" if group else "/api/v1"
    space = f"/namespaces/{namespace}" if namespace else ""
    return f"{prefix}{space}/{plural}" + (f"/{name}" if name else "")


class ApiServer:
    def __init__(self, profile="default"):
        """`profile`: a profile of up.sh and flags for kube-apiserver after it: `nocache --flag=1`."""
        self.folder = tempfile.mkdtemp(prefix="kinf-e2e.")
        profile, _, flags = profile.partition(" ")
        environment = {**os.environ, "PROFILE": profile, "APISERVER_EXTRA": flags}
        self._script("up.sh", self.folder, environment=environment)
        variables = pathlib.Path(self.folder, "env").read_text(encoding="utf-8")
        self.variables = dict(line.replace("'", "").split("=", 1) for line in variables.splitlines())
        self.url = self.variables["E2E_SERVER"]
        self.trust_ca()

    def trust_ca(self):
        """Reads the server's CA, also after it was replaced."""
        self._trust = ssl.create_default_context(cafile=f"{self.folder}/pki/ca.crt")

    @staticmethod
    def _script(name, *arguments, environment=None):
        done = subprocess.run([SCRIPTS / name, *arguments], env=environment, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=150, check=False)
        if done.returncode:
            raise Failure(f"{name} {' '.join(arguments)} failed:\n{done.stdout}{done.stderr}")
        return done.stdout

    def stop(self):
        self._script("down.sh", self.folder)

    def ctl(self, *arguments):
        return self._script("ctl.sh", self.folder, *arguments)

    def kubeconfig(self, name="admin-cert"):
        return f"{self.folder}/kube/{name}.yaml"

    # ---- requests --------------------------------------------------------------------------

    def _open(self, method, path, body, headers, timeout):
        address = urllib.parse.urlsplit(self.url)
        connection = http.client.HTTPSConnection(address.hostname, address.port, timeout=timeout,
                                                 context=self._trust)
        connection.request(method, path, body, {"User-Agent": "kinf-e2e", **headers})
        return connection, connection.getresponse()

    def open_get(self, path, headers):
        """Sends a GET without credentials, unless `headers` has some. Returns (connection, response)."""
        return self._open("GET", path, None, headers, timeout=600)

    def _open_as_admin(self, method, path, body, accept, content_type, timeout):
        headers = {"Authorization": "Bearer admin-token", "Accept": accept}
        if body is not None:
            headers["Content-Type"] = content_type
            body = json.dumps(body)
        return self._open(method, path, body, headers, timeout)

    def request(self, method, path, body=None, accept=JSON, content_type=JSON, accepted=()):
        """Returns the decoded response. A status of 300 or more is a Failure unless accepted."""
        connection, response = self._open_as_admin(method, path, body, accept, content_type, timeout=20)
        try:
            answer = response.read().decode()
        finally:
            connection.close()
        if response.status >= 300 and response.status not in accepted:
            raise Failure(f"{method} {path}: {response.status}: {answer[:400]}")
        return json.loads(answer) if "json" in (response.headers["Content-Type"] or "") else answer

    def create(self, resource, namespace, body, accepted=()):
        return self.request("POST", path_of(resource, namespace), body, accepted=accepted)

    def patch(self, resource, namespace, name, body):
        path = path_of(resource, namespace, name)
        return self.request("PATCH", path, body, content_type=MERGE_PATCH)

    def delete(self, resource, namespace, name, query=""):
        """A pod on a node is removed at once only with the query ?gracePeriodSeconds=0."""
        return self.request("DELETE", path_of(resource, namespace, name) + query)

    def list(self, resource, namespace, accept=JSON):
        return self.request("GET", path_of(resource, namespace), accept=accept)

    def watch(self, resource, namespace, since, accept=JSON, query=""):
        """Watches from resourceVersion `since` without kinf. Returns a RawWatch."""
        path = f"{path_of(resource, namespace)}?watch=true&resourceVersion={since}{query}"
        connection, response = self._open_as_admin("GET", path, None, accept, JSON, timeout=600)
        if response.status != 200:
            raise Failure(f"GET {path}: {response.status}")
        return RawWatch(path, connection, response)


class RawWatch:
    """The events as the server sends them, one JSON value per line."""

    def __init__(self, path, connection, response):
        self._connection = connection
        self._lines = Lines(f"GET {path}", response)

    def events(self):
        return [json.loads(line) for line in self._lines.all()]

    def wait_until(self, holds, what, seconds=20):
        lines = self._lines.wait_until(lambda seen: holds([json.loads(l) for l in seen]), what, seconds)
        return [json.loads(line) for line in lines]

    def close(self):
        # shutdown() wakes the reading thread; close() alone would wait for it.
        if self._connection.sock:
            try:
                self._connection.sock.shutdown(2)
            except OSError:
                pass
