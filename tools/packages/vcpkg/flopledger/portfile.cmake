# An overlay port of this source tree: vcpkg install flopledger --overlay-ports=tools/packages/vcpkg
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../../.." ABSOLUTE)
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS -DFLOPLEDGER_BUILD_TESTS=OFF -DFLOPLEDGER_BUILD_EXAMPLES=OFF -DFLOPLEDGER_BUILD_TOOLS=OFF
          -DFLOPLEDGER_BUILD_BENCHMARKS=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH share/cmake/flopledger)
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
