// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/jq_printer.h"

#include <utility>

#include "kinf/base/log.h"
#include "kinf/base/unicode.h"

namespace kinf {
namespace {

void append_for_terminal(std::string& out, std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Rune rune = decode_rune(text, at);
    const bool fits = rune.value == U'\t' || rune.value == U'\n' || is_printable(rune.value);
    if (fits) {
      append_utf8(out, rune.value);
    } else {
      out += '?';
    }
    at += rune.size;
  }
}

class JqPrinter final : public EventPrinter {
 public:
  JqPrinter(JqPrintOptions options, std::unique_ptr<EventPrinter> inner)
      : options_(std::move(options)), inner_(std::move(inner)) {}

  void print(const ResourceType& type, const Change& change, Clock::Wall now,
             std::string& out) override {
    event_.clear();
    inner_->print(type, change, now, event_);
    const Result<> done = append_jq(out, options_, event_);
    if (done || done.error().kind == ErrorKind::stopped) return;
    log::notice("--jq: {} {}: {}", type.gvr.group_resource(), change.key, done.error().message);
  }

 private:
  const JqPrintOptions options_;
  const std::unique_ptr<EventPrinter> inner_;
  std::string event_;
};

}  // namespace

Result<> append_jq(std::string& out, const JqPrintOptions& options, std::string_view json) {
  const Result<JqValue> input = JqValue::parse(json);
  if (!input) return std::unexpected(input.error());
  return options.program->run(*input, nullptr, options.stop, [&](const JqValue& result) {
    if (options.for_terminal) {
      append_for_terminal(out, result.text());
    } else {
      out += result.text();
    }
    out += '\n';
    return true;
  });
}

std::unique_ptr<EventPrinter> make_jq_printer(JqPrintOptions options,
                                              std::unique_ptr<EventPrinter> inner) {
  return std::make_unique<JqPrinter>(std::move(options), std::move(inner));
}

}  // namespace kinf
