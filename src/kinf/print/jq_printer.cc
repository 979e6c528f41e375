// SPDX-License-Identifier: Apache-2.0
#include "kinf/print/jq_printer.h"

#include <fmt/format.h>

#include <utility>

#include "kinf/base/log.h"
#include "kinf/base/visible_text.h"

namespace kinf {
namespace {

class JqPrinter final : public EventPrinter {
 public:
  JqPrinter(JqPrintOptions options, std::unique_ptr<EventPrinter> inner)
      : options_(std::move(options)), inner_(std::move(inner)) {}

  void print(const ResourceType& type, const Change& change, Clock::Wall now,
             std::string& out) override {
    event_.clear();
    inner_->set_cluster(cluster());
    inner_->print(type, change, now, event_);
    if (event_.empty()) return;  // inner_ has logged that the document is damaged
    append_results(type, change.key, out);
  }
  void print_bookmark(const ResourceType& type, const Bookmark& bookmark,
                      std::string& out) override {
    event_.clear();
    inner_->set_cluster(cluster());
    inner_->print_bookmark(type, bookmark, event_);
    append_results(type, "a bookmark", out);
  }
  std::size_t unprinted() const override { return inner_->unprinted(); }

 private:
  void append_results(const ResourceType& type, std::string_view name, std::string& out) const {
    const Result<void> done = append_jq(out, options_, event_);
    if (done || done.error().kind == ErrorKind::stopped) return;
    if (done.error().kind == ErrorKind::internal && options_.on_end) {
      return options_.on_end(
          done.error().within(fmt::format("--jq: {} {}", type.gvr.group_resource(), name)));
    }
    log::notice("--jq: {} {}: {}", type.gvr.group_resource(), name, done.error().message);
  }

  const JqPrintOptions options_;
  const std::unique_ptr<EventPrinter> inner_;
  std::string event_;
};

}  // namespace

Result<void> append_jq(std::string& out, const JqPrintOptions& options, std::string_view json) {
  const JqInput input(json, options.program->reads());
  return options.program->run(input, nullptr, options.stop, [&](std::string_view result) {
    if (options.for_terminal) {
      out += visible_text(result);
    } else {
      out += result;
    }
    out += '\n';
  });
}

std::unique_ptr<EventPrinter> make_jq_printer(JqPrintOptions options,
                                              std::unique_ptr<EventPrinter> inner) {
  return std::make_unique<JqPrinter>(std::move(options), std::move(inner));
}

}  // namespace kinf
