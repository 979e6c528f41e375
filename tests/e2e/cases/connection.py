# SPDX-License-Identifier: Apache-2.0
"""What kinf says about a server: `check`, `api-resources` and completion."""
from cases.restricted import grant, reads
from objects import pod
from trial import case, expect, expect_equal


@case("check says what a restricted user may do, and what to do about the rest")
def check(t):
    t.server.create("pods", t.namespace, pod("web"))
    grant(t, t.namespace, "pod-reader", reads("pods"))
    t.kubeconfig = t.server.kubeconfig("nobody")
    status, out, err = t.kinf("check", "po,secrets", "-n", t.namespace).finish()
    lines = [" ".join(line.split()) for line in out.splitlines()]
    expect_equal(status, 5, f"status ({out}{err})")
    for number, part in enumerate(["context ", "server https://", "TLS verified by the configured CA",
                                   "user someone (token)", f"namespace {t.namespace} (from --namespace)",
                                   "po list yes watch yes streaming list yes table yes 1 object",
                                   "secrets list no watch no (secrets is forbidden:",
                                   f"hint: kubectl auth can-i --list -n {t.namespace}"]):
        expect(lines[number].startswith(part), f"line {number} is not {part}: {out}")
    status, out, err = t.kinf("check", "po", "--verify", "-n", t.namespace).finish()
    expect(status == 0 and "cache equals the server: 1 object" in out, f"{status}: {out}{err}")
    expect(" v1." in lines[1] and " answers in " in lines[1], f"no version: {lines[1]}")


@case("api-resources prints the types that kubectl prints")
def api_resources(t):
    for words in (["--verbs=list,watch"], ["--namespaced=false", "--sort-by=kind"],
                  ["--api-group=", "-o", "wide"], ["--categories=all", "--no-headers"]):
        wanted = [line.split() for line in t.kubectl("api-resources", *words).splitlines()]
        status, out, err = t.kinf("api-resources", *words).finish()
        expect_equal(status, 0, f"status ({err})")
        # With -o wide, the last column says whether a type can be watched. kubectl does not have it.
        rows = [line.split()[:-1] if "wide" in words else line.split() for line in out.splitlines()]
        expect_equal(rows, wanted, f"api-resources {' '.join(words)}")
    wanted = t.kubectl("api-resources", "-o", "name").rstrip("\n")
    expect_equal(t.kinf("api-resources", "-o", "name").finish()[1], wanted, "names")


@case("completion offers the types and objects of a server")
def completion(t):
    t.server.create("pods", t.namespace, pod("web-1", labels={"app": "web"}))
    for words, wanted in (
            (["watch", "statefuls"], "statefulsets\tStatefulSet apps/v1 (sts)\n:4"),
            (["watch", "pods", "-n", t.namespace, "w"], "web-1\n:4"),
            (["watch", "pods", "-n", t.namespace, "-l", "app="], "app=web\n:4"),
            (["watch", "-n", t.namespace], f"{t.namespace}\n:4")):
        status, out, err = t.shell(f"KINF_COMPLETION_TIMEOUT=60s $KINF __complete {' '.join(words)}").finish()
        expect_equal((status, out), (0, wanted), f"{words} ({err})")
