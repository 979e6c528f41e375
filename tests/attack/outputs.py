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
import os
import pathlib
import select
import signal
import subprocess
import sys
import tempfile
import termios

TIMEOUT = 60
FORMATS = ("table", "wide", "json", "yaml", "name", "csv", "tsv", "jsonpath={.items[*].metadata.name}{.metadata.name}",
           "custom-columns=A:.metadata.name")
LARGE = ["--sandbox=churn:objects=4000:rate=1", "--sync-timeout", "50s"]
SMALL = ["--sandbox=nettool", "--sync-timeout", "50s"]


def large_commands():
    """Returns commands whose output is larger than any pipe."""
    for form in ("table", "wide", "json", "yaml"):
        yield ["get", "pods", "-o", form, *LARGE]
    for form in FORMATS:
        yield ["watch", "pods", "-o", form, *LARGE]
    for form in ("json", "jsonl", "yaml", "keys"):
        yield ["index", "pods", "--by", ".metadata.name", "-o", form, *LARGE]
    yield ["index", "pods", "--by", ".metadata.name", "-w", *LARGE]


def small_commands():
    """Returns each command, in each format."""
    for form in FORMATS:
        yield ["get", "pods", "-o", form, *SMALL]
        yield ["watch", "pods", "-o", form, *SMALL]
    for form in ("table", "json", "jsonl", "yaml", "keys"):
        yield ["index", "pods", "--by", ".metadata.name", "-o", form, *SMALL]
    yield ["index", "pods", "--by", ".metadata.name", "-w", *SMALL]
    yield ["index", "pods", "--dump", *SMALL]
    yield from (["--help"], ["version"], ["completion", "zsh"], ["api-resources", "--sandbox"],
                ["check", "--sandbox"], ["demo", "dedup"], ["sandbox"],
                ["wait", "pods", "--all", "--sandbox", "--for=jsonpath=.kind=Pod"])


class Run:
    """A run of kinf in a folder of its own."""

    def __init__(self, program, arguments, stdout):
        self.folder = tempfile.TemporaryDirectory(prefix="kinf-outputs.")
        self.errors = pathlib.Path(self.folder.name, "errors")
        with self.errors.open("wb") as errors:
            self.child = subprocess.Popen(
                [program, *arguments], cwd=self.folder.name, stdin=subprocess.DEVNULL,
                stdout=stdout, stderr=errors,
                env={"HOME": self.folder.name, "TMPDIR": self.folder.name,
                     "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"})

    def problem(self, codes, says=""):
        """Waits for the end. Returns what is wrong with it, or None."""
        try:
            code = self.child.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            self.child.kill()
            self.child.wait()
            code = f"still running after {TIMEOUT} s"
        text = self.errors.read_text(encoding="utf-8", errors="replace")
        self.folder.cleanup()
        if code not in codes:
            return f"exit code {code}, expected {codes}: {text[:200]}"
        return None if says in text else f"does not say {says!r}: {text[:200]}"


def full_disk(program, arguments):
    with open("/dev/full", "wb") as full:
        return Run(program, arguments, full).problem({1}, "No space left on device")


def closed(program, arguments):
    shell = ["-c", '"$@" >&-', "sh", program, *arguments]
    return Run("/bin/sh", shell, None).problem({1}, "Bad file descriptor")


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


def blocked(program, arguments, number):
    reader, writer = os.pipe()
    run = Run(program, arguments, writer)
    os.close(writer)
    blocked_until_full(run, reader)
    if number == signal.SIGPIPE:
        os.close(reader)
        return run.problem({141})
    run.child.send_signal(number)
    problem = run.problem({128 + number})
    os.close(reader)
    return problem


def blocked_until_timeout(program, arguments):
    reader, writer = os.pipe()
    run = Run(program, arguments, writer)
    os.close(writer)
    problem = run.problem({124})
    os.close(reader)
    return problem


def plan():
    for arguments in small_commands():
        yield "full disk", full_disk, arguments
        yield "closed", closed, arguments
    for arguments in large_commands():
        yield "the reader goes away", lambda p, a: blocked(p, a, signal.SIGPIPE), arguments
    for arguments in (["get", "pods", "-o", "json", *LARGE], ["watch", "pods", *LARGE],
                      ["index", "pods", "--dump", *LARGE]):
        for number in (signal.SIGINT, signal.SIGTERM):
            yield (f"a blocked pipe and {signal.Signals(number).name}",
                   lambda p, a, n=number: blocked(p, a, n), arguments)
    yield ("a blocked pipe and --timeout", blocked_until_timeout,
           ["watch", "pods", "-o", "json", "--timeout", "5s", *LARGE])


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
