# SPDX-License-Identifier: Apache-2.0
"""Golden tests of the command line. A case is one file, NAME.case: a command for `sh`, then what it
must print and its exit status.

  kinf get pods --sandbox=story.yaml --context none
  -- stderr --
  error: context "none" does not exist
  -- exit 1 --
  -- file story.yaml --
  apiVersion: v1
  kind: Pod
  …

| section           | what it holds                                               | without it         |
|-------------------|-------------------------------------------------------------|--------------------|
| -- terminal 80 -- | nothing: both outputs are a terminal of 80 columns, and     | they are pipes     |
|                   | stdout is what it received                                  |                    |
| -- stdout --      | the standard output                                         | it must be empty   |
| -- stderr --      | the standard error                                          | it must be empty   |
| -- exit 2 --      | nothing: the number is the exit status                      | it must be 0       |
| -- file NAME --   | a file to put into the folder of the command                | there is none      |

The sections stand in this order. A text ends at the next section, with a newline; one that has none
at its end stands in a section like `-- stdout without a final newline --`. A line of a text that
would look like a section has one more backslash before it.

The command runs in a folder of its own, also named $FOLDER and $HOME, which has only the files of
the case. $SHARED is the folder shared/: scripts and inputs of several cases. What differs from run
to run is replaced before the comparison (see PASSING). A case that fails while others run is run
once more alone: outputs contain ages in seconds, and a busy machine may be late by one.

  run.py PROGRAM [--update] [NAME...]
"""
import argparse
import concurrent.futures
import difflib
import fcntl
import os
import pathlib
import pty
import re
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import tty

HERE = pathlib.Path(__file__).parent
TIMEOUT = 60

# Values that differ from run to run, and their replacements.
PASSING = [
    (re.compile(r'"time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"'), '"time":"TIME"'),
    (re.compile(r'^time: "\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"', re.M), 'time: "TIME"'),
    (re.compile(r'("?\w*(?:Time|Timestamp|At)"?: ?)"\d{4}-\d\d-\d\dT[0-9:.]+Z"'), r'\1"TIME"'),
    (re.compile(r"(?<=[,\t])\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"), "TIME"),  # CREATED in csv and tsv
    (re.compile(r"127\.0\.0\.1:\d{2,5}"), "127.0.0.1:PORT"),
    (re.compile(r"\bin \d+\.\d+s"), "in SECONDS"),
    (re.compile(r"\banswers in \d+ ms"), "answers in TIME"),
    (re.compile(r"^\d{4}-\d\d-\d\dT[0-9:.]+Z (\w+) kinf:", re.M), r"TIME \1 kinf:"),
    (re.compile(r"\brecovered after \d+m?s"), "recovered after TIME"),
    (re.compile(r"\bresourceVersion \d+ expired"), "resourceVersion N expired"),
    (re.compile(r"(bytes|decoded|peak_rss|synced_in)=\S+"), r"\1=FIGURE"),
    (re.compile(r'("uid":|uid: )"?[0-9a-f]{8}-[0-9a-f-]{27}"?'), r'\1"UID"'),
    (re.compile(r"(has the UID )[0-9a-f-]{36}"), r"\1UID"),
    (re.compile(r"(\(src/kinf/[\w/]+\.(?:cc|h)):\d+\)"), r"\1:LINE)"),
    (re.compile(r'string \("(\w+)"\)'), r'string "\1"'),  # messages of jq 1.7 and newer
    (re.compile(r"\b(unexpected|expecting) end of file"), r"\1 $end"),
    # LeakSanitizer of GCC 12 crashes at times, while it looks at a thread that ends.
    (re.compile(r"^(Tracer caught signal|==\d+==LeakSanitizer has encountered a fatal error|"
                r"==\d+==HINT: (For debugging|LeakSanitizer does not work under ptrace)).*\n", re.M), ""),
    (re.compile(r"/tmp/kinf-cli\.\w+"), "FOLDER"),
    (re.compile(r"/tmp/kinf-sandbox\.\w+"), "KUBECONFIG"),
]


def normalised(text):
    for pattern, replacement in PASSING:
        text = pattern.sub(replacement, text)
    return text


def open_terminal(columns):
    """Opens a pseudo-terminal. Returns the side of the reader and the side of the program."""
    reader, terminal = pty.openpty()
    tty.setraw(terminal)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    return reader, terminal


def read_all(descriptor):
    """Reads until the last program has closed the other side."""
    text = b""
    while True:
        try:
            piece = os.read(descriptor, 65536)
        except OSError:  # EIO: closed
            piece = b""
        if not piece:
            os.close(descriptor)
            return text
        text += piece


