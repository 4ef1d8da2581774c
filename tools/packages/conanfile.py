"""The headers as a Conan package: conan create tools/packages"""

import pathlib
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain
from conan.tools.files import copy


class Flopledger(ConanFile):
    name = "flopledger"
    license = "BSL-1.0"
    description = "The books of a Transformer: what it holds, computes, moves and costs, as constant expressions with units"
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    requires = "boost/[>=1.74]"
    no_copy_source = True

    def set_version(self):
        header = pathlib.Path(self.recipe_folder) / "../../include/flopledger/version.hpp"
        self.version = ".".join(re.findall(r"define FLOPLEDGER_VERSION_\w+ (\d+)", header.read_text()))

    def export_sources(self):
        root = pathlib.Path(self.recipe_folder) / "../.."
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "include/*"):
            copy(self, pattern, root, self.export_sources_folder)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for part in ("TESTS", "EXAMPLES", "TOOLS", "BENCHMARKS"):
            toolchain.cache_variables[f"FLOPLEDGER_BUILD_{part}"] = "OFF"
        toolchain.generate()

    def package(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.install()

    def package_id(self):
        self.info.clear()

    def package_info(self):
        self.cpp_info.bindirs = self.cpp_info.libdirs = []
        self.cpp_info.set_property("cmake_file_name", "flopledger")
        self.cpp_info.set_property("cmake_target_name", "flopledger::flopledger")
