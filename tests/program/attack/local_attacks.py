# SPDX-License-Identifier: Apache-2.0
"""Attacks on this machine: arguments, files, credentials, limits of the system, programs that kinf
runs, and outputs that fail."""
import array
import fcntl
import json
import os
import pathlib
import resource
import signal
import termios
import time

from attack_case import PASSWORD, Attack, has_ended, kubeconfig
from hostile_server import IDENTITIES

GET = ("get", "cm", "--server", "URL")
HOME_CONFIG = ".kube/config"
LIST = json.dumps({"kind": "List", "apiVersion": "v1", "items": [
    {"kind": "ConfigMap", "apiVersion": "v1", "metadata": {
        "name": "a", "namespace": "default", "uid": "u", "resourceVersion": "1"}}]})


def arguments():
    """Attacks with arguments and configuration files."""
    for template, code in (("{range .items[*]}" * 4000, 1), ("{" * 20000, 2),
                           ("{.a[?(" + "(" * 20000 + "@.a" + ")" * 20000 + ")]}", 2),
                           ("{.a" + "[?(@.a" * 9000 + ")]" * 9000 + "}", 2),
                           ("{.a[?(" + "!" * 20000 + "@.a)]}", 2)):
        yield Attack("A14", f"jsonpath {template[:20]}… of {len(template)} bytes",
                     (*GET, "-o", "jsonpath=" + template),
                     "error: error (executing|parsing) jsonpath", code)
    yield from urls()


# What is wrong with a server, with a proxy-url and with http_proxy. None: the host is looked up.
HOST = ("error: host must be a URL", 2)
CONFIG = ("error: invalid configuration: invalid 'proxy-url'", 1)
SCHEME = ("error: unsupported proxy scheme", 2)
REFUSED = ("error: no connection to .*refused", 6)
LOOKED_UP = ("error: no (connection to|answer from|initial list) ", None)
URLS = {
    "https://u:P@[bad": (HOST, CONFIG, SCHEME),
    "u:P@h:1:2": (HOST, CONFIG, SCHEME),
    "https://u:P@h:999999": (HOST, LOOKED_UP, LOOKED_UP),
    "ftp://u:P@h/": (("error: unsupported protocol scheme", 2), CONFIG, SCHEME),
    "https://u:P%zz@h/": (HOST, CONFIG, SCHEME),
    "//u:P@h": (HOST, CONFIG, LOOKED_UP),
    "http://u:P@127.0.0.1:1": (REFUSED, REFUSED, REFUSED),
    "https://u:P/x@h:1": (HOST, CONFIG, SCHEME),
    "http://u:P@x@[bad": (HOST, CONFIG, SCHEME),
    "u:P://x@[bad": (HOST, CONFIG, SCHEME),
    "u:P://x@h:1": (HOST, CONFIG, SCHEME),
    "http://h:1/[%zz?P": (HOST, CONFIG, SCHEME),
    "http://[bad#P": (HOST, CONFIG, SCHEME),
}


def urls():
    """Attacks with passwords in URLs that cannot be used."""
    for url, (server, proxy, variable) in URLS.items():
        secret = url.replace("P", PASSWORD)
        yield Attack("A15", f"--server {url}", ("get", "cm", "--server", secret), *server)
        yield Attack("A15", f"proxy-url {url}", ("get", "cm", "--sync-timeout", "2s"), *proxy,
                     files={HOME_CONFIG: kubeconfig({"proxy-url": secret})})
        yield Attack("A15", f"http_proxy={url}", ("get", "cm", "--server", "http://10.255.255.1:1",
                     "--sync-timeout", "2s"), *variable, variables={"http_proxy": secret})


def pipes():
    """Attacks with files that are pipes to which nothing is written."""
    home = HOME_CONFIG
    yield Attack("A11", "the kubeconfig is a pipe", ("get", "cm"), "a pipe", 1, fifos=[home],
                 seconds=13)
    for field in ("certificate-authority", "client-certificate", "client-key", "tokenFile"):
        where = {"cluster": {field: "pipe"}} if field.endswith("authority") else {
            "user": {"client-certificate": "config", "client-key": "config", field: "pipe"}
            if field.startswith("client") else {field: "pipe"},
            "cluster": {"server": "https://127.0.0.1:1"}}  # credentials are only for TLS
        yield Attack("A11", f"{field} is a pipe", ("get", "cm"), r"error: .*/pipe: (is )?a pipe", 1,
                     files={home: kubeconfig(**where)}, fifos=[".kube/pipe"], seconds=13)
    yield Attack("A11", "the recording of a sandbox is a pipe", ("sandbox", "--from", "pipe"),
                 "pipe is not a regular file", 1, fifos=["pipe"])
    yield Attack("A11", "a file of the cache is a pipe", ("watch", "cm", "--server", "URL"),
                 "(?s)exit code 0: .*a  ", 143, act=pipe_in_cache)


