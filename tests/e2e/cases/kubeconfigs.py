# SPDX-License-Identifier: Apache-2.0
"""Every way to authenticate with a kubeconfig."""
import re

from objects import pod
from trial import case, expect, expect_equal

# kubeconfig of up.sh, exit status, what stderr must match
KINDS = [
    ("admin-cert", 0, ""), ("admin-certfile", 0, ""), ("admin-token", 0, ""),
    ("admin-tokenfile", 0, ""), ("admin-exec", 0, ""), ("admin-localhost", 0, ""),
    ("admin-insecure", 0, ""), ("viewer", 0, ""),
    ("nobody", 5, 'Forbidden.*User "nobody"'), ("nobody-cert", 5, 'Forbidden.*User "nobody"'),
    ("bad-token", 5, "Unauthorized"), ("anonymous", 5, 'Forbidden.*User "system:anonymous"'),
    ("wrong-ca", 6, "(?i)certificate"), ("no-tls", 6, "(?i)tls|ssl"),
]


def register(kind, status, pattern):
    @case(f"the kubeconfig {kind} " + ("opens a watch" if status == 0 else f"fails with {status}"))
    def _(t):
        t.server.create("pods", "default", pod("for-kubeconfigs"), accepted=(409,))
        t.kubeconfig = t.server.kubeconfig(kind)
        watch = ["watch", "pod/for-kubeconfigs", "-o", "name", "--max-events=1"]
        got, out, err = t.kinf(*watch).finish(seconds=30)
        expect_equal((got, out), (status, "" if status else "pod/for-kubeconfigs"), f"status, stdout ({err})")
        expect(re.search(pattern, err), f"stderr is {err!r}, no match of {pattern!r}")


for row in KINDS:
    register(*row)


@case("flags replace the kubeconfig")
def flags_only(t):
    t.server.create("pods", "default", pod("for-kubeconfigs"), accepted=(409,))
    folder = t.server.folder
    server = ["--kubeconfig=/dev/null", f"--server={t.server.url}"]
    trust = f"--certificate-authority={folder}/pki/ca.crt"
    for flags in (
            [trust, "--token=admin-token"], ["--insecure-skip-tls-verify", "--token=admin-token"],
            [trust, f"--client-certificate={folder}/pki/admin.crt", f"--client-key={folder}/pki/admin.key"]):
        status, out, err = t.kinf("get", "pod/for-kubeconfigs", "-o", "name", *server, *flags).finish()
        expect_equal((status, out), (0, "pod/for-kubeconfigs"), f"{flags} ({err})")
