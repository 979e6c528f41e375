# SPDX-License-Identifier: Apache-2.0
"""Credentials that change while kinf runs, and proxies that ask for a password."""
import base64
import json
import pathlib
import shutil

from auth_proxy import PASSWORD, USER
from objects import configmap
from trial import case, expect, expect_equal


def write_kubeconfig(t, user, cluster=""):
    """Writes a kubeconfig for the server of `t`. Its CA is the file ca.crt in the case's folder."""
    folder = pathlib.Path(t.folder)
    if not (folder / "ca.crt").exists():
        shutil.copy(f"{t.server.folder}/pki/ca.crt", folder)
    t.kubeconfig = str(folder / "kubeconfig")
    pathlib.Path(t.kubeconfig).write_text(f"""current-context: e2e
clusters:
- name: e2e
  cluster: {{server: "{t.server.url}", certificate-authority: ca.crt, {cluster}}}
contexts:
- {{name: e2e, context: {{cluster: e2e, user: someone}}}}
users:
- {{name: someone, user: {{{user}}}}}
""", encoding="utf-8")


def proxied(scheme):
    @case(f"a {scheme} proxy gets its password, which no output contains")
    def _(t):
        proxy = t.auth_proxy(scheme)
        get = ["get", "namespace/default", "-o", "name", "-v", "9"]
        for password, status in ((PASSWORD, 0), ("wrong-p4ssword", 6)):
            write_kubeconfig(t, "token: admin-token", f'proxy-url: "{proxy.url_for(password)}"')
            for more in ([], ["--log-format=json"]):
                got, out, err = t.kinf(*get, *more, "--request-timeout=20s").finish(seconds=30)
                wanted = (status, "" if status else "namespace/default")
                expect_equal((got, out), wanted, f"status, stdout ({err})")
                encoded = base64.b64encode(f"{USER}:{password}".encode()).decode()
                for secret in (USER, password, encoded, "admin-token"):
                    expect(secret not in err, f"stderr contains {secret}: {err}")
        expect("the proxy does not accept its user and password" in err, f"stderr is {err}")
        expect(proxy.tunnels >= 2, f"{proxy.tunnels} connections through the proxy")


for name in ("http", "https", "socks5"):
    proxied(name)


def write_plugin(t, body):
    """Writes a credential plugin. Each run appends a line to the file `runs` and its input to `info`."""
    path = pathlib.Path(t.folder, "plugin.sh")
    path.write_text(f'#!/bin/sh\necho run >> "{t.folder}/runs"\n'
                    f'echo "$KUBERNETES_EXEC_INFO" >> "{t.folder}/info"\n{body}\n', encoding="utf-8")
    path.chmod(0o755)


def answer(token, version="v1", more=""):
    return ('echo \'{"apiVersion":"client.authentication.k8s.io/%s","kind":"ExecCredential",'
            '"status":{"token":"%s"%s}}\'' % (version, token, more))


def first_then(t, first, then):
    """Returns the body of a plugin whose first run differs from the others."""
    return f'if [ "$(wc -l < "{t.folder}/runs")" = 1 ]; then {first}; else {then}; fi'


def lines_of(t, name):
    return pathlib.Path(t.folder, name).read_text(encoding="utf-8").splitlines()


@case("a credential plugin runs once more after a 401, and gets what kubectl gives it")
def plugin_after_401(t):
    write_plugin(t, first_then(t, answer("wrong-token"), answer("admin-token")))
    write_kubeconfig(t, "exec: {apiVersion: client.authentication.k8s.io/v1, command: ./plugin.sh, "
                        "interactiveMode: Never, provideClusterInfo: true}",
                     "tls-server-name: kubernetes, extensions: [{name: client.authentication.k8s.io/exec, "
                     "extension: {audience: e2e, level: 3}}]")
    get = ["get", "namespace/default", "-o", "name"]
    status, out, err = t.kinf(*get).finish()
    expect_equal((status, out), (0, "namespace/default"), f"status, stdout ({err})")
    expect_equal(len(lines_of(t, "runs")), 2, "runs of the plugin")
    t.kubectl(*get)
    infos = [json.loads(line) for line in lines_of(t, "info") if line]
    expect_equal(infos[0], infos[-1], "the plugin's KUBERNETES_EXEC_INFO")


