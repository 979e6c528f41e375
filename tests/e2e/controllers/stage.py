# SPDX-License-Identifier: Apache-2.0
"""Plays a scenario with kubectl, and takes the place of scheduler and kubelet: every pod changes only when
the scenario says so, on a real cluster and on the sandbox alike. The sandbox's own scheduler and kubelet are
not compared: they leave the nodes of the scenario alone."""
import json
import time

from controllers.states import Reader
from lines import Failure
from trial import expect

NODES = ["hand-1", "hand-2"]
MOST_PODS = 60  # a scenario that changes more pods than this in one go does not end


def make_nodes(server):
    """Creates nodes without a kubelet. The server marks new nodes as not ready; that is taken back."""
    for name in NODES:
        server.create("nodes", "", {"metadata": {"name": name}}, accepted=(409,))
        server.patch("nodes", "", name, {"spec": {"taints": None}})


def now():
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def wanted_node(pod):
    """Returns the node that a DaemonSet wants for its pod, or the first one."""
    terms = (pod["spec"].get("affinity", {}).get("nodeAffinity", {})
             .get("requiredDuringSchedulingIgnoredDuringExecution", {}).get("nodeSelectorTerms", []))
    names = [rule["values"][0] for term in terms for rule in term.get("matchFields", [])]
    return names[0] if names else NODES[0]


def status_of(pod, phase, ready, state, restarts=0):
    """Returns the status of a pod as a kubelet writes it."""
    containers = [{"name": each["name"], "image": each["image"], "imageID": "", "ready": ready, "restartCount": restarts,
                   "state": state} for each in pod["spec"]["containers"]]
    conditions = [{"type": kind, "status": str(ready), "lastTransitionTime": now()}
                  for kind in ("Ready", "ContainersReady")]
    return {"phase": phase, "conditions": conditions, "containerStatuses": containers}


def ended(code):
    return {"terminated": {"exitCode": code, "reason": "Error" if code else "Completed", "startedAt": now(),
                           "finishedAt": now()}}


class Stage:
    def __init__(self, trial, namespace, follower):
        """`follower`: is called after each step with its title and a function that reads the state."""
        self._trial = trial
        self._server = trial.server
        self._namespace = namespace
        self._reader = Reader(trial.server, namespace)
        self._follower = follower

    def _done(self, title):
        self._follower(self._reader.plain(title), self._reader.state)

    # ---- what a user does ----------------------------------------------------------------------

    def kubectl(self, words):
        """Runs kubectl without waiting for the end of a deletion."""
        more = ["--wait=false"] if words.startswith("delete") else []
        self._trial.kubectl(*words.split(), *more, "-n", self._namespace)
        self._done(f"kubectl {words}")

    def says(self, words):
        """Runs kubectl and compares what it prints."""
        said = self._reader.plain(self._trial.kubectl(*words.split(), "-n", self._namespace).strip())
        self._done(f"kubectl {words} says: {said}")

    def create(self, resource, body):
        self._server.create(resource, self._namespace, body)
        self._done(f"create {body['kind']} {body['metadata']['name']}")

    def change(self, resource, name, body):
        self._server.patch(resource, self._namespace, name, body)
        self._done(f"change {resource} {name}: {json.dumps(body)}")

    @staticmethod
    def _wait(holds, what, seconds):
        deadline = time.monotonic() + seconds
        while not holds():
            expect(time.monotonic() < deadline, f"no {what} after {seconds} s")
            time.sleep(0.02)


    def run_cron_job_once(self, name):
        """Resumes a suspended CronJob until it has started one Job."""
        self._server.patch("cronjobs.batch", self._namespace, name, {"spec": {"suspend": False}})
        self._wait(lambda: self._reader.list("jobs.batch"), "Job", seconds=90)
        self._server.patch("cronjobs.batch", self._namespace, name, {"spec": {"suspend": True}})
        self._done(f"{name} starts one Job")

    # ---- what scheduler and kubelets do ----------------------------------------------------------

    @staticmethod
    def _is_new(pod):
        return not pod["spec"].get("nodeName") and "deletionTimestamp" not in pod["metadata"]

    @staticmethod
    def _ends(pod):
        return pod["metadata"].get("deletionGracePeriodSeconds", 0) > 0

    def _path(self, pod, part=""):
        return f"/api/v1/namespaces/{self._namespace}/pods/{pod['metadata']['name']}{part}"

    def _patch_status(self, pod, status):
        self._server.request("PATCH", self._path(pod, "/status"), {"status": status},
                             content_type="application/merge-patch+json")

    def _start(self, pod):
        body = {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": pod["metadata"]["name"]},
                "target": {"kind": "Node", "name": wanted_node(pod)}}
        self._server.request("POST", self._path(pod, "/binding"), body)
        self._patch_status(pod, status_of(pod, "Running", True, {"running": {"startedAt": now()}}))

    def _pods(self, which):
        """The pods that fit, in an order that does not depend on random names."""
        pods = [pod for pod in self._reader.list("pods") if which(pod)]
        return sorted(pods, key=lambda pod: (wanted_node(pod), self._reader.plain(pod["metadata"]["name"]),
                                             pod["metadata"]["creationTimestamp"]))

    def _first(self, which):
        pods = self._pods(which)
        if not pods:
            raise Failure("the scenario wants to change a pod, but there is none that fits")
        return pods[0]

    def start_one(self):
        pod = self._first(self._is_new)
        self._start(pod)
        self._done(f"{pod['metadata']['name']} becomes ready")

    def end_one(self):
        pod = self._first(self._ends)
        self._server.request("DELETE", self._path(pod, "?gracePeriodSeconds=0"))
        self._done(f"{pod['metadata']['name']} has ended")

    def serve(self):
        """Ends pods that are being deleted and starts new ones, one by one, until none is left to change."""
        for _ in range(MOST_PODS):
            if self._pods(self._ends):
                self.end_one()
            elif self._pods(self._is_new):
                self.start_one()
            else:
                return
        raise Failure(f"pods still change after {MOST_PODS} steps")

    def _running(self):
        return self._first(lambda pod: pod["status"].get("phase") == "Running" and "deletionTimestamp" not in
                           pod["metadata"])

    def crash_one(self):
        pod = self._running()
        state = {"waiting": {"reason": "CrashLoopBackOff", "message": "back-off 10s restarting failed container"}}
        self._patch_status(pod, status_of(pod, "Running", False, state, restarts=1))
        self._done(f"{pod['metadata']['name']} crashes")

    def recover_one(self):
        pod = self._running()
        self._patch_status(pod, status_of(pod, "Running", True, {"running": {"startedAt": now()}}, restarts=2))
        self._done(f"{pod['metadata']['name']} runs again")

    def _finish(self, pod, code, conditions=()):
        status = status_of(pod, "Failed" if code else "Succeeded", False, ended(code))
        status["conditions"] += [{"type": kind, "status": "True", "lastTransitionTime": now()} for kind in conditions]
        self._patch_status(pod, status)

    def finish_one(self, code=0):
        pod = self._running()
        self._finish(pod, code)
        self._done(f"{pod['metadata']['name']} exits with {code}")

    def fail_until_replaced(self, code, conditions=()):
        """Lets a pod fail, and waits for the pod that takes its place after the back-off."""
        pod = self._running()
        self._finish(pod, code, conditions)
        self._wait(lambda: self._pods(self._is_new), "new pod", seconds=40)
        self._done(f"{pod['metadata']['name']} exits with {code} and is replaced")
