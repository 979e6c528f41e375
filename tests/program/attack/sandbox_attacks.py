# SPDX-License-Identifier: Apache-2.0
"""Attacks by clients of the sandbox: pages of other sites, request smuggling, large requests, many
connections, and files of --data and --kubeconfig-out."""
import json
import os
import pathlib
import re
import resource
import socket
import time

from attack_case import SLOW, Attack, cpu_seconds

SANDBOX = ("sandbox", "--no-controllers")
OBJECTS = "/api/v1/namespaces/default/configmaps"
HOST = "Host: 127.0.0.1\r\n"


def port(running):
    """Returns the port as soon as the sandbox serves."""
    config = running.wait_for(r"export KUBECONFIG=(\S+)")
    return int(re.search(r"server: http://127\.0\.0\.1:(\d+)",
                         pathlib.Path(config).read_text(encoding="utf-8"))[1])


def connect(running):
    return socket.create_connection(("127.0.0.1", port(running)), timeout=10 * SLOW)


def answers_on(connection):
    """Reads until the sandbox closes the connection. Returns the codes of the answers."""
    received = b""
    try:
        while piece := connection.recv(65536):
            received += piece
    except ConnectionResetError:
        pass
    return " ".join(re.findall(r"HTTP/1\.1 (\d+) ", received.decode("latin-1"))) + " closed"


def sent(*pieces):
    """Sends pieces on one connection, and returns the codes of the answers until it is closed."""
    def act(running):
        with connect(running) as connection:
            try:
                for piece in pieces:
                    connection.sendall(piece if isinstance(piece, bytes) else piece.encode())
            except (BrokenPipeError, ConnectionResetError):
                pass  # the sandbox has answered before the end
            return answers_on(connection)
    return act


def sent_whole(*pieces):
    """As sent(), for a client that reads the answer only if it could send everything."""
    def act(running):
        with connect(running) as connection:
            try:
                for piece in pieces:
                    connection.sendall(piece if isinstance(piece, bytes) else piece.encode())
            except OSError as error:
                return repr(error)
            connection.shutdown(socket.SHUT_WR)
            return answers_on(connection)
    return act


def post(path, body="", fields="", host=HOST):
    return (f"POST {path} HTTP/1.1\r\n{host}Content-Type: application/json\r\n{fields}"
            f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n{body}")


def config_map(name, size=0):
    return json.dumps({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name},
                       "data": {"x": "y" * size}})


def attack(finding, what, act, says, arguments=SANDBOX, code=143, **more):
    return Attack(finding, "sandbox: " + what, arguments, says, code, act=act, **more)


def sites():
    """Attacks by pages of other sites."""
    for what, path, fields, host in (
            ("Origin of another site", "/sandbox/fault?spec=gone", "Origin: http://evil.example\r\n",
             HOST),
            ("Origin null", OBJECTS, "Origin: null\r\n", HOST),
            ("Host of another site", OBJECTS, "", "Host: evil.example\r\n"),
            ("a name that leads here (DNS rebinding)", OBJECTS,
             "Origin: http://evil.example:80\r\n", "Host: evil.example:80\r\n")):
        yield attack("A19", what, sent(post(path, config_map("a"), fields, host)), "^403 closed")
    # Browsers send no Origin with a GET to the page's own host.
    yield attack("A19", "a name that leads here, with --listen-any",
                 sent(f"GET {OBJECTS} HTTP/1.1\r\nHost: evil.example:80\r\n"
                      "Connection: close\r\n\r\n"), "^403 closed",
                 (*SANDBOX, "--listen-any"))
    yield attack("A19", "a name that leads here, with --listen-any --token",
                 sent(f"GET {OBJECTS} HTTP/1.1\r\nHost: evil.example:80\r\n"
                      "Connection: close\r\n\r\n"), "^401 closed",
                 (*SANDBOX, "--listen-any", "--token", "sesame"))


