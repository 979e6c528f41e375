# SPDX-License-Identifier: Apache-2.0
"""A program under test. It never outlives its case."""
import shlex
import signal
import subprocess
import time

from lines import Failure, Lines


class Program:
    def __init__(self, arguments, environment, shell=False, folder=None):
        self.words = arguments if shell else shlex.join(map(str, arguments))
        command = ["bash", "-o", "pipefail", "-c", arguments] if shell else list(map(str, arguments))
        self._process = subprocess.Popen(command, env=environment, cwd=folder, stdin=subprocess.DEVNULL,
                                         stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                         start_new_session=True)
        self.out = Lines(f"stdout of `{self.words}`", self._process.stdout)
        self.err = Lines(f"stderr of `{self.words}`", self._process.stderr)

    @property
    def pid(self):
        return self._process.pid

    def running(self):
        return self._process.poll() is None

    def signal(self, number):
        self._process.send_signal(number)

    def interrupt(self):
        self.signal(signal.SIGINT)

    def wait(self, seconds=20):
        """Waits for the end. Returns the exit status like a shell: 128 + N after signal N."""
        try:
            status = self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise Failure(f"`{self.words}` still runs after {seconds} s") from None
        self.out.wait_end()
        self.err.wait_end()
        return status if status >= 0 else 128 - status

    def finish(self, seconds=20):
        """Waits until the program exits by itself. Returns (status, stdout, stderr)."""
        status = self.wait(seconds)
        return status, "\n".join(self.out.all()), "\n".join(self.err.all())

    def kill(self):
        """Kills the program and its process group. Safe to call at any time."""
        try:
            subprocess.os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self._process.wait()

    def peak_rss_kib(self):
        with open(f"/proc/{self.pid}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))


def timed(action):
    """Runs action(). Returns (seconds taken, result)."""
    start = time.monotonic()
    result = action()
    return time.monotonic() - start, result
