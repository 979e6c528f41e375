# SPDX-License-Identifier: Apache-2.0
"""Checks that nothing that kinf prints to a terminal can control it: a server puts control characters
and bidirectional overrides into names, labels, cells, columns, messages, warnings and documents, and
kubeconfigs, recordings, files and arguments have them, too. Each command runs in each format on a
pseudo-terminal.

  printed.py PROGRAM [WORD...]
"""
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import pty
import re
import shutil
import subprocess
import sys
import tempfile
import typing
import unicodedata

from hostile_server import DOCUMENTS, LISTS, RESOURCE, Server

TIMEOUT = 60
# ESC sequences, BEL, BS, DEL, C1 as UTF-8 and as a raw byte, overrides, isolates, line separators, and
# codes that hide a text or have a colour of kinf.
FAKE = "fake"
EVIL = (f"\x1b[8m\x1b[31m{FAKE}"
        "\x1b]0;owned\x07\x1b[2J\x08\x7f\u009b31m\u0085\u202e\u2066\u2028\u2029\u200f\u061c"
        "\ufeff\r\x0b\x00")
COLOUR = re.compile(rf"\x1b\[(0|31|32|33|90)m(?!{FAKE})")  # the colours of kinf
STATUS_LINE = re.compile(r"\r([^\r\n\x1b]*)\x1b\[K")  # the progress that kinf draws and erases
EVIL_IN_ARGUMENT = EVIL.replace("\x00", "")


def evil(text):
    return f"{text}{EVIL}{text}"


