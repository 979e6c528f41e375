// SPDX-License-Identifier: Apache-2.0
// kinf info: prints what a recording holds.
#include <fmt/format.h>

#include <algorithm>

#include "kinf/base/duration.h"
#include "kinf/base/log.h"
#include "kinf/base/number_text.h"
#include "kinf/base/timestamp.h"
#include "kinf/base/visible_text.h"
#include "kinf/cli/flags/inspect_flags.h"
#include "kinf/cli/runtime/commands.h"
#include "kinf/cli/runtime/file_writer.h"
#include "kinf/print/table_text.h"
#include "kinf/recording/recording_summary.h"

namespace kinf {
namespace {

/// How many objects, managers and gaps are shown.
constexpr std::size_t kShown = 5;
/// More types or days than this are summed up in a last line.
constexpr std::size_t kRows = 20;

/// Returns a duration in whole seconds, or milliseconds if it is shorter than a second.
std::string length_text(Clock::Duration length) {
  if (length < std::chrono::seconds(1)) {
    return duration_text(std::chrono::floor<std::chrono::milliseconds>(length));
  }
  return duration_text(std::chrono::floor<std::chrono::seconds>(length));
}

/// The lines before the tables, as names and values.
class Facts {
 public:
  void add(std::string_view name, std::string_view value) {
    table_.add_cell(name);
    table_.add_cell(visible_line(value));
    table_.end_row();
  }
  std::string text() { return table_.flush(); }

 private:
  TableText table_;
};

std::string facts_text(const std::string& file, const RecordingSummary& summary) {
  Facts facts;
  facts.add("file", file);
  facts.add("format", std::to_string(summary.format));
  const std::int64_t per_version = summary.versions == 0 ? 0 : summary.bytes / summary.versions;
  facts.add("size", fmt::format("{}, {} bytes a version", size_text(summary.bytes), per_version));
  facts.add("server", summary.server.empty() ? "not known" : summary.server);
  facts.add("cluster", summary.cluster.empty() ? "not known" : summary.cluster);
  facts.add("begin", local_time_text(summary.begins));
  facts.add("end", local_time_text(summary.ends));
  facts.add("length", length_text(summary.ends - summary.begins));
  facts.add("sessions", std::to_string(summary.sessions));
  facts.add("objects", std::to_string(summary.objects));
  facts.add("versions", std::to_string(summary.versions));
  facts.add("gaps", summary.gaps.empty() ? "none"
                                         : fmt::format("{}, together {}", summary.gaps.size(),
                                                       length_text(summary.unrecorded)));
  facts.add("secrets", summary.masks_secrets ? "masked" : "with their values");
  return facts.text();
}

/// Returns a table of counts, after an empty line. Sums up what is beyond kRows.
std::string counts_text(std::string_view title, const std::vector<RecordedCount>& counts,
                        bool has_objects) {
  if (counts.empty()) return {};
  TableText table;
  const auto add = [&](std::string_view name, std::string_view objects, std::string_view versions) {
    table.add_cell(visible_line(name));
    if (has_objects) table.add_cell(objects);
    table.add_cell(versions);
  };
  add(title, "OBJECTS", "VERSIONS");
  table.end_header();
  RecordedCount others;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const RecordedCount& one = counts[i];
    if (i < kRows) {
      add(one.name, std::to_string(one.objects), std::to_string(one.versions));
      table.end_row();
      continue;
    }
    others.objects += one.objects;
    others.versions += one.versions;
  }
  if (counts.size() > kRows) {
    add(fmt::format("{} others", counts.size() - kRows), std::to_string(others.objects),
        std::to_string(others.versions));
    table.end_row();
  }
  return "\n" + table.flush();
}

std::string gaps_text(const std::vector<RecordedGap>& gaps) {
  if (gaps.empty()) return {};
  TableText table;
  for (const char* name : {"LONGEST GAPS", "BEGIN", "LENGTH", "REASON"}) table.add_cell(name);
  table.end_header();
  for (std::size_t i = 0; i < std::min(gaps.size(), kShown); ++i) {
    const RecordedGap& gap = gaps[i];
    table.add_cell(visible_line(gap.ns.empty() ? gap.resource
                                               : fmt::format("{} of {}", gap.resource, gap.ns)));
    table.add_cell(local_time_text(gap.begin));
    table.add_cell(length_text(gap.end - gap.begin));
    table.add_cell(visible_line(gap.reason));
    table.end_row();
  }
  return "\n" + table.flush();
}

}  // namespace

Result<ExitCode> run_command(const InfoCommand& command, const CommandContext& context) {
  const Result<RecordingSummary> summary = summarize_recording(command.file, kShown, context.stop);
  if (!summary) return fail(summary);
  const std::string text =
      facts_text(command.file, *summary) + counts_text("TYPE", summary->types, true) +
      counts_text("DAY (UTC)", summary->days, false) +
      counts_text("CHANGED MOST", summary->changers, false) +
      counts_text("MANAGER", summary->managers, false) + gaps_text(summary->gaps);
  const ExitCode written = write_stdout(text, &context.exit_request);
  if (written != ExitCode::ok || !command.check) return written;
  const Result<std::int64_t> checked = check_recording(command.file, context.stop);
  if (!checked) return fail(checked);
  return write_stdout(fmt::format("\nintact: {} were read\n",
                                  counted(static_cast<std::size_t>(*checked), "version")),
                      &context.exit_request);
}

}  // namespace kinf
