# SPDX-License-Identifier: Apache-2.0
"""The embedded API server with kubectl and client-go as clients."""
import http.client
import json
import pathlib
import signal
import time
import urllib.request

from trial import case, expect, expect_equal


def server_of(t):
    return next(line.split()[1] for line in pathlib.Path(t.kubeconfig).read_text(encoding="utf-8").splitlines()
                if line.strip().startswith("server:"))


def sandbox(t, *flags):
    """Starts a sandbox. From then on the case uses its kubeconfig."""
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
    t.kubectl("run", "first", "--image=first:1")
    watch.out.wait_for("first")
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
    expect_equal(t.kubectl("get", "pods", "-o", "name").strip(), "pod/first", "get after delete")
    program.interrupt()
    expect_equal(program.wait(), 130, "status of the sandbox after Ctrl-C")


@case("a pod of kubectl run becomes ready, crashes with back-off, and ends, as on a real node")
def pods_run(t):
    sandbox(t, "--nodes=2")
    expect_equal(t.kubectl("wait", "nodes", "--all", "--for=condition=Ready", "--timeout=5s").count("met"), 2, "nodes")
    watch = t.start(["kubectl", "get", "pods", "-w", "--output-watch-events"])
    t.kubectl("run", "first", "--image=first:1")
    watch.out.wait_for("first")
    t.kubectl("run", "nettool", "--image=nettool:1")
    t.kubectl("wait", "pod/nettool", "--for=condition=Ready", "--timeout=10s")
    row = t.kubectl("get", "pod", "nettool", "-o", "wide").splitlines()[1].split()
    expect_equal(row[1:4], ["1/1", "Running", "0"], "row")
    expect(row[5].startswith("10.244.") and row[6].startswith("node-"), row)
    t.kubectl("delete", "pod", "nettool")
    watch.out.wait_for("DELETED")
    events = [line.split()[:2] for line in watch.out.all()]
    expect_equal(events.count(["MODIFIED", "nettool"]), 8, "updates of the pod")
    t.kubectl("run", "once", "--image=once:1", "--restart=Never", "--", "sh", "-c", "sleep 1; exit 0")
    t.kubectl("run", "api", "--image=api:1", "--", "false")
    t.kubectl("wait", "pod/once", "--for=jsonpath={.status.phase}=Succeeded", "--timeout=10s")
    t.kubectl("wait", "pod/api", "--for=jsonpath={.status.containerStatuses[0].state.waiting.reason}=CrashLoopBackOff",
              "--timeout=15s")
    said = t.kubectl("describe", "pod", "api")
    for word in ("Scheduled", "Pulled", "Created", "Started", "BackOff"):
        expect(word in said, f"{word} is not in {said}")
    expect("kubelet" in t.kubectl("get", "pod", "api", "-o", "yaml", "--show-managed-fields"), "no manager")


@case("a Deployment of the sandbox scales, rolls, is undone and deleted")
def deployments(t):
    sandbox(t, "--speed=2", "--nodes=2")

    def rows(*what):
        return [line.split() for line in t.kubectl("get", *what, "--no-headers").splitlines()]

    def settled(count, image):
        said = t.kubectl("rollout", "status", "deploy/web", "--timeout=30s", seconds=40)
        expect("successfully rolled out" in said, said)
        sets = [row for row in rows("rs", "-o", "wide") if row[1] != "0"]
        expect_equal([(row[1], row[3], row[6]) for row in sets], [(count, count, image)], "active ReplicaSets")
    t.kubectl("create", "deployment", "web", "--image=web:1")
    settled("1", "web:1")
    for count in ("5", "2"):
        t.kubectl("scale", "deploy/web", f"--replicas={count}")
        settled(count, "web:1")
    t.kubectl("set", "image", "deploy/web", "web=web:2")
    settled("2", "web:2")
    t.kubectl("rollout", "undo", "deploy/web")
    settled("2", "web:1")
    expect_equal(len(rows("rs")), 2, "ReplicaSets")
    history = t.kubectl("rollout", "history", "deploy/web").split()
    expect("3" in history and "1" not in history, history)
    t.kubectl("rollout", "restart", "deploy/web")
    settled("2", "web:1")
    t.kubectl("delete", "deploy/web", "--cascade=orphan")
    expect(any(row[1] == "2" for row in rows("rs")), "no ReplicaSet after --cascade=orphan")
    t.kubectl("delete", "rs", "--all", "--cascade=foreground", seconds=20)
    expect_equal(rows("pods"), [], "pods after --cascade=foreground")
    t.kubectl("create", "namespace", "shop")
    t.kubectl("create", "deployment", "api", "--image=api:1", "-n", "shop")
    t.kubectl("delete", "namespace", "shop", seconds=20)
    expect_equal(rows("all", "-n", "shop"), [], "objects of a deleted namespace")


