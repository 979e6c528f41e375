// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/api/watch_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace kinf::sandbox {
namespace {

/// The interval of bookmarks, and the time from the last bookmark to the timeout.
constexpr std::chrono::seconds kBookmarkInterval(60);
constexpr std::chrono::seconds kLastBookmark(2);
/// The interval at which an idle watch checks that its client is still connected.
constexpr std::chrono::milliseconds kClientCheck(500);

}  // namespace

bool WatchStream::send(ByteSink& sink, std::string_view type, const StoredObject& object) {
  const bool with_columns = !std::exchange(sent_columns_, true);
  return sink.write(event_text(
      type, plan_.representation.event_object_text(object, clock_.wall(), with_columns)));
}

bool WatchStream::send_error(ByteSink& sink, const ApiStatus& status) {
  return sink.write(event_text("ERROR", to_text(status_json(status))));
}

bool WatchStream::send_bookmark(ByteSink& sink, bool initial_events_end) {
  if (initial_events_end && plan_.fault.omit_initial_events_end) return true;
  const bool with_columns = !std::exchange(sent_columns_, true);
  return sink.write(
      event_text("BOOKMARK", plan_.representation.bookmark_text(position_, initial_events_end,
                                                                clock_.wall(), with_columns)));
}

/// Sends the existing objects if the watch has no version or version 0, or is a streaming list.
bool WatchStream::send_initial(ByteSink& sink) {
  const std::uint64_t asked = plan_.request.version.value_or(0);
  if (asked != 0 && !plan_.request.send_initial_events) {
    position_ = asked;
    return true;
  }
  const Snapshot snapshot = store_.list(plan_.type->storage_key());
  if (asked > snapshot.version) {
    send_error(sink, too_large_version(asked, snapshot.version));
    return false;
  }
  position_ = snapshot.version;
  for (const StoredPtr& object : snapshot.objects) {
    if (plan_.filter.matches(*object) && !send(sink, "ADDED", *object)) return false;
  }
  // A watch from version 0 also gets the bookmark that ends the initial events.
  const bool from_any = plan_.request.version == 0;
  if (plan_.request.bookmarks && (plan_.request.send_initial_events || from_any)) {
    return send_bookmark(sink, true);
  }
  return true;
}

/// Sends a change. An object that starts to match is ADDED. An object that no longer matches is
/// DELETED, with its last matching state and the version of the change.
bool WatchStream::send_change(ByteSink& sink, const Change& change) {
  const bool was = change.old != nullptr && plan_.filter.matches(*change.old);
  const bool is = change.type != ChangeType::deleted && plan_.filter.matches(*change.object);
  if (!was && !is) return true;
  if (was && is) return send(sink, "MODIFIED", *change.object);
  if (is) return send(sink, "ADDED", *change.object);
  if (change.type == ChangeType::deleted) return send(sink, "DELETED", *change.object);
  StoredObject left = *change.old;
  left.version = change.version;
  left.json["metadata"]["resourceVersion"] = std::to_string(change.version);
  left.text = to_text(left.json);
  return send(sink, "DELETED", left);
}

bool WatchStream::send_batch(ByteSink& sink, const ChangeBatch& batch) {
  if (batch.expired) {
    send_error(sink,
               expired(fmt::format("too old resource version: {} ({})", position_, batch.oldest)));
    return false;
  }
  for (const Change& change : batch.changes) {
    if (!send_change(sink, change)) return false;
  }
  position_ = batch.version;
  return true;
}

Clock::Mono WatchStream::next_bookmark(Clock::Mono now, Clock::Mono end) const {
  if (!plan_.request.bookmarks) return Clock::kNever;
  const Clock::Mono last = end - kLastBookmark;
  return now < last ? std::min<Clock::Mono>(now + kBookmarkInterval, last) : Clock::kNever;
}

void WatchStream::run(ByteSink& sink, const std::stop_token& stop) {
  const Clock::Mono end = clock_.now() + plan_.timeout;
  std::uint64_t bookmark_rounds = store_.bookmark_rounds();
  if (plan_.fault.expired) {
    const std::uint64_t now = store_.version();
    send_error(sink, expired(fmt::format("too old resource version: {} ({})",
                                         plan_.request.version.value_or(0), now)));
    return;
  }
  if (plan_.fault.garbage && !sink.write(garbage_event())) return;
  if (!send_initial(sink)) return;
  if (plan_.on_synced) plan_.on_synced();
  Clock::Mono bookmark = next_bookmark(clock_.now(), end);
  while (!stop.stop_requested() && sink.is_open()) {
    const Clock::Mono wake = std::min({end, bookmark, Clock::Mono(clock_.now() + kClientCheck)});
    const ChangeBatch batch =
        store_.wait_changes(plan_.type->storage_key(), position_, bookmark_rounds, wake, stop);
    if (!send_batch(sink, batch)) return;
    const Clock::Mono now = clock_.now();
    const bool asked_for_bookmark =
        std::exchange(bookmark_rounds, batch.bookmark_rounds) != batch.bookmark_rounds;
    if (now >= bookmark || (asked_for_bookmark && plan_.request.bookmarks)) {
      if (!send_bookmark(sink, false)) return;
      bookmark = next_bookmark(now, end);
    }
    if (now >= end || !plan_.is_served()) return;
  }
}

}  // namespace kinf::sandbox
