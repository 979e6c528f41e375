# The rest of the program: kubernetes, columns, print, recording, http, sandbox, screen, demo, cli,
# and most of query. Not installed. Needs more than the library does.
find_package(Boost 1.74 REQUIRED)  # only headers: Asio and Beast
find_package(CLI11 REQUIRED)
find_package(OpenSSL 3 REQUIRED)
pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3>=3.38)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd>=1.4.5)
# The archives, where they exist: most commands use no ncurses, and should not load it.
find_path(NCURSESW_INCLUDE_DIR ncurses.h PATH_SUFFIXES ncursesw REQUIRED)
find_library(NCURSESW_LIBRARY NAMES libncursesw.a ncursesw REQUIRED)
find_library(TINFO_LIBRARY NAMES libtinfo.a libtinfow.a tinfo tinfow)
if(NOT TINFO_LIBRARY)
  set(TINFO_LIBRARY "")  # part of ncursesw
endif()
# toml++ has only headers here; its .pc file would link a shared library.
find_path(TOML_INCLUDE_DIR toml++/toml.h REQUIRED)
# libjq 1.6 has neither a CMake package nor a .pc file.
find_path(JQ_INCLUDE_DIR jq.h REQUIRED)
find_library(JQ_LIBRARY jq REQUIRED)

add_library(kinf_app STATIC)
target_link_libraries(kinf_app PUBLIC kinf_lib nlohmann_json::nlohmann_json
  PRIVATE kinf_options Boost::headers CLI11::CLI11 OpenSSL::SSL simdjson::simdjson
    ZLIB::ZLIB PkgConfig::SQLITE PkgConfig::ZSTD)
target_include_directories(kinf_app SYSTEM PRIVATE ${JQ_INCLUDE_DIR} ${NCURSESW_INCLUDE_DIR}
  ${TOML_INCLUDE_DIR})
target_link_libraries(kinf_app PRIVATE ${NCURSESW_LIBRARY} ${TINFO_LIBRARY})
if(KINF_LINK_JQ)
  target_compile_definitions(kinf_app PRIVATE KINF_LINK_JQ)
  target_link_libraries(kinf_app PRIVATE ${JQ_LIBRARY})
else()
  target_link_libraries(kinf_app PRIVATE ${CMAKE_DL_LIBS})
endif()
# Asio 1.74 recognizes it only in some compilers, and else uses std::result_of, which C++23 lacks.
target_compile_definitions(kinf_app PRIVATE BOOST_ASIO_HAS_STD_INVOKE_RESULT)
target_compile_options(kinf_app PRIVATE -fPIE)
kinf_room_sources(program_sources kubernetes query columns print recording http sandbox screen demo
  cli)
list(REMOVE_ITEM program_sources ${library_sources})
file(GLOB_RECURSE program_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/kinf/*.h)
list(REMOVE_ITEM program_headers ${library_headers})
list(FILTER program_headers EXCLUDE REGEX
  "/kinf/((base|process|api|client|cache|informer|workqueue|testing|http)/|sandbox/[a-z]+/)")
target_sources(kinf_app PRIVATE ${program_sources} PUBLIC FILE_SET HEADERS
  BASE_DIRS ${PROJECT_SOURCE_DIR}/src FILES ${program_headers})
# curses.h defines short names, which would meet those of other files; toml.h is large.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/kinf/screen/screen.cc
  ${PROJECT_SOURCE_DIR}/src/kinf/cli/settings/settings_file.cc
  PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
add_subdirectory(src/kinf/demo)
add_subdirectory(src/kinf/cli/completion)
