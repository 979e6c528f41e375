# SPDX-License-Identifier: Apache-2.0
"""Runs kinf while calls of the system fail: the N-th allocation, thread, descriptor, pipe or write,
for many N, and under limits of the system. Each run must end in time with a known exit code, and with
a message if it failed. It must never end by a signal. After a write that failed, the same command goes
on with the same file.

  torture.py PROGRAM SHIM [--all]   SHIM is the library of fail_calls.c; --all tries each N
"""
import argparse
import concurrent.futures
import contextlib
import json
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile

from hostile_server import IDENTITIES, Server

TIMEOUT = 60
CODES = {0, 1, 2, 3, 4, 5, 6, 124}
ENDLESS = 0.4  # seconds after which a command without an end gets SIGTERM
MOST = 20  # of the calls of one kind, unless --all
LIST = ('{"kind":"List","apiVersion":"v1","items":[{"kind":"ConfigMap","apiVersion":"v1","metadata":'
        '{"name":"a","namespace":"default","uid":"u","resourceVersion":"1"}}]}')
FILES = {"list": LIST.encode()}
CONFIG, PLUGIN = "config", "plugin"  # kubeconfigs for a server with TLS
TLS = ["--kubeconfig", CONFIG, "--sync-timeout", "10s"]
COMMANDS = {
    "get": ["get", "pods", "--sandbox", "--sync-timeout", "10s"],
    "watch": ["watch", "pods,events", "--sandbox=nettool", "-o", "json", "--max-events", "3"],
    "run": ["run", "cm", "--from", "list", "--max-retries", "1", "--backoff", "1ms..1ms", "--",
            "true"],
    "sandbox": ["sandbox", "--data", "data", "--", "true"],
    "record": ["watch", "pods", "--sandbox=nettool", "--record", "new.kinf", "-o", "name",
               "--max-events", "3"],
    "history": ["history", "pod/quickstart-es-default-0", "--from", "recording.kinf"],
    "wait": ["wait", "pods", "--all", "--sandbox", "--for=jsonpath=.kind=Pod", "--timeout", "10s"],
    "check": ["check", "--sandbox", "pods"],
    "index": ["index", "pods", "--by", "@owner", "--from", "recording.kinf"],
    "TLS": ["get", "cm", *TLS],
    "plugin": ["get", "cm", "--kubeconfig", PLUGIN, "--sync-timeout", "10s"],
    "api-resources": ["api-resources", "--kubeconfig", CONFIG],
    "endless record": ["record", "cm", "--to", "new.kinf", *TLS],
    "where": ["get", "cm", "--from", "list", "--where", '.metadata.name > "A"', "-o", "yaml"],
}
# Creates objects, and prints the names of those that the sandbox acknowledged.
CREATE = """
import json, os, re, urllib.error, urllib.request
url = re.search("server: (http\\S+)", open(os.environ["KUBECONFIG"]).read())[1]
for i in range(6):
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": f"n{i}"}}
    request = urllib.request.Request(url + "/api/v1/namespaces/default/configmaps",
                                     json.dumps(body).encode(), {"Content-Type": "application/json"})
    try:
        urllib.request.urlopen(request).close()
        print(f"configmap/n{i}", flush=True)
    except (OSError, urllib.error.HTTPError):
        pass
"""
SANDBOX = ["sandbox", "--data", "data", "--no-controllers", "--load", "list", "--"]
WRITERS = {  # commands that write files
    "record": COMMANDS["record"],
    "endless record": COMMANDS["endless record"],
    "sandbox": [*SANDBOX, sys.executable, "-c", CREATE],
    "state": ["sandbox", "--scenario", "nettool", "--", "sh", "-c",
              'exec "$KINF" watch pods --state state.kinf -o name --max-events 3'],
}
LIMITS = {
    "descriptors": (resource.RLIMIT_NOFILE, list(range(4, 40, 2))),
    "address space": (resource.RLIMIT_AS, [size << 20 for size in range(60, 400, 20)]),
    "file size": (resource.RLIMIT_FSIZE, [0, 10, 4096]),
}


def recording(program):
    """Returns the bytes of a recording."""
    with tempfile.TemporaryDirectory(prefix="kinf-torture.") as folder:
        subprocess.run([program, "watch", "pods", "--sandbox=nettool", "--record", "r.kinf",
                        "--max-events", "5", "-o", "name"], cwd=folder, env={"HOME": folder},
                       stdout=subprocess.DEVNULL, timeout=TIMEOUT, check=True)
        return pathlib.Path(folder, "r.kinf").read_bytes()


def kubeconfig(url, user):
    """Returns the bytes of a kubeconfig for a server with TLS."""
    return json.dumps({
        "apiVersion": "v1", "kind": "Config", "current-context": "x",
        "clusters": [{"name": "c", "cluster": {
            "server": url, "certificate-authority": str(IDENTITIES / "identity.pem")}}],
        "users": [{"name": "u", "user": user}],
        "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u"}}]}).encode()


def plugin():
    """Returns a user whose credential plugin prints a token."""
    version = "client.authentication.k8s.io/v1"
    answer = json.dumps({"apiVersion": version, "kind": "ExecCredential", "status": {"token": "t"}})
    return {"exec": {"apiVersion": version, "interactiveMode": "Never", "command": "echo",
                     "args": [answer]}}


def environment(folder, program, variables):
    """Prepares a folder. Returns the variables of a run in it."""
    for name, content in FILES.items():
        pathlib.Path(folder, name).write_bytes(content)
    return {"HOME": folder, "TMPDIR": folder, "PATH": os.environ["PATH"], "KINF": program,
            **variables}


