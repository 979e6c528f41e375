# SPDX-License-Identifier: Apache-2.0
"""An attack, and how it is run: against a hostile server, in a folder of its own, with prepared files,
limits of the system and an output that may fail. A function may act while kinf runs. A run that takes too
long is repeated alone, because other programs may have slowed it down."""
import contextlib
import dataclasses
import json
import os
import pathlib
import pty
import re
import resource
import select
import signal
import subprocess
import tempfile
import threading
import time
import typing

from hostile_server import Server

SLOW = 10  # sanitizers take up to this much longer; kinf is killed after this many times its limit
ORDINARY_MEMORY = 64  # MiB
ORDINARY_REQUESTS = 30  # of discovery, and 5 a second for the few seconds of an attack
PASSWORD = "hunter2"
PRINTED, ERRORS = "printed", "errors"  # files in the folder of kinf
STEP = 0.005  # seconds between two looks at a process


@dataclasses.dataclass
class Attack:
    finding: str
    what: str
    arguments: typing.Sequence[str]
    says: str = ""  # a pattern in what kinf prints, and in what `act` returns
    code: typing.Optional[int] = 1  # the exit code, negative for a signal; None allows any code
    answers: dict = dataclasses.field(default_factory=dict)
    memory: int = ORDINARY_MEMORY  # MiB
    seconds: float = 5  # the most that kinf may take, by the clock
    cpu: float = 1.5  # the most that its own processor time may be, in seconds
    requests: int = ORDINARY_REQUESTS  # and connections: the most that the server may get
    files: dict = dataclasses.field(default_factory=dict)
    variables: dict = dataclasses.field(default_factory=dict)
    fifos: typing.Sequence[str] = ()
    identities: typing.Sequence[str] = ()  # the server has TLS, first with the first of these
    http2: bool = False  # the server refuses each stream
    limits: dict = dataclasses.field(default_factory=dict)  # kind: amount, for setrlimit
    umask: typing.Optional[int] = None
    output: str = "file"  # file, full, closed, unread (a pipe) or terminal
    act: typing.Optional[typing.Callable] = None  # gets a Running; afterwards kinf gets SIGTERM
    check: typing.Callable = lambda text: None  # returns what is wrong with the standard output
    never: str = PASSWORD  # a text that kinf must not print

    def fits_sanitizers(self):
        """Sanitizers need memory, descriptors and files of their own, and take minutes for much memory."""
        return self.memory == ORDINARY_MEMORY and not self.limits


class Outcome(typing.NamedTuple):
    code: typing.Optional[int]  # None if kinf did not end in time
    memory: int
    seconds: float
    cpu: float
    requests: int
    printed: str  # to standard output, or to the terminal
    text: str  # also what it printed to standard error, and what `act` said


class Running:
    """A process of kinf that `act` attacks."""

    def __init__(self, child, folder, server, pipe):
        self.child = child
        self.folder = folder
        self.server = server
        self.pipe = pipe  # the unread output
        self.memory = 0

    def text(self):
        return read(self.folder / ERRORS) + read(self.folder / PRINTED)

    def kinf(self, *arguments):
        """Runs another kinf beside it. Returns how that ended."""
        done = subprocess.run([self.child.args[0], *arguments], cwd=self.folder,
                              env=environment(self.child.args[0], self.folder),
                              capture_output=True, timeout=10 * SLOW, check=False)
        return f"exit code {done.returncode}: {(done.stdout + done.stderr).decode()}"

    def wait_for_output(self):
        select.select([self.pipe], [], [], 10 * SLOW)

    def wait_until(self, happens):
        """Returns what `happens` returns as soon as that is true."""
        deadline = time.monotonic() + 10 * SLOW
        while not (result := happens()):
            if time.monotonic() > deadline:
                raise TimeoutError(f"nothing happened; printed: {self.text()[-300:]}")
            self.memory = max(self.memory, peak_memory(self.child.pid))
            time.sleep(STEP)
        return result

    def wait_for(self, pattern):
        """Waits until kinf has printed `pattern`. Returns its first group."""
        return self.wait_until(lambda: re.search(pattern, self.text()))[1]


def kubeconfig(cluster=None, user=None):
    return json.dumps({
        "apiVersion": "v1", "kind": "Config", "current-context": "x",
        "clusters": [{"name": "c", "cluster": {"server": "http://127.0.0.1:1", **(cluster or {})}}],
        "users": [{"name": "u", "user": user or {}}],
        "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u"}}]})


def read(path):
    return path.read_text(encoding="utf-8", errors="replace")


def peak_memory(pid):
    """Returns the peak resident memory in MiB, 0 if the process has ended."""
    try:
        text = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0
    found = re.search(r"^VmHWM:\s+(\d+)", text, re.M)
    return int(found[1]) // 1024 if found else 0


