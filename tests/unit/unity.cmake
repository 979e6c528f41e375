# With -DKINF_UNITY_TESTS=ON the tests of each folder are one translation unit. The tests listed
# here are compiled alone, because they define names that other tests of their folder define.
set(alone
  cache/in_order_fifo_test.cc
  cli/watch/event_output_test.cc
  cli/flags/flags_test.cc
  cli/index/index_watch_lines_test.cc
  cli/session/informer_monitor_test.cc
  cli/session/informer_set_test.cc
  cli/run/object_command_test.cc
  cli/selection/owner_tree_test.cc
  cli/run/pending_changes_test.cc
  cli/run/run_controller_limits_test.cc
  cli/session/session_test.cc
  cli/wait/wait_tracker_time_test.cc
  client/type_names_test.cc
  informer/informer_handlers_test.cc
  informer/informer_history_test.cc
  informer/informer_lifecycle_test.cc
  informer/list_round_test.cc
  informer/pager_test.cc
  informer/processor_listener_test.cc
  informer/reflector_faults_test.cc
  informer/reflector_test.cc
  informer/shared_informer_test.cc
  print/object_document_test.cc
  print/objects_printer_test.cc
  query/index_spec_test.cc
  query/jq_test.cc
  query/where_test.cc
  recording/state/state_saver_test.cc
  sandbox/api/object_service_test.cc
  sandbox/api/response_form_test.cc
  sandbox/api/subresources_test.cc
  sandbox/api/watch_stream_test.cc
  sandbox/faults/relay_connection_test.cc
  sandbox/store/resource_store_test.cc)

get_target_property(sources kinf_tests SOURCES)
foreach(source IN LISTS sources)
  if(source MATCHES "/tests/unit/(.*)/[^/]*$")
    string(REPLACE "/" "_" folder ${CMAKE_MATCH_1})
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder})
  endif()
endforeach()
list(TRANSFORM alone PREPEND ${CMAKE_CURRENT_LIST_DIR}/)
set_source_files_properties(${alone} ${CMAKE_CURRENT_LIST_DIR}/main.cc
  PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
set_target_properties(kinf_tests PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
