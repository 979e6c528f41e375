// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/recorded_moment.h"

#include <fmt/format.h>

#include <algorithm>

#include "kinf/base/log.h"
#include "kinf/base/timestamp.h"
#include "kinf/recording/recording_reader.h"

namespace kinf {
namespace {

Result<FoundMoment> find_version(RecordingReader& reader, const RecordedMoment& moment) {
  const Result<Clock::Wall> arrived = reader.limit_to_version(*moment.version);
  if (!arrived) return std::unexpected(arrived.error());
  return FoundMoment{reader.last_seq(), moment.time.value_or(*arrived)};
}

}  // namespace

Result<FoundMoment> find_moment(RecordingReader& reader, const RecordedMoment& moment) {
  if (moment.version) return find_version(reader, moment);
  if (!moment.time) return FoundMoment{reader.last_seq(), reader.ends()};
  // Printed times have milliseconds, so that of the first list is a little before it.
  const Clock::Wall begin = std::chrono::floor<std::chrono::milliseconds>(reader.begins());
  const Clock::Wall time =
      *moment.time < begin ? *moment.time : std::max(*moment.time, reader.begins());
  if (time < reader.begins()) {
    Error error(
        ErrorKind::usage,
        fmt::format("{} begins later than {}, at {}", reader.path(), local_time_text(time),
                    local_time_text(std::chrono::ceil<std::chrono::seconds>(reader.begins()))));
    error.hint = fmt::format("it ends at {}", local_time_text(reader.ends()));
    return std::unexpected(std::move(error));
  }
  if (time > reader.ends()) {
    log::notice("{} ends at {}, before {}", reader.path(), local_time_text(reader.ends()),
                local_time_text(time));
  }
  const Result<std::int64_t> seq = reader.seq_at(time);
  if (!seq) return std::unexpected(seq.error());
  return FoundMoment{*seq, time};
}

}  // namespace kinf
