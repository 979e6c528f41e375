# SPDX-License-Identifier: Apache-2.0
"""kinf index compared with kubectl and jq on the same objects."""
import collections
import itertools
import json
import threading
import time

from lines import Failure
from objects import pod
from trial import case, expect, expect_equal


def kubectl_jq(t, program, *flags):
    out = t.shell(f"kubectl get pods -n {t.namespace} {' '.join(flags)} -o json | jq -r '{program}'")
    status, text, err = out.finish()
    expect(status == 0, f"kubectl and jq: {err}")
    return text.splitlines()


def index(t, *words):
    status, out, err = t.kinf("index", "pods", "-n", t.namespace, *words).finish()
    expect(status == 0, f"kinf index {' '.join(words)} exited with {status}: {err}")
    return out


def fill(t):
    t.loadgen("create", "-ns", t.namespace, "-n", 60, "-running")
    t.server.create("pods", t.namespace, pod("without-labels"))


@case("index --by app=robusta finds what kubectl and jq find")
def look_up(t):
    fill(t)
    keys = kubectl_jq(t, '.items[].metadata | select(.labels.app == "robusta") | "\\(.namespace)/\\(.name)"')
    expect(len(keys) == 8, f"{len(keys)} pods to find")
    by = ["--by", "app=robusta"]
    expect_equal(index(t, *by, "-o", "keys").splitlines(), sorted(keys), "keys")
    expect_equal(index(t, *by, "--count"), "8", "count")
    names = [f"pod/{key.split('/')[1]}" for key in sorted(keys)]
    expect_equal(index(t, *by, "-o", "name").splitlines(), names, "names")
    answer = json.loads(index(t, *by, "-o", "json"))
    expect_equal((answer["by"], answer["values"], answer["count"], answer["keys"]),
                 (["label:app"], ["robusta"], 8, sorted(keys)), "JSON")
    wanted = t.kubectl("get", "pods", "-n", t.namespace, "-l", "app=robusta")
    rows = [line.split()[:4] for line in index(t, *by).splitlines()]
    expect_equal(rows, [line.split()[:4] for line in wanted.splitlines()], "table")


@case("index --by app counts what kubectl and jq count")
def groups(t):
    fill(t)
    counts = kubectl_jq(t, '[.items[] | .metadata.labels.app // "<none>"] | group_by(.)'
                           ' | map({v: .[0], n: length}) | sort_by(-.n, .v)[] | "\\(.v) \\(.n)"')
    rows = [" ".join(line.split()) for line in index(t, "--by", "app").splitlines()]
    expect_equal(rows[0], "APP COUNT", "header")
    expect_equal(sorted(rows[1:]), sorted(counts), "counts")
    numbers = [int(row.split()[1]) for row in rows[1:]]
    expect_equal(numbers, sorted(numbers, reverse=True), "the largest group first")
    answer = json.loads(index(t, "--by", "app", "-o", "json"))
    expect_equal(answer["total"], 61, "total")
    expect_equal(sorted(f"{g['values'][0] or '<none>'} {g['count']}" for g in answer["groups"]),
                 sorted(counts), "groups in JSON")
    per_line = [json.loads(line) for line in index(t, "--by", "app", "-o", "jsonl").splitlines()]
    expect_equal(sum(group["count"] for group in per_line), 61, "pods in JSON lines")


@case("two --by flags must both match")
def tuples(t):
    fill(t)
    keys = kubectl_jq(t, '.items[] | select(.metadata.labels.app == "cache" and .spec.nodeName == "node-2")'
                         ' | .metadata | "\\(.namespace)/\\(.name)"')
    expect(keys, "nothing to find")
    got = index(t, "--by", "app=cache", "--by", "@node=node-2", "-o", "keys").splitlines()
    expect_equal(got, sorted(keys), "keys")


@case("index -e exits with 4 if nothing matches")
def nothing(t):
    fill(t)
    for flags, wanted in ((["-e"], 4), ([], 0)):
        status, out, _ = t.kinf("index", "pods", "-n", t.namespace, "--by", "app=nosuch", *flags,
                                "-o", "keys").finish()
        expect_equal((status, out), (wanted, ""), f"status and output with {flags}")


