# SPDX-License-Identifier: Apache-2.0
"""kinf in a pipe."""
import json
import signal

from objects import configmap, parsed, pod
from program import timed
from trial import case, expect, expect_equal


@case("jq prints each event as it happens")
def jq_line_by_line(t):
    t.server.create("pods", t.namespace, pod("web-1"))
    pipe = t.shell(f"$KINF watch pods -n {t.namespace} -o json |"
                   " jq --unbuffered -r '\"\\(.type) \\(.object.metadata.name)"
                   " \\(.object.metadata.labels.step)\"'")
    pipe.out.wait_for("ADDED web-1 null")
    for step in range(5):
        t.server.patch("pods", t.namespace, "web-1", {"metadata": {"labels": {"step": str(step)}}})
        pipe.out.wait_for(f"MODIFIED web-1 {step}", seconds=2)
    t.server.delete("pods", t.namespace, "web-1")
    pipe.out.wait_for("DELETED web-1 4", seconds=2)
    expect(pipe.running(), "the watch has ended")
    expect_equal(pipe.out.all(), ["ADDED web-1 null"] + [f"MODIFIED web-1 {n}" for n in range(5)] +
                 ["MODIFIED web-1 4", "DELETED web-1 4"], "lines")  # deletionTimestamp is set first


@case("a watch piped to head -1 exits with 141 and no message")
def head(t):
    for name in ("a", "b", "c"):
        t.server.create("configmaps", t.namespace, configmap(name))
    pipe = t.shell(f"$KINF watch configmaps -n {t.namespace} | head -1")
    pipe.out.wait_for("EVENT")
    for number in range(100):  # the next write fails: head has exited
        if not pipe.running():
            break
        t.server.create("configmaps", t.namespace, configmap(f"more-{number}"))
    status, out, err = pipe.finish()
    expect_equal(status, 141, "status of the pipe (bash -o pipefail)")
    expect_equal(len(out.splitlines()), 1, "lines")
    expect_equal(err, "", "stderr")


def stopped_by(t, number, status):
    for i in range(20):
        t.server.create("configmaps", t.namespace, configmap(f"c-{i}"))
    kinf = t.kinf("watch", "configmaps", "-n", t.namespace, "-o", "json")
    kinf.out.wait_count(20)
    kinf.signal(number)
    seconds, got = timed(kinf.wait)
    expect_equal(got, status, "status")
    expect(seconds < 1, f"it took {seconds:.2f} s to end")
    for line in kinf.out.all():
        json.loads(line)  # the last line is complete
    expect_equal(kinf.err.all(), [], "stderr")


@case("a watch exits at once with 130 on Ctrl-C")
def interrupted(t):
    stopped_by(t, signal.SIGINT, 130)


@case("a watch exits at once with 143 on SIGTERM")
def terminated(t):
    stopped_by(t, signal.SIGTERM, 143)


@case("after Ctrl-C a slow reader gets complete lines without a gap")
def slow_reader(t):
    t.loadgen("create", "-ns", t.namespace, "-kind", "configmaps", "-n", 500)
    # The pipe is full before 500 objects are written, and is read only after Ctrl-C.
    pipe = t.shell(f"(echo $BASHPID >pid; exec $KINF watch cm -o json -n {t.namespace}) |"
                   " { sleep 1; kill -INT $(<pid); cat; }")
    status, out, _ = pipe.finish()
    expect_equal(status, 130, "status")
    names = [event["object"]["metadata"]["name"] for event in parsed(out.splitlines())]
    expect(len(names) > 50, f"only {len(names)} lines")
    expect_equal(names, [f"load-{i:06}" for i in range(len(names))], "names")


@case("a watch exits with 124 at --timeout and with 0 after --max-events")
def ends_by_itself(t):
    t.server.create("configmaps", t.namespace, configmap("one"))
    watch = ["watch", "configmaps", "-n", t.namespace, "-o", "name"]
    seconds, (status, out, _) = timed(t.kinf(*watch, "--timeout=1s").finish)
    expect_equal((status, out), (124, "configmap/one"), "status, output")
    expect(0.9 < seconds < 3, f"--timeout=1s took {seconds:.1f} s")
    status, out, _ = t.kinf(*watch, "--max-events=1").finish()
    expect_equal((status, out), (0, "configmap/one"), "status, output")
