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
configure_file(${PROJECT_SOURCE_DIR}/cmake/flopledger.pc.in ${PROJECT_BINARY_DIR}/flopledger.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/flopledger.pc DESTINATION ${CMAKE_INSTALL_DATADIR}/pkgconfig)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# `cpack` in the build tree makes a package for Debian, or an archive with -G TGZ.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "the flopledger authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "books of a Transformer, as constant expressions and by a program")
set(CPACK_PACKAGE_DESCRIPTION ${PROJECT_DESCRIPTION})
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS libboost-dev)
include(CPack)