# ---- every kind of index ---------------------------------------------------------------------

# The values of each index in a pod, as a jq program.
CONTAINERS = "(.spec.containers + .spec.initContainers // [])[]"
KINDS = {
    "app": ".metadata.labels.app",
    "annotation:team": ".metadata.annotations.team",
    ".spec.nodeName": ".spec.nodeName",
    ".spec.containers[*].image": ".spec.containers[].image",
    ".metadata.labels['app']": ".metadata.labels.app",
    '.spec.volumes[?(@.name=="conf")].configMap.name': '.spec.volumes[] | select(.name == "conf") | .configMap.name',
    "@namespace": ".metadata.namespace",
    "@node": ".spec.nodeName",
    "@owner": '.metadata.ownerReferences[]? | "\\(.kind | ascii_downcase).apps/\\(.name)"',
    "@image": "(.spec.containers[], .spec.initContainers[]?) | .image",
    "@phase": ".status.phase",
    "@ip": ".status.podIP, .status.podIPs[]?.ip",
    "@sa": ".spec.serviceAccountName",
    "@secret": ".spec.volumes[].secret.secretName, .spec.volumes[].projected.sources[]?.secret.name,"
               " .spec.containers[].env[]?.valueFrom.secretKeyRef.name,"
               " .spec.containers[].envFrom[]?.secretRef.name, .spec.imagePullSecrets[]?.name",
    "@configmap": ".spec.volumes[].configMap.name,"
                  " .spec.volumes[].projected.sources[]?.configMap.name,"
                  " .spec.containers[].env[]?.valueFrom.configMapKeyRef.name,"
                  " .spec.containers[].envFrom[]?.configMapRef.name",
    "@pvc": ".spec.volumes[].persistentVolumeClaim.claimName",
}


def rich_pod(number):
    """Returns a pod with a value in every index, and some values twice."""
    container = {"name": "main", "image": f"registry.example/app:{number % 4}",
                 "env": [{"name": "A", "valueFrom": {"secretKeyRef": {"name": f"key-{number % 3}", "key": "a"}}},
                         {"name": "B", "valueFrom": {"configMapKeyRef": {"name": "flags", "key": "b"}}}],
                 "envFrom": [{"secretRef": {"name": "all"}}, {"configMapRef": {"name": f"env-{number % 2}"}}]}
    spec = {"nodeName": f"node-{number % 3}", "serviceAccountName": "default",
            "automountServiceAccountToken": False,
            "imagePullSecrets": [{"name": "pull"}],
            "initContainers": [{"name": "init", "image": "registry.example/init:1"}],
            "containers": [container, {"name": "side", "image": "registry.example/side:1"}],
            "volumes": [{"name": "tls", "secret": {"secretName": f"tls-{number % 5}"}},
                        {"name": "conf", "configMap": {"name": f"conf-{number % 2}"}},
                        {"name": "data", "persistentVolumeClaim": {"claimName": f"data-{number}"}},
                        {"name": "all", "projected": {"sources": [{"secret": {"name": "token"}},
                                                                  {"configMap": {"name": "ca"}}]}}]}
    labels = {"app": ["web", "db", "cache"][number % 3]} if number % 7 else {}
    annotations = {"team": f"team-{number % 2}"} if number % 5 else {}
    return {"metadata": {"name": f"rich-{number:03}", "labels": labels, "annotations": annotations},
            "spec": spec}


def grouped(pods, t, program):
    """Returns value -> sorted keys, found with jq."""
    path = f"{t.folder}/pods.json"
    with open(path, "w", encoding="utf-8") as file:
        json.dump(pods, file)
    words = (f'.items[] | "\\(.metadata.namespace)/\\(.metadata.name)" as $key'
             f" | ([{program}] | map(select(. != null)) | unique)[] | [., $key]")
    with open(f"{t.folder}/program.jq", "w", encoding="utf-8") as file:
        file.write(words)
    status, out, err = t.shell(f"jq -c -f {t.folder}/program.jq {path}").finish()
    expect(status == 0, f"jq: {err}\n{words}")
    groups = collections.defaultdict(list)
    for line in out.splitlines():
        value, key = json.loads(line)
        groups[str(value)].append(key)
    return {value: sorted(keys) for value, keys in groups.items()}


