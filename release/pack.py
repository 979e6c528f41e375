# SPDX-License-Identifier: Apache-2.0
"""Packs a build into archives. The same files give the same bytes: all entries are sorted, belong
to root and have the time of the release."""
import gzip
import io
import pathlib
import re
import shutil
import tarfile

import fetch
import toolchain
from settings import ROOT, SOURCES, Problem, cache, commit_time, recipe, run, version

NOTES = "RELEASE-NOTES.md"


def notices():
    """The licenses of everything that is linked into the program."""
    parts = [f"kinf {version()}: see LICENSE. The program also contains:\n"]
    for entry in SOURCES:
        if entry["role"] == "linked":
            fetch.unpack(entry, cache() / recipe() / "sources" / entry["name"])
            parts.append(f"{'=' * 80}\n{entry['name']} {entry['version']} ({entry['license']})\n")
            if "notice" in entry:
                path = cache() / recipe() / "sources" / entry["name"] / entry["notice"]
                parts.append(path.read_text(encoding="utf-8", errors="replace"))
    parts.append(f"{'=' * 80}\nmusl, libc++, libc++abi, libunwind, compiler-rt\n")
    for name in ("LICENSE", "lib/libc/musl/COPYRIGHT", "lib/libcxx/LICENSE.TXT"):
        parts.append((toolchain.zig().parent / name).read_text(encoding="utf-8", errors="replace"))
    return "\n".join(parts)


def section(path, heading):
    """The text below a `## ` heading of a document."""
    text = (ROOT / path).read_text(encoding="utf-8")
    found = re.search(rf"^## {heading}\b[^\n]*\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    if not found:
        raise Problem(f"{path} has no heading ## {heading}")
    return found[1].strip()


def notes():
    """The notes of the release: what was not run, and what has changed."""
    return (f"# kinf {version()}\n\n## What was not run\n\n"
            f"{section('doc/release.md', 'What was not run')}\n\n## Changes\n\n"
            f"{section('CHANGELOG.md', f'(?:Unreleased|{version()})')}\n")


def stage(built, folder):
    """Puts what users get into `folder`, as it belongs below /usr or ~/.local. Returns `folder`."""
    shutil.rmtree(folder, ignore_errors=True)
    whole = folder.with_name(folder.name + ".all")
    run(["cmake", "--install", built, "--prefix", whole], log=built / "install.log")
    folder.mkdir(parents=True)
    for name in ("bin", "share"):
        shutil.move(whole / name, folder / name)
    shutil.rmtree(whole)
    documents = folder / "share/doc/kinf"
    documents.mkdir(parents=True)
    shutil.copy(ROOT / "LICENSE", documents)
    (documents / "THIRD-PARTY-LICENSES").write_text(notices(), encoding="utf-8")
    (documents / NOTES).write_text(notes(), encoding="utf-8")
    return folder


def entries(folder):
    """All paths below `folder`, sorted by name in every locale."""
    return sorted(folder.rglob("*"), key=lambda path: path.relative_to(folder).parts)


def tar_bytes(folder, top, directories=True):
    """An uncompressed tar of `folder` whose paths begin with `top`."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for path in ([folder] if directories else []) + entries(folder):
            name = top if path == folder else f"{top}/{path.relative_to(folder).as_posix()}"
            entry = tar.gettarinfo(path, arcname=name)
            entry.uid = entry.gid = 0
            entry.uname = entry.gname = "root"
            entry.mtime = commit_time()
            executable = entry.isdir() or path.stat().st_mode & 0o100
            entry.mode = 0o777 if entry.issym() else 0o755 if executable else 0o644
            if entry.isreg():
                with open(path, "rb") as file:
                    tar.addfile(entry, file)
            else:
                tar.addfile(entry)
    return out.getvalue()


def gzip_bytes(content):
    out = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=out, compresslevel=9, mtime=0) as file:
        file.write(content)
    return out.getvalue()


def tarball(folder, arch, out):
    """Writes kinf-VERSION-linux-ARCH.tar.gz and returns its path."""
    name = f"kinf-{version()}-linux-{arch}"
    path = out / f"{name}.tar.gz"
    path.write_bytes(gzip_bytes(tar_bytes(folder, name)))
    return path


def notes_and_sums(out):
    """Writes the release notes, and SHA256SUMS of all files in `out`."""
    (out / NOTES).write_text(notes(), encoding="utf-8")
    names = sorted(path.name for path in out.iterdir() if path.name != "SHA256SUMS")
    text = "".join(f"{fetch.sha256(out / name)}  {name}\n" for name in names)
    pathlib.Path(out / "SHA256SUMS").write_text(text, encoding="utf-8")
