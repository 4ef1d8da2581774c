# The installed package: headers, the target flopledger::flopledger, and the CMake functions for users.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_directory ${CMAKE_INSTALL_DATADIR}/cmake/flopledger)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/flopledger DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS flopledger EXPORT flopledger_targets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT flopledger_targets FILE flopledgerTargets.cmake NAMESPACE flopledger:: DESTINATION ${package_directory})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/flopledgerConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/flopledgerConfig.cmake INSTALL_DESTINATION ${package_directory})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/flopledgerConfigVersion.cmake COMPATIBILITY SameMajorVersion
                                                                                      ARCH_INDEPENDENT)

# Every file that a user's build may need is called flopledger_*, and only those.
file(GLOB user_functions CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/flopledger_*)
install(FILES ${PROJECT_BINARY_DIR}/flopledgerConfig.cmake ${PROJECT_BINARY_DIR}/flopledgerConfigVersion.cmake
              ${user_functions} DESTINATION ${package_directory})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