def pipe_in_cache(running):
    """Puts a pipe in the place of a cached document, and runs kinf again."""
    running.wait_for("(?m)^(Added .*)")
    cached = running.wait_until(lambda: [
        path for path in pathlib.Path(running.folder, ".cache").rglob("*")
        if path.is_file() and not path.name.startswith(".new.")])
    for path in cached:
        path.unlink()
        os.mkfifo(path)
    return running.kinf("get", "cm", "--server", running.server.url)


def hold_pipe(running):
    """Waits until kinf reads its kubeconfig, which is a pipe."""
    folder = pathlib.Path(f"/proc/{running.child.pid}/fd")

    def is_pipe(descriptor):
        try:
            return os.readlink(descriptor).endswith(HOME_CONFIG)
        except FileNotFoundError:  # closed meanwhile
            return False

    running.wait_until(lambda: any(is_pipe(one) for one in folder.iterdir()))
    return "it reads"


def cache_modes(running):
    """Returns the modes of the folders of the cache."""
    running.wait_until(lambda: has_ended(running.child))
    folders = [path for path in running.folder.rglob("*") if path.is_dir()]
    return f"modes {sorted({oct(path.stat().st_mode) for path in folders})}"


# Names that could control a terminal or run a command.
EVIL = ("a$(touch x)", "a`touch x`", "a\u001b[1m", "a\u009b1m", "a\u202eb", "a\u200bb", "a\nb")


def config_of_aliases(count):
    return "[alias]\n" + "".join(f'a{i} = "watch pods"\n' for i in range(count))


def only_fine(text):
    """Returns what is wrong with candidates, of which only `fine` may be offered."""
    return None if text == "fine\n:4\n" else f"offers {text!r}"


def words():
    """Attacks by names that are completed, and by long arguments and lists."""
    contexts = [{"name": name, "context": {"cluster": "c", "user": "u"}} for name in (*EVIL, "fine")]
    names = json.loads(kubeconfig())
    names["contexts"] = contexts
    yield Attack("A34", "completion of contexts with commands and hidden characters",
                 ("__complete", "watch", "--context", ""), "fine", 0,
                 files={HOME_CONFIG: json.dumps(names)}, check=only_fine)
    many = {".config/kinf/config.toml": config_of_aliases(20_000)}
    patient = {"KINF_COMPLETION_TIMEOUT": "60s"}
    yield Attack("A34", "20,000 aliases, completed", ("__complete", ""), "a19999", 0, files=many,
                 variables=patient)
    yield Attack("A35", "20,000 aliases", ("a77", "--sandbox", "--max-events", "1"), "Added", 0,
                 files=many)
    yield Attack("A35", "the kubeconfig is a pipe, and SIGTERM", ("get", "cm"), "it reads", 143,
                 fifos=[HOME_CONFIG], act=hold_pipe)
    yield Attack("A35", "an argument of 100,000 bytes", ("x" * 100_000,), "bytes left out", 2,
                 output="terminal", check=lambda text: "is long" if len(text) > 10_000 else None)
    yield Attack("A35", "umask 000, and the cache of discovery", GET, r"modes \['0o40700'\]", 0,
                 act=cache_modes, umask=0)


def outputs():
    """Attacks on the output."""
    small = ("--sandbox=nettool", "--sync-timeout", "50s")
    for command in (("get", "pods", *small), ("watch", "pods", *small), ("--help",), ("version",),
                    ("completion", "bash"), ("demo", "dedup")):
        for output, says in (("full", "No space left"), ("closed", "Bad file descriptor")):
            yield Attack("A12", f"{' '.join(command[:2])}: standard output is {output}", command,
                         says, 1, output=output)
    large = ("watch", "pods", "-o", "json", "--sandbox=churn:objects=4000:rate=1")
    yield Attack("A26", "a pipe that nobody reads, and --timeout", (*large, "--timeout", "3s"), "",
                 124, memory=150, output="unread")
    yield Attack("A26", "a pipe that nobody reads, and SIGTERM", large, "blocked", 143, memory=150,
                 output="unread", act=until_blocked)