@case("kubectl api-resources and version work against the sandbox")
def discovery(t):
    sandbox(t)
    names = t.kubectl("api-resources", "-o", "name").splitlines()
    for name in ("pods", "configmaps", "deployments.apps"):
        expect(name in names, f"{name} is not in {names}")
    expect("Server Version" in t.kubectl("version"), "version")


@case("a sandbox with --token refuses requests without it")
def token(t):
    sandbox(t, "--token=sesame")
    server = server_of(t)
    # Clients do not send a token without TLS, so this request adds it.
    asked = urllib.request.Request(f"{server}/api/v1/pods", headers={"Authorization": "Bearer sesame"})
    with urllib.request.urlopen(asked, timeout=10) as answer:
        expect_equal(json.load(answer)["kind"], "PodList", "kind")
    status, out, err = t.kinf("get", "pods", "--kubeconfig=/dev/null", f"--server={server}",
                              "--token=wrong").finish()
    expect_equal((status, out), (5, ""), f"status, stdout ({err})")


@case("kinf sandbox -- CMD runs it with KUBECONFIG set and exits with its status")
def around_a_command(t):
    words = "kubectl run one --image=nginx >&2 && kubectl get pods -o name && exit 7"
    status, out, err = t.kinf("sandbox", "--", "sh", "-c", words).finish()
    expect_equal((status, out.strip()), (7, "pod/one"), f"status, stdout ({err})")


@case("a watch of the scenario nettool exits with 0 when it ends")
def nettool(t):
    status, out, err = t.kinf("watch", "pods", "-n", "default", "--sandbox=nettool").finish(seconds=30)
    expect_equal(status, 0, f"status ({err})")
    rows = [line.split()[:4] for line in out.splitlines()]
    expect_equal(rows[0], ["EVENT", "NAME", "READY", "STATUS"], "header")
    expect_equal([row[0] for row in rows[1:5]], ["Added"] * 4, "initial objects")
    expect_equal(rows[5:], [["Added", "nettool", "0/1", "Pending"],
                            ["Updated", "nettool", "0/1", "Pending"],
                            ["Updated", "nettool", "0/1", "ContainerCreating"],
                            ["Updated", "nettool", "0/1", "ContainerCreating"],
                            ["Updated", "nettool", "1/1", "Running"],
                            ["Updated", "nettool", "1/1", "Terminating"],
                            *[["Updated", "nettool", "0/1", "Terminating"]] * 3,
                            ["Deleted", "nettool", "0/1", "Terminating"]], "the scenario")


def fails(t, *arguments):
    """Runs kubectl, which must fail. Returns its stderr."""
    status, _, err = t.start(["kubectl", *arguments]).finish()
    expect(status != 0, f"kubectl {' '.join(arguments)} did not fail")
    return err


@case("kubectl create makes objects of every kind in the sandbox, sent as protobuf")
def creates(t):
    sandbox(t)
    t.kubectl("create", "namespace", "shop")
    t.kubectl("create", "configmap", "settings", "--from-literal=level=info")
    t.kubectl("create", "secret", "generic", "key", "--from-literal=word=sesame")
    t.kubectl("create", "serviceaccount", "robot")
    t.kubectl("create", "deployment", "web", "--image=web:1", "--replicas=2", "--port=80")
    t.kubectl("create", "job", "once", "--image=once:1", "--", "sh", "-c", "true")
    t.kubectl("create", "role", "reader", "--verb=get,list", "--resource=pods")
    t.kubectl("create", "service", "clusterip", "web", "--tcp=80:8080")

    def read(*what):
        return json.loads(t.kubectl("get", *what, "-o", "json"))
    expect_equal(read("cm", "settings")["data"], {"level": "info"}, "data of the config map")
    expect_equal(read("secret", "key")["data"], {"word": "c2VzYW1l"}, "data of the secret")
    spec = read("deploy", "web")["spec"]
    expect_equal(spec["replicas"], 2, "replicas")
    expect_equal(spec["selector"], {"matchLabels": {"app": "web"}}, "selector")
    container = spec["template"]["spec"]["containers"][0]
    expect_equal((container["image"], container["ports"]), ("web:1", [{"containerPort": 80}]), "container")
    expect_equal(read("job", "once")["spec"]["template"]["spec"]["containers"][0]["command"],
                 ["sh", "-c", "true"], "command")
    expect_equal(read("role", "reader")["rules"],
                 [{"verbs": ["get", "list"], "apiGroups": [""], "resources": ["pods"]}], "rules")
    port = read("service", "web")["spec"]["ports"][0]
    expect_equal((port["port"], port["targetPort"]), (80, 8080), "ports")
    expect_equal(t.kubectl("auth", "can-i", "list", "pods").strip(), "yes", "auth can-i")