def cpu_seconds(pid):
    """Returns the processor time of a process, which may have ended but not been waited for."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(") ")[-1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def has_ended(child):
    """Returns whether a process has ended. Does not collect it, so that its times can be read."""
    return child.returncode is not None or os.waitid(
        os.P_PID, child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def prepare(folder, attack, server):
    for name, text in attack.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("URL", server.url), encoding="utf-8")
        if name.endswith(".sh"):
            path.chmod(0o755)
    for name in attack.fifos:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(path)


def terminal(stack, printed):
    """Returns a terminal. A thread writes to `printed` what is written to it."""
    reader, writer = pty.openpty()

    def copy():
        with contextlib.suppress(OSError):  # the last writer has closed it
            while piece := os.read(reader, 65536):
                with printed.open("ab") as file:
                    file.write(piece)
        os.close(reader)

    thread = threading.Thread(target=copy, daemon=True)
    thread.start()
    stack.callback(thread.join)
    stack.callback(os.close, writer)
    return writer


def open_output(stack, attack, folder):
    """Returns the standard output and the standard error of kinf, and the unread pipe."""
    errors = stack.enter_context((folder / ERRORS).open("wb"))
    printed = stack.enter_context((folder / PRINTED).open("wb"))
    if attack.output == "terminal":
        writer = terminal(stack, folder / PRINTED)
        return writer, writer, None
    if attack.output == "full":
        return stack.enter_context(open("/dev/full", "wb")), errors, None
    if attack.output == "unread":
        for end in (pipe := os.pipe()):
            stack.callback(os.close, end)
        return pipe[1], errors, pipe[0]
    return printed, errors, None


def environment(program, folder):
    return {"HOME": str(folder), "TMPDIR": str(folder), "PATH": os.environ["PATH"],
            "LC_ALL": "C.UTF-8", "TERM": "xterm", "KINF": program}


def start(program, attack, folder, server, stdout, stderr):
    def restrict():
        if attack.umask is not None:
            os.umask(attack.umask)
        for kind, amount in attack.limits.items():
            resource.setrlimit(kind, (amount, amount))
        if attack.output == "closed":
            os.close(1)
    words = [word.replace("URL", server.url) for word in attack.arguments]
    return subprocess.Popen(
        [program, *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr,
        preexec_fn=restrict if (attack.limits or attack.output == "closed"
                                or attack.umask is not None) else None,
        env=environment(program, folder) | attack.variables)


def wait(child, seconds):
    """Waits for the end of a process. Returns its peak memory and its processor time."""
    memory = 0
    deadline = time.monotonic() + seconds
    while not has_ended(child) and time.monotonic() < deadline:
        memory = max(memory, peak_memory(child.pid))
        time.sleep(STEP)
    return memory, cpu_seconds(child.pid) if child.returncode is None else 0.0


def acted(attack, running):
    """Runs the function of the attack. Returns its text and the peak memory until then."""
    try:
        said = attack.act(running)
    except (OSError, TimeoutError) as error:
        said = f"the attack failed: {error!r}"
    memory = max(running.memory, peak_memory(running.child.pid))
    if running.child.returncode is None:
        os.kill(running.child.pid, signal.SIGTERM)
    return f"\n{said}\n", memory


def run(program, attack):
    """Runs kinf once. Returns how it ended."""
    said, memory = "", 0
    with tempfile.TemporaryDirectory(prefix="kinf-attack.") as name, \
            Server(attack.answers, attack.identities, attack.http2) as server:
        folder = pathlib.Path(name)
        prepare(folder, attack, server)
        with contextlib.ExitStack() as stack:
            *outputs, pipe = open_output(stack, attack, folder)
            begin = time.monotonic()
            child = start(program, attack, folder, server, *outputs)
            if attack.act is not None:
                said, memory = acted(attack, Running(child, folder, server, pipe))
            peak, cpu = wait(child, attack.seconds * SLOW)
            memory = max(memory, peak)
            seconds = time.monotonic() - begin
            code = child.poll()
            if code is None:
                child.kill()
                child.wait()
        shown, errors = read(folder / PRINTED), read(folder / ERRORS)
    return Outcome(code, memory, seconds, cpu, max(server.requests, server.dials), shown,
                   errors + shown + said)


def late(attack, outcome, sanitized):
    """Returns how the run took too long, or None."""
    factor = SLOW if sanitized else 1
    if outcome.code is None:
        return "did not end in time"
    if outcome.cpu > attack.cpu * factor:
        return f"{outcome.cpu:.2f} s of processor time, more than {attack.cpu * factor} s"
    if outcome.seconds > attack.seconds * factor:
        return f"{outcome.seconds:.1f} s, more than {attack.seconds * factor} s"
    return None


def problems(attack, outcome, sanitized):
    """Returns what is wrong with the outcome."""
    if too_long := late(attack, outcome, sanitized):
        yield too_long
    if outcome.code is None:
        pass
    elif attack.code is not None and outcome.code != attack.code:
        yield f"exit code {outcome.code}, expected {attack.code}"
    elif attack.code is None and outcome.code < 0:
        yield f"ended by signal {-outcome.code}"
    if not re.search(attack.says, outcome.text, re.M):
        yield f"does not say {attack.says!r}"
    if attack.never in outcome.text:
        yield f"prints {attack.never!r}"
    if wrong := attack.check(outcome.printed):
        yield wrong
    if not sanitized and outcome.memory > attack.memory:
        yield f"{outcome.memory} MiB, more than {attack.memory}"
    if outcome.requests > attack.requests:
        yield f"{outcome.requests} requests or connections, more than {attack.requests}"
    if len(outcome.text) > 8_000_000:
        yield f"prints {len(outcome.text)} bytes"
