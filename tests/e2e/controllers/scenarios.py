# SPDX-License-Identifier: Apache-2.0
"""The scenarios that are played on a real cluster and on the sandbox."""
SCENARIOS = {}  # name -> (function of a Stage, --speed of the sandbox)

# The sandbox removes a deleted pod by itself after 2 s / speed. Here the scenario does it.
SLOW = 0.02


def scenario(speed=SLOW):
    def register(function):
        SCENARIOS[function.__name__.replace("_", "-")] = (function, speed)
        return function
    return register


def template(name):
    return {"metadata": {"labels": {"app": name}}, "spec": {"containers": [{"name": name, "image": f"{name}:1"}]}}


def workload(kind, name, **spec):
    return {"apiVersion": "apps/v1", "kind": kind, "metadata": {"name": name},
            "spec": {"selector": {"matchLabels": {"app": name}}, "template": template(name), **spec}}


@scenario()
def run(s):
    s.kubectl("run one --image=one:1")
    s.serve()
    s.kubectl("delete pod one")
    s.serve()


@scenario()
def deployment(s):
    s.kubectl("create deployment web --image=web:1")
    s.serve()
    s.kubectl("scale deploy/web --replicas=5")
    s.serve()
    s.kubectl("scale deploy/web --replicas=2")
    s.serve()
    s.kubectl("set image deploy/web web=web:2")
    s.serve()
    s.says("rollout status deploy/web")
    s.kubectl("rollout undo deploy/web")
    s.serve()
    s.says("rollout status deploy/web")
    s.says("rollout history deploy/web")
    s.kubectl("delete deploy/web --cascade=foreground")
    s.serve()


@scenario()
def deployment_crash(s):
    s.kubectl("create deployment web --image=web:1 --replicas=2")
    s.serve()
    s.crash_one()
    s.kubectl("set image deploy/web web=web:2")
    s.serve()
    s.kubectl("delete deploy/web --cascade=background")
    s.serve()


@scenario()
def deployment_stuck(s):
    s.kubectl("create deployment web --image=web:1 --replicas=4")
    s.serve()
    s.kubectl("set image deploy/web web=web:2")
    s.kubectl("scale deploy/web --replicas=8")
    s.kubectl("rollout undo deploy/web")
    s.serve()
    s.kubectl("scale deploy/web --replicas=0")
    s.serve()


@scenario()
def deployment_recreate(s):
    s.create("deployments.apps", workload("Deployment", "web", replicas=2, strategy={"type": "Recreate"}))
    s.serve()
    s.kubectl("set image deploy/web web=web:2")
    s.serve()
    s.kubectl("rollout pause deploy/web")
    s.kubectl("set image deploy/web web=web:3")
    s.kubectl("rollout resume deploy/web")
    s.serve()


@scenario()
def orphan(s):
    s.kubectl("create deployment web --image=web:1 --replicas=2")
    s.serve()
    s.kubectl("delete deploy/web --cascade=orphan")
    s.kubectl("create deployment web --image=web:1 --replicas=2")
    s.kubectl("delete deploy/web --cascade=orphan")
    s.kubectl("delete rs --all --cascade=orphan")
    s.kubectl("delete pods --all")
    s.serve()


@scenario()
def replica_set(s):
    s.create("replicasets.apps", workload("ReplicaSet", "web", replicas=2))
    s.serve()
    s.kubectl("label pods --all app=other --overwrite")
    s.serve()
    s.kubectl("delete rs web")
    s.serve()


@scenario()
def stateful_set(s):
    claim = {"metadata": {"name": "data"},
             "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}
    s.create("statefulsets.apps", workload("StatefulSet", "db", serviceName="db", replicas=2,
                                           volumeClaimTemplates=[claim]))
    s.serve()
    s.kubectl("scale sts/db --replicas=3")
    s.serve()
    s.kubectl("scale sts/db --replicas=2")
    s.serve()
    s.kubectl("set image sts/db db=db:2")
    s.serve()
    s.says("rollout status sts/db")
    s.kubectl("rollout undo sts/db")
    s.serve()
    s.crash_one()
    s.recover_one()
    s.kubectl("delete sts db --cascade=foreground")
    s.serve()


@scenario()
def daemon_set(s):
    s.create("daemonsets.apps", workload("DaemonSet", "agent"))
    s.serve()
    s.kubectl("set image ds/agent agent=agent:2")
    s.serve()
    s.says("rollout status ds/agent")
    s.kubectl("rollout undo ds/agent")
    s.serve()
    s.finish_one(1)
    s.serve()
    s.kubectl("delete ds agent --cascade=foreground")
    s.serve()


@scenario()
def daemon_set_surge(s):
    rolling = {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}
    s.create("daemonsets.apps", workload("DaemonSet", "agent", updateStrategy=rolling))
    s.serve()
    s.kubectl("set image ds/agent agent=agent:2")
    s.serve()
    s.kubectl("set image ds/agent agent=agent:3")
    s.crash_one()
    s.serve()


def job(name, **spec):
    pod = {"spec": {"restartPolicy": "Never", "containers": [{"name": name, "image": f"{name}:1"}]}}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": name}, "spec": {"template": pod, **spec}}


@scenario()
def job_completes(s):
    s.create("jobs.batch", job("good", completions=3, parallelism=2))
    s.start_one()
    s.start_one()
    s.finish_one()
    s.start_one()
    s.finish_one()
    s.finish_one()
    s.kubectl("delete job good --cascade=foreground")


@scenario(speed=10)
def job_fails(s):
    s.create("jobs.batch", job("bad", backoffLimit=1))
    s.start_one()
    s.fail_until_replaced(1)
    s.start_one()
    s.finish_one(1)
    s.kubectl("delete job bad")


@scenario(speed=10)
def job_failure_policy(s):
    rules = [{"action": "Ignore", "onPodConditions": [{"type": "DisruptionTarget", "status": "True"}]},
             {"action": "FailJob", "onExitCodes": {"containerName": "fussy", "operator": "In", "values": [42]}}]
    s.create("jobs.batch", job("fussy", backoffLimit=0, podFailurePolicy={"rules": rules}))
    s.start_one()
    s.fail_until_replaced(137, ["DisruptionTarget"])
    s.start_one()
    s.finish_one(42)


@scenario()
def job_indexed(s):
    s.create("jobs.batch", job("parts", completions=2, parallelism=2, completionMode="Indexed"))
    s.start_one()
    s.start_one()
    s.finish_one()
    s.change("jobs.batch", "parts", {"spec": {"suspend": True}})
    s.serve()
    s.change("jobs.batch", "parts", {"spec": {"suspend": False}})
    s.start_one()
    s.finish_one()


@scenario(speed=10)
def cron_job(s):
    body = {"apiVersion": "batch/v1", "kind": "CronJob", "metadata": {"name": "tick"},
            "spec": {"schedule": "* * * * *", "suspend": True, "jobTemplate": {"spec": job("tick")["spec"]}}}
    s.create("cronjobs.batch", body)
    s.run_cron_job_once("tick")
    s.start_one()
    s.finish_one()
    s.kubectl("delete cronjob tick --cascade=foreground")