def status_of(number):
    return {"status": {"phase": ["Running", "Pending", "Failed"][number % 3],
                       "podIP": f"10.0.0.{number % 250}", "podIPs": [{"ip": f"10.0.0.{number % 250}"}]}}


def set_status(t, name, number):
    t.server.request("PATCH", f"/api/v1/namespaces/{t.namespace}/pods/{name}/status", status_of(number),
                     content_type="application/merge-patch+json")


def fill_richly(t, count=40):
    for number in range(count):
        t.server.create("pods", t.namespace, rich_pod(number))
        set_status(t, f"rich-{number:03}", number)
    for number in range(3):
        owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": f"rs-{number}",
                 "uid": f"00000000-0000-4000-8000-00000000000{number}"}
        t.server.patch("pods", t.namespace, f"rich-{number:03}", {"metadata": {"ownerReferences": [owner]}})


@case("every kind of index has the values that jq finds", seconds=240)
def every_kind(t):
    fill_richly(t)
    pods = t.server.list("pods", t.namespace)
    by = [word for key in KINDS for word in ("--by", key)]
    dump = json.loads(index(t, "--dump", *by))
    # A key that is repeated in another spelling is the same key.
    names = {"app": "label:app", ".metadata.labels['app']": "label:app"}
    for key, program in KINDS.items():
        wanted = grouped(pods, t, program)
        expect(wanted, f"nothing to find by {key}")
        expect_equal(dump[names.get(key, key)], wanted, f"--dump of {key}")
        answer = json.loads(index(t, "--by", key, "-o", "json"))
        groups = {g["values"][0]: g["keys"] for g in answer["groups"] if g["values"][0] is not None}
        expect_equal(groups, wanted, f"groups of {key}")
        value = sorted(wanted)[0]
        expect_equal(index(t, "--by", f"{key}={value}", "-o", "keys").splitlines(), wanted[value],
                     f"{key}={value}")


class Writer:
    """Changes labels and the number of pods until stopped."""

    def __init__(self, t):
        self._t = t
        self._stop = threading.Event()
        self._problem = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self.changes = 0

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._stop.set()
        self._thread.join()
        if self._problem:
            raise Failure(f"the writer: {self._problem}")

    def _run(self):
        server, ns = self._t.server, self._t.namespace
        try:
            for number in itertools.count():
                if self._stop.is_set():
                    return
                name = f"rich-{number % 40:03}"
                labels = {"app": ["web", "db", None][number % 3], "round": str(number)}
                server.patch("pods", ns, name, {"metadata": {"labels": labels}})
                if number % 4 == 0:
                    server.create("pods", ns, rich_pod(1000 + number))
                if number % 4 == 2:
                    server.delete("pods", ns, f"rich-{1000 + number - 2}", "?gracePeriodSeconds=0")
                self.changes += 1
        except Exception as error:  # reported at the end
            self._problem = repr(error)


@case("an answer during changes is consistent", seconds=240)
def under_change(t):
    fill_richly(t)
    keys = ["app", "@image", "@node", ".metadata.labels.round"]
    with Writer(t) as writer:
        while writer.changes < 20:
            time.sleep(0.05)
        for _ in range(6):
            by = [word for key in keys for word in ("--by", key)]
            answer = json.loads(index(t, *by, "--objects", "-o", "json"))
            things = {}
            for group in answer["groups"]:
                expect_equal(group["count"], len(group["keys"]), "count")
                things.update(zip(group["keys"], group["objects"]))
            expect_equal(answer["total"], len(things), "total")
            # Compare the answer with jq on the objects in the answer.
            pods = {"items": list(things.values())}
            for place, key in enumerate(keys):
                found = collections.defaultdict(set)
                for group in answer["groups"]:
                    if group["values"][place] is not None:
                        found[group["values"][place]].update(group["keys"])
                got = {value: sorted(some) for value, some in found.items()}
                program = KINDS.get(key, ".metadata.labels.round")
                expect_equal(got, grouped(pods, t, program), f"groups of {key} while pods change")
        expect(writer.changes > 30, f"only {writer.changes} changes")


