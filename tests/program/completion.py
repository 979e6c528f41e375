# SPDX-License-Identifier: Apache-2.0
"""Types words and TAB in bash, zsh and fish on a pseudo-terminal, in front of an embedded server.
A `kinf` in front of the real one prints its arguments, so that a case is what the shell has made of
the typed keys. The x after a TAB shows whether the shell has added a space.

  completion.py PROGRAM COMPLETIONS [SHELL...]
"""
import concurrent.futures
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

TIMEOUT = 60  # seconds; only a failing case waits so long
POD = "wiremock-84d49c989c-zg4ls"

# The typed keys, where ⇥ is TAB, and the arguments that kinf gets.
CASES = [
    ("wat⇥x", "watch x"),
    ("watch statefuls⇥x", "watch statefulsets x"),
    ("watch svc⇥x", "watch svc x"),
    ("watch widg⇥x", "watch widgets x"),
    ("watch pods,statefuls⇥x", "watch pods,statefulsets x"),
    ("watch pods wire⇥x", f"watch pods {POD} x"),
    ("watch pod/wire⇥x", f"watch pod/{POD} x"),
    ("watch -n kube-p⇥x", "watch -n kube-public x"),
    ("watch -n shop,kube-p⇥x", "watch -n shop,kube-public x"),
    ("watch -nkube-p⇥x", "watch -nkube-public x"),
    ("watch -nshop,kube-p⇥x", "watch -nshop,kube-public x"),
    ("watch pods -lti⇥x", "watch pods -ltier=x"),
    ("watch pods -lapp=wire⇥x", "watch pods -lapp=wiremock x"),
    ("watch --context sta⇥x", "watch --context stage:eu x"),
    ("watch --context stage:⇥x", "watch --context stage:eu x"),
    ("watch --context we⇥x", "watch --context we$ird*(x) x"),
    ('watch --context "we⇥x', "watch --context we$ird*(x) x"),
    ("watch --context 'we⇥x", "watch --context we$ird*(x) x"),
    ('watch --context="we⇥x', "watch --context=we$ird*(x) x"),
    ('watch --context "it⇥x', """watch --context it's"q x"""),
    ("watch --context 'it⇥x", """watch --context it's"q x"""),
    ('watch --context "ev⇥"', "watch --context ev"),
    ("watch pods -l ti⇥x", "watch pods -l tier=x"),
    ("watch pods -l app=wire⇥x", "watch pods -l app=wiremock x"),
    ("watch pods -l tier!=x,app=wire⇥x", "watch pods -l tier!=x,app=wiremock x"),
    ("watch pods -l 'app=wire⇥x", "watch pods -l app=wiremock x"),
    ("watch pods --changed .spec.nodeN⇥x", "watch pods --changed .spec.nodeName x"),
    ("watch -o wi⇥x", "watch -o wide x"),
    ("watch --output=wi⇥x", "watch --output=wide x"),
    ("watch -o custom-columns-f⇥x", "watch -o custom-columns-file=x"),
    ("watch --watch-o⇥x", "watch --watch-only x"),
    ("watch --sandbox=rol⇥x", "watch --sandbox=rollout x"),
    ("index pods --by @node=no⇥x", "index pods --by @node=node-1 x"),
    ("index pods --by app=quickstart-es,wire⇥x", "index pods --by app=quickstart-es,wiremock x"),
    ("index pods --by ann⇥x", "index pods --by annotation:x"),
    ("api-resources --api-group bat⇥x", "api-resources --api-group batch x"),
    ("demo reflector-k⇥x", "demo reflector-known x"),
    ("watch --from FOLDER/record⇥x", "watch --from FOLDER/recordings/x"),
    ("watch --cache-dir FOLDER/record⇥x", "watch --cache-dir FOLDER/recordings/x"),
    ("run pods -- kinf wat⇥x", "run pods -- kinf watch x"),
]

CUSTOM_TYPE = """
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget}
  versions: [{name: v1, served: true, storage: true,
              schema: {openAPIV3Schema: {type: object}}}]
"""

STARTS = {
    "bash": (["bash", "--rcfile", "FOLDER/bashrc", "-i"], "bashrc",
             "source /usr/share/bash-completion/bash_completion\n"
             "bind 'set bell-style none'\nsource COMPLETIONS/kinf.bash\necho READY1\n"),
    "zsh": (["zsh", "-i"], ".zshrc",
            "unsetopt BEEP\nautoload -U compinit\ncompinit -D -u\n"
            "source COMPLETIONS/kinf.zsh\necho READY1\n"),
    "fish": (["fish", "-i"], "fish/config.fish",
             "set -g fish_greeting\nsource COMPLETIONS/kinf.fish\necho READY1\n"),
}


