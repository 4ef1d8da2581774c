# SPDX-License-Identifier: BSL-1.0
"""Builds libflopledger.so with CMake and packs it. FLOPLEDGER_LIBRARY names one that is built already."""

import os
import pathlib
import re
import shutil
import subprocess

from setuptools import setup
from setuptools.command.build_py import build_py

try:  # newer setuptools have their own
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:
    from wheel.bdist_wheel import bdist_wheel

here = pathlib.Path(__file__).resolve().parent
source = here.parent.parent


def version():
    text = (source / "include/flopledger/version.hpp").read_text()
    return ".".join(re.search(rf"VERSION_{part} (\d+)", text).group(1) for part in ("MAJOR", "MINOR", "PATCH"))


class BuildWithLibrary(build_py):
    def run(self):
        super().run()
        library = os.environ.get("FLOPLEDGER_LIBRARY") or self.build_library()
        package = pathlib.Path(self.build_lib) / "flopledger"
        package.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(library, package / "libflopledger.so")

    def build_library(self):
        build = pathlib.Path(self.get_finalized_command("build").build_temp).resolve()
        off = ["-DFLOPLEDGER_BUILD_%s=OFF" % part for part in ("TESTS", "EXAMPLES", "TOOLS", "BENCHMARKS")]
        subprocess.run(
            ["cmake", "-S", source, "-B", build, "-DCMAKE_BUILD_TYPE=Release", "-DFLOPLEDGER_BUILD_C=ON", *off], check=True)
        subprocess.run(["cmake", "--build", build, "--target", "flopledger_c", "--parallel"], check=True)
        return build / "lib/libflopledger.so"


class WheelOfThisMachine(bdist_wheel):
    """The library is of one machine; the Python beside it is of every version."""

    def finalize_options(self):
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


setup(version=version(), cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": WheelOfThisMachine})
