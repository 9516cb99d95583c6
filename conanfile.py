# SPDX-License-Identifier: BSL-1.0
# conanfile.py: the Conan 2 recipe of tidemark, a header-only library.
from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout


class Tidemark(ConanFile):
    name = "tidemark"
    version = "0.1.0"
    description = "Checkpoints of whole computations, resumed bit for bit, in plain safetensors files"
    license = "BSL-1.0"
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    exports_sources = "CMakeLists.txt", "components.cmake", "dependencies.cmake", "LICENSE", "include/*", "single_include/*"
    no_copy_source = True
    implements = ["auto_header_only"]

    def validate(self):
        check_min_cppstd(self, 20)

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        self.requires("boost/[>=1.75]", options={"header_only": True}, transitive_headers=True)
        self.requires("rapidjson/[>=cci.20230929]", transitive_headers=True)
        self.requires("xxhash/[>=0.8.1]", transitive_headers=True)

    def generate(self):
        toolchain = CMakeToolchain(self)
        for option in ("TESTS", "EXAMPLES", "BENCHMARKS", "FETCH_DEPENDENCIES"):
            toolchain.cache_variables["TIDEMARK_" + option] = False
        toolchain.generate()

    def build(self):
        CMake(self).configure()

    def package(self):
        CMake(self).install()

    def package_info(self):
        self.cpp_info.bindirs = self.cpp_info.libdirs = []
        self.cpp_info.set_property("cmake_file_name", "tidemark")
        self.cpp_info.set_property("cmake_target_name", "tidemark::tidemark")
        self.cpp_info.set_property("pkg_config_name", "tidemark")
        self.cpp_info.requires = ["boost::headers", "rapidjson::rapidjson", "xxhash::xxhash"]
        if self.settings.os in ("Linux", "FreeBSD"):
            self.cpp_info.system_libs = ["pthread"]
