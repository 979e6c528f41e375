// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/index/index_change_writer.h"

#include <utility>

namespace kinf {

IndexChangeWriter::IndexChangeWriter(IndexChanges changes, std::optional<std::uint64_t> max_events,
                                     FileWriter& writer, ExitRequest& exit_request)
    : max_events_(max_events),
      writer_(writer),
      exit_request_(exit_request),
      changes_(std::move(changes)) {}

void IndexChangeWriter::reserve(const std::vector<IndexTuple>& tuples) {
  MutexLock lock(mu_);
  for (const IndexTuple& tuple : tuples) changes_.reserve(tuple);
}

void IndexChangeWriter::print(const IndexAnswer& question, const std::vector<IndexMove>& moves,
                              std::string_view key) {
  MutexLock lock(mu_);
  for (const IndexMove& move : moves) {
    if (max_events_ && printed_ >= *max_events_) return;
    text_ += changes_.line(question, move, key);
    ++printed_;
  }
  if (!max_events_ || printed_ < *max_events_) return;
  write_out_locked();
  exit_request_.set(ExitCode::ok);
}

void IndexChangeWriter::write_out() {
  MutexLock lock(mu_);
  write_out_locked();
}

void IndexChangeWriter::write_out_locked() {
  if (text_.empty()) return;
  const bool written = writer_.write(text_);
  text_.clear();
  if (!written && !exit_request_.code()) exit_request_.set(writer_.exit_code());
}

std::uint64_t IndexChangeWriter::printed() const {
  MutexLock lock(mu_);
  return printed_;
}

}  // namespace kinf