def item(version="1", name=evil("name"), namespace=evil("ns")):
    return {"apiVersion": "v1", "kind": evil("ConfigMap"), "metadata": {
        "name": name, "namespace": namespace, "uid": evil("u"),
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


def with_name(name):
    """Returns the answers of a server with one object of the default namespace, which changes."""
    def of(version):
        return {**item(version, name, "default"), "kind": "ConfigMap"}

    def changed(request):
        request.begin()
        request.chunk(json.dumps({"type": "MODIFIED", "object": of("2")}) + "\n")
        request.wait()

    return {"/api/v1": discovered, "watch": changed, LISTS: lambda request: request.answer(json.dumps(
        {"kind": "ConfigMapList", "apiVersion": "v1", "metadata": {"resourceVersion": "1"},
         "items": [of("1")]}))}


ANSWERS = {"/api/v1": discovered, LISTS: listed, "watch": watched}
REFUSED = {LISTS: lambda r: r.answer(failure(403, "Forbidden"), 403)}
BROKEN = {LISTS: lambda r: r.answer(failure(500, "Internal"), 500)}
HTML = {LISTS: lambda r: r.answer(f"<p>{EVIL}", 502, Content_Type="text/html")}


@dataclasses.dataclass
class Case:
    """A run of kinf. The words RECORDING and LIST stand for files, URL for the address of the server."""
    arguments: typing.Sequence[str]
    answers: dict = dataclasses.field(default_factory=lambda: ANSWERS)
    variables: dict = dataclasses.field(default_factory=dict)
    config: typing.Optional[dict] = None  # the kubeconfig; otherwise --server names the server
    code: typing.Optional[int] = None  # the exit code; None allows any
    has_server: bool = True


SOON = ("--max-events", "3", "--timeout", "20s")


def outputs():
    """Yields runs whose output has what the server sends."""
    forms = ("table", "wide", "json", "yaml", "name", "csv", "tsv", "jsonpath={.metadata}",
             "custom-columns=A:.metadata.name,B:.data",
             f"custom-columns={EVIL_IN_ARGUMENT}:.metadata.name")
    for form in forms:
        yield Case(("get", "cm", "-o", form))
        yield Case(("watch", "cm", "-o", form, *SOON))
        if "\n" not in form:
            yield Case(("history", "cm/a", "-o", form, "--max-events", "2", "--timeout", "20s"),
                       with_name("a"), code=0)
    for more in (("--diff",), ("--diff=yaml",), ("--show-labels",), ("-L", "app"), ("--color=always",),
                 ("-o", "json", "--diff", "--show-old"), ("--jq", ".object.metadata.name"),
                 ("-v", "8"), ("--log-format", "json", "-v", "8"), ("-t", "--diff=patch")):
        yield Case(("watch", "cm", *more, *SOON))
    for form in ("table", "json", "jsonl", "yaml", "keys", "name", "csv"):
        yield Case(("index", "cm", "--by", "app", "-o", form))
    yield Case(("index", "cm", "--by", "@owner", "--key-format", "{name}---{ns}"))
    yield Case(("index", "cm", "--by", "app", "--dump"))
    yield Case(("history", "cm/" + EVIL_IN_ARGUMENT, "-d", "--max-events", "2", "--timeout", "20s"),
               with_name(EVIL_IN_ARGUMENT), code=0)
    for form in ("lines", "yaml", "patch"):
        yield Case(("history", "cm/a", f"--diff={form}", "--color=always", "--max-events", "2",
                    "--timeout", "20s"), with_name("a"), code=0)
    for more in ((), ("-o", "json"), ("-o", "yaml"), ("-o", "name")):
        yield Case(("wait", "cm", "--all", "--for=jsonpath={.data.n}=1", "--timeout", "20s", *more))
    yield Case(("api-resources",))
    yield Case(("api-resources", "-o", "wide"))
    yield Case(("check", "cm"))
    for answers in (REFUSED, BROKEN, HTML):
        yield Case(("get", "cm", "--sync-timeout", "1s"), answers)
        yield Case(("check", "cm"), answers)


def arguments():
    """Yields runs with arguments and variables that are printed."""
    for words in (("get", EVIL_IN_ARGUMENT), ("get", "cm", EVIL_IN_ARGUMENT),
                  (EVIL_IN_ARGUMENT,), ("get", "cm", "--" + EVIL_IN_ARGUMENT),
                  ("get", "cm", "-l", EVIL_IN_ARGUMENT), ("get", "cm", "-o", EVIL_IN_ARGUMENT),
                  ("get", "cm", "-o", "jsonpath=" + EVIL_IN_ARGUMENT + "{"),
                  ("get", "cm", "--where", EVIL_IN_ARGUMENT),
                  ("get", "cm", "--context", EVIL_IN_ARGUMENT),
                  ("get", "cm", "--kubeconfig", EVIL_IN_ARGUMENT),
                  ("get", "cm", "-n", EVIL_IN_ARGUMENT),
                  ("history", EVIL_IN_ARGUMENT), ("history", "cm/" + EVIL_IN_ARGUMENT, "--timeout", "1s"),
                  ("record", "cm", "--to", "no/" + EVIL_IN_ARGUMENT),
                  ("watch", "cm", "--timeout", EVIL_IN_ARGUMENT)):
        yield Case(words)
    yield Case(("run", "cm", "--max-retries", "0", "--fail-fast", "--", EVIL_IN_ARGUMENT), code=2)
    yield Case(("run", "cm", "--max-retries", "0", "--fail-fast", "--", "false"), code=3)
    yield Case(("get", "cm", "--from", EVIL_IN_ARGUMENT), has_server=False, code=1)
    yield Case(("get", "cm"), variables={"KINF_OUTPUT": EVIL_IN_ARGUMENT})


def kubeconfig(**more):
    """Returns a kubeconfig whose names are hostile, with `more` in the user."""
    return {"apiVersion": "v1", "kind": "Config", "current-context": evil("context"),
            "clusters": [{"name": evil("cluster"), "cluster": {"server": "URL"}}],
            "users": [{"name": evil("user"), "user": more}],
            "contexts": [{"name": evil("context"), "context": {
                "cluster": evil("cluster"), "user": evil("user"), "namespace": "default"}}]}


def configs():
    """Yields runs with a kubeconfig whose names are hostile."""
    for words in (("get", "cm"), ("check", "cm"), ("watch", "cm", "-v", "8", *SOON),
                  ("get", "cm", "--context", "other"), ("get", "cm", "--cluster", "other"),
                  ("get", "cm", "--user", "other")):
        yield Case(words, config=kubeconfig())
    for words in (("get", "cm", "--sync-timeout", "1s"), ("check", "cm")):
        yield Case(words, REFUSED, config=kubeconfig())
    for user in ({"password": "x"}, {"token": None}, {"tokenFile": evil("file")},
                 {"client-key": evil("key"), "client-certificate": evil("certificate")},
                 {"auth-provider": {"name": evil("provider")}},
                 {"exec": {"apiVersion": evil("version"), "command": evil("command")}},
                 {"exec": {"apiVersion": "client.authentication.k8s.io/v1", "command": evil("command"),
                           "interactiveMode": "Never", "installHint": evil("hint")}}):
        config = kubeconfig(**user)
        config["clusters"][0]["cluster"]["server"] = "https://127.0.0.1:1"  # credentials need TLS
        yield Case(("get", "cm"), config=config)
        yield Case(("check", "cm"), config=config)
    for place, field in (("clusters", "server"), ("clusters", "proxy-url"),
                         ("clusters", "tls-server-name"), ("clusters", "certificate-authority"),
                         ("contexts", "cluster"), ("contexts", "user"), ("contexts", "namespace")):
        config = kubeconfig()
        config[place][0][place[:-1]][field] = evil("other")
        yield Case(("get", "cm", "--sync-timeout", "5s"), config=config)


def recordings():
    """Yields runs that read a recording, or a list in a file, of hostile objects."""
    for file in ("RECORDING", "LIST"):
        for form in ("table", "wide", "json", "yaml", "name", "csv", "jsonpath={.items[*].metadata}"):
            yield Case(("get", "cm", "-A", "--from", file, "-o", form), has_server=False, code=0)
        yield Case(("index", "cm", "-A", "--by", "app", "--from", file), has_server=False, code=0)
        yield Case(("watch", "cm", "-A", "--diff", "--from", file), has_server=False, code=0)
        yield Case(("get", "pods", "--from", file), has_server=False)
    for more in ((), ("-d",), ("-o", "json"), ("-o", "csv"), ("--diff=yaml",)):
        yield Case(("history", "cm/" + EVIL_IN_ARGUMENT, "--from", "RECORDING", *more),
                   has_server=False, code=0)
    yield Case(("history", "cm/a", "--from", "RECORDING"), has_server=False, code=4)


def plan():
    for part in (outputs, arguments, configs, recordings):
        yield from part()


def record(program, folder):
    """Records hostile objects in `folder`, and writes a list of them."""
    folder.joinpath("LIST").write_text(json.dumps({"kind": "List", "apiVersion": "v1", "items": [
        {**item(), "kind": "ConfigMap"}]}), encoding="utf-8")
    config = folder / "config"
    with Server(with_name(EVIL_IN_ARGUMENT)) as server:
        config.write_text(json.dumps(kubeconfig()).replace("URL", server.url), encoding="utf-8")
        subprocess.run([program, "watch", "cm", "-o", "name", "--record", "RECORDING",
                        "--max-events", "2", "--timeout", "20s"],
                       cwd=folder, env={"HOME": str(folder), "KUBECONFIG": str(config),
                                        "PATH": os.environ["PATH"]},
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=TIMEOUT, check=True)


def dangerous(text):
    """Returns the characters that can act on a terminal. A terminal adds \\r before \\n."""
    text = STATUS_LINE.sub(r"\1", COLOUR.sub("", text.replace("\r\n", "\n")))
    return sorted({c for c in text if c != "\n" and c != "\t" and
                   (unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp") or c == "\ufffd")})


def words_of(case, server, folder):
    """Returns the arguments, and writes the kubeconfig that they name."""
    first, *rest = case.arguments
    if case.config is not None:
        config = pathlib.Path(folder, "config")
        config.write_text(json.dumps(case.config).replace("URL", server.url), encoding="utf-8")
        return [first, "--kubeconfig", str(config), *rest]
    return [first, "--server", server.url, *rest] if case.has_server else [first, *rest]


def shown_by(program, case, files):
    """Returns what kinf prints to a terminal, and its exit code."""
    with tempfile.TemporaryDirectory(prefix="kinf-printed.") as folder, \
            Server(case.answers) as server:
        for file in ("RECORDING", "LIST"):
            shutil.copy(files / file, folder)
        reader, terminal = pty.openpty()
        child = subprocess.Popen(
            [program, *words_of(case, server, folder)], cwd=folder, stdin=terminal,
            stdout=terminal, stderr=terminal,
            env={"HOME": folder, "TMPDIR": folder, "PATH": os.environ["PATH"],
                 "LC_ALL": "C.UTF-8", "TERM": "xterm-256color", **case.variables})
        os.close(terminal)
        text = b""
        while True:
            try:
                piece = os.read(reader, 65536)
            except OSError:  # closed
                break
            text += piece
        os.close(reader)
        code = child.wait(TIMEOUT)
    return text.decode("utf-8", errors="replace"), code


def run(program, case, files):
    """Returns what is wrong, or None."""
    shown, code = shown_by(program, case, files)
    if not shown.strip():
        return "prints nothing"
    if case.code not in (None, code):
        return f"exit code {code}, expected {case.code}: {shown[:300]!r}"
    found = dangerous(shown)
    return f"prints {[f'U+{ord(c):04X}' for c in found]}: {shown[:300]!r}" if found else None


def main():
    program, *words = sys.argv[1:]
    program = str(pathlib.Path(program).resolve())
    runs = [one for one in plan() if all(word in " ".join(one.arguments) for word in words)]
    failed = 0
    with tempfile.TemporaryDirectory(prefix="kinf-printed.") as name, \
            concurrent.futures.ThreadPoolExecutor(max_workers=4) as pool:
        files = pathlib.Path(name)
        record(program, files)
        for case, problem in zip(runs, pool.map(lambda one: run(program, one, files), runs)):
            if problem is not None:
                failed += 1
                print(f"kinf {' '.join(case.arguments)!r}: {problem}")
    print(f"{len(runs)} runs, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
