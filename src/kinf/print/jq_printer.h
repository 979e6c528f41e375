// SPDX-License-Identifier: Apache-2.0
// Prints the results of a jq program (`--jq`): one line each, strings without quotes.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include "kinf/print/event_printer.h"
#include "kinf/query/jq.h"

namespace kinf {

struct JqPrintOptions {
  std::shared_ptr<Jq> program;
  std::stop_token stop;
  /// Whether to escape characters that are not printable; see visible_text().
  bool for_terminal = false;
  /// Called when the program cannot run any more; see Jq::run(). The caller ends the command.
  std::function<void(const Error& error)> on_end = {};
};

/// Appends the results of the program for a JSON document. Results before a failure stay in `out`.
/// Fails like Jq::run().
Result<void> append_jq(std::string& out, const JqPrintOptions& options, std::string_view json);

/// Returns a printer that runs the program on each JSON document that `inner` prints. Logs a notice
/// for each document for which jq fails.
std::unique_ptr<EventPrinter> make_jq_printer(JqPrintOptions options,
                                              std::unique_ptr<EventPrinter> inner);

}  // namespace kinf