# Programs of jq on values of a server. With jq 1.6 most of them crash, loop or use all memory.
EXPRESSIONS = (
    ".t | tonumber | todate", ".t | tonumber | strftime(\"%Y\")", "now * 1e300 | todate",
    "reduce range(1e7) as $i ([]; [.])", "def f: 1 + f; f", "reduce range(40) as $i (\"x\"; . + .)",
    "[range(1e9)]", "def f: [f]; f", ".t | test(\"(1*)*$\" * 30)", "[limit(1e8; repeat(.))] | tojson",
)
ENDLESS = ("def f: f; f", "until(false; .)", "last(range(1e12))", "\"x\" * 2000000000",
           "last(repeat(1))", "reduce range(1e12) as $i (0; .)", "limit(1e12; repeat(empty))")


def expressions():
    """Attacks with values that make a program of jq crash, loop or use all memory."""
    text = json.dumps({"kind": "List", "apiVersion": "v1", "items": [
        {"kind": "ConfigMap", "apiVersion": "v1", "metadata": {
            "name": name, "namespace": "default", "uid": name, "resourceVersion": "1",
            "annotations": {"t": value}}}
        for name, value in (("a", "1e18"), ("b", "nan"), ("c", "1" * 50), ("d", "-1e300"))]})
    for expression in EXPRESSIONS:
        on_value = f"(.metadata.annotations | {expression}) | length > 0"
        yield Attack("A33", f"--where {expression}", ("get", "cm", "--from", "LIST", "--where",
                     on_value), "--where: |^NAME", None, files={"LIST": text}, seconds=16)
        yield Attack("A33", f"--jq {expression}", ("get", "cm", "--from", "LIST", "--jq",
                     f".items[0] | {on_value}"), "--jq: |^true|^false", None, files={"LIST": text},
                     seconds=8)
    for expression in ENDLESS:
        for limit, command, flag in (("--timeout", "get", "--where"), ("--timeout", "get", "--jq"),
                                     ("--sync-timeout", "get", "--where"),
                                     ("--timeout", "watch", "--jq"), ("--timeout", "watch", "--until"),
                                     ("--sync-timeout", "index", "--where")):
            yield Attack("A33", f"{command} {flag} {expression}, and {limit}",
                         (command, "cm", flag, expression, limit, "1s", "--from", "LIST"), "", 124,
                         files={"LIST": text}, seconds=3)


def until_blocked(running):
    """Waits until kinf does not write any more to the pipe that nobody reads."""
    size, before = array.array("i", [0]), -1
    running.wait_for_output()
    while before != size[0]:
        before = size[0]
        time.sleep(0.2)
        fcntl.ioctl(running.pipe, termios.FIONREAD, size)
    return "blocked"


def limits(shim):
    """Attacks with limits of the system."""
    sandbox = ("get", "pods", "--sandbox", "--sync-timeout", "10s")
    yield Attack("A13", "ulimit -v: 60 MiB of address space", sandbox, "error: ", 1,
                 limits={resource.RLIMIT_AS: 60 << 20})
    for count in (4, 6, 9):
        yield Attack("A13", f"ulimit -n: {count} descriptors", sandbox, "error: ", 1,
                     limits={resource.RLIMIT_NOFILE: count})
    yield Attack("A13", "ulimit -f: the cache of discovery cannot be written", GET, "a  ", 0,
                 limits={resource.RLIMIT_FSIZE: 0}, output="terminal")
    if shim is None:
        return
    for number in (1, 3):
        yield Attack("A13", f"ulimit -u: all threads from number {number} on fail", sandbox,
                     "error: ", 1,
                     variables={"LD_PRELOAD": shim, "KINF_FAIL": f"thread:{number}+"})
        yield Attack("A22", f"sandbox: all threads from number {number} on fail",
                     ("sandbox", "--", "sleep", "1000"), "error: ", 1,
                     variables={"LD_PRELOAD": shim, "KINF_FAIL": f"thread:{number}+"})


