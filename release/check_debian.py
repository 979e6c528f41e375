# SPDX-License-Identifier: Apache-2.0
"""Installs the files of a release on a bare Debian, as the README says, and removes them again."""
import contextlib
import pathlib
import re
import shutil
import subprocess
import tempfile
import time

from check import check
from settings import Problem, ROOT, cache, version

# Besides the essential packages and apt, so that man and TAB can be tried.
PACKAGES = "man-db,bash-completion,zsh,fish"
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"  # of root on Debian
SOURCES = pathlib.Path("/etc/apt/sources.list.d/debian.sources")
# What dpkg, man-db and the shells write as they work. A purge leaves it, and should.
WORKING_FILES = re.compile(r"var/(lib/dpkg|lib/apt|cache|log)/|root/\.(config|local|zcompdump)\b")
SECONDS = 60  # to install kinf and see the first event
# The mounts end with the process.
ENTER = """mount -t proc proc "$0/proc" && mount --bind /dev "$0/dev" &&
  exec chroot "$0" bash -ec "$1"
"""
COMPLETE_BASH = """set +e  # the functions of completion end with any status
. /usr/share/bash-completion/bash_completion
_completion_loader kinf
COMP_WORDS=(kinf wat) COMP_CWORD=1 COMP_LINE='kinf wat' COMP_POINT=8
"$(complete -p kinf | sed -E 's/.*-F ([^ ]+).*/\\1/')" kinf wat kinf
printf '%s\\n' "${COMPREPLY[@]}"
"""
COMPLETE_FISH = "fish -c 'complete -C \"kinf wat\"'"
# `{line}` is what the user has in ~/.zshrc after compinit.
COMPLETE_ZSH = "zsh -c 'autoload -U compinit && compinit -u && {line} && print $_comps[kinf]'"


def bare_debian():
    """A tar of a bare Debian, made once from the machine's own list of Debian's packages."""
    kept = cache() / f"debian-{PACKAGES.replace(',', '-')}.tar"
    if not kept.exists():
        sources = [SOURCES] if SOURCES.exists() else ["/etc/apt/sources.list"]
        new = kept.with_name("debian.new.tar")
        log = cache() / "debian.log"
        with open(log, "wb") as out:
            made = subprocess.run(["mmdebstrap", "--variant=minbase", f"--include={PACKAGES}",
                                   "bookworm", new, *sources], stdout=out,
                                  stderr=subprocess.STDOUT, check=False)
        if made.returncode != 0:
            raise Problem(f"mmdebstrap cannot make a bare Debian: see {log}")
        new.replace(kept)
    return kept


@contextlib.contextmanager
def machine(files):
    """A new bare Debian with the release files in /files. Yields what runs a script there."""
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        subprocess.run(["tar", "-xf", bare_debian(), "-C", root], check=True)
        shutil.copytree(files, root / "files")

        def bash(script):
            environment = {"HOME": "/root", "PATH": PATH, "LC_ALL": "C.UTF-8",
                           "DEBIAN_FRONTEND": "noninteractive"}
            done = subprocess.run(["unshare", "--mount", "sh", "-c", ENTER, root, script],
                                  env=environment, stdin=subprocess.DEVNULL, capture_output=True,
                                  text=True, timeout=300, check=False)
            assert done.returncode == 0, (f"`{script}` ends with {done.returncode}: "
                                          f"{done.stdout[-300:]}{done.stderr[-300:]}")
            return done.stdout
        bash.root = root
        yield bash


def paths(root):
    """All files, except those that dpkg, man-db and the shells write as they work."""
    found = (path.relative_to(root).as_posix() for path in root.rglob("*"))
    return {path for path in found if not WORKING_FILES.match(path)}


def check_package(files):
    @check("the package installs, runs and purges on a bare Debian")
    def _():
        with machine(files) as bash:
            before = paths(bash.root)
            bash("dpkg --install /files/kinf_*_$(dpkg --print-architecture).deb")
            for script, wanted in [("kinf --version", version()),
                                   ("kinf get pods -A --sandbox=nettool", "Running"),
                                   ("man kinf-watch", "kinf watch"), (COMPLETE_BASH, "watch"),
                                   (COMPLETE_FISH, "watch"),
                                   (COMPLETE_ZSH.format(line="true"), "_kinf"),
                                   ("dpkg --verify kinf; echo all right", "all right")]:
                printed = bash(script)
                assert wanted in printed, f"`{script}` printed {printed[-300:]}"
            bash("dpkg --purge kinf")
            left = paths(bash.root) ^ before
            assert not left, f"a purge leaves {sorted(left)[:5]}"

    @check("lintian finds nothing in the package")
    def _():
        package = next(files.glob("kinf_*_amd64.deb"))
        shown = subprocess.run(["lintian", "--allow-root", "--fail-on", "error,warning", package],
                               capture_output=True, text=True, check=False)
        assert shown.returncode == 0, shown.stdout + shown.stderr


def ways(text):
    """The commands of each way to install in the README that uses release files."""
    block = re.search(r"^```sh\n(.*?)^```$", text, re.M | re.S)[1]
    found = [part for part in block.split("\n\n") if "kinf-" in part or "kinf_" in part]
    assert len(found) == 2, f"the README has {len(found)} ways to install release files, not 2"
    return found


def check_readme(files):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    first_event = re.search(r"`(kinf watch [^`]*--sandbox)`", text)[1]
    zsh_line = re.search(r"`(source <\(kinf completion zsh\))`", text)[1]
    for way in ways(text):
        @check(f"the README leads to a first event: {way.splitlines()[0].strip('# :')}")
        def _(way=way):
            with machine(files) as bash:
                start = time.monotonic()
                event = bash(f"cd /files\nsudo() {{ \"$@\"; }}\n{way}\n{first_event} | head -n 2")
                took = time.monotonic() - start
                assert "Running" in event, event
                assert took < SECONDS, f"it took {took:.1f} s"
                settings = "\n".join(re.findall(r"^export .*", way, re.M))
                for script, wanted in [(COMPLETE_BASH, "watch"), (COMPLETE_FISH, "watch"),
                                       (COMPLETE_ZSH.format(line=zsh_line), "_kinf")]:
                    printed = bash(f"{settings}\n{script}")
                    assert wanted in printed, f"`{script}` printed {printed[-300:]}"
            return f"{took:.1f} s"