DEPLOYMENT = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: api}
spec:
  replicas: %d
  selector: {matchLabels: {app: api}}
  template:
    metadata: {labels: {app: api}}
    spec:
      containers:
      - {name: main, image: "api:%d", ports: [{containerPort: 80}]}
      - {name: side, image: "side:1"}
"""


@case("kubectl applies, patches, scales and changes a deployment of the sandbox")
def changes(t):
    sandbox(t)
    file = pathlib.Path(t.folder, "api.yaml")
    for replicas, image in ((2, 1), (3, 2)):
        file.write_text(DEPLOYMENT % (replicas, image), encoding="utf-8")
        t.kubectl("apply", "-f", str(file))
    expect("unchanged" in t.kubectl("apply", "-f", str(file)), "the same once more")

    def spec():
        return json.loads(t.kubectl("get", "deploy", "api", "-o", "json"))["spec"]

    def images():
        return [one["image"] for one in spec()["template"]["spec"]["containers"]]
    expect_equal((spec()["replicas"], images()), (3, ["api:2", "side:1"]), "applied")
    t.kubectl("patch", "deploy", "api", "-p",
              '{"spec":{"template":{"spec":{"containers":[{"name":"side","image":"side:2"}]}}}}')
    expect_equal(images(), ["api:2", "side:2"], "strategic patch")
    t.kubectl("patch", "deploy", "api", "--type=merge", "-p", '{"metadata":{"labels":{"tier":"back"}}}')
    t.kubectl("patch", "deploy", "api", "--type=json", "-p", '[{"op":"replace","path":"/spec/replicas","value":5}]')
    expect_equal(spec()["replicas"], 5, "JSON patch")
    expect("due to an error in our request" in fails(
        t, "patch", "deploy", "api", "--type=json", "-p", '[{"op":"remove","path":"/spec/nothing"}]'), "refused")
    t.kubectl("scale", "deploy", "api", "--replicas=1")
    t.kubectl("set", "image", "deploy/api", "main=api:3")
    t.kubectl("label", "deploy", "api", "colour=red")
    t.kubectl("annotate", "deploy", "api", "note=short")
    t.kubectl("wait", "deploy/api", "--for=jsonpath={.spec.replicas}=1", "--timeout=5s")
    expect_equal(images(), ["api:3", "side:2"], "set image")
    expect("api:3" in t.kubectl("describe", "deploy", "api"), "describe")
    t.kubectl("delete", "deploy", "api")
    expect("NotFound" in fails(t, "get", "deploy", "api"), "gone")


DEFINITION = """
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.test}
spec:
  group: example.test
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, shortNames: [wd]}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
    subresources: {status: {}, scale: {specReplicasPath: .spec.count, statusReplicasPath: .status.count}}
    additionalPrinterColumns:
    - {name: Count, type: integer, jsonPath: .spec.count}
    - {name: State, type: string, jsonPath: .status.state}