@case("a credential of v1beta1 that has expired is asked for again, before the request")
def expired_plugin(t):
    write_plugin(t, answer("admin-token", "v1beta1", ',"expirationTimestamp":"2020-01-01T00:00:00Z"'))
    write_kubeconfig(t, "exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: ./plugin.sh}")
    status, out, err = t.kinf("get", "namespace/default", "-o", "name").finish()
    expect_equal((status, out), (0, "namespace/default"), f"status, stdout ({err})")
    expect(len(lines_of(t, "runs")) >= 2, "the plugin ran only once")


@case("a renewed client certificate of a credential plugin is used on a new connection")
def plugin_certificate(t):
    folder = pathlib.Path(t.folder)
    for run, user in ((1, "nobody"), (2, "admin")):
        pki = pathlib.Path(t.server.folder, "pki")
        status = {"clientCertificateData": (pki / f"{user}.crt").read_text(encoding="ascii"),
                  "clientKeyData": (pki / f"{user}.key").read_text(encoding="ascii"),
                  "expirationTimestamp": "2020-01-01T00:00:00Z"}
        (folder / f"answer{run}").write_text(json.dumps(
            {"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential", "status": status}),
            encoding="ascii")
    write_plugin(t, first_then(t, f"cat {folder}/answer1", f"cat {folder}/answer2"))
    write_kubeconfig(t, "exec: {apiVersion: client.authentication.k8s.io/v1, command: ./plugin.sh, "
                        "interactiveMode: Never}")
    status, out, err = t.kinf("get", "namespace/default", "-o", "name").finish()
    expect_equal((status, out), (0, "namespace/default"), f"status, stdout ({err})")


@case("a credential plugin that hangs is reported, and ends with kinf", in_parallel=True)
def hanging_plugin(t):
    write_plugin(t, f"trap '' TERM INT\necho $$ > \"{t.folder}/pid\"\nwhile :; do sleep 1; done")
    write_kubeconfig(t, "exec: {apiVersion: client.authentication.k8s.io/v1, command: ./plugin.sh, "
                        "interactiveMode: IfAvailable}")
    watch = t.kinf("watch", "pods")
    watch.err.wait_for("waiting for the credential plugin plugin.sh; it is ended after 2m0s", 30)
    watch.interrupt()
    expect_equal(watch.wait(), 130, "status after SIGINT")
    pid = lines_of(t, "pid")[0]
    expect(not pathlib.Path("/proc", pid).exists(), "the plugin still runs")


def replace(t, name, content):
    """Replaces a file in one step, as Kubernetes does with mounted secrets."""
    new = pathlib.Path(t.folder, f"{name}.new")
    new.write_bytes(content if isinstance(content, bytes) else content.encode())
    new.rename(pathlib.Path(t.folder, name))


def copy_pki(t, source, target):
    for end in ("crt", "key"):
        replace(t, f"{target}.{end}", pathlib.Path(t.server.folder, "pki", f"{source}.{end}").read_bytes())


@case("a client certificate is read again for each request")
def client_certificate(t):
    t.server.create("configmaps", t.namespace, configmap("seen"))
    copy_pki(t, "nobody", "me")
    write_kubeconfig(t, "client-certificate: me.crt, client-key: me.key")
    watch = t.kinf("watch", "configmap/seen", "-n", t.namespace, "-o", "name", "--retry-forbidden")
    watch.err.wait_for('User "nobody"')
    copy_pki(t, "admin", "me")
    watch.out.wait_for("configmap/seen", 30)


@case("a watch goes on after the server's CA and the token were replaced", seconds=120,
      server="default", in_parallel=True)
def replaced_trust(t):
    replace(t, "token", "viewer-token")
    write_kubeconfig(t, "tokenFile: token")
    t.server.create("configmaps", "default", configmap("before"))
    watch = t.kinf("watch", "configmaps", "-n", "default", "-o", "name")
    watch.out.wait_for("configmap/before")
    t.server.ctl("stop-apiserver")
    t.server.ctl("replace-trust")
    replace(t, "ca.crt", pathlib.Path(t.server.folder, "pki/ca.crt").read_bytes())
    replace(t, "token", "renewed-token")
    t.server.ctl("start-apiserver")
    t.server.trust_ca()
    t.server.create("configmaps", "default", configmap("after"))
    watch.out.wait_for("configmap/after", 40)
    expect_equal(sum("configmap/before" in line for line in watch.out.all()), 1, "lines of the old object")
