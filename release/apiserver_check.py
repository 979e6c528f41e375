#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""apiserver_check.py PROGRAM: watches a real API server by name over TLS, from a root folder with
nothing but the program, a kubeconfig and /etc/hosts. tests/e2e/server/with-apiserver.sh runs it.
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import threading

NAME = "seen-from-an-empty-root"


def kubectl(*words):
    return subprocess.run(["kubectl", *words], capture_output=True, text=True, check=True).stdout


def fill(root, program):
    """Puts the program, a kubeconfig and the name of the server into the empty root."""
    (root / "kinf").write_bytes(program.read_bytes())
    (root / "kinf").chmod(0o755)
    (root / "etc").mkdir()
    (root / "etc/hosts").write_text("127.0.0.1 kubernetes\n", encoding="utf-8")
    config = kubectl("config", "view", "--raw", "--flatten")
    config = re.sub(r"https://[^:/]+:", "https://kubernetes:", config)
    (root / "config").write_text(config, encoding="utf-8")


def main(program):
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        fill(root, program)
        command = ["chroot", root, "/kinf", "watch", "configmaps", "-n", "default", "-o", "name",
                   "--kubeconfig", "/config"]
        watch = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        timer = threading.Timer(60, watch.kill)
        timer.start()
        kubectl("create", "configmap", NAME, "-n", "default")
        seen = any(NAME in line for line in watch.stdout)
        timer.cancel()
        watch.terminate()
        watch.wait()
    print("a watch by name over TLS from an empty root: " + ("ok" if seen else "FAILED"))
    return 0 if seen else 1


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
