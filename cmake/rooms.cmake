# The sources of each room, found by their names: src/kinf/ROOM/*.cc and *.h, also in rooms inside it,
# and which of them share a translation unit.

# kinf_room_sources(RESULT ROOM...): sets RESULT to the .cc files of the rooms.
function(kinf_room_sources result)
  list(TRANSFORM ARGN REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/src/kinf/\\1/*.cc" OUTPUT_VARIABLE patterns)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${patterns})
  set(${result} ${files} PARENT_SCOPE)
endfunction()

# kinf_group_unit(SOURCE FOLDER SHARED...): in a unity build, puts the file SOURCE into the translation
# unit of its FOLDER, or into that of the item of SHARED, a list of folders, that names the folder.
function(kinf_group_unit source folder)
  set(unit ${folder})
  foreach(folders IN LISTS ARGN)
    if(" ${folders} " MATCHES " ${folder} ")
      set(unit ${folders})
    endif()
  endforeach()
  string(MAKE_C_IDENTIFIER ${unit} unit)
  set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${unit})
endfunction()

# kinf_included_headers(RESULT HEADER): sets RESULT to HEADER, given relative to src, and all headers
# of kinf that it includes, directly or not. A header that the build makes is left out.
function(kinf_included_headers result header)
  set(found ${header})
  set(unread ${header})
  while(unread)
    list(POP_FRONT unread next)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${next})
    file(STRINGS ${PROJECT_SOURCE_DIR}/src/${next} lines REGEX "^#include \"kinf/")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE ".*\"(.*)\".*" "\\1" included "${line}")
      if(NOT included IN_LIST found AND EXISTS ${PROJECT_SOURCE_DIR}/src/${included})
        list(APPEND found ${included})
        list(APPEND unread ${included})
      endif()
    endforeach()
  endwhile()
  list(TRANSFORM found PREPEND ${PROJECT_SOURCE_DIR}/src/)
  set(${result} ${found} PARENT_SCOPE)
endfunction()
