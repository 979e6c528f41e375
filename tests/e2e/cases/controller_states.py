# SPDX-License-Identifier: Apache-2.0
"""The controllers of the sandbox against what a real kube-controller-manager did in the same scenarios.
`./dev e2e controllers --record` records that."""
from controllers.play import play_on_sandbox
from controllers.recording import load
from controllers.scenarios import SCENARIOS
from trial import case


def register(name):
    @case(f"the sandbox does what kube-controller-manager did: {name}")
    def play(t):
        play_on_sandbox(t, name, load(name))


for each in SCENARIOS:
    register(each)
