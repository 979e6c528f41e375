# SPDX-License-Identifier: Apache-2.0
"""The example controllers of Kubernetes, unchanged, against the sandbox."""
import json
import os

from cases.sandbox import sandbox
from trial import case, expect, expect_equal

MANIFESTS = f"{os.environ['E2E_BIN']}/sample-controller.manifests"


def example(t, name):
    """Starts an example controller with the sandbox's kubeconfig."""
    return t.start([name, f"-kubeconfig={t.kubeconfig}"])


def expect_no_failed_watch(controller):
    failures = [line for line in controller.err.all() if line.startswith("E") and "reflector" in line]
    expect_equal(failures, [], "lists and watches that failed")


@case("client-go's example of a work queue follows the pods of the sandbox")
def workqueue(t):
    sandbox(t, "--speed=10")
    t.kubectl("run", "first", "--image=first:1")
    controller = example(t, "workqueue")
    controller.out.wait_for("Sync/Add/Update for Pod first")
    controller.out.wait_for("Pod default/mypod does not exist anymore")  # the pod it makes up at its start
    t.kubectl("run", "second", "--image=second:1")
    controller.out.wait_for("Sync/Add/Update for Pod second")
    t.kubectl("delete", "pod", "first")
    controller.out.wait_for("Pod default/first does not exist anymore")
    expect(not any("second does not exist" in line for line in controller.out.all()), "the second pod has gone, too")
    expect(controller.running(), lambda: f"the controller has ended: {controller.err.all()[-3:]}")
    expect_no_failed_watch(controller)


@case("sample-controller runs a Deployment for each Foo of the sandbox")
def sample_controller(t):
    sandbox(t, "--speed=10")

    def wait_for_available(count):
        t.kubectl("wait", f"--for=jsonpath={{.status.availableReplicas}}={count}", "foo/example-foo", "--timeout=20s")

    def read(what):
        return json.loads(t.kubectl("get", what, "-o", "json"))
    t.kubectl("create", "-f", f"{MANIFESTS}/crd-status-subresource.yaml")
    t.kubectl("wait", "--for=condition=Established", "crd/foos.samplecontroller.k8s.io", "--timeout=10s")
    controller = example(t, "sample-controller")
    t.kubectl("create", "-f", f"{MANIFESTS}/example-foo.yaml")
    wait_for_available(1)
    deployment = read("deploy/example-foo")
    foo = read("foo/example-foo")
    owner = {"apiVersion": "samplecontroller.k8s.io/v1alpha1", "kind": "Foo", "name": "example-foo",
             "uid": foo["metadata"]["uid"], "controller": True, "blockOwnerDeletion": True}
    expect_equal(deployment["metadata"]["ownerReferences"], [owner], "owners of the Deployment")
    t.kubectl("patch", "foo", "example-foo", "--type=merge", "-p", '{"spec":{"replicas":3}}')
    wait_for_available(3)
    expect("Foo synced successfully" in t.kubectl("describe", "foo", "example-foo"), "no Event about the Foo")
    t.kubectl("delete", "deploy", "example-foo")
    t.kubectl("wait", "--for=create", "deploy/example-foo", "--timeout=20s")
    t.kubectl("wait", "--for=condition=Available", "deploy/example-foo", "--timeout=20s")
    expect(read("deploy/example-foo")["metadata"]["uid"] != deployment["metadata"]["uid"], "the same Deployment")
    wait_for_available(3)
    t.kubectl("delete", "foo", "example-foo")
    t.kubectl("wait", "--for=delete", "deploy/example-foo", "--timeout=20s")
    t.kubectl("wait", "--for=delete", "pods", "-l", "controller=example-foo", "--timeout=20s")
    expect_no_failed_watch(controller)
    controller.interrupt()
    expect_equal(controller.wait(), 0, "status of sample-controller")
