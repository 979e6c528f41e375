# SPDX-License-Identifier: Apache-2.0
"""Invalid requests: a reason on stderr, nothing on stdout, and the right exit status."""
import re

from program import timed
from trial import case, expect, expect_equal

# command line, exit status, pattern for stderr
COMMAND_LINES = [
    (["watch", "poods"], 2, r'error: the server doesn\'t have a resource type "poods"\n'
                            r"hint: did you mean pods"),
    (["watch"], 2, r"error: .*(type|TYPE)"),
    (["wach", "pods"], 2, r"error: .*wach"),
    (["watch", "pods", "--nosuch"], 2, r"error: .*--nosuch"),
    (["watch", "pods", "-o", "nosuch"], 2, r"error: .*nosuch"),
    (["watch", "pods", "-l", "app in ("], 2, r"error: .*\nhint: "),
    (["watch", "pods", "-l", "a==b==c"], 2, r"error: .*\nhint: "),
    (["watch", "pods", "--field-selector", "nonsense"], 2, r"error: .*\nhint: "),
    (["watch", "pods", "--timeout=soon"], 2, r"error: .*soon"),
    (["watch", "pods", "--max-events=many"], 2, r"error: .*many"),
    (["watch", "pods", "--context=nosuch"], 1, r'error: .*context.*nosuch'),
    (["watch", "pods", "--kubeconfig=/no/such/file"], 1, r"error: .*/no/such/file.*\nhint: "),
    (["index", "poods", "--by", "app"], 2, r'error: the server doesn\'t have a resource type "poods"'),
    (["index", "pods", "--by", "@nosuch"], 2, r"error: .*nosuch"),
    (["get", "pods/nosuch"], 4, r'Error from server \(NotFound\): pods "nosuch" not found'),
    (["watch", "pods", "--server=https://127.0.0.1:1"], 6, r"error: no connection to https://127.0.0.1:1"
                                                           r".*refused\n(.|\n)*hint: "),
]


def refused(t, words, status, pattern):
    got, out, err = t.kinf(*words).finish(seconds=30)
    what = f"kinf {' '.join(words)}"
    expect_equal(out, "", f"stdout of {what}")
    expect(re.search(pattern, err), f"stderr of {what} is {err!r}, no match of {pattern!r}")
    expect_equal(got, status, f"status of {what} ({err})")
    expect("terminate called" not in err and "Sanitizer" not in err, err)


def register(words, status, pattern):
    @case(f"`kinf {' '.join(words)}` exits with {status}")
    def _(t):
        refused(t, words, status, pattern)


for command_line in COMMAND_LINES:
    register(*command_line)


@case("a forbidden watch exits at once with the server's error")
def forbidden(t):
    t.kubeconfig = t.server.kubeconfig("nobody")
    seconds, _ = timed(lambda: refused(
        t, ["watch", "secrets"], 5, r'Error from server \(Forbidden\): secrets is forbidden: User "nobody"'
        r' cannot list resource "secrets".*\n(.|\n)*hint: '))
    expect(seconds < 2.5, f"it took {seconds:.1f} s")


@case("--retry-forbidden keeps retrying")
def retried(t):
    t.kubeconfig = t.server.kubeconfig("nobody")
    kinf = t.kinf("watch", "secrets", "--retry-forbidden", "--timeout=6s")
    status, out, err = kinf.finish()
    expect_equal((status, out), (124, ""), "status, stdout")
    expect("kinf check secrets" in err and "--retry-forbidden" not in err, f"the hint suggests a flag that is already set: {err}")


@case("no token is printed, not even with -v=9")
def no_secrets(t):
    t.kubeconfig = t.server.kubeconfig("admin-token")
    status, out, err = t.kinf("get", "pods", "-v=9").finish()
    expect_equal(status, 0, f"status ({err})")
    expect("admin-token" not in out + err, "the output contains the token")
