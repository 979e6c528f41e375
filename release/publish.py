# SPDX-License-Identifier: Apache-2.0
"""Fills in the manifests for package managers from the files of a release."""
import re

import fetch
from settings import HERE, Problem, TARGETS, version

# The manifests, and the page for users, that name the address of the release: template, file.
MANIFESTS = [("krew.yaml", "kinf.yaml"), ("kinf.rb", "kinf.rb"),
             ("INSTALL.md", "INSTALL.md")]


def filled(template, values):
    text = (HERE / "templates" / template).read_text(encoding="utf-8")
    text = re.sub(r"@(\w+)@", lambda found: values[found[1]], text)
    return text


def refuse_wrong(url):
    """Refuses what is no address. Manifests hold it as it is, so only plain characters are allowed."""
    if not re.fullmatch(r"https?://[\w.:-]+(/[\w.~%+=,@:-]*)*", url, re.A):
        raise Problem(f"--url '{url}' is not an address: give that of the folder with the release "
                      "files, such as https://example.com/kinf/0.1.0")


def manifests(out, url):
    """Writes a Krew manifest, a Homebrew formula and INSTALL.md. `url` is where the files will be."""
    values = {"VERSION": version(), "URL": url.rstrip("/")}
    for arch in TARGETS:
        path = out / f"kinf-{version()}-linux-{arch}.tar.gz"
        if not path.exists():
            raise Problem(f"{path.name} is missing: the manifests need both architectures")
        values[f"SHA256_{arch}"] = fetch.sha256(path)
    for template, name in MANIFESTS:
        (out / name).write_text(filled(template, values), encoding="utf-8")


def container(out):
    (out / "Containerfile").write_text(filled("Containerfile", {}), encoding="utf-8")
