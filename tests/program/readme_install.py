#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what README.md says about installing, and the commands that it mentions in its text.

usage: readme_install.py SOURCES KINF [--follow]

Checks the names of the release files. With --follow, runs the commands of the ```sh block for release
files in the folder $KINF_RELEASE_FILES or build/release-files; the .deb is extracted, not installed.
Exits with 77 if the folder lacks the files. ./dev install does not run here: the test `package`
installs a build.
"""
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

NAMES = re.compile(r"kinf-(?P<tar>[\d.]+)-linux-ARCH\.tar\.gz|kinf_(?P<deb>[\d.]+)_ARCH\.deb")
INSTALLED = ["bin/kinf", "bin/kubectl-kinf", "share/man/man1/kinf-watch.1",
             "share/man/man7/kinf-options.7", "share/bash-completion/completions/kinf"]


def output(words, **options):
    return subprocess.run(words, check=True, text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, timeout=120, **options).stdout


class Readme:
    def __init__(self, sources, kinf):
        self.sources, self.kinf = sources, kinf
        self.text = (sources / "README.md").read_text(encoding="utf-8")
        block = re.search(r"^## Install\n+```sh\n(.*?)^```$", self.text, re.M | re.S)[1]
        self.lines = [line for line in block.splitlines() if line and not line.startswith("#")]
        project = (sources / "CMakeLists.txt").read_text(encoding="utf-8")
        self.version = re.search(r"project\(kinf VERSION ([\d.]+)", project)[1]

    def release_commands(self):
        return [line for line in self.lines if not line.startswith(("./dev ", "sudo "))]

    def wrong_names(self):
        """Checks the names of release files, and that there are three ways in ten lines."""
        plain = re.sub(r"\$\((uname -m|dpkg --print-architecture)\)", "ARCH", "\n".join(self.lines))
        found = [match.groupdict() for match in NAMES.finditer(plain)]
        wrong = [] if len(self.lines) <= 10 else ["more than ten lines to install kinf"]
        for kind in "tar", "deb":
            versions = {match[kind] for match in found if match[kind]}
            if versions != {self.version}:
                wrong.append(f"{kind}: versions {sorted(versions)} instead of {self.version}")
        return wrong

    def wrong_mentions(self):
        """Checks the commands in the text, in `backquotes` or the sh block: they must exist, and
        have these flags."""
        prose = re.sub(r"^```.*?^```$", "", self.text, flags=re.M | re.S)
        spans = [re.sub(r"\s+", " ", span) for span in re.findall(r"`([^`]+)`", prose)] + self.lines
        wrong = []
        for span in spans:
            page = f"{span[4:]}.[17]"
            if span.startswith("man ") and not list((self.sources / "man").glob(page)):
                wrong.append(f"{span}: no such page")
            if span.startswith(("kinf ", "./dev ")):
                wrong += self.wrong_command(span)
        return wrong

    def wrong_command(self, span):
        program, *words = span.split(" -- ")[0].split()
        name = words[0]
        of_program = [self.kinf] if program == "kinf" else ["./dev"]
        commands = output([*of_program, "help"], cwd=self.sources)
        entry = re.search(rf"^  {name}\b.*(?:\n   .*|\n  {name}\b.*)*", commands, re.M)
        if not entry and name != "--help":
            return [f"{span}: unknown"]
        flags = output([self.kinf, name, "--help"]) + "--help" if program == "kinf" else entry[0]
        return [f"{span}: no {flag}" for flag in re.findall(r"(?<!\S)--[a-z-]+", span)
                if flag not in flags]

    def install(self, folder):
        """Follows the README in a copy of the release files."""
        with tempfile.TemporaryDirectory(prefix="kinf-release.", dir="/tmp") as home:
            files = pathlib.Path(home, "files")
            shutil.copytree(folder, files, ignore=lambda path, _: [
                one.name for one in pathlib.Path(path).iterdir() if one.is_dir()])
            output(["bash", "-ec", "\n".join(self.release_commands())], cwd=files,
                   env={**os.environ, "HOME": home})
            wrong = self.missing_in(pathlib.Path(home, ".local"))
            architecture = output(["dpkg", "--print-architecture"]).strip() if shutil.which(
                "dpkg") else "none"
            package = files / f"kinf_{self.version}_{architecture}.deb"
            if package.exists():
                output(["dpkg-deb", "--extract", package, f"{home}/root"])
                wrong += self.missing_in(pathlib.Path(home, "root/usr"))
            else:
                print(f"skipped: there is no {package.name}, or no dpkg")
            return wrong

    def missing_in(self, prefix):
        wrong = [f"{name}: not installed" for name in INSTALLED
                 if not list(prefix.glob(name + "*"))]
        if wrong:
            return wrong
        kinf = prefix / "bin/kinf"
        if not output([kinf, "version"]).startswith(f"kinf {self.version} "):
            wrong.append("the installed kinf has another version")
        if "Running" not in output([kinf, "get", "pods", "--sandbox"]):
            wrong.append("the installed kinf does not list the pods of a sandbox")
        return wrong


def follow(readme):
    folder = pathlib.Path(os.environ.get("KINF_RELEASE_FILES") or
                          readme.sources / "build/release-files")
    archive = folder / f"kinf-{readme.version}-linux-{platform.machine()}.tar.gz"
    if not archive.exists():
        print(f"skipped: there is no {archive}: ./dev release makes it")
        sys.exit(77)
    return readme.install(folder)


def main(sources, kinf, is_follow):
    readme = Readme(sources, kinf)
    wrong = follow(readme) if is_follow else readme.wrong_names() + readme.wrong_mentions()
    print("\n".join(wrong + [f"{len(wrong)} complaints"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4) or sys.argv[3:] not in ([], ["--follow"]):
        sys.exit(__doc__)
    sys.exit(main(*(pathlib.Path(word).resolve() for word in sys.argv[1:3]), len(sys.argv) == 4))
