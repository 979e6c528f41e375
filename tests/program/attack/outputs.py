# SPDX-License-Identifier: Apache-2.0
"""Runs commands of kinf whose output fails: a full disk, a closed descriptor, a pipe that nobody reads
and a pipe whose reader goes away; for each command and format. Each run ends in time, and with the
exit code for this failure: 1 and a message if the output cannot be written, 124, 130 or 143 if a
time-out or a signal ends a blocked command, 141 if the reader goes away.

  outputs.py PROGRAM [WORD...]
"""
import array
import concurrent.futures
import fcntl
import functools
import json
import os
import pathlib
import select
import signal
import subprocess
import sys
import tempfile
import termios

from hostile_server import RESOURCE, Server

TIMEOUT = 60
PROMPT = 15  # seconds after a signal, on a busy machine
F_SETPIPE_SZ, F_GETPIPE_SZ = 1031, 1032
FORMATS = ("table", "wide", "json", "yaml", "name", "csv", "tsv",
           "jsonpath={.items[*].metadata.name}{.metadata.name}", "custom-columns=A:.metadata.name")
INDEX_FORMATS = ("table", "wide", "json", "jsonl", "yaml", "name", "keys", "csv", "tsv")
WATCH_FLAGS = (["--diff"], ["--diff=yaml"], ["--diff=patch"], ["-o", "json", "--diff"],
               ["--jq", ".object.metadata.name"])
LARGE = ["--sandbox=churn:objects=4000:rate=1", "--sync-timeout", "50s"]
SMALL = ["--sandbox=nettool", "--sync-timeout", "50s"]
HISTORY = ["history", "cm/a", "--from", "VERSIONS"]
WAIT = ["wait", "pods", "--all", "--for=jsonpath=.kind=Pod"]


def large_commands():
    """Returns commands whose output is larger than any pipe."""
    for form in ("table", "wide", "json", "yaml"):
        yield ["get", "pods", "-o", form, *LARGE]
    for form in FORMATS:
        yield ["watch", "pods", "-o", form, *LARGE]
    for flags in WATCH_FLAGS:
        yield ["watch", "pods", *flags, *LARGE]
    for form in ("json", "jsonl", "yaml", "name", "keys", "csv", "tsv"):
        yield ["index", "pods", "--by", ".metadata.name", "-o", form, *LARGE]
    yield ["index", "pods", "--by", ".metadata.name", "-w", *LARGE]
    for more in ([], ["-d"], ["-o", "json"], ["-o", "csv"]):
        yield [*HISTORY, *more]
    yield [*WAIT, *LARGE]
    yield [*WAIT, "-o", "json", *LARGE]


def small_commands():
    """Returns each command, in each format."""
    for form in FORMATS:
        yield ["get", "pods", "-o", form, *SMALL]
        yield ["watch", "pods", "-o", form, *SMALL]
        yield [*HISTORY, "-o", form]
    for flags in WATCH_FLAGS:
        yield ["watch", "pods", *flags, *SMALL]
    for form in INDEX_FORMATS:
        yield ["index", "pods", "--by", ".metadata.name", "-o", form, *SMALL]
    yield ["index", "pods", "--by", ".metadata.name", "-w", *SMALL]
    yield ["index", "pods", "--dump", *SMALL]
    yield ["get", "pods", "--jq", ".metadata.name", *SMALL]
    for form in ("json", "yaml", "name", "jsonpath={.kind}"):
        yield [*WAIT, "-o", form, "--sandbox"]
    yield [*WAIT, "--sandbox"]
    for form in ("wide", "name"):
        yield ["api-resources", "-o", form, "--sandbox"]
    for shell in ("bash", "zsh", "fish"):
        yield ["completion", shell]
    yield [*HISTORY, "-d"]
    yield from (["--help"], ["version"], ["api-resources", "--sandbox"], ["check", "--sandbox"],
                ["demo", "dedup"], ["sandbox"])


def blocked_commands():
    """Returns commands that are ended by a signal while their output is blocked."""
    yield ["get", "pods", "-o", "json", *LARGE]
    yield ["get", "pods", "-o", "yaml", *LARGE]
    yield ["index", "pods", "--dump", *LARGE]
    yield [*WAIT, "-o", "json", *LARGE]
    yield ["api-resources", "--server", "URL"]
    yield ["api-resources", "-o", "name", "--server", "URL"]
    yield ["check", *["pods"] * 100, "--sandbox"]
    yield from commands_with_timeout()


def commands_with_timeout():
    yield ["watch", "pods", "-o", "json", *LARGE]
    yield ["watch", "pods", "-o", "yaml", *LARGE]
    yield ["watch", "pods", "--jq", ".object", *LARGE]
    yield ["index", "pods", "--by", ".metadata.uid", "--by", ".metadata.name", "-w", *LARGE]
    yield HISTORY
    yield [*HISTORY, "-o", "json"]


@functools.cache
def versions():
    """Returns many versions of one object, as kinf watch -o json prints them."""
    return "".join(
        f'{{"type":"{"MODIFIED" if i else "ADDED"}","object":{{"kind":"ConfigMap","apiVersion":"v1",'
        f'"metadata":{{"name":"a","namespace":"default","uid":"u","resourceVersion":"{i + 1}"}},'
        f'"data":{{"n":"{i}"}}}}}}\n' for i in range(30000))


def types():
    """Returns the discovery of many types."""
    return json.dumps({"kind": "APIResourceList", "groupVersion": "v1", "resources": [
        {**RESOURCE, "name": f"things{i}", "kind": f"Thing{i}"} for i in range(3000)]})