---
{apiVersion: example.test/v1, kind: Widget, metadata: {name: first}, spec: {count: 2}}
"""


@case("custom resources of the sandbox have columns, a status and a scale")
def custom(t):
    file = pathlib.Path(t.folder, "widgets.yaml")
    file.write_text(DEFINITION, encoding="utf-8")
    sandbox(t, f"--load={file}")
    t.kubectl("wait", "crd/widgets.example.test", "--for=condition=Established", "--timeout=5s")
    t.kubectl("patch", "widget", "first", "--subresource=status", "--type=merge", "-p", '{"status":{"state":"well"}}')
    t.kubectl("scale", "widget", "first", "--replicas=7")
    rows = [line.split() for line in t.kubectl("get", "wd").splitlines()]
    expect_equal(rows, [["NAME", "COUNT", "STATE"], ["first", "7", "well"]], "get")


@case("kubectl rollout status follows the scenario rollout")
def rollout(t):
    sandbox(t, "--scenario=rollout", "--speed=2")
    t.kinf("watch", "pods")  # the first watch starts the scenario
    follow = t.start(["bash", "-c", "until kubectl rollout status deploy/web --timeout=20s | tee said; "
                      "grep -q Waiting said; do sleep 0.1; done"])
    status, out, err = follow.finish(seconds=40)
    expect_equal(status, 0, f"status ({err})")
    expect("new replicas have been updated" in out, out)
    expect(out.rstrip().endswith('deployment "web" successfully rolled out'), out)
    history = t.kubectl("rollout", "history", "deploy/web")
    expect("image web:1" in history and "image web:2" in history, history)


@case("kubectl delete returns, and a pod of the sandbox has no log")
def delete_pod(t):
    sandbox(t, "--scenario=nettool")
    name = "quickstart-es-default-0"
    expect("runs no containers" in fails(t, "logs", name), "logs")
    t.kubectl("delete", "pod", name, seconds=15)
    expect("NotFound" in fails(t, "get", "pod", name), "gone")


def held_by(informer):
    """Returns the current store of client-go's informer, as lines."""
    before = informer.out.all().count("END")
    informer.signal(signal.SIGUSR1)
    lines = informer.out.wait_until(lambda all: all.count("END") > before, "the store")
    ends = [i for i, line in enumerate(lines) if line == "END"]
    begin = ends[before - 1] + 1 if before else lines.index("STARTED") + 1
    return lines[begin:ends[before]]


def pods_of(server):
    with urllib.request.urlopen(f"{server}/api/v1/pods", timeout=10) as answer:
        items = json.load(answer)["items"]
    return sorted("{namespace}/{name} {uid} {resourceVersion}".format(**item["metadata"]) for item in items)


@case("kubectl and client-go's informer work with TLS, even after a cut connection")
def tls(t):
    sandbox(t, "--tls", "--token=secret", "--fault=cut:after=3s")
    expect(server_of(t).startswith("https://"), server_of(t))
    t.kubectl("run", "web", "--image=registry.example/web:1")
    informer = t.start(["informer"])
    informer.out.wait_for("STARTED")
    time.sleep(5)  # the cut hits the informer, not kubectl
    t.kubectl("label", "pod", "web", "tier=front")
    pod = json.loads(t.kubectl("get", "pod", "web", "-o", "json"))
    wanted = ["{namespace}/{name} {uid} {resourceVersion}".format(**pod["metadata"])]
    deadline = time.monotonic() + 20
    while held_by(informer) != wanted and time.monotonic() < deadline:
        time.sleep(0.2)
    expect_equal(held_by(informer), wanted, "the store of client-go's informer")
    informer.interrupt()
    expect_equal(informer.wait(), 0, "status of the informer")


def no_more_faults(server):
    """Ends the faults of a sandbox. Retries, because a fault may hit this request."""
    deadline = time.monotonic() + 20
    while True:
        try:
            with urllib.request.urlopen(urllib.request.Request(f"{server}/sandbox/fault?spec=none", b""), timeout=10):
                return
        except (OSError, http.client.HTTPException):  # a bad HTTP status is an OSError, too
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


def in_step(t, *faults):
    """Runs churn with faults for some seconds. Then client-go's informer must equal the server."""
    sandbox(t, "--scenario=churn:objects=60:rate=80:changes=400", *faults)
    informer = t.start(["informer"])
    informer.out.wait_for("STARTED")
    server = server_of(t)
    time.sleep(6)
    no_more_faults(server)
    deadline = time.monotonic() + 60
    last = []
    while time.monotonic() < deadline:
        wanted, held = pods_of(server), held_by(informer)
        expect(not any(line.startswith("WRONG") for line in held), lambda: held[-1])
        last.append(wanted)
        # They are equal and the churn is over.
        if held == wanted and len(last) > 5 and last[-5] == wanted:
            break
        time.sleep(0.3)
    expect_equal(held, wanted, "the store of client-go's informer at the end")
    expect(len({line.split()[0] for line in wanted}) > 30, "too few pods")
    informer.interrupt()
    expect_equal(informer.wait(), 0, "status of the informer")


@case("client-go's informer matches the sandbox after churn", seconds=120)
def churn(t):
    in_step(t)


@case("client-go's informer matches the sandbox after churn and random faults", seconds=120)
def churn_random(t):
    in_step(t, "--fault=random:seed=7:rate=0.2")


@case("client-go's informer matches the sandbox after churn and single faults", seconds=150)
def churn_faults(t):
    in_step(t, "--fault=gone:2", "--fault=error:500:2", "--fault=too-many:429:retry-after=1", "--fault=garbage",
            "--fault=cut:every=2s")
