# SPDX-License-Identifier: Apache-2.0
"""Defines cases, what they may use, and how they are cleaned up."""
import dataclasses
import itertools
import os
import re
import subprocess
import tempfile
import threading
import time
import traceback
import typing

from apiserver import ApiServer
from auth_proxy import AuthProxy
from lines import Failure
from program import Program
from short_watches import ShortWatches

CASES = []
_numbers = itertools.count(1)


@dataclasses.dataclass
class Case:
    name: str
    run: typing.Callable
    seconds: int
    server: typing.Optional[str]  # profile of its own server; None: the shared server
    in_parallel: bool  # starts first and runs in parallel with all others


def case(name, seconds=60, server=None, in_parallel=False):
    """Registers a function of a Trial as a case that must pass within `seconds`."""
    def register(function):
        CASES.append(Case(name, function, seconds, server, in_parallel))
        return function
    return register


def expect(holds, what):
    if not holds:
        raise Failure(what() if callable(what) else what)


def difference(got, wanted, where=""):
    """Describes the first difference between two nested values, in three lines."""
    if type(got) is type(wanted) and isinstance(got, (list, tuple)):
        for i, (one, other) in enumerate(zip(got, wanted)):
            if one != other:
                return difference(one, other, f"{where}[{i}]")
        where, got, wanted = f"length of {where}", len(got), len(wanted)
    elif isinstance(got, dict) and isinstance(wanted, dict):
        for key in sorted(got.keys() | wanted.keys()):
            one, other = got.get(key, "(absent)"), wanted.get(key, "(absent)")
            if one != other:
                return difference(one, other, f"{where}.{key}")
    return f"  at     {where or 'top'}\n  got    {got!r}\n  wanted {wanted!r}"


def expect_equal(got, wanted, what):
    if got != wanted:
        raise Failure(f"{what}:\n{difference(got, wanted)}")


def run_beside_kubectl(t, words, flags=()):
    """Runs `kubectl WORDS` and `kinf WORDS FLAGS`, again while they print different texts, because an
    age may change between the two. Returns (status, stdout, stderr) of each, and if they print the
    same. If no two runs do so on a busy machine, two that differ only in digits of ages are enough."""
    for tries in range(40):
        wanted = t.start(["kubectl", *words]).finish(60)
        got = t.kinf(*words, *flags).finish(60)
        same = got[1] == wanted[1]
        if tries >= 30:
            same = masked_ages(got[1]) == masked_ages(wanted[1])
        if same:
            break
    return wanted, got, same


def masked_ages(table):
    """Returns a table with 0 in place of each digit of an age, so that widths stay. Three spaces
    separate the columns; a value in YAML or JSON has one before it, and is not changed."""
    return re.sub(r"(?<=   )(\d+[smhdy]){1,2}(?=[ \n])", lambda age: re.sub(r"\d", "0", age[0]), table)


def expect_same_as_kubectl(t, *words, space=True):
    """Checks that `kinf get` and `kubectl get` print the same."""
    space = ["-n", t.namespace] if space else []
    wanted, got, same = run_beside_kubectl(t, ["get", *words, *space])
    what = f"get {' '.join(words)}"
    expect_equal(wanted[0], 0, f"status of kubectl {what} ({wanted[2]})")
    expect_equal(got[0], 0, f"status of kinf {what} ({got[2]})")
    if not same:
        expect_equal(got[1], wanted[1], f"kinf {what}")


class Trial:
    """One run of a case: its server, its own namespace, and everything it has started."""

    def __init__(self, server):
        self.server = server
        self.folder = tempfile.mkdtemp(prefix="kinf-e2e-case.")
        self.kubeconfig = server.kubeconfig()
        self.started = []  # programs, in order
        self._clean_up = []
        self._namespace = None

    @property
    def namespace(self):
        if self._namespace is None:
            self._namespace = f"case-{next(_numbers)}"
            self.server.create("namespaces", "", {"metadata": {"name": self._namespace}})
        return self._namespace

    def use_namespace(self, name):
        """Uses an existing namespace instead of a new one."""
        self._namespace = name

    def environment(self, **more):
        return {"PATH": f"{os.environ['E2E_BIN']}:{os.environ['PATH']}", "HOME": self.folder,
                "TMPDIR": self.folder, "KUBECONFIG": self.kubeconfig, "KINF": os.environ["KINF_BIN"],
                "LC_ALL": "C.UTF-8", "TZ": "UTC", "NO_PROXY": "127.0.0.1,localhost", **more}

    def start(self, *arguments, **options):
        program = Program(*arguments, self.environment(), folder=self.folder, **options)
        self._clean_up.append(program.kill)
        self.started.append(program)
        return program

    def kinf(self, *arguments):
        return self.start([os.environ["KINF_BIN"], *arguments])

    def shell(self, words):
        """Runs a pipeline in bash with pipefail; $KINF is the program."""
        return self.start(words, shell=True)

    def kubectl(self, *arguments, seconds=30):
        """Runs kubectl and waits for it. If it fails, the case fails."""
        status, out, err = self.start(["kubectl", *arguments]).finish(seconds)
        expect(status == 0, f"kubectl {' '.join(arguments)} exited with {status}: {err}")
        return out

    def loadgen(self, verb, *arguments, seconds=120):
        program = self.start(["loadgen", verb, "-dir", self.server.folder, *map(str, arguments)])
        status, out, err = program.finish(seconds)
        expect(status == 0, f"loadgen {verb} exited with {status}: {err}")
        return out

    def watch(self, *arguments, **options):
        raw = self.server.watch(*arguments, **options)
        self._clean_up.append(raw.close)
        return raw

    def short_watches(self, token="admin-token"):
        proxy = ShortWatches(self.server, token)
        self._clean_up.append(proxy.close)
        return proxy

    def auth_proxy(self, scheme):
        proxy = AuthProxy(self.server, scheme)
        self._clean_up.append(proxy.close)
        return proxy

    def end(self):
        while self._clean_up:
            self._clean_up.pop()()
        subprocess.run(["rm", "-rf", self.folder], check=False)


def run_case(one, shared_server):
    """Runs a case. Returns (seconds, None or the problem). Stops everything that the case started."""
    start = time.monotonic()
    outcome = []
    server = ApiServer(one.server) if one.server else shared_server
    trial = Trial(server)

    def attempt():
        try:
            one.run(trial)
            outcome.append(None)
        except Failure as failure:
            outcome.append(str(failure))
        except Exception:  # an error in a case fails it
            outcome.append(traceback.format_exc())

    thread = threading.Thread(target=attempt, daemon=True)
    thread.start()
    thread.join(one.seconds)
    late = thread.is_alive()
    trial.end()
    if one.server:
        server.stop()
    problem = f"still running after {one.seconds} s" if late else outcome[0]
    return time.monotonic() - start, problem