LIST = ('{"kind":"List","apiVersion":"v1","items":[{"kind":"ConfigMap","apiVersion":"v1","metadata":'
        '{"name":"a","namespace":"default","uid":"u","resourceVersion":"1"}}]}')


class Run:
    """A run of kinf in a folder of its own. The word URL stands for a server with many types."""

    def __init__(self, program, arguments, stdout):
        self.server = None
        if "URL" in arguments:
            self.server = Server({"/api/v1": lambda request: request.answer(types())})
            arguments = [self.server.url if word == "URL" else word for word in arguments]
        self.folder = tempfile.TemporaryDirectory(prefix="kinf-outputs.")
        self.errors = pathlib.Path(self.folder.name, "errors")
        for name, text in (("VERSIONS", versions), ("LIST", lambda: LIST)):
            if name in arguments:
                pathlib.Path(self.folder.name, name).write_text(text(), encoding="ascii")
        with self.errors.open("wb") as errors:
            self.child = subprocess.Popen(
                [program, *arguments], cwd=self.folder.name, stdin=subprocess.DEVNULL,
                stdout=stdout, stderr=errors,
                env={"HOME": self.folder.name, "TMPDIR": self.folder.name,
                     "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"})

    def problem(self, codes, says="", seconds=TIMEOUT):
        """Waits for the end. Returns what is wrong with it, or None."""
        try:
            code = self.child.wait(seconds)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
            code = f"still running after {seconds} s"
        text = self.errors.read_text(encoding="utf-8", errors="replace")
        self.folder.cleanup()
        if self.server is not None:
            self.server.__exit__()
        if code not in codes:
            return f"exit code {code}, expected {codes}: {text[:200]}"
        return None if says in text else f"does not say {says!r}: {text[:200]}"


def full_disk(program, arguments, codes=(1,), says="No space left on device"):
    with open("/dev/full", "wb") as full:
        return Run(program, arguments, full).problem(codes, says)


def closed(program, arguments, codes=(1,), says="Bad file descriptor"):
    shell = ["-c", '"$@" >&-', "sh", program, *arguments]
    return Run("/bin/sh", shell, None).problem(codes, says)


def without_output(act, code):
    """Returns a run that fails only because of what it runs, or not at all."""
    return lambda program, arguments: act(program, arguments, (code,), "")


def blocked_until_full(run, reader):
    """Waits until kinf has filled the pipe, so that its next write blocks."""
    before = -1
    while run.child.poll() is None:
        select.select([reader], [], [], TIMEOUT)
        waiting = bytes_in(reader)
        if waiting == before:
            return
        before = waiting
        run_on(0.2)


def run_on(seconds):
    select.select([], [], [], seconds)


def bytes_in(pipe):
    size = array.array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, size)
    return size[0]


def small_pipe():
    """Returns the ends of a pipe that holds one page, so that also a small output fills it."""
    reader, writer = os.pipe()
    fcntl.fcntl(writer, F_SETPIPE_SZ, 4096)
    return reader, writer


def blocked(program, arguments, number):
    reader, writer = small_pipe()
    run = Run(program, arguments, writer)
    os.close(writer)
    blocked_until_full(run, reader)
    if number == signal.SIGPIPE:
        os.close(reader)
        return run.problem({141}, seconds=PROMPT)
    is_full = bytes_in(reader) >= fcntl.fcntl(reader, F_GETPIPE_SZ) / 2
    run.child.send_signal(number)
    problem = run.problem({128 + number}, seconds=PROMPT)
    os.close(reader)
    return problem if is_full else "the output does not fill the pipe"


def blocked_until_timeout(program, arguments):
    reader, writer = small_pipe()
    run = Run(program, arguments, writer)
    os.close(writer)
    problem = run.problem({124}, seconds=5 + PROMPT)
    os.close(reader)
    return problem


def plan():
    """Returns the failure, the function and the arguments of each run."""
    for arguments in small_commands():
        yield "full disk", full_disk, arguments
        yield "closed", closed, arguments
    for what, act in (("full disk", full_disk), ("closed", closed)):
        yield (f"{what} for a program of kinf run", without_output(act, 3),
               ["run", "cm", "--from", "LIST", "--max-retries", "0", "--fail-fast", "--", "echo", "x"])
        yield (f"{what} for kinf record", without_output(act, 124),
               ["watch", "pods", "--record", "new.kinf", "--jq", "empty", "--timeout", "2s",
                "--sandbox"])
    for arguments in large_commands():
        yield "the reader goes away", lambda p, a: blocked(p, a, signal.SIGPIPE), arguments
    for arguments in blocked_commands():
        for number in (signal.SIGINT, signal.SIGTERM):
            yield (f"a blocked pipe and {signal.Signals(number).name}",
                   lambda p, a, n=number: blocked(p, a, n), arguments)
    for arguments in commands_with_timeout():
        yield "a blocked pipe and --timeout", blocked_until_timeout, [*arguments, "--timeout", "5s"]


def main():
    program, *words = sys.argv[1:]
    program = str(pathlib.Path(program).resolve())
    runs = [(what, act, arguments) for what, act, arguments in plan()
            if all(word in f"{what}: {' '.join(arguments)}" for word in words)]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=4) as pool:
        for (what, _, arguments), problem in zip(
                runs, pool.map(lambda one: one[1](program, one[2]), runs)):
            if problem is not None:
                failed += 1
                print(f"{what}: kinf {' '.join(arguments)}: {problem}")
    print(f"{len(runs)} runs, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
