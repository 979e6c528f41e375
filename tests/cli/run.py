# SPDX-License-Identifier: Apache-2.0
"""Golden tests of the command line. Runs the `cmd` of each case directory with a shell and compares
the result with the files `stdout`, `stderr` and `exit` next to it. A missing file means empty, or 0.
With a file `terminal`, both outputs are a terminal as wide as the number in it, and `stdout` is what
it received. A case that fails while others run is run once more alone: outputs contain ages in
seconds, and a busy machine may be late by one.

  run.py PROGRAM [--update] [CASE...]
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
    (re.compile(r"127\.0\.0\.1:\d{2,5}"), "127.0.0.1:PORT"),
    (re.compile(r"\bin \d+\.\d+s"), "in SECONDS"),
    (re.compile(r"\banswers in \d+ ms"), "answers in TIME"),
    (re.compile(r"^\d{4}-\d\d-\d\dT[0-9:.]+Z (\w+) kinf:", re.M), r"TIME \1 kinf:"),
    (re.compile(r"\brecovered after \d+m?s"), "recovered after TIME"),
    (re.compile(r"\bresourceVersion \d+ expired"), "resourceVersion N expired"),
    (re.compile(r"(bytes|decoded|peak_rss|synced_in)=\S+"), r"\1=FIGURE"),
    (re.compile(r'("uid":|uid: )"?[0-9a-f]{8}-[0-9a-f-]{27}"?'), r'\1"UID"'),
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


def run(program, case):
    """Runs a case. Returns the text of each golden file."""
    with tempfile.TemporaryDirectory(prefix="kinf-cli.", dir="/tmp") as folder:
        environment = {
            "PATH": f"{pathlib.Path(program).parent}:{os.environ['PATH']}",
            "HOME": folder,
            "FOLDER": folder,
            "CASE": str(case),
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
        }
        # The settings of sanitizers are the only variables passed on.
        environment.update({k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS")})
        outputs = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        reader = terminal = None
        if (case / "terminal").exists():
            columns = int((case / "terminal").read_text(encoding="utf-8"))
            reader, terminal = open_terminal(columns)
            outputs = {"stdout": terminal, "stderr": terminal}
        with subprocess.Popen(["sh", "-c", (case / "cmd").read_text(encoding="utf-8")],
                              env=environment, cwd=folder, stdin=subprocess.DEVNULL,
                              **outputs, start_new_session=True) as shell:
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


def expected(case, name):
    path = case / name
    if path.exists():
        return path.read_text(encoding="utf-8")
    return "0\n" if name == "exit" else ""


def update(case, found):
    for name, text in found.items():
        path = case / name
        if text == ("0\n" if name == "exit" else ""):
            path.unlink(missing_ok=True)
        else:
            path.write_text(text, encoding="utf-8")


def differences(case, found):
    for name, text in found.items():
        yield from difflib.unified_diff(expected(case, name).splitlines(True), text.splitlines(True),
                                        f"{case.name}/{name}", f"{case.name}/{name} (actual)")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--update", action="store_true", help="overwrite the golden files")
    options = parser.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    cases = sorted(path.parent for path in HERE.glob("*/cmd"))
    if options.cases:
        cases = [case for case in cases if case.name in options.cases]
    if not cases:
        sys.exit("unknown case")
    suspects = []
    with concurrent.futures.ThreadPoolExecutor(max_workers=4) as pool:
        for case, found in zip(cases, pool.map(lambda one: run(program, one), cases)):
            if options.update:
                update(case, found)
            elif any(differences(case, found)):
                suspects.append(case)
    failed = 0
    for case in suspects:
        lines = list(differences(case, run(program, case)))
        failed += bool(lines)
        sys.stdout.writelines(lines)
    print(f"{len(cases)} cases, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
