#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records the runs that the pictures of terminals show.

usage: record.py KINF FOLDER

A rollout runs on a sandbox. For the restart of an API server, kubectl and kinf watch the same real
kube-apiserver; E2E_BIN is the folder that tests/e2e/server/build/build.sh prints.
"""
import os
import pathlib
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "e2e"))
from apiserver import ApiServer  # pylint: disable=wrong-import-position
from cast import Recorder

COLUMNS = {"rollout": 112, "kubectl": 50, "kinf": 66}
ROLLOUT = "kinf watch deploy,rs,po --sandbox=rollout --max-events 19"
PATIENCE = 60  # seconds


def environment(kinf, **more):
    path = os.path.dirname(os.path.abspath(kinf)) + os.pathsep + os.environ["PATH"]
    return {**os.environ, "TERM": "xterm-256color", "PATH": path, **more}


def record_rollout(kinf, folder):
    recorder = Recorder(ROLLOUT.split(), ROLLOUT, COLUMNS["rollout"],
                        environment(kinf, KUBECONFIG=os.devnull))
    recorder.finish().write(folder / "rollout.cast")


def wait_until(holds, what):
    end = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > end:
            sys.exit(f"{what}: not after {PATIENCE} s")
        time.sleep(0.05)


def pod_status(is_running):
    status = {"name": "web", "image": "web:1", "imageID": "", "restartCount": 0,
              "ready": is_running, "started": is_running,
              "state": {"running": {}} if is_running else
                       {"waiting": {"reason": "ContainerCreating"}}}
    return {"status": {"phase": "Running" if is_running else "Pending",
                       "conditions": [{"type": "Ready", "status": str(is_running)}],
                       "containerStatuses": [status]}}


class Pods:
    """The pods of the story, which this script takes through their lives."""

    def __init__(self, server):
        self._server = server

    def create(self, name, is_running):
        spec = {"nodeName": "node-1", "containers": [{"name": "web", "image": "web:1"}]}
        self._server.create("pods", "default", {"metadata": {"name": name}, "spec": spec})
        self.set(name, is_running)

    def set(self, name, is_running):
        self._server.patch("pods", "default", f"{name}/status", pod_status(is_running))

    def delete(self, name):
        self._server.delete("pods", "default", name, "?gracePeriodSeconds=0")


def record_restart(kinf, folder):
    server = ApiServer()
    try:
        pods = Pods(server)
        for name in "web-1", "web-2", "web-3":
            pods.create(name, True)
        os.chdir(server.folder + "/kube")  # messages name the file
        path = f"{server.variables['E2E_BIN']}:{environment(kinf)['PATH']}"
        variables = environment(kinf, KUBECONFIG="admin-cert.yaml", PATH=path)
        start = time.monotonic()
        commands = {"kubectl": "kubectl get pods -w", "kinf": "kinf watch pods"}
        both = {name: Recorder(command.split(), command, COLUMNS[name], variables, start)
                for name, command in commands.items()}
        tell_story(server, pods, both)
        both["kinf"].process.send_signal(signal.SIGINT)
        for name, recorder in both.items():
            recorder.finish().write(folder / f"restart-{name}.cast")
    finally:
        server.stop()


def tell_story(server, pods, both):
    def mark(text):
        for recorder in both.values():
            recorder.mark(text)

    mark("running")
    wait_until(lambda: all("web-3" in one.output() for one in both.values()), "the first list")
    time.sleep(1.5)
    pods.create("web-4", False)
    wait_until(lambda: all("web-4" in one.output() for one in both.values()), "a new pod")
    time.sleep(1.5)
    mark("killed")
    server.ctl("kill-apiserver")
    wait_until(lambda: both["kubectl"].process.poll() is not None, "the end of kubectl")
    time.sleep(1)
    mark("starting")
    server.ctl("start-apiserver")
    mark("running again")
    pods.delete("web-2")
    pods.set("web-4", True)
    wait_until(lambda: "Deleted" in both["kinf"].output(), "the deletion")
    time.sleep(1.5)
    pods.create("web-5", False)
    wait_until(lambda: "web-5" in both["kinf"].output(), "a new pod")
    time.sleep(1)
    pods.set("web-5", True)
    time.sleep(1.5)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    program, recordings = (pathlib.Path(word).resolve() for word in sys.argv[1:])
    record_rollout(program, recordings)
    record_restart(program, recordings)
