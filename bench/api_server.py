# SPDX-License-Identifier: Apache-2.0
"""A real kube-apiserver with etcd, started by the scripts of tests/e2e/server on the measured
cores, and its pods."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import urlsplit

import cores
from clients import HERE

SCRIPTS = HERE.parent / "tests" / "e2e" / "server"


def output_of(command, **options):
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **options)
    return done.stdout.strip()


class ApiServer:
    """Starts a server, or uses the one that up.sh started in `folder`, which then stays."""

    def __init__(self, folder=None):
        self._starts = folder is None
        self._folder = Path(folder or tempfile.mkdtemp(prefix="kinf-bench."))

    def __enter__(self):
        if self._starts:
            programs = output_of([SCRIPTS / "build" / "build.sh"])
            environment = {**os.environ, "E2E_BIN": programs}
            # Go counts the cores when a program starts.
            with cores.measured():
                output_of([SCRIPTS / "up.sh", self._folder], env=environment)
        lines = (self._folder / "env").read_text(encoding="utf-8").splitlines()
        variables = dict(line.replace("'", "").split("=", 1) for line in lines)
        self.address = urlsplit(variables["E2E_SERVER"]).netloc
        self.kubeconfig = variables["KUBECONFIG"]
        self.kubectl = str(Path(variables["E2E_BIN"], "kubectl"))
        self._loadgen = str(Path(variables["E2E_BIN"], "loadgen"))
        # Process ids of kube-apiserver and etcd.
        self.processes = [int((self._folder / f"{name}.pid").read_text(encoding="ascii"))
                          for name in ("apiserver", "etcd")]
        return self

    def __exit__(self, *_):
        if self._starts:
            subprocess.run([SCRIPTS / "down.sh", self._folder], check=False)
            shutil.rmtree(self._folder, ignore_errors=True)

    def _get(self, path):
        return [self.kubectl, "--kubeconfig", self.kubeconfig, "get", "--raw", path]

    def create_pods(self, wanted):
        """Creates the pods that are missing. Returns how many there are."""
        page = json.loads(output_of(self._get("/api/v1/pods?limit=1")))
        there = len(page["items"]) + page["metadata"].get("remainingItemCount", 0)
        if there < wanted:
            print(f"bench: creating {wanted - there} pods", file=sys.stderr, flush=True)
            subprocess.run([self._loadgen, "create", "-dir", self._folder, "-ns", "load", "-prefix",
                            f"load{there}", "-n", str(wanted - there), "-running"],
                           check=True, stdout=sys.stderr)
        return max(there, wanted)

    def list_megabytes(self):
        """Returns the size of the list of all pods as JSON."""
        with subprocess.Popen(self._get("/api/v1/pods?resourceVersion=0"),
                              stdout=subprocess.PIPE) as listing:
            return sum(map(len, iter(lambda: listing.stdout.read(1 << 20), b""))) / 1e6
