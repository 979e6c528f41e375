# SPDX-License-Identifier: Apache-2.0
"""Runs a command of kinf on a server that sends a damaged object.

  damaged_server.py CHANGES ARGUMENT...   runs `kinf ARGUMENT... --server URL`, returns its status

The server has the config maps `a`, `damaged` and `z`. A watch changes the first CHANGES of `damaged`
and `a`. The braces of `damaged` match, but its data is not JSON.
"""
import http.server
import json
import subprocess
import sys
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


def config_map(name, version):
    data = '{"n":007}' if name == "damaged" else '{"n":"1"}'
    return (f'{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{name}","namespace":'
            f'"default","uid":"u-{name}","resourceVersion":"{version}","labels":{{"app":"web"}}}},"data":{data}}}')


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        if url.path in DOCUMENTS:
            self.answer(json.dumps(DOCUMENTS[url.path]))
        elif not url.path.startswith("/api/v1/namespaces/default/configmaps"):
            self.answer('{"kind":"Status","status":"Failure","code":404}', 404)
        elif query.get("watch") in ("1", "true"):
            self.watch()
        else:
            items = ",".join(config_map(name, 1) for name in ("a", "damaged", "z"))
            self.answer('{"kind":"ConfigMapList","apiVersion":"v1","metadata":'
                        f'{{"resourceVersion":"1"}},"items":[{items}]}}')

    def watch(self):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for version, name in enumerate(("damaged", "a")[:CHANGES], 2):
            line = f'{{"type":"MODIFIED","object":{config_map(name, version)}}}\n'.encode()
            self.wfile.write(b"%x\r\n%s\r\n" % (len(line), line))
        self.wfile.flush()
        STOP.wait()

    def answer(self, text, status=200):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


CHANGES = int(sys.argv[1])
STOP = threading.Event()
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
server.handle_error = lambda *_: None  # kinf has closed the connection
threading.Thread(target=server.serve_forever, daemon=True).start()
split = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
done = subprocess.run(["kinf", *sys.argv[2:split], "--watch-list=off", "--server",
                       f"http://127.0.0.1:{server.server_address[1]}", *sys.argv[split:]], check=False)
STOP.set()
sys.exit(done.returncode)
