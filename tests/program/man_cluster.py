# SPDX-License-Identifier: Apache-2.0
"""Cluster: what the examples of the man pages run on."""
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

HERE = pathlib.Path(__file__).parent
TIMEOUT = 120
SPEED = "10"  # pods start and fail so many times as fast
SCRIPTS = {"reload.sh": "#!/bin/sh\necho reloaded\n",
           "my-test": "#!/bin/sh\nkinf get pods,deploy\n"}
# A recording has everything that happens in the scenario rollout.
RECORD = ["watch", "deploy,rs,po", "--record", "incident.kinf", "--max-events", "19"]
# What has to be there before an example runs.
SETTLED = [["wait", "deploy/web", "-n", "default,shop,team-a", "--for=condition=Available"],
           ["wait", "pod/web-1", "--for=condition=Ready"],
           ["wait", "job/migrate", "--for=condition=Complete"],
           ["wait", "pod/failed", "--for=jsonpath=.status.phase=Failed"],
           ["wait", "pod/crashing", "--ever",
            "--for=jq=.status.containerStatuses[0].restartCount > 0"]]


class Cluster:
    """Two sandboxes, prod and stage, and files. A context manager: ends the sandboxes."""

    def __init__(self, kinf):
        self.kinf = os.path.abspath(kinf)
        self.folder = self.times = None
        self.ends = contextlib.ExitStack()

    def __enter__(self):
        with contextlib.ExitStack() as ends:
            self.folder = pathlib.Path(ends.enter_context(
                tempfile.TemporaryDirectory(prefix="kinf-man.", dir="/tmp")))
            for name in "prod", "stage":
                ends.enter_context(self.sandbox(name))
            for name in "prod", "stage":
                for words in SETTLED:
                    self.run(*words, "--context", name, "--timeout", f"{TIMEOUT}s")
            self.run("sandbox", "--scenario", "rollout", "--speed", "20", "--", "kinf", *RECORD)
            self.times = self.recorded_times()
            self.ends = ends.pop_all()
        return self

    def __exit__(self, *reason):
        self.ends.close()

    @contextlib.contextmanager
    def sandbox(self, name):
        words = [self.kinf, "sandbox", "--name", name, "--speed", SPEED, "--kubeconfig-out", name,
                 "--load", str(HERE / "man_cluster.yaml")]
        with subprocess.Popen(words, cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True) as server:
            try:
                assert server.stdout.readline(), f"no sandbox: {words}"
                yield
            finally:
                server.send_signal(signal.SIGINT)

    def environment(self, home):
        """Returns the environment of an example, which has nothing of the user's settings."""
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(("KINF_", "XDG_"))}
        configs = ":".join(str(self.folder / name) for name in ("prod", "stage"))
        path = os.path.dirname(self.kinf) + os.pathsep + os.environ["PATH"]
        return {**kept, "PATH": path, "KUBECONFIG": configs, "HOME": str(home), "TERM": "xterm"}

    def run(self, *words):
        return subprocess.run([self.kinf, *words], cwd=self.folder, check=True, text=True,
                              env=self.environment(self.folder), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, timeout=2 * TIMEOUT).stdout

    def recorded_times(self):
        """Returns the times of the first and the last change."""
        lines = self.run("watch", "--from", "incident.kinf", "-o", "json").splitlines()
        times = [event["time"] for event in map(json.loads, lines) if event["source"] == "watch"]
        return [times[0], times[-1]]

    def with_times(self, command):
        """The pages say 10:14 and 10:20 for the first and the last change of the recording."""
        return command.replace("10:14", self.times[0]).replace("10:20", self.times[1])

    def provide_files(self, folder):
        folder = pathlib.Path(folder)
        shutil.copy(self.folder / "incident.kinf", folder)
        (folder / "manifests").mkdir()
        shutil.copy(HERE / "man_cluster.yaml", folder / "manifests" / "cluster.yaml")
        for name, text in SCRIPTS.items():
            (folder / name).write_text(text, encoding="utf-8")
            (folder / name).chmod(0o755)
