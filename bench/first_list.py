# SPDX-License-Identifier: Apache-2.0
"""Measures one run of one client: from its start until it has the whole first list."""

import fcntl
import os
import signal
import subprocess
import threading
import time
from dataclasses import dataclass

import cores

PIPE = 1 << 20  # bytes: a reader that is late by a time slice must not stop the client


@dataclass
class Run:
    """The figures of one run, until the first list is complete."""
    wall: float  # seconds
    cpu: float  # of the client, seconds
    peak: float  # MiB
    server_cpu: float  # of kube-apiserver, seconds
    etcd_cpu: float


class ClientFailed(Exception):
    pass


def cpu_seconds(pid):
    """Returns the user and system time of a process so far, in nanosecond resolution."""
    return time.clock_gettime(~pid << 3 | 2)  # clock_getcpuclockid(3)


def peak_mib(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024


def wait_until_idle(pids, limit=20):
    """Waits until the processes together use less than 5 % of a core for half a second."""
    end = time.monotonic() + limit
    used = sum(map(cpu_seconds, pids))
    while time.monotonic() < end:
        time.sleep(0.5)
        now = sum(map(cpu_seconds, pids))
        if now - used < 0.025:
            return
        used = now


def read_list(stream, synced):
    """Reads stdout until the first list is complete: `synced` is a number of lines, the start of a
    line, or None for a client that exits when it has the list. Returns whether it is complete."""
    file = stream.fileno()
    lines, rest = 0, b""
    while piece := os.read(file, PIPE):
        if isinstance(synced, int):
            lines += piece.count(b"\n")
            if lines >= synced:
                return True
        elif synced is not None:
            *whole, rest = (rest + piece).split(b"\n")
            if any(line.startswith(synced) for line in whole):
                return True
    return synced is None


def figures(client, synced, begin, complete):
    """Returns (wall, cpu, peak) of the client that has its list now. Ends the client."""
    wall = time.monotonic() - begin
    if synced is not None and complete:
        cpu, peak = cpu_seconds(client.pid), peak_mib(client.pid)
        client.send_signal(signal.SIGKILL)
        client.wait()
        return wall, cpu, peak
    _, status, used = os.wait4(client.pid, 0)
    client.returncode = os.waitstatus_to_exitcode(status)
    if client.returncode != 0 or not complete:
        raise ClientFailed(f"exited with {client.returncode} before it had the list")
    return time.monotonic() - begin, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def measure(command, synced, environment, servers, limit=300):
    """Runs `command` once. `servers` are the process ids of kube-apiserver and etcd."""
    wait_until_idle(servers)
    before = [cpu_seconds(pid) for pid in servers]
    begin = time.monotonic()
    with cores.measured():
        client = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment)
    fcntl.fcntl(client.stdout, fcntl.F_SETPIPE_SZ, PIPE)
    watchdog = threading.Timer(limit, client.kill)
    watchdog.start()
    try:
        complete = read_list(client.stdout, synced)
        wall, cpu, peak = figures(client, synced, begin, complete)
    finally:
        watchdog.cancel()
        client.stdout.close()
    after = [cpu_seconds(pid) for pid in servers]
    return Run(wall, cpu, peak, *(b - a for a, b in zip(before, after)))