def smuggling():
    """Attacks with requests that two servers read differently."""
    get = f"GET /version HTTP/1.1\r\n{HOST}Connection: close\r\n\r\n"
    chunks = "0\r\n\r\n"
    for what, line, fields, body in (
            ("Content-Length and Transfer-Encoding", f"POST {OBJECTS}",
             "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", chunks),
            ("Transfer-Encoding and Content-Length", f"POST {OBJECTS}",
             "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", chunks),
            ("two Content-Lengths", f"POST {OBJECTS}",
             "Content-Length: 0\r\nContent-Length: 5\r\n", chunks),
            ("'Transfer-Encoding :'", f"POST {OBJECTS}", "Transfer-Encoding : chunked\r\n", chunks),
            ("a folded Transfer-Encoding", f"POST {OBJECTS}", "Transfer-Encoding:\r\n chunked\r\n",
             chunks),
            ("a folded field", f"POST {OBJECTS}", "X: y\r\n Transfer-Encoding: chunked\r\n", chunks),
            ("lines that end with LF", f"POST {OBJECTS}", "X: y\nContent-Length: 5\r\n", chunks),
            ("lines that end with CR", f"POST {OBJECTS}", "X: y\rContent-Length: 5\r\n", chunks),
            ("GET with a body", "GET /version", "Content-Length: 5\r\n", chunks),
            ("an absolute target", "GET http://evil.example/version", "", ""),
            ("two Hosts", "GET /version", HOST, ""),
            ("a chunk that is longer than its size", f"POST {OBJECTS}",
             "Transfer-Encoding: chunked\r\n", "1\r\nabc\r\n" + chunks),
            ("a chunk size with LF", f"POST {OBJECTS}", "Transfer-Encoding: chunked\r\n",
             "0;x\n\r\n\r\n"),
            ("a trailer with LF", f"POST {OBJECTS}", "Transfer-Encoding: chunked\r\n",
             "0\r\nX: y\nZ: a\r\n\r\n")):
        yield attack("A20", what, sent(f"{line} HTTP/1.1\r\n{HOST}{fields}\r\n{body}{get}"),
                     "^400 closed")


def sizes():
    """Attacks with large requests."""
    head = f"POST {OBJECTS} HTTP/1.1\r\n{HOST}Content-Type: application/json\r\n"
    chunk = b"%x\r\n%s\r\n" % (1 << 20, b" " * (1 << 20))
    yield attack("A21", "a chunked body of 600 MB",
                 sent(head + "Transfer-Encoding: chunked\r\n\r\n", *[chunk] * 600), "^413 closed")
    yield attack("A37", "a body of 15 MB", sent_whole(head + f"Content-Length: {15 << 20}\r\n\r\n",
                                                      b" " * (15 << 20)), "^413 closed")
    yield attack("A21", "a compressed body",
                 sent(head + "Content-Encoding: gzip\r\nContent-Length: 20\r\n\r\n" + "x" * 20),
                 "^415 closed")
    ranges = ",".join(f"{i}-" for i in range(200))
    yield attack("A21", "200 ranges",
                 sent(f"GET /api/v1 HTTP/1.1\r\n{HOST}Range: bytes={ranges}\r\n"
                      "Connection: close\r\n\r\n"), "^200 closed")
    yield attack("A21", "a head without an end", sent("GET / HTTP/1.1\r\nX: " + "y" * 200_000),
                 "^431 closed")
    array = json.dumps([{"op": "replace", "path": "", "value": []}])
    yield attack("A25", "a JSON patch that replaces the root by an array", sent(
        post(OBJECTS, config_map("a")).replace("Connection: close\r\n", ""),
        f"PATCH {OBJECTS}/a HTTP/1.1\r\n{HOST}Content-Type: application/json-patch+json\r\n"
        f"Content-Length: {len(array)}\r\nConnection: close\r\n\r\n{array}"), "^201 422 closed")


def request(method, path, body, content_type="application/json", closes=True):
    ending = "Connection: close\r\n" if closes else ""
    return (f"{method} {path} HTTP/1.1\r\n{HOST}User-Agent: attack/1\r\n"
            f"Content-Type: {content_type}\r\nContent-Length: {len(body)}\r\n{ending}\r\n{body}")


def operations(count, **operation):
    return json.dumps([operation] * count)


def interrupted(*pieces):
    """Sends requests, the last of which takes minutes. Returns while that is being answered."""
    def act(running):
        connection = connect(running)
        connection.sendall("".join(pieces).encode())
        busy = cpu_seconds(running.child.pid) + 0.5
        running.wait_until(lambda: cpu_seconds(running.child.pid) > busy)
        return "busy"
    return act


