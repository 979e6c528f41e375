# SPDX-License-Identifier: Apache-2.0
"""The controllers of the sandbox, with kubectl as the client."""
import pathlib

from cases.sandbox import sandbox
from trial import case, expect, expect_equal


def conditions(t, job):
    return t.kubectl("get", "job", job, "-o", "jsonpath={range .status.conditions[*]}{.type}={.reason} {end}").split()


@case("a Job of the sandbox completes, another fails, a third one is stopped")
def jobs(t):
    sandbox(t, "--speed=10")
    t.kubectl("create", "job", "good", "--image=good:1", "--", "sleep", "2")
    t.kubectl("wait", "--for=condition=Complete", "job/good", "--timeout=20s")
    expect_equal(conditions(t, "good"), ["SuccessCriteriaMet=CompletionsReached", "Complete=CompletionsReached"],
                 "conditions of the Job that completes")
    expect_equal(t.kubectl("get", "job", "good", "--no-headers").split()[1:3], ["Complete", "1/1"], "its row")
    expect_equal(t.kubectl("get", "pods", "-l", "job-name=good", "--no-headers").split()[2], "Completed", "its pod")
    t.kubectl("create", "job", "bad", "--image=bad:1", "--", "false")
    t.kubectl("patch", "job", "bad", "--type=merge", "-p", '{"spec":{"backoffLimit":0}}')
    t.kubectl("wait", "--for=condition=Failed", "job/bad", "--timeout=20s")
    expect_equal(conditions(t, "bad"), ["FailureTarget=BackoffLimitExceeded", "Failed=BackoffLimitExceeded"],
                 "conditions of the Job that fails")
    expect("BackoffLimitExceeded" in t.kubectl("describe", "job", "bad"), "no Event about the failure")
    t.kubectl("create", "job", "long", "--image=long:1", "--", "sleep", "infinity")
    t.kubectl("wait", "--for=jsonpath={.status.ready}=1", "job/long", "--timeout=20s")
    t.kubectl("delete", "job", "good", "bad", "long", "--cascade=foreground", seconds=20)
    expect_equal(t.kubectl("get", "pods", "-o", "name"), "", "pods of deleted Jobs")


@case("a CronJob of the sandbox starts Jobs, and kubectl starts one from it")
def cron_jobs(t):
    sandbox(t, "--speed=60")
    t.kubectl("create", "cronjob", "tick", "--image=tick:1", "--schedule=* * * * *", "--", "true")
    t.kubectl("wait", "--for=jsonpath={.status.lastSuccessfulTime}", "cronjob/tick", "--timeout=20s")
    first = t.kubectl("get", "jobs", "-o", "name").split()[0]
    expect(first.startswith("job.batch/tick-"), first)
    t.kubectl("patch", "cronjob", "tick", "-p", '{"spec":{"suspend":true}}')
    t.kubectl("create", "job", "by-hand", "--from=cronjob/tick")
    t.kubectl("wait", "--for=condition=Complete", "job/by-hand", "--timeout=20s")
    expect("SawCompletedJob" in t.kubectl("describe", "cronjob", "tick"), "no Event about the completed Job")
    t.kubectl("delete", "cronjob", "tick", "--cascade=foreground", seconds=20)
    expect_equal(t.kubectl("get", "jobs,pods", "-o", "name"), "", "objects of a deleted CronJob")


DAEMONS = """
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  template:
    metadata: {labels: {app: agent}}
    spec: {containers: [{name: agent, image: "agent:1"}]}
"""


def apply(t, text):
    file = pathlib.Path(t.folder, "manifest.yaml")
    file.write_text(text, encoding="utf-8")
    t.kubectl("apply", "-f", str(file))


def rolled_out(t, what):
    said = t.kubectl("rollout", "status", what, "--timeout=25s")
    expect("successfully rolled out" in said or "complete" in said, said)


def images(t, label):
    return t.kubectl("get", "pods", "-l", label, "-o", "jsonpath={.items[*].spec.containers[0].image}").split()


@case("a DaemonSet of the sandbox rolls, is undone and deleted")
def daemon_sets(t):
    sandbox(t, "--speed=10", "--nodes=3")
    apply(t, DAEMONS)
    rolled_out(t, "ds/agent")
    row = t.kubectl("get", "ds", "agent", "--no-headers").split()
    expect_equal(row[1:6], ["3", "3", "3", "3", "3"], "its row")
    t.kubectl("set", "image", "ds/agent", "agent=agent:2")
    rolled_out(t, "ds/agent")
    expect_equal(images(t, "app=agent"), ["agent:2"] * 3, "images after the update")
    t.kubectl("rollout", "undo", "ds/agent")
    rolled_out(t, "ds/agent")
    expect_equal(images(t, "app=agent"), ["agent:1"] * 3, "images after the undo")
    history = t.kubectl("rollout", "history", "ds/agent").split()
    expect("3" in history and "1" not in history, history)
    t.kubectl("delete", "ds", "agent", "--cascade=foreground", seconds=20)
    expect_equal(t.kubectl("get", "pods,controllerrevisions", "-o", "name"), "", "objects of a deleted DaemonSet")


MEMBERS = """
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  serviceName: db
  replicas: 3
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: db, image: "db:1"}]}
  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
"""


@case("a StatefulSet of the sandbox scales, rolls and is undone")
def stateful_sets(t):
    sandbox(t, "--speed=20")
    apply(t, MEMBERS)
    rolled_out(t, "sts/db")
    expect_equal(t.kubectl("get", "sts", "db", "--no-headers").split()[1], "3/3", "READY")
    t.kubectl("scale", "sts", "db", "--replicas=2")
    t.kubectl("wait", "--for=delete", "pod/db-2", "--timeout=20s")
    t.kubectl("set", "image", "sts/db", "db=db:2")
    rolled_out(t, "sts/db")
    expect_equal(images(t, "app=db"), ["db:2"] * 2, "images after the update")
    t.kubectl("rollout", "undo", "sts/db")
    rolled_out(t, "sts/db")
    expect_equal(images(t, "app=db"), ["db:1"] * 2, "images after the undo")
    t.kubectl("delete", "sts", "db", "--cascade=foreground", seconds=20)
    left = t.kubectl("get", "pods,controllerrevisions,pvc", "-o", "name").split()
    expect_equal(left, [f"persistentvolumeclaim/data-db-{i}" for i in range(3)], "what stays")
