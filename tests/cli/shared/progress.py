# SPDX-License-Identifier: Apache-2.0
"""Runs kinf on a pseudo-terminal against a server whose list takes two seconds, and prints what the
terminal received, with names for the escape sequences. Figures that vary become N."""
import http.server
import json
import os
import pty
import re
import subprocess
import threading
import time

TYPES = {"kind": "APIResourceList", "groupVersion": "v1", "resources": [
    {"name": "configmaps", "singularName": "configmap", "namespaced": True, "kind": "ConfigMap",
     "shortNames": ["cm"], "verbs": ["get", "list", "watch"]}]}


class Server(http.server.BaseHTTPRequestHandler):
    """Serves 700 ConfigMaps in two pages, and waits before the second one, so that the first page
    can be seen alone. A watch stays open."""
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.path == "/api/v1":
            self.answer(TYPES)
        elif "watch=true" in self.path:
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            time.sleep(30)
        elif "continue=" in self.path:
            time.sleep(2.2)
            self.answer(page(500, 700, {"resourceVersion": "7"}))
        else:
            self.answer(page(0, 500, {"resourceVersion": "7", "continue": "more",
                                      "remainingItemCount": 200}))

    def answer(self, document):
        body = json.dumps(document).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def page(begin, end, metadata):
    return {"kind": "ConfigMapList", "apiVersion": "v1", "metadata": metadata,
            "items": [{"metadata": {"name": f"c-{number:03}", "namespace": "default", "uid": str(number),
                                    "resourceVersion": "5", "labels": {"app": "a"}}} for number in range(begin, end)]}


def read_all(terminal):
    text = b""
    while True:
        try:
            block = os.read(terminal, 65536)
        except OSError:  # the program has closed the terminal
            block = b""
        if not block:
            return text.decode()
        text += block


def run(title, url, *arguments, stdout_too=False):
    """Runs kinf with stderr, or stdout and stderr, on a terminal."""
    terminal, other_end = pty.openpty()
    with subprocess.Popen(["kinf", *arguments, "--server", url, "-n", "default", "--watch-list", "off"],
                          stdin=subprocess.DEVNULL, stderr=other_end,
                          stdout=other_end if stdout_too else subprocess.PIPE) as program:
        os.close(other_end)
        lines = 0 if stdout_too else len(program.stdout.read().splitlines())
        text = read_all(terminal)
    os.close(terminal)
    draws = re.findall(r"\r([^\r\n]+?)\x1b\[K", text)
    rest = re.sub(r"\r[^\r\n]*?\x1b\[K", "", text)
    # On a slow machine kinf also shows that it waits for the first page, or has all objects.
    kinds = sorted({re.sub(r"[0-9]+ s…", "N s…", re.sub(r" [0-9,]+/s,", "", draw)) for draw in draws
                    if "of 700 objects" in draw})
    rows = [row for row in rest.splitlines() if not row.startswith("kinf: ")]
    print(f"{title}: exit {program.returncode}, {lines} lines to the pipe, "
          f"{len(rows)} lines to the terminal")
    for kind in kinds:
        print(f"  {kind}")
    if stdout_too:
        print("  every row is whole" if all(re.fullmatch(r"(EVENT|NAME|Added) .*|(configmap/)?c-\d+", row.strip())
                                            for row in rows) else rest)
    print("  removed at the end" if not draws or text.rfind("\r\x1b[K") > text.rfind(draws[-1])
          else "  still there")


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    run("get", url, "get", "cm", "-o", "name")
    run("get, all on the terminal", url, "get", "cm", "-o", "name", stdout_too=True)
    run("watch", url, "watch", "cm", "-o", "name", "--max-events", "700")
    run("index", url, "index", "cm", "--by", "app")
    run("quiet", url, "get", "cm", "-o", "name", "-q")
    piped = subprocess.run(["kinf", "get", "cm", "-o", "name", "-s", url, "--watch-list", "off"],
                           capture_output=True, check=True)
    print(f"stderr of a pipe: {len(piped.stderr)} bytes")


if __name__ == "__main__":
    main()