def run(program, arguments, variables, limit=None):
    """Runs kinf. Returns what was wrong, or None."""
    with tempfile.TemporaryDirectory(prefix="kinf-torture.") as folder:
        output, wrong = run_in(folder, program, arguments, environment(folder, program, variables),
                               limit)
        if wrong is None and variables.get("KINF_FAIL", "").startswith("write"):
            wrong = goes_on(folder, program, arguments, output)
        return wrong


def goes_on(folder, program, arguments, output):
    """Runs the command again, without a failure. Returns what was wrong, or None."""
    # A state or a recording belongs to the first sandbox; it can be read.
    for flag, name in (("--state", "state.kinf"), ("--record", "new.kinf")):
        file = pathlib.Path(folder, name)
        if flag in " ".join(arguments) and file.exists() and file.stat().st_size > 0:
            arguments = ["get", "pods", "--from", name]
    acknowledged = set(output.split()) if arguments[-1] == CREATE else set()
    if acknowledged:
        arguments = [*SANDBOX, program, "get", "cm", "-o", "name"]
    output, errors, code = ended(folder, program, arguments, environment(folder, program, {}))
    if code not in (0, 143) and "it holds no objects" not in errors:
        return f"afterwards, exit code {code}: {errors[-500:]}"
    lost = acknowledged - set(output.split())
    return f"afterwards, {sorted(lost)} are lost" if lost else None


def end_soon(child):
    with contextlib.suppress(subprocess.TimeoutExpired):
        child.wait(ENDLESS)
    child.terminate()


def ended(folder, program, arguments, variables, limit=None):
    """Runs kinf to its end. Returns its output, its errors and its exit code, None if it hangs."""
    with subprocess.Popen([program, *arguments], cwd=folder, env=variables,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, preexec_fn=limit) as child:
        try:
            if arguments[0] == "record":
                end_soon(child)
            output, errors = child.communicate(timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            child.kill()
            return "", "", None
    code = child.returncode
    if arguments[0] == "record" and code == -signal.SIGTERM:  # it had not begun
        code = 143
    return output.decode(errors="replace"), errors.decode(errors="replace"), code


def run_in(folder, program, arguments, variables, limit):
    """Runs kinf. Returns its output, and what was wrong, or None."""
    output, text, code = ended(folder, program, arguments, variables, limit)
    if code is None:
        return output, f"still running after {TIMEOUT} s"
    is_over = code in (0, 124) or code == 143 and arguments[0] == "record"
    if not is_over and code not in CODES:
        return output, f"exit code {code}: {text[-500:]}"
    is_report = arguments[0] == "check" and output  # which names what has failed
    if not is_over and "error: " not in text and not is_report:
        return output, f"exit code {code} without a message: {text[-500:]}"
    return output, None


def limited(kind, amount):
    return lambda: resource.setrlimit(kind, (amount, amount))


def calls_of(program, shim, arguments, kind):
    """Returns how many calls of this kind the command makes."""
    with tempfile.TemporaryDirectory(prefix="kinf-torture.") as folder:
        reader, writer = os.pipe()
        variables = {"LD_PRELOAD": shim, "KINF_FAIL": f"{kind}:0", "KINF_FAIL_COUNT": str(writer)}
        child = subprocess.Popen([program, *arguments], cwd=folder,
                                 env=environment(folder, program, variables),
                                 stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL, pass_fds=[writer])
        if arguments[0] == "record":
            end_soon(child)
        child.wait(TIMEOUT)
        os.close(writer)
        with os.fdopen(reader) as counts:
            return max(int(line) for line in counts)


def chosen(count, most):
    """Returns 1, 2, … and then numbers that grow evenly to `count`, `most` in all."""
    if count <= most:
        return list(range(1, count + 1))
    start = most // 3
    step = (count - start) / (most - start)
    return list(range(1, start + 1)) + [start + round(i * step) for i in range(1, most - start + 1)]


def plan(program, shim, most):
    """Returns the name, arguments, variables and limit of each run."""
    for name, arguments in COMMANDS.items():
        for kind in ("memory", "thread", "descriptor", "pipe"):
            for n in chosen(calls_of(program, shim, arguments, kind), most):
                yield (f"{name}: call {n} for a {kind} fails", arguments,
                       {"LD_PRELOAD": shim, "KINF_FAIL": f"{kind}:{n}"}, None)
    for name, arguments in WRITERS.items():
        for n in chosen(calls_of(program, shim, arguments, "write"), 2 * most):
            yield (f"{name}: write {n} fails", arguments,
                   {"LD_PRELOAD": shim, "KINF_FAIL": f"write:{n}"}, None)
    for name in ("get", "run"):
        for what, (limit, amounts) in LIMITS.items():
            for amount in amounts:
                yield f"{name}: {what} {amount}", COMMANDS[name], {}, limited(limit, amount)


def torture(program, shim, most):
    """Runs all commands. Returns the exit code."""
    runs = list(plan(program, shim, most))
    with concurrent.futures.ThreadPoolExecutor(max_workers=4) as pool:
        failures = [f"{name}: {wrong}" for (name, *_), wrong in
                    zip(runs, pool.map(lambda one: run(program, *one[1:]), runs)) if wrong]
    for failure in failures:
        print(failure)
    print(f"{len(runs) - len(failures)} runs ended with a message, {len(failures)} did not")
    return 1 if failures else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("shim")
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    program, shim = (str(pathlib.Path(path).resolve()) for path in (options.program, options.shim))
    FILES["recording.kinf"] = recording(program)
    with Server({}, ("identity",)) as server:
        FILES[CONFIG] = kubeconfig(server.url, {})
        FILES[PLUGIN] = kubeconfig(server.url, plugin())
        return torture(program, shim, sys.maxsize if options.all else MOST)


if __name__ == "__main__":
    sys.exit(main())
