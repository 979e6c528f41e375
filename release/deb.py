# SPDX-License-Identifier: Apache-2.0
"""Makes a Debian package of a staged build, without Debian's tools, so that the same files give the
same bytes."""
import gzip
import hashlib
import io
import lzma
import shutil
import tarfile
import time

import pack
from settings import HERE, TARGETS, commit_time, version

CONTROL = """Package: kinf
Version: {version}
Architecture: {architecture}
Maintainer: {maintainer}
Installed-Size: {size}
Recommends: ca-certificates
Section: admin
Priority: optional
Description: watch Kubernetes objects, through informers
 kinf watches, lists, indexes and records the objects of a Kubernetes cluster,
 and runs commands when they change. It continues after server restarts, hangs
 and lost history. It has an embedded API server to try things out.
 .
 The program is linked statically and runs without other packages.
"""
COPYRIGHT = """kinf is licensed under the Apache License, Version 2.0, which is in
/usr/share/common-licenses/Apache-2.0.

Copyright: 2026, the authors of kinf

The program contains libraries, whose licenses are in third-party-licenses.gz.
"""


def maintainer():
    return (HERE / "maintainer").read_text(encoding="utf-8").strip()


def compress_manuals(manuals):
    """Debian wants man pages compressed. The two programs of the plugin have the page of kinf."""
    for page in sorted(manuals.glob("man*/*")):
        page.with_name(f"{page.name}.gz").write_bytes(pack.gzip_bytes(page.read_bytes()))
        page.unlink()
    for plugin in ("kubectl-kinf", "kubectl_complete-kinf"):
        (manuals / f"man1/{plugin}.1.gz").symlink_to("kinf.1.gz")


def arrange(staged, root):
    """Puts the staged files at their places in the package."""
    shutil.rmtree(root, ignore_errors=True)
    shutil.copytree(staged / "bin", root / "usr/bin", symlinks=True)
    shutil.copytree(staged / "share", root / "usr/share", symlinks=True)
    zsh = root / "usr/share/zsh"
    (zsh / "site-functions").rename(zsh / "vendor-completions")
    compress_manuals(root / "usr/share/man")
    documents = root / "usr/share/doc/kinf"
    (documents / "LICENSE").unlink()  # Debian has one copy for all packages
    notices = documents / "THIRD-PARTY-LICENSES"
    (documents / "third-party-licenses.gz").write_bytes(pack.gzip_bytes(notices.read_bytes()))
    notices.unlink()
    (documents / "copyright").write_text(COPYRIGHT, encoding="utf-8")
    (documents / "changelog.gz").write_bytes(pack.gzip_bytes(changelog().encode()))
    overrides = root / "usr/share/lintian/overrides"
    overrides.mkdir(parents=True)
    shutil.copy(HERE / "lintian-overrides", overrides / "kinf")


def changelog():
    """In Debian's form, which lintian reads. The changes themselves are in CHANGELOG.md."""
    date = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(commit_time()))
    return (f"kinf ({version()}) stable; urgency=medium\n\n  * See CHANGELOG.md of the source.\n\n"
            f" -- {maintainer()}  {date}\n")


def control_files(root, architecture):
    """The texts of control.tar, by name."""
    files = [path for path in pack.entries(root) if path.is_file() and not path.is_symlink()]
    size = sum(1 if path.is_symlink() else (path.stat().st_size + 1023) // 1024
               for path in pack.entries(root))
    sums = "".join(f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(root)}\n"
                   for path in files)
    control = CONTROL.format(version=version(), architecture=architecture, size=size,
                             maintainer=maintainer())
    return {"control": control, "md5sums": sums}


def control_tar(texts):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for name, text in sorted(texts.items()):
            entry = tarfile.TarInfo(f"./{name}")
            entry.size = len(text.encode())
            entry.mtime = commit_time()
            entry.uname = entry.gname = "root"
            tar.addfile(entry, io.BytesIO(text.encode()))
    return out.getvalue()


def ar_bytes(members):
    """An ar archive, the outer form of a .deb."""
    out = [b"!<arch>\n"]
    for name, content in members:
        header = f"{name:<16}{commit_time():<12}{0:<6}{0:<6}{100644:<8}{len(content):<10}`\n"
        out += [header.encode(), content, b"\n" * (len(content) % 2)]
    return b"".join(out)


def build(staged, arch, out):
    """Writes kinf_VERSION_ARCH.deb and returns its path."""
    root = staged.with_name("deb")
    arrange(staged, root)
    architecture = TARGETS[arch]["debian"]
    control = gzip.compress(control_tar(control_files(root, architecture)), 9, mtime=0)
    data = lzma.compress(pack.tar_bytes(root, "."), preset=6)
    path = out / f"kinf_{version()}_{architecture}.deb"
    path.write_bytes(ar_bytes([("debian-binary", b"2.0\n"), ("control.tar.gz", control),
                               ("data.tar.xz", data)]))
    return path
