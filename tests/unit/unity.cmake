# With -DKINF_UNITY_TESTS=ON the tests of each folder are one translation unit, and those of the
# small folders named here share one. So the tests of a unit define different names.
set(shared_units
  "cache workqueue process"
  "cli/completion cli/connection cli/runtime cli/settings"
  "cli/inspect cli/run cli/wait cli/watch cli"
  "cli/selection cli/session"
  "columns kubernetes demo/live demo/stages screen http"
  "recording recording/play recording/state"
  "sandbox sandbox/faults sandbox/past sandbox/store")

get_target_property(sources kinf_tests SOURCES)
foreach(source IN LISTS sources)
  if(source MATCHES "/tests/unit/(.*)/[^/]*$")
    kinf_group_unit(${source} ${CMAKE_MATCH_1} ${shared_units})
  endif()
endforeach()
set_source_files_properties(fakes/fake_lister_watcher.cc fakes/manual_source.cc
  PROPERTIES UNITY_GROUP fakes)
set_target_properties(kinf_tests PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
