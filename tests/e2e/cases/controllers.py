# SPDX-License-Identifier: Apache-2.0
"""The controllers of the sandbox, with kubectl as the client."""
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