def communicate(shell, reader):
    """Returns what the shell has written: to the terminal if there is one, else to its pipes."""
    if reader is None:
        return shell.communicate(timeout=TIMEOUT)
    with concurrent.futures.ThreadPoolExecutor(max_workers=1) as pool:
        text = pool.submit(read_all, reader)
        try:
            shell.wait(timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            os.killpg(shell.pid, signal.SIGKILL)  # ends read_all()
            raise
        return text.result(), b""


SECTION = re.compile(r"^-- (.*?)( without a final newline)? --\n", re.M)
NEEDS_BACKSLASH = re.compile(r"^(?=\\*-- .* --$)", re.M)
HAS_BACKSLASH = re.compile(r"^\\(?=\\*-- .* --$)", re.M)


class Case:
    """A case, as its file says."""

    def __init__(self, name, text):
        self.name, self.columns, self.files = name, None, {}
        self.expected = {"stdout": "", "stderr": "", "exit": "0\n"}
        command, *rest = SECTION.split(text)
        self.command = HAS_BACKSLASH.sub("", command)
        for title, is_open, body in zip(rest[0::3], rest[1::3], rest[2::3]):
            self.take(title, HAS_BACKSLASH.sub("", body[:-1] if is_open else body))

    def take(self, title, body):
        """Takes a section."""
        word, _, value = title.partition(" ")
        if title in ("stdout", "stderr"):
            self.expected[title] = body
        elif word == "exit" and value:
            self.expected["exit"] = f"{value}\n"
        elif word == "terminal" and value.isdigit():
            self.columns = int(value)
        elif word == "file" and value:
            self.files[value] = body
        else:
            raise ValueError(f"{self.name}: there is no section '-- {title} --'")

    def text(self):
        """Returns the text of the file."""
        sections = [] if self.columns is None else [(f"terminal {self.columns}", "")]
        sections += [(name, self.expected[name]) for name in ("stdout", "stderr") if self.expected[name]]
        if self.expected["exit"] != "0\n":
            sections.append((f"exit {self.expected['exit'].strip()}", ""))
        sections += [(f"file {name}", body) for name, body in self.files.items()]
        text = NEEDS_BACKSLASH.sub(r"\\", self.command)
        for title, body in sections:
            is_open = body != "" and not body.endswith("\n")
            text += f"-- {title}{' without a final newline' * is_open} --\n"
            text += NEEDS_BACKSLASH.sub(r"\\", body) + "\n" * is_open
        return text

    def unpack(self, folder):
        for name, body in self.files.items():
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(body.encode())

    def differences(self, found):
        """Yields a unified diff of what is expected and what a run has found."""
        for name, text in found.items():
            yield from difflib.unified_diff(
                self.expected[name].splitlines(True), text.splitlines(True),
                f"{self.name}: {name}", f"{self.name}: {name} (actual)")


def read_case(path, is_strict=True):
    """Reads a case. A strict one has to be what --update would write."""
    text = path.read_bytes().decode()
    case = Case(path.stem, text)
    if is_strict and case.text() != text:
        sys.exit(f"{path}: wrong order or end of a section; --update writes it right")
    return case


def run(program, case):
    """Runs a case. Returns its standard output, standard error and exit status."""
    with tempfile.TemporaryDirectory(prefix="kinf-cli.", dir="/tmp") as folder:
        case.unpack(folder)
        environment = {
            "PATH": f"{pathlib.Path(program).parent}:{os.environ['PATH']}",
            "HOME": folder,
            "FOLDER": folder,
            "SHARED": str(HERE.resolve() / "shared"),
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
        }
        # The settings of sanitizers are the only variables passed on.
        environment.update({k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS")})
        outputs = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        reader = terminal = None
        if case.columns is not None:
            reader, terminal = open_terminal(case.columns)
            outputs = {"stdout": terminal, "stderr": terminal}
        with subprocess.Popen(["sh", "-c", case.command], env=environment, cwd=folder,
                              stdin=subprocess.DEVNULL, **outputs, start_new_session=True) as shell:
            if terminal is not None:
                os.close(terminal)
            try:
                out, err = communicate(shell, reader)
                status = str(shell.returncode)
            except subprocess.TimeoutExpired:
                os.killpg(shell.pid, signal.SIGKILL)  # also what the shell has started
                out, err = shell.communicate()
                status = f"still running after {TIMEOUT} s"
    return {"stdout": normalised((out or b"").decode(errors="replace")),
            "stderr": normalised((err or b"").decode(errors="replace")),
            "exit": f"{status}\n"}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--update", action="store_true", help="write what the cases print now")
    options = parser.parse_intermixed_args()
    program = str(pathlib.Path(options.program).resolve())
    names = [pathlib.Path(name).stem for name in options.names]
    paths = sorted(path for path in HERE.glob("*.case") if not names or path.stem in names)
    if not paths or len(paths) < len(set(names)):
        sys.exit("unknown case")
    cases = [read_case(path, is_strict=not options.update) for path in paths]
    suspects = []
    with concurrent.futures.ThreadPoolExecutor(max_workers=16) as pool:  # most wait for a clock
        for path, case, found in zip(paths, cases, pool.map(lambda one: run(program, one), cases)):
            if options.update:
                case.expected = found
                path.write_bytes(case.text().encode())
            elif any(case.differences(found)):
                suspects.append(case)
    failed = 0
    for case in suspects:
        lines = list(case.differences(run(program, case)))
        failed += bool(lines)
        sys.stdout.writelines(lines)
    print(f"{len(cases)} cases, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