class Shell:
    """A shell on a pseudo-terminal that has loaded the completion."""

    def __init__(self, name, folder, completions, environment):
        self.name = name
        self.received = ""
        command, file, text = STARTS[name]
        home = folder / name
        (home / file).parent.mkdir(parents=True)
        (home / file).write_text(text.replace("COMPLETIONS", completions), encoding="utf-8")
        # Without this folder, fish reads all man pages in the background.
        (home / ".local/share/fish/generated_completions").mkdir(parents=True)
        environment = {**environment, "HOME": str(home), "ZDOTDIR": str(home),
                       "XDG_CONFIG_HOME": str(home)}
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            command = [part.replace("FOLDER", str(home)) for part in command]
            os.chdir(home)
            os.execvpe(command[0], command, environment)
        self.wait_for(r"READY1\s")

    def wait_for(self, pattern):
        """Waits for the pattern in what the shell has written since the last call."""
        deadline = time.monotonic() + TIMEOUT
        while not (found := re.search(pattern, self.received)):
            if time.monotonic() > deadline:
                raise TimeoutError(self.received)
            if select.select([self.terminal], [], [], 0.1)[0]:
                self.received += os.read(self.terminal, 65536).decode(errors="replace")
        self.received = self.received[found.end():]
        return found

    def arguments(self, keys):
        """Returns the arguments that kinf gets after these keys."""
        os.write(self.terminal, f"kinf {keys}\r".replace("⇥", "\t").encode())
        return self.wait_for(r"GOT((<[^>]*>)*)END")[1]

    def end(self):
        os.kill(self.pid, signal.SIGKILL)
        os.close(self.terminal)
        os.waitpid(self.pid, 0)


def check(name, folder, completions, environment):
    """Returns the descriptions of the failures in one shell."""
    failures = []
    shell = Shell(name, folder, completions, environment)
    for keys, wanted in CASES:
        keys, wanted = (text.replace("FOLDER", str(folder)) for text in (keys, wanted))
        wanted = "".join(f"<{word}>" for word in wanted.split())
        try:
            found = shell.arguments(keys)
        except TimeoutError as error:
            failures.append(f"{name}: {keys}: no command was run: {error}")
            break
        if found != wanted:
            failures.append(f"{name}: {keys}: {found}, not {wanted}")
    shell.end()
    return failures


def prepare(program, folder):
    """Writes the `kinf` that prints its arguments, and a folder whose name a case completes."""
    (folder / "bin").mkdir()
    script = folder / "bin/kinf"
    script.write_text(f'#!/bin/sh\n[ "$1" != __complete ] || exec {program} "$@"\n'
                      "printf GOT; printf '<%s>' \"$@\"; echo END\n", encoding="utf-8")
    script.chmod(0o755)
    (folder / "recordings").mkdir()
    (folder / "widgets.yaml").write_text(CUSTOM_TYPE, encoding="utf-8")


def start_server(program, folder):
    """Starts a server with a custom type. Its kubeconfig has more contexts."""
    config = folder / "config"
    server = subprocess.Popen(
        [program, "sandbox", "--scenario=nettool", "--load", str(folder / "widgets.yaml"),
         "--kubeconfig-out", str(config)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    server.stdout.readline()  # the server is ready, and has written the kubeconfig
    more = "".join(f"- name: {name}\n  context: {{cluster: c, user: u}}\n"
                   for name in ("stage:eu", '"we$ird*(x)"', '"it\'s\\"q"', '"ev$(echo)"'))
    text = config.read_text(encoding="utf-8")
    config.write_text(re.sub(r"(?m)^contexts:\n", lambda match: match[0] + more, text),
                      encoding="utf-8")
    return server, config


def main():
    program, completions = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:3])
    shells = sys.argv[3:] or list(STARTS)
    for shell in shells:
        if not shutil.which(shell):
            print(f"skipped: {shell} is not installed")
            sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="kinf-tab.", ignore_cleanup_errors=True) as name:
        folder = pathlib.Path(name)
        prepare(program, folder)
        server, config = start_server(program, folder)
        environment = {"PATH": f"{folder}/bin:{os.environ['PATH']}", "TERM": "dumb",
                       "KUBECONFIG": str(config), "LC_ALL": "C.UTF-8",
                       "KINF_COMPLETION_TIMEOUT": "60s", "XDG_CACHE_HOME": str(folder / "cache")}
        with concurrent.futures.ThreadPoolExecutor() as pool:
            results = pool.map(lambda one: check(one, folder, completions, environment), shells)
            failures = [failure for result in results for failure in result]
        server.kill()
        server.wait()
    print("\n".join(failures))
    print(f"{len(CASES) * len(shells)} cases, {len(failures)} failed")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