@case("the changes of index -w add up to the final state", seconds=240)
def live(t):
    fill_richly(t)
    places = {}  # index -w prints the current objects first
    program = t.kinf("index", "pods", "-n", t.namespace, "--by", "app", "-w", "-o", "json", "-v", "2")
    program.err.wait_for("synced")
    time.sleep(1)
    with Writer(t) as writer:
        while writer.changes < 150:
            time.sleep(0.05)
    t.server.patch("pods", t.namespace, "rich-039", {"metadata": {"labels": {"app": "the-last"}}})
    program.out.wait_for("the-last")
    for event in map(json.loads, program.out.all()):
        key, now = event["key"], event["values"][0]
        if event["change"] == "added":
            expect(key not in places, f"{key} was added twice")
            places[key] = now
        elif event["change"] == "removed":
            expect_equal(places.pop(key), now, f"the value {key} left")
        else:
            expect_equal(places[key], event["old"][0], f"the value {key} came from")
            places[key] = now
    program.interrupt()
    expect_equal(program.wait(), 130, "exit status")
    after = json.loads(index(t, "--by", "app", "-o", "json"))
    expect_equal(places, {key: g["values"][0] for g in after["groups"] for key in g["keys"]},
                 "final values of the objects")


@case("@owner and @root follow owners, also with -w", seconds=120)
def owners(t):
    def owned(owner):
        return [{"apiVersion": "apps/v1", "kind": owner["kind"], "name": owner["metadata"]["name"],
                 "uid": owner["metadata"]["uid"], "controller": True}]

    template = {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
    spec = {"replicas": 0, "selector": {"matchLabels": {"a": "b"}}, "template": template}
    web = t.server.create("deployments.apps", t.namespace, {"metadata": {"name": "web"}, "spec": spec})
    web.setdefault("kind", "Deployment")
    sets = []
    for number in range(2):
        thing = {"metadata": {"name": f"web-{number}", "ownerReferences": owned(web)}, "spec": spec}
        sets.append({**t.server.create("replicasets.apps", t.namespace, thing), "kind": "ReplicaSet"})
    for number in range(6):
        body = pod(f"web-{number % 2}-{number}")
        body["metadata"]["ownerReferences"] = owned(sets[number % 2])
        t.server.create("pods", t.namespace, body)
    t.server.create("pods", t.namespace, pod("alone"))
    keys = [f"{t.namespace}/web-{number % 2}-{number}" for number in range(6)]
    for by in ("@root=deploy/web", "@owner=deploy/web", "@root=web", "@owner=deployment.apps/w*"):
        expect_equal(sorted(index(t, "--by", by, "-o", "keys").splitlines()), sorted(keys), by)
    expect_equal(index(t, "--by", "@owner=rs/web-1", "--count"), "3", "@owner=rs/web-1")
    rows = [line.split() for line in index(t, "--by", "@root").splitlines()]
    expect_equal(rows[1:], [["deployment.apps/web", "6"], ["<none>", "1"]], "groups of @root")

    program = t.kinf("index", "pods", "-n", t.namespace, "--by", "@root=deploy/web", "-w", "-v", "2")
    program.err.wait_for("synced")
    time.sleep(2)
    late = {"metadata": {"name": "web-2", "ownerReferences": owned(web)}, "spec": spec}
    newest = {**t.server.create("replicasets.apps", t.namespace, late), "kind": "ReplicaSet"}
    body = pod("web-2-x")
    body["metadata"]["ownerReferences"] = owned(newest)
    t.server.create("pods", t.namespace, body)
    program.out.wait_for(f"deployment.apps/web   + {t.namespace}/web-2-x")
