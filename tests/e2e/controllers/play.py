# SPDX-License-Identifier: Apache-2.0
"""Plays a scenario on the sandbox, and on a cluster with a real kube-controller-manager."""
import http.client
import urllib.parse

from apiserver import ApiServer
from cases.sandbox import sandbox, server_of
from controllers.recording import Player, Recorder
from controllers.scenarios import SCENARIOS
from controllers.stage import Stage, make_nodes


class SandboxServer(ApiServer):
    """The sandbox of a trial, with the requests of an ApiServer."""

    def __init__(self, trial):  # it runs already  # pylint: disable=super-init-not-called
        self.url = server_of(trial)
        self._kubeconfig = trial.kubeconfig

    def kubeconfig(self, name="admin-cert"):
        return self._kubeconfig

    def _open(self, method, path, body, headers, timeout):
        address = urllib.parse.urlsplit(self.url)
        connection = http.client.HTTPConnection(address.hostname, address.port, timeout=timeout)
        connection.request(method, path, body, {"User-Agent": "kinf-e2e", **headers})
        return connection, connection.getresponse()


def record(trial, name):
    """Plays a scenario on the trial's cluster. Returns the steps."""
    recorder = Recorder()
    SCENARIOS[name][0](Stage(trial, trial.namespace, recorder))
    return recorder.steps


def play_on_sandbox(trial, name, steps):
    """Plays a scenario on a new sandbox. Fails if it does not follow the recorded steps."""
    function, speed = SCENARIOS[name]
    sandbox(trial, "--nodes=0", f"--speed={speed}")
    trial.server = SandboxServer(trial)
    make_nodes(trial.server)
    player = Player(steps)
    function(Stage(trial, trial.namespace, player))
    player.end()