def credentials():
    """Attacks with kubeconfigs and credential plugins."""
    def attack(what, says, code, cluster=None, user=None, flags=(), **more):
        own = {"server": "URL", "certificate-authority": str(IDENTITIES / "identity.pem")}
        files = {HOME_CONFIG: kubeconfig(cluster or own, user), **more.pop("files", {})}
        return Attack("A16", what, ("get", "cm", *flags), says, code, files=files,
                      identities=("identity",), **more)

    yield attack("insecure, and a certificate authority",
                 "root certificates file with the insecure flag", 2,
                 {"server": "URL", "insecure-skip-tls-verify": True,
                  "certificate-authority-data": "eA=="})
    yield attack("a user that does not exist", 'auth info "u2" does not exist', 1, flags=("--user", "u2"))
    yield attack("a user with only a password", "has a password, but no username", 1,
                 user={"password": PASSWORD})
    yield attack("a token that is null", 'the token of user "u" is empty', 1, user={"token": None})
    too_large = "error: the credentials are too large for a request: 1048598 bytes, the limit is 61440"
    for size, says, code in ((1, too_large, 5), (2, "token: larger than 1048576 bytes", 1)):
        yield attack(f"a token of {size} MiB", says, code, user={"tokenFile": "token"},
                     files={".kube/token": "x" * (size << 20)})
    yield attack("a token of 1 MiB in the kubeconfig", too_large, 5,
                 user={"token": "x" * (1 << 20)})
    answer = json.dumps({"apiVersion": EXEC_API, "kind": "ExecCredential",
                         "status": {"token": PASSWORD}})
    hang = "while :; do sleep 1; done"
    for what, script, says, code, flags in (
            ("prints two documents", f"echo '{answer}{answer}'", "not a single JSON document", 5, ()),
            ("prints without end", "yes '{'", "getting credentials: exec: .*printed", 5, ()),
            ("hangs", hang, "waiting for the credential plugin", 124, ("--sync-timeout", "7s")),
            ("ignores SIGTERM", f"trap '' TERM; {hang}", "no answer|no initial|waiting", 124,
             ("--sync-timeout", "2s"))):
        yield attack(f"a plugin that {what}", says, code, flags=flags, seconds=10,
                     user={"exec": {"apiVersion": EXEC_API, "command": "./plugin.sh",
                                    "interactiveMode": "Never"}},
                     files={".kube/plugin.sh": f"#!/bin/sh\n{script}\n"})


EXEC_API = "client.authentication.k8s.io/v1"
# A program whose processes leave its group and its session, or ignore signals.
FAMILY = """#!/bin/sh
trap '' INT TERM HUP
setsid sh -c 'trap "" INT TERM HUP; echo $$ >> pids; sleep 1000; :' &
sh -c 'echo $$ >> pids; exec sleep 1000' &
echo $$ >> pids
wait; sleep 1000
"""


def is_alive(pid):
    try:
        state = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(") ")[-1][0]
    except OSError:
        return False
    return state not in "ZX"


def pids(running, count):
    def read():
        path = pathlib.Path(running.folder, "pids")
        words = path.read_text(encoding="ascii").split() if path.exists() else []
        return words if len(words) >= count else None
    return running.wait_until(read)


def none_survives(running, family):
    running.wait_until(lambda: not any(is_alive(pid) for pid in family))
    return "none survives"


def kill_kinf(running):
    family = pids(running, 3)
    running.child.kill()
    return none_survives(running, family)


def kill_guard(running):
    """Kills the guard, which is a child of kinf without another program, and then kinf."""
    family = pids(running, 3)
    own = running.child.pid
    children = pathlib.Path(f"/proc/{own}/task/{own}/children").read_text(encoding="ascii").split()
    for pid in set(children) - set(family):
        os.kill(int(pid), signal.SIGKILL)
    running.child.terminate()
    return none_survives(running, family)


def children(pid):
    """Returns the children of all threads of a process."""
    return {int(word) for path in pathlib.Path(f"/proc/{pid}/task").glob("*/children")
            for word in path.read_text(encoding="ascii").split()}


def kill_both(running):
    """Kills the guard, waits for the next one, and kills kinf."""
    family = pids(running, 3)
    [guard] = children(running.child.pid) - {int(pid) for pid in family}
    os.kill(guard, signal.SIGKILL)
    running.wait_until(lambda: children(running.child.pid) - {guard, *map(int, family)})
    time.sleep(0.1)  # the next guard begins to read
    running.child.kill()
    return none_survives(running, family)


def kill_above_child(running):
    family = pids(running, 1)
    running.child.kill()
    return none_survives(running, family)


def stopped(running):
    """Waits until the program has stopped itself."""
    [pid] = pids(running, 1)
    running.wait_until(lambda: pathlib.Path(f"/proc/{pid}/stat").read_text(
        encoding="ascii").rsplit(") ")[-1][0] == "T")
    return "stopped"


