# SPDX-License-Identifier: Apache-2.0
"""An API server with one type, config maps, whose answers an attack replaces. It does not support
streaming lists."""
import contextlib
import http.server
import json
import pathlib
import ssl
import threading
import urllib.parse

RESOURCE = {"name": "configmaps", "singularName": "configmap", "namespaced": True,
            "kind": "ConfigMap", "verbs": ["get", "list", "watch"], "shortNames": ["cm"]}
DOCUMENTS = {
    "/version": {"major": "1", "minor": "24", "gitVersion": "v1.24.0"},
    "/api": {"kind": "APIVersions", "versions": ["v1"]},
    "/apis": {"kind": "APIGroupList", "apiVersion": "v1", "groups": []},
    "/api/v1": {"kind": "APIResourceList", "groupVersion": "v1", "resources": [RESOURCE]},
}
LISTS = "/api/v1/namespaces/default/configmaps"


def config_map(name="a", version="1", more=""):
    return (f'{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":{json.dumps(name)},'
            f'"namespace":"default","uid":"u-{len(name)}","resourceVersion":"{version}"}}{more}}}')


def config_maps(items=(), token="", version="1"):
    return ('{"kind":"ConfigMapList","apiVersion":"v1","metadata":'
            f'{{"resourceVersion":"{version}","continue":"{token}"}},"items":[{",".join(items)}]}}')


class Request(http.server.BaseHTTPRequestHandler):
    """Answers one request; attacks call its methods."""
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        self.query = dict(urllib.parse.parse_qsl(url.query))
        self.server.requests += 1
        attack = self.server.answers.get(self.name_of(url.path))
        try:
            if attack is not None:
                attack(self)
            elif url.path in DOCUMENTS:
                self.answer(json.dumps(DOCUMENTS[url.path]))
            elif url.path != LISTS:
                self.answer('{"kind":"Status","status":"Failure","code":404}', 404)
            elif "sendInitialEvents" in self.query:
                self.answer(json.dumps({
                    "kind": "Status", "status": "Failure", "code": 422, "reason": "Invalid",
                    "message": "sendInitialEvents is forbidden for watch"}), 422)
            elif self.is_watch():
                self.begin()
                self.wait()
            else:
                self.answer(config_maps([config_map()]))
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def name_of(self, path):
        is_change_watch = self.is_watch() and "sendInitialEvents" not in self.query
        return "watch" if is_change_watch else "stream" if self.is_watch() else path

    def is_watch(self):
        return self.query.get("watch") in ("1", "true")

    def answer(self, body, status=200, **headers):
        body = body if isinstance(body, bytes) else body.encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def begin(self):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.flush()

    def chunk(self, text):
        body = text if isinstance(text, bytes) else text.encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(body), body))
        self.wfile.flush()

    def wait(self):
        self.server.stopping.wait()
        self.close_connection = True

    def log_message(self, *_):
        pass


IDENTITIES = pathlib.Path(__file__).parent / "identities"


def tls_context(identity, http2):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(IDENTITIES / f"{identity}.pem")
    if http2:
        context.set_alpn_protocols(["h2"])
    return context


def refuse_streams(connection, server):
    """Answers each request of an HTTP/2 connection with REFUSED_STREAM."""
    headers, reset, settings, refused = 1, 3, 4, b"\0\0\0\7"
    stream = connection.makefile("rb")
    stream.read(24)  # the preface
    connection.sendall(bytes((0, 0, 0, settings, 0, 0, 0, 0, 0)))
    while len(head := stream.read(9)) == 9:
        stream.read(int.from_bytes(head[:3], "big"))
        if head[3] == settings and head[4] == 0:
            connection.sendall(bytes((0, 0, 0, settings, 1, 0, 0, 0, 0)))
        elif head[3] == headers:
            server.requests += 1
            connection.sendall(bytes((0, 0, 4, reset, 0)) + head[5:] + refused)


class Server(http.server.ThreadingHTTPServer):
    """Serves while the `with` block runs. `answers` maps a path, `watch` or `stream` to a function.
    With `identities` it serves TLS with the identity of the number `identity`. With `http2` it
    refuses each stream (RFC 9113, section 8.7)."""
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def __init__(self, answers, identities=(), http2=False):
        super().__init__(("127.0.0.1", 0), Request)
        self.answers = answers
        self.contexts = [tls_context(name, http2) for name in identities]
        self.identity = 0
        self.http2 = http2
        self.requests = 0
        self.dials = 0
        self.stopping = threading.Event()
        self.url = f"http{'s' if identities else ''}://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()

    def get_request(self):
        self.dials += 1
        return super().get_request()

    def finish_request(self, request, client_address):
        if not self.contexts:
            super().finish_request(request, client_address)
            return
        with contextlib.suppress(OSError), self.contexts[self.identity].wrap_socket(
                request, server_side=True) as connection:
            if self.http2:
                refuse_streams(connection, self)
            else:
                super().finish_request(connection, client_address)

    def __exit__(self, *error):
        self.stopping.set()
        self.shutdown()
        self.server_close()
