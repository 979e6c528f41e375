# SPDX-License-Identifier: Apache-2.0
"""Checks that nothing that kinf prints to a terminal can control it: a server puts control characters
and bidirectional overrides into names, labels, cells, columns, messages, warnings and documents, and
files and arguments have them, too. Each command runs in each format on a pseudo-terminal.

  printed.py PROGRAM [WORD...]
"""
import concurrent.futures
import json
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile
import unicodedata

from hostile_server import DOCUMENTS, LISTS, RESOURCE, Server

TIMEOUT = 60
# ESC sequences, BEL, BS, DEL, C1 as UTF-8 and as a raw byte, overrides, isolates, line separators.
EVIL = ("\x1b]0;owned\x07\x1b[2J\x08\x7f\u009b31m\u0085\u202e\u2066\u2028\u2029\u200f\u061c"
        "\ufeff\r\x0b\x00")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
STATUS_LINE = re.compile(r"\r([^\r\n\x1b]*)\x1b\[K")  # the progress that kinf draws and erases
EVIL_IN_ARGUMENT = EVIL.replace("\x00", "")


def evil(text):
    return f"{text}{EVIL}{text}"


def item(version="1"):
    return {"apiVersion": "v1", "kind": evil("ConfigMap"), "metadata": {
        "name": evil("name"), "namespace": evil("ns"), "uid": evil("u"),
        "resourceVersion": version, "creationTimestamp": evil("2026"),
        "labels": {"app": evil("value"), evil("key"): "x"},
        "annotations": {evil("a"): evil("b")},
        "managedFields": [{"manager": evil("manager"), "time": "2026-01-01T00:00:00Z"}],
        "ownerReferences": [{"kind": evil("Owner"), "name": evil("owner"), "uid": "o",
                             "apiVersion": "v1", "controller": True}]},
        "data": {evil("d"): evil("e"), "n": version}}


def table():
    return {"kind": "Table", "apiVersion": "meta.k8s.io/v1", "metadata": {"resourceVersion": "1"},
            "columnDefinitions": [{"name": evil(name), "type": "string", "format": "",
                                   "priority": i} for i, name in enumerate(("Name", "More"))],
            "rows": [{"cells": [evil("cell"), evil("wide")], "object": item()}]}


def failure(code, reason):
    return json.dumps({"kind": "Status", "status": "Failure", "code": code,
                       "reason": evil(reason) if code == 500 else reason,
                       "message": f"{evil('message')} User \"{evil('user')}\" cannot",
                       "details": {"kind": evil("kind"), "causes": [{"message": evil("cause")}]}})


def listed(request):
    request.answer(json.dumps(
        table() if "as=Table" in request.headers.get("Accept", "") else
        {"kind": "ConfigMapList", "apiVersion": "v1", "metadata": {"resourceVersion": "1"},
         "items": [item()]}), Warning=f'299 - "{evil("warning")}"'.replace("\r", "").replace(
             "\x00", "").encode("utf-8").decode("latin-1"))


def watched(request):
    request.begin()
    for event, version in (("MODIFIED", "2"), ("DELETED", "3")):
        request.chunk(json.dumps({"type": event, "object": item(version)}) + "\n")
    request.chunk(json.dumps({"type": "ERROR", "object": json.loads(failure(500, "Bad"))}) + "\n")
    request.wait()


def discovered(request):
    more = {**RESOURCE, "name": evil("things"), "kind": evil("Thing"), "shortNames": [evil("th")],
            "categories": [evil("all")], "singularName": evil("thing")}
    request.answer(json.dumps({**DOCUMENTS["/api/v1"], "resources": [RESOURCE, more]}))


ANSWERS = {"/api/v1": discovered, LISTS: listed, "watch": watched}
REFUSED = {LISTS: lambda r: r.answer(failure(403, "Forbidden"), 403)}
BROKEN = {LISTS: lambda r: r.answer(failure(500, "Internal"), 500)}
HTML = {LISTS: lambda r: r.answer(f"<p>{EVIL}", 502, Content_Type="text/html")}


