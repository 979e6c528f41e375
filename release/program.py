# SPDX-License-Identifier: Apache-2.0
"""Builds kinf with the libraries of the release."""
import os
import shutil

import libraries
from settings import HERE, ROOT, recipe, run, say

FLAGS = "-g0 -D_LARGEFILE64_SOURCE"
SYMBOLS = HERE / "startup-symbols"
# Landing pads for indirect jumps protect only a program that has them everywhere; musl has none.
NOT_USED = "-Dhas_fcf_protection=OFF"


def configure(made, out):
    """Runs cmake in the folder `out`, from scratch if the libraries or the flags have changed."""
    prefix = made / "prefix"
    command = ["cmake", "-S", ROOT, "-B", out, "-G", "Ninja",
               f"-DCMAKE_TOOLCHAIN_FILE={made}/toolchain.cmake",
               "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_UNITY_BUILD=ON",
               f"-DCMAKE_CXX_FLAGS={FLAGS} -ffile-prefix-map={ROOT}=. "
               f"-ffile-prefix-map={out}=build",
               f"-DCMAKE_CXX_LINKER_LAUNCHER={made}/bin/kinf-link;{SYMBOLS}",
               NOT_USED, "-DKINF_LINK_JQ=ON",
               f"-DJQ_LIBRARY={prefix}/lib/libjq.a;{prefix}/lib/libonig.a",
               f"-DOPENSSL_ROOT_DIR={prefix}", "-DOPENSSL_USE_STATIC_LIBS=ON"]
    wanted = "\n".join([recipe(), *map(str, command)])
    stamp = out / "recipe"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    run(command, log=out / "configure.log")
    stamp.write_text(wanted, encoding="utf-8")


def build(arch, out, targets=("kinf",)):
    """Builds `targets` in the folder `out` and returns `out`. Linked statically, without symbols."""
    made = libraries.build(arch)
    configure(made, out)
    say(f"building {', '.join(targets)} for {arch}")
    (out / "kinf").unlink(missing_ok=True)  # ninja does not know that it depends on SYMBOLS
    run_ninja(out, *targets)
    return out


def run_ninja(out, *targets, **environment):
    run(["ninja", "-C", out, *targets], log=out / "build.log",
        env={**os.environ, "NINJA_STATUS": "[%f/%t] ", **environment})


def with_symbols(out):
    """Links the program in the folder `out` again, with the names of its functions."""
    (out / "kinf").unlink()
    run_ninja(out, "kinf", KINF_KEEP_SYMBOLS="1")
    return (out / "kinf").rename(out / "kinf-with-symbols")
