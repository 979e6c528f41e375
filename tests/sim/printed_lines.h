// SPDX-License-Identifier: Apache-2.0
// PrintedLines: the output of `kinf watch -o json`, in a file in memory, and its checks: the six
// properties that etcd promises of a watch (ordered, unique, atomic, bookmarkable, reliable,
// resumable), for a reader of the lines.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "kinf/base/file_descriptor.h"
#include "sim/etcd.h"
#include "sim/sim_source.h"
#include "sim/verdict.h"

namespace kinf::sim {

struct LineRules {
  std::string name;  ///< for messages
  bool red_only = false;
  bool in_order = true;  ///< the queue keeps the order of different objects
};

class PrintedLines {
 public:
  PrintedLines(LineRules rules, const Etcd& etcd, const Wire& wire, Verdict& verdict);

  int descriptor() const { return file_.get(); }
  /// The program starts. `known` are the objects that it knows from its last run: what it prints
  /// continues from there, without a gap and without a repetition.
  void begin(const State& known);
  /// Checks what was printed since the last call.
  void check();
  /// A restore of etcd brings older versions back: from now on, the order of versions is not known.
  void lose_timeline() { is_lost_ = true; }
  /// Everything that the lines show is of etcd's timeline.
  void find_timeline();
  /// Returns the objects as the lines tell them.
  const State& shown() const { return shown_; }

 private:
  struct Line;

  void check_line(std::string_view text);
  void check_bookmark(const Line& line);
  void check_event(const Line& line);
  void check_order(const Line& line);
  void check_document(const Line& line);
  void check_lost_document(const Line& line);
  void check_none_missing(std::uint32_t revision);
  template <class... Args>
  void expect(bool holds, std::string_view text, fmt::format_string<Args...> format,
              Args&&... args) {
    if (holds) return;
    verdict_.expect(false, "lines", "{}: {}: {}", rules_.name,
                    fmt::format(format, std::forward<Args>(args)...), text);
  }

  const LineRules rules_;
  const Etcd& etcd_;
  const Wire& wire_;
  Verdict& verdict_;
  FileDescriptor file_;
  std::int64_t position_ = 0;
  State shown_{};
  State newest_{};          ///< the last version of each object, also of deleted ones
  bool is_lost_ = false;    ///< lines may be of a timeline that etcd has left
  std::uint32_t last_ = 0;  ///< every event until this revision was printed; 0: not known
};

}  // namespace kinf::sim