def plan():
    """Yields the answers, the arguments and the variables of each run."""
    forms = ("table", "wide", "json", "yaml", "name", "csv", "tsv", "jsonpath={.metadata}",
             "custom-columns=A:.metadata.name,B:.data",
             f"custom-columns={EVIL_IN_ARGUMENT}:.metadata.name")
    soon = ("--max-events", "3", "--timeout", "20s")
    for form in forms:
        yield ANSWERS, ("get", "cm", "-o", form), {}
        yield ANSWERS, ("watch", "cm", "-o", form, *soon), {}
    for more in (("--diff",), ("--diff=yaml",), ("--show-labels",), ("-L", "app"), ("--color=always",),
                 ("-o", "json", "--diff", "--show-old"), ("--jq", ".object.metadata.name"),
                 ("-v", "8"), ("--log-format", "json", "-v", "8"), ("-t", "--diff=patch")):
        yield ANSWERS, ("watch", "cm", *more, *soon), {}
    for form in ("table", "json", "jsonl", "yaml", "keys", "name", "csv"):
        yield ANSWERS, ("index", "cm", "--by", "app", "-o", form), {}
    yield ANSWERS, ("index", "cm", "--by", "@owner", "--key-format", "{name}---{ns}"), {}
    yield ANSWERS, ("index", "cm", "--by", "app", "--dump"), {}
    yield ANSWERS, ("api-resources",), {}
    yield ANSWERS, ("api-resources", "-o", "wide"), {}
    yield ANSWERS, ("check", "cm"), {}
    for answers in (REFUSED, BROKEN, HTML):
        yield answers, ("get", "cm", "--sync-timeout", "1s"), {}
        yield answers, ("check", "cm"), {}
    for arguments in (("get", EVIL_IN_ARGUMENT), ("get", "cm", EVIL_IN_ARGUMENT),
                      (EVIL_IN_ARGUMENT,), ("get", "cm", "--" + EVIL_IN_ARGUMENT),
                      ("get", "cm", "-l", EVIL_IN_ARGUMENT), ("get", "cm", "-o", EVIL_IN_ARGUMENT),
                      ("get", "cm", "-o", "jsonpath=" + EVIL_IN_ARGUMENT + "{"),
                      ("get", "cm", "--where", EVIL_IN_ARGUMENT),
                      ("get", "cm", "--context", EVIL_IN_ARGUMENT),
                      ("get", "cm", "--kubeconfig", EVIL_IN_ARGUMENT),
                      ("get", "cm", "-n", EVIL_IN_ARGUMENT),
                      ("watch", "cm", "--timeout", EVIL_IN_ARGUMENT),
                      ("run", "cm", "--", EVIL_IN_ARGUMENT)):
        yield ANSWERS, arguments, {}
    yield ANSWERS, ("get", "cm"), {"KINF_OUTPUT": EVIL_IN_ARGUMENT}


def dangerous(text):
    """Returns the characters that can act on a terminal. A terminal adds \\r before \\n."""
    text = STATUS_LINE.sub(r"\1", COLOUR.sub("", text.replace("\r\n", "\n")))
    return sorted({c for c in text if c != "\n" and c != "\t" and
                   (unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp") or c == "\ufffd")})


def run(program, answers, arguments, variables):
    """Returns what is wrong, or None."""
    with tempfile.TemporaryDirectory(prefix="kinf-printed.") as folder, Server(answers) as server:
        reader, terminal = pty.openpty()
        child = subprocess.Popen(
            [program, *arguments, "--server", server.url], cwd=folder, stdin=terminal,
            stdout=terminal, stderr=terminal,
            env={"HOME": folder, "TMPDIR": folder, "PATH": os.environ["PATH"],
                 "LC_ALL": "C.UTF-8", "TERM": "xterm-256color", **variables})
        os.close(terminal)
        text = b""
        while True:
            try:
                piece = os.read(reader, 65536)
            except OSError:  # closed
                break
            text += piece
        os.close(reader)
        child.wait(TIMEOUT)
    shown = text.decode("utf-8", errors="replace")
    if not shown.strip():
        return "prints nothing"
    found = dangerous(shown)
    return f"prints {[f'U+{ord(c):04X}' for c in found]}: {shown[:300]!r}" if found else None


def main():
    program, *words = sys.argv[1:]
    program = str(pathlib.Path(program).resolve())
    runs = [one for one in plan() if all(word in " ".join(one[1]) for word in words)]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=4) as pool:
        for (_, arguments, _), problem in zip(runs, pool.map(lambda one: run(program, *one), runs)):
            if problem is not None:
                failed += 1
                print(f"kinf {' '.join(arguments)!r}: {problem}")
    print(f"{len(runs)} runs, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
