# Installs the library, its headers, documents and examples, the package for find_package(kinf), which
# defines kinf::kinf, a pkg-config file, and the man pages and completions of the program.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/kinf)
install(TARGETS kinf_lib EXPORT kinf-targets FILE_SET HEADERS)
install(EXPORT kinf-targets NAMESPACE kinf:: DESTINATION ${package_dir})

configure_package_config_file(cmake/kinf-config.cmake.in kinf-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(kinf-config-version.cmake COMPATIBILITY SameMinorVersion)
# The prefix is relative to the .pc file, so that `cmake --install --prefix` works with any prefix.
file(RELATIVE_PATH pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" pc_prefix ${pc_prefix})
# The users of a static library link its dependencies, too.
set(pc_requires "fmt")
set(pc_private "libcurl simdjson yaml-0.1 zlib")
if(NOT BUILD_SHARED_LIBS)
  set(pc_requires "${pc_requires} ${pc_private}")
  set(pc_private "")
endif()
configure_file(cmake/kinf.pc.in kinf.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/kinf-config.cmake ${PROJECT_BINARY_DIR}/kinf-config-version.cmake
  DESTINATION ${package_dir})
install(FILES ${PROJECT_BINARY_DIR}/kinf.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(FILES doc/library.md doc/testing.md doc/informers.md doc/articles.md doc/informer-deltas.svg
  doc/informer-diagram.svg doc/informer-pipeline.svg doc/informer-requests.svg TYPE DOC)
install(DIRECTORY examples TYPE DOC)

if(NOT KINF_PROGRAM)
  return()
endif()
# The man pages and completions, where man and the shells look for them.
foreach(section IN ITEMS 1 7)
  install(DIRECTORY man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section}
    FILES_MATCHING PATTERN "*.${section}")
endforeach()
install(FILES completions/kinf.bash RENAME kinf
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES completions/kinf.zsh RENAME _kinf
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES completions/kinf.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# The plugin of kubectl, `kubectl kinf`, and what completes it.
if(TARGET kinf)
  file(CREATE_LINK kinf ${PROJECT_BINARY_DIR}/kubectl-kinf SYMBOLIC)
  install(FILES ${PROJECT_BINARY_DIR}/kubectl-kinf TYPE BIN)
  install(PROGRAMS completions/kubectl_complete-kinf TYPE BIN)
endif()
