# SPDX-License-Identifier: Apache-2.0
"""kinf index beside what kubectl and jq say about the same objects."""
import json

from objects import pod
from trial import case, expect, expect_equal


def kubectl_jq(t, program, *flags):
    out = t.shell(f"kubectl get pods -n {t.namespace} {' '.join(flags)} -o json | jq -r '{program}'")
    status, text, err = out.finish()
    expect(status == 0, f"kubectl and jq: {err}")
    return text.splitlines()


def index(t, *words):
    status, out, err = t.kinf("index", "pods", "-n", t.namespace, *words).finish()
    expect(status == 0, f"kinf index {' '.join(words)} ended with {status}: {err}")
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


@case("two keys of an index are answered together")
def tuples(t):
    fill(t)
    keys = kubectl_jq(t, '.items[] | select(.metadata.labels.app == "cache" and .spec.nodeName == "node-2")'
                         ' | .metadata | "\\(.namespace)/\\(.name)"')
    expect(keys, "nothing to find")
    got = index(t, "--by", "app=cache", "--by", "@node=node-2", "-o", "keys").splitlines()
    expect_equal(got, sorted(keys), "keys")


@case("index -e says with its exit status that nothing matched")
def nothing(t):
    fill(t)
    for flags, wanted in ((["-e"], 4), ([], 0)):
        status, out, _ = t.kinf("index", "pods", "-n", t.namespace, "--by", "app=nosuch", *flags,
                                "-o", "keys").finish()
        expect_equal((status, out), (wanted, ""), f"status and output with {flags}")