def programs():
    """Attacks by the programs that kinf runs."""
    run = ("run", "cm", "--from", "list", "--drain", "1s", "--")
    family = {"list": LIST, "family.sh": FAMILY}
    yield Attack("A17", "processes that left the group and ignore signals; kinf is killed",
                 (*run, "./family.sh"), "none survives", -9, files=family, act=kill_kinf)
    yield Attack("A17", "processes that left the group and ignore signals; guard killed",
                 (*run, "./family.sh"), "none survives", 143, files=family, act=kill_guard,
                 seconds=10)
    stop = ("sh", "-c", "echo $$ >> pids; kill -STOP $$; sleep 1000")
    ignore = ("sh", "-c", "trap '' TERM; echo $$ >> pids; while :; do sleep 1; done")
    yield Attack("A37", "processes that left the group; the guard is killed, then kinf",
                 (*run, "./family.sh"), "none survives", -9, files=family, act=kill_both,
                 seconds=10)
    yield Attack("A37", "sandbox: a child that ignores SIGTERM; kinf is killed",
                 ("sandbox", "--", *ignore), "none survives", -9, act=kill_above_child)
    yield Attack("A18", "run: a stopped child", (*run, *stop), "stopped", 143, files=family,
                 act=stopped, seconds=10)
    yield Attack("A18", "sandbox: a stopped child", ("sandbox", "--", *stop), "stopped", 143,
                 act=stopped, seconds=10)
    yield Attack("A18", "sandbox: a child that ignores SIGTERM", ("sandbox", "--", *ignore),
                 "[0-9]", 143, act=lambda running: str(pids(running, 1)), seconds=10)


def with_lists(name, version, numbers):
    """Returns a pod with long lists."""
    def listed(element):
        return [element(i) for i in numbers]
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {
        "name": name, "namespace": "default", "uid": name, "resourceVersion": version,
        "labels": {"app": "web"}, "ownerReferences": listed(lambda i: {
            "apiVersion": "v1", "kind": "Node", "name": f"n{i}", "uid": f"n{i}"})},
        "spec": {"containers": listed(lambda i: {"name": f"c{i}", "image": f"i{i}"})},
        "status": {"phase": "Running", "conditions": listed(
            lambda i: {"type": f"t{i}", "status": "True"})}}


def one_event(kind, pod):
    return json.dumps({"type": kind, "object": pod}, separators=(",", ":")) + "\n"


def long_lists():
    """Attacks with an object that has 100,000 elements in each of four lists."""
    count = 100_000
    pod = with_lists("a", "1", range(count))
    one = one_event("ADDED", pod)
    two = one + one_event("ADDED", {**pod, "metadata": {**pod["metadata"], "name": "b", "uid": "b"}})
    both = two + one_event("DELETED", pod) + one_event("MODIFIED", with_lists("b", "2", range(9)))
    both_events = tuple(enumerate(("ADDED", "MODIFIED"), 1))
    reverse = "".join(one_event(kind, {**with_lists("a", str(version), ()), "spec": {"volumes": [
        {"name": f"v{i}"} for i in range(count // 2)[::1 if version == 1 else -1]]}})
                      for version, kind in both_events)
    deep = "".join(one_event(kind, {**with_lists("a", str(version), ()), "spec": json.loads(
        '{"a":' * 400 + json.dumps([kind] * count) + "}" * 400)}) for version, kind in both_events)
    too_many = "error: default/a: too many combinations of values"
    for what, events, says, code, command in (
            ("100,000 containers", one, "0/100000", 0, ("get", "pods")),
            ("100,000 images", one, "i99999 *1", 0, ("index", "pods", "--by", "@image")),
            ("100,000 images and one node", one, "i99999 *default *1", 0,
             ("index", "pods", "--by", "@image", "--by", "@namespace")),
            ("100,000 owners", one, "node/n99999 *1", 0, ("index", "pods", "--by", "@owner")),
            ("100,000 times 100,000 images and conditions", one, too_many, 1,
             ("index", "pods", "--by", "@image", "--by", ".status.conditions[*].type")),
            ("100,000 times 100,000, -w", one, too_many, 1,
             ("index", "pods", "--by", "@image", "--by", ".status.conditions[*].type", "-w")),
            ("the same key 2,000 times", one, "APP +COUNT\nweb +1\n", 0,
             ("index", "pods", *("--by", "app", "--by", "label:app") * 1000)),
            ("two pods with the same 100,000 images", both, "i0 +1\n", 0,
             ("index", "pods", "--by", "@image", "--top", "1")),
            ("50,000 volumes in reverse", reverse, '"op":"move"', 0,
             ("watch", "pods", "--diff=patch")),
            ("100,000 changes below 400 names", deep, '"op":"replace","path":""', 0,
             ("watch", "pods", "--diff=patch"))):
        yield Attack("A38", f"{what}, {command[0]}", (*command, "--from", "events"), says, code,
                     files={"events": events}, memory=512, cpu=5)


def plan(shim):
    yield from arguments()
    yield from long_lists()
    yield from pipes()
    yield from outputs()
    yield from expressions()
    yield from limits(shim)
    yield from credentials()
    yield from programs()
    yield from words()