def long_work():
    """Attacks with requests that are small enough, but could take minutes. They take 1.5 s of
    processor time at most; a machine may be four times as slow, and busy."""
    limits = {"cpu": 6, "seconds": 60}
    pods = "/api/v1/namespaces/default/pods"
    large = config_map("a", 2_800_000)
    yield attack("A32", "a JSON patch with 10,000 copies beside 2.8 MB", sent(
        request("POST", OBJECTS, large, closes=False),
        request("PATCH", f"{OBJECTS}/a", operations(10_000, op="copy", path="/data/z", **{
            "from": "/metadata/name"}), "application/json-patch+json")), "^201 200 closed$",
        memory=128, **limits)
    yield attack("A32", "a JSON patch that copies 28 MB", sent(
        request("POST", OBJECTS, large, closes=False),
        request("PATCH", f"{OBJECTS}/a", operations(10, op="copy", path="/data/z", **{
            "from": "/data/x"}), "application/json-patch+json")), "^201 422 closed$", memory=128,
        **limits)
    containers = [{"name": f"c{i}", "image": "x"} for i in range(70_000)]
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"},
           "spec": {"containers": containers}}
    patch = {"spec": {"containers": containers[::-1],
                      "$setElementOrder/containers": [{"name": "c1"}, {"name": "c0"}]}}
    yield attack("A32", "a strategic patch of 70,000 containers", sent(
        request("POST", pods, json.dumps(pod), closes=False),
        request("PATCH", f"{pods}/a", json.dumps(patch), "application/strategic-merge-patch+json")),
        "^201 200 closed$", memory=512, **limits)
    members = {f"k{i}": "" for i in range(150_000)}
    yield attack("A32", "an object and a merge patch with 150,000 members", sent(
        request("POST", OBJECTS, json.dumps({"metadata": {"name": "a"}, "data": members}),
                closes=False),
        request("PATCH", f"{OBJECTS}/a", json.dumps({"data": dict.fromkeys(members)}),
                "application/merge-patch+json")), "^201 200 closed$", memory=512, **limits)
    numbers = json.dumps({"metadata": {"name": "a"}, "data": [0] * 900_000}, separators=(",", ":"))
    yield attack("A32", "SIGTERM during a JSON patch of a list with 900,000 elements", interrupted(
        request("POST", OBJECTS, numbers, closes=False),
        request("PATCH", f"{OBJECTS}/a", operations(10_000, op="add", path="/data/0", value=0),
                "application/json-patch+json")), "^busy", memory=256, seconds=20)


def watches(count):
    """Opens watches, and then sends a request beside them."""
    def act(running):
        request = f"GET {OBJECTS}?watch=1&resourceVersion=0 HTTP/1.1\r\n{HOST}\r\n".encode()
        opened = [connect(running) for _ in range(count)]
        for one in opened:
            one.sendall(request)
        codes = {one.recv(12)[9:].decode() for one in opened}
        beside = sent(f"GET /version HTTP/1.1\r\n{HOST}Connection: close\r\n\r\n")(running)
        for one in opened:
            one.close()
        return f"watches {sorted(codes)}, beside them {beside}"
    return act


def more_than_descriptors(running):
    """Opens more connections than the sandbox can accept, measures its idle time, and closes them."""
    opened = [connect(running) for _ in range(60)]
    before = cpu_seconds(running.child.pid)
    time.sleep(1)
    busy = cpu_seconds(running.child.pid) - before > 0.5
    for one in opened:
        one.close()
    after = sent(f"GET /version HTTP/1.1\r\n{HOST}Connection: close\r\n\r\n")(running)
    return f"{'busy' if busy else 'idle'}, afterwards {after}"


def connections():
    """Attacks with many connections."""
    yield attack("A22", "260 watches", watches(260), r"\['200'\], beside them 200 closed",
                 requests=0, memory=64)
    yield attack("A22", "60 connections, 32 descriptors", more_than_descriptors,
                 "idle, afterwards 200 closed", limits={resource.RLIMIT_NOFILE: 32})


def link_is_left_alone(running):
    sent(post(OBJECTS, config_map("a")))(running)
    return f"the file has {os.path.getsize(running.folder / 'mine')} bytes"


def plant_link(running):
    os.symlink(running.folder / "mine", running.folder / "data/objects.jsonl.part")
    return link_is_left_alone(running)


def files():
    """Attacks with files of the sandbox."""
    data = (*SANDBOX, "--data", "data")
    yield attack("A23", "objects.jsonl is a pipe", None, "pipe|regular", data, 1,
                 fifos=["data/objects.jsonl"])
    yield attack("A23", "objects.jsonl.part becomes a link", plant_link, "has 0 bytes", data,
                 files={"mine": "", "data/objects.jsonl": ""})
    yield attack("A23", "the disk is full",
                 sent(post(OBJECTS, config_map("a", 100_000))), "^507 closed", data,
                 limits={resource.RLIMIT_FSIZE: 50_000})
    out = (*SANDBOX, "--kubeconfig-out", "mine")
    yield attack("A24", "--kubeconfig-out names another kubeconfig", None,
                 "mine: exists, and no sandbox wrote it", out, 2,
                 files={"mine": "apiVersion: v1\nkind: Config\n"})
    yield attack("A24", "--kubeconfig-out is for its owner only",
                 lambda running: port(running) and oct((running.folder / "mine").stat().st_mode),
                 "0o100600", out)
    yield attack("A30", "churn with 1,000,000 changes", None, "pod/", code=0, arguments=(
        "watch", "pods", "--sandbox=churn:changes=1000000", "--max-events", "20", "-o", "name"))


def plan():
    yield from sites()
    yield from smuggling()
    yield from sizes()
    yield from long_work()
    yield from connections()
    yield from files()
