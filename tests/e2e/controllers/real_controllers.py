# SPDX-License-Identifier: Apache-2.0
"""Starts a kube-controller-manager with the controllers that the sandbox has, too."""
import os

NAMES = ["deployment-controller", "replicaset-controller", "statefulset-controller", "daemonset-controller",
         "job-controller", "cronjob-controller", "garbage-collector-controller"]


def start(trial):
    program = f"{os.environ['E2E_BIN']}/kube-controller-manager"
    manager = trial.start([program, f"--kubeconfig={trial.kubeconfig}", f"--controllers={','.join(NAMES)}",
                           "--leader-elect=false", "--secure-port=0", "--kube-api-qps=500", "--kube-api-burst=500"])
    manager.err.wait_for("Proceeding to collect garbage", seconds=60)
    return manager
