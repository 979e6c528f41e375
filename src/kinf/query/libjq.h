// SPDX-License-Identifier: Apache-2.0
// The functions of libjq that kinf uses, and a faster way to give it JSON. Only jq.cc includes this
// header.
#pragma once

#include <cstdio>
#include <string_view>

#include "kinf/base/error.h"
#include "kinf/query/jq_reads.h"

extern "C" {
#include <jq.h>
}

#ifndef KINF_LINK_JQ
// jv.h defines a function that calls it; the program is not linked with libjq.
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

/// A table of functions. Members have the names of the functions.
struct LibJq {
#define KINF_JQ_MEMBER(name) decltype(&::name) name = nullptr;
  KINF_JQ_FUNCTIONS(KINF_JQ_MEMBER)
#undef KINF_JQ_MEMBER
};

/// Loads libjq on the first call, so that commands that need no jq do not pay for it. With the
/// CMake option KINF_LINK_JQ the program is linked with libjq instead. Values that the calling
/// thread makes call on_no_jq_memory() when there is no memory. Fails with kind `internal`
/// if the library is missing.
/// Threads: any.
const Result<LibJq>& libjq();

/// Calls std::get_new_handler(). If it returns, libjq aborts.
void on_no_jq_memory(void*);

/// Returns the value that jq's own parser returns for an object, without the members that are not
/// in `reads`. Takes half the time of jq's parser. Returns an invalid value if `json` is anything
/// but an object of ordinary depth in strictly valid JSON: jq's parser accepts more. Checks the
/// members that are left out only as much as is needed to find their ends.
/// Threads: any. libjq() must have been loaded.
jv read_jq_object(std::string_view json, const JqReads& reads);

}  // namespace kinf
