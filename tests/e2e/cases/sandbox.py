# SPDX-License-Identifier: Apache-2.0
"""The embedded API server, used by the real kubectl."""
import json
import pathlib
import urllib.request
import time

from trial import case, expect, expect_equal


def sandbox(t, *flags):
    """A sandbox of its own process; from here on the case's kubeconfig points to it."""
    config = pathlib.Path(t.folder, "sandbox.yaml")
    program = t.kinf("sandbox", f"--kubeconfig-out={config}", *flags)
    deadline = time.monotonic() + 10
    while not (config.exists() and "server:" in config.read_text(encoding="utf-8")):
        expect(program.running() and time.monotonic() < deadline, lambda: f"no {config}: {program.err.all()}")
        time.sleep(0.02)
    t.kubeconfig = str(config)
    return program


@case("kubectl runs, lists, labels, watches and deletes a pod in the sandbox")
def kubectl_works(t):
    program = sandbox(t)
    t.kubectl("run", "web", "--image=registry.example/web:1")
    expect_equal(t.kubectl("get", "pods", "-o", "name").strip(), "pod/web", "get -o name")
    rows = t.kubectl("get", "pods").splitlines()
    expect_equal(rows[0].split(), ["NAME", "READY", "STATUS", "RESTARTS", "AGE"], "header")
    expect_equal(rows[1].split()[0], "web", "row")
    watch = t.start(["kubectl", "get", "pods", "-w", "--output-watch-events"])
    mine = t.kinf("watch", "pods", "-o", "json")
    watch.out.wait_count(2)
    mine.out.wait_count(1)
    t.kubectl("label", "pod", "web", "tier=front")
    watch.out.wait_for("MODIFIED")
    thing = json.loads(t.kubectl("get", "pod", "web", "-o", "json"))
    expect_equal(thing["metadata"]["labels"], {"run": "web", "tier": "front"}, "labels")
    expect_equal(t.kubectl("get", "pods", "-l", "tier=front", "-o", "name").strip(), "pod/web", "get -l")
    t.kubectl("delete", "pod", "web", "--now")
    watch.out.wait_for("DELETED")
    mine.out.wait_for('"DELETED"')
    expect_equal(t.kubectl("get", "pods", "-o", "name"), "", "get after delete")
    program.interrupt()
    expect_equal(program.wait(), 130, "status of the sandbox after Ctrl-C")


@case("kubectl api-resources and version speak with the sandbox")
def discovery(t):
    sandbox(t)
    names = t.kubectl("api-resources", "-o", "name").splitlines()
    for name in ("pods", "configmaps", "deployments.apps"):
        expect(name in names, f"{name} is not in {names}")
    expect("Server Version" in t.kubectl("version"), "version")


@case("the sandbox wants its token")
def token(t):
    sandbox(t, "--token=sesame")
    server = next(line.split()[1] for line in pathlib.Path(t.kubeconfig).read_text(encoding="utf-8").splitlines()
                  if line.strip().startswith("server:"))
    # Clients keep a token to themselves where there is no TLS, so it is shown by hand.
    asked = urllib.request.Request(f"{server}/api/v1/pods", headers={"Authorization": "Bearer sesame"})
    with urllib.request.urlopen(asked, timeout=10) as answer:
        expect_equal(json.load(answer)["kind"], "PodList", "kind")
    status, out, err = t.kinf("get", "pods", "--kubeconfig=/dev/null", f"--server={server}",
                              "--token=wrong").finish()
    expect_equal((status, out), (5, ""), f"status, stdout ({err})")


@case("kinf sandbox -- CMD runs it with KUBECONFIG set and ends with its status")
def around_a_command(t):
    words = "kubectl run one --image=nginx >&2 && kubectl get pods -o name && exit 7"
    status, out, err = t.kinf("sandbox", "--", "sh", "-c", words).finish()
    expect_equal((status, out.strip()), (7, "pod/one"), f"status, stdout ({err})")


@case("the nettool story runs by itself and ends with 0")
def nettool(t):
    status, out, err = t.kinf("watch", "pods", "-n", "default", "--sandbox=nettool").finish(seconds=30)
    expect_equal(status, 0, f"status ({err})")
    rows = [line.split()[:4] for line in out.splitlines()]
    expect_equal(rows[0], ["EVENT", "NAME", "READY", "STATUS"], "header")
    expect_equal([row[0] for row in rows[1:5]], ["Added"] * 4, "what was there")
    expect_equal(rows[5:], [["Added", "nettool", "0/1", "Pending"],
                            ["Updated", "nettool", "0/1", "ContainerCreating"],
                            ["Updated", "nettool", "1/1", "Running"],
                            ["Updated", "nettool", "1/1", "Terminating"],
                            ["Deleted", "nettool", "1/1", "Terminating"]], "the story")
