// SPDX-License-Identifier: Apache-2.0
// The functions of libjq that kinf uses, and a faster parser from JSON to its values. Only jq.cc
// includes this header.
#pragma once

#include <cstdio>
#include <string_view>

#include "kinf/base/error.h"
#include "kinf/query/jq/jq_reads.h"

extern "C" {
#include <jq.h>
}

#ifndef KINF_LINK_JQ
// An inline function in jv.h calls jv_get_kind(). The program is not linked with libjq, so the
// symbol must be weak.
#pragma weak jv_get_kind
#endif
// clang-format off
#define KINF_JQ_FUNCTIONS(each)                                                                \
  each(jq_init) each(jq_teardown) each(jq_set_error_cb) each(jq_compile) each(jq_start)        \
  each(jq_next) each(jq_halt) each(jq_halted) each(jq_get_exit_code)                           \
  each(jv_parse_sized) each(jv_get_kind) each(jv_copy) each(jv_free) each(jv_null)             \
  each(jv_invalid) each(jv_invalid_has_msg) each(jv_invalid_get_msg) each(jv_dump_string)      \
  each(jv_string) each(jv_string_sized) each(jv_string_value) each(jv_string_length_bytes)     \
  each(jv_number) each(jv_number_value) each(jv_bool) each(jv_array) each(jv_array_append)     \
  each(jv_object) each(jv_object_set) each(jv_nomem_handler) \
  each(jq_set_nomem_handler)
// clang-format on

namespace kinf {

/// Pointers to the functions of libjq. Each member has the name of its function.
struct LibJq {
#define KINF_JQ_MEMBER(name) decltype(&::name) name = nullptr;
  KINF_JQ_FUNCTIONS(KINF_JQ_MEMBER)
#undef KINF_JQ_MEMBER
};

/// Returns the functions of libjq. Loads the library on the first call, so that commands without jq
/// do not load it. With the CMake option KINF_LINK_JQ, the program is linked with libjq instead.
/// Also makes libjq call on_no_jq_memory() when an allocation of the calling thread fails. Fails
/// with kind `internal` if the library is missing.
/// Threads: any.
const Result<LibJq>& libjq();

/// Calls the handler of std::get_new_handler(), if any. If the handler returns, libjq aborts.
void on_no_jq_memory(void*);

/// Parses a JSON object, leaving out the members that are not in `reads`, in half the time of jq's
/// own parser. Returns an invalid value unless `json` is an object in strictly valid JSON that is
/// not nested too deep (kBuiltDepth); jq's parser accepts more. Does not check the members that are
/// left out, except to find where they end.
/// Threads: any. libjq() must have been loaded.
jv read_jq_object(std::string_view json, const JqReads& reads);

}  // namespace kinf
