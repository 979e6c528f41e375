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

}  // namespace

WatchStream::~WatchStream() { store_.unsubscribe(plan_.type->storage_key(), *this); }

void WatchStream::start(std::function<void()> wake) {
  wake_ = std::move(wake);
  end_ = clock_.now() + plan_.timeout;
  bookmark_rounds_ = store_.bookmark_rounds();
  store_.subscribe(plan_.type->storage_key(), *this);
}

std::optional<Clock::Mono> WatchStream::write_to(ByteSink& sink) {
  if (stage_ == Stage::begin) stage_ = begin(sink);
  if (stage_ == Stage::initial) stage_ = send_initial(sink);
  has_more_ = true;
  while (stage_ == Stage::changes && has_more_ && !sink.is_full()) stage_ = send_changes(sink);
  if (stage_ == Stage::ended) return std::nullopt;
  return sink.is_full() ? Clock::Mono::min() : std::min(end_, bookmark_);
}

/// Begins with the existing objects if the watch has no version or version 0, or is a streaming
/// list.
WatchStream::Stage WatchStream::begin(ByteSink& sink) {
  const std::uint64_t asked = plan_.request.version.value_or(0);
  if (plan_.fault.expired) {
    // A real server never calls its current version too old.
    const std::uint64_t oldest = store_.version_above(std::min(asked, store_.version()));
    return fail_with(sink,
                     expired(fmt::format("too old resource version: {} ({})", asked, oldest)));
  }
  if (plan_.fault.garbage) sink.write(garbage_event());
  if (asked != 0 && !plan_.request.send_initial_events) {
    position_ = asked;
    return synced();
  }
  initial_ = store_.list(plan_.type->storage_key());
  if (asked > initial_.version) {
    return fail_with(sink, too_large_version(asked, initial_.version));
  }
  position_ = initial_.version;
  return Stage::initial;
}

WatchStream::Stage WatchStream::send_initial(ByteSink& sink) {
  for (; next_initial_ < initial_.objects.size(); ++next_initial_) {
    if (sink.is_full()) return Stage::initial;
    const StoredObject& object = *initial_.objects[next_initial_];
    if (plan_.filter.matches(object)) send(sink, "ADDED", object);
  }
  initial_ = {};
  // A watch from version 0 also receives the bookmark that ends the initial events.
  const bool from_any = plan_.request.version == 0;
  if (plan_.request.bookmarks && (plan_.request.send_initial_events || from_any)) {
    send_bookmark(sink, true);
  }
  return synced();
}

WatchStream::Stage WatchStream::synced() {
  if (plan_.on_synced) plan_.on_synced();
  bookmark_ = next_bookmark(clock_.now());
  return Stage::changes;
}

/// Writes the next batch of changes, and then a bookmark if one is due. Ends the watch at its
/// timeout.
WatchStream::Stage WatchStream::send_changes(ByteSink& sink) {
  const ChangeBatch batch = store_.changes_after(plan_.type->storage_key(), position_);
  if (batch.expired) {
    return fail_with(
        sink, expired(fmt::format("too old resource version: {} ({})", position_, batch.oldest)));
  }
  for (const StoredChange& change : batch.changes) {
    if (sink.is_full()) return Stage::changes;
    send_change(sink, change);
    position_ = change.version;
  }
  position_ = batch.version;
  has_more_ = batch.has_more;
  send_due_bookmark(
      sink, std::exchange(bookmark_rounds_, batch.bookmark_rounds) != batch.bookmark_rounds);
  return clock_.now() >= end_ || !plan_.is_served() ? Stage::ended : Stage::changes;
}

void WatchStream::send_due_bookmark(ByteSink& sink, bool is_asked_for) {
  const Clock::Mono now = clock_.now();
  if (now < bookmark_ && !(is_asked_for && plan_.request.bookmarks)) return;
  send_bookmark(sink, false);
  bookmark_ = next_bookmark(now);
}

void WatchStream::send(ByteSink& sink, std::string_view type, const StoredObject& object) {
  const bool with_columns = !std::exchange(sent_columns_, true);
  sink.write(
      event_text(type, plan_.representation.object_text(object, clock_.wall(), with_columns)));
}

/// Sends a change. An object that starts to match is ADDED. An object that no longer matches is
/// DELETED, with its last matching state and the version of the change.
void WatchStream::send_change(ByteSink& sink, const StoredChange& change) {
  const bool was = change.old != nullptr && plan_.filter.matches(*change.old);
  const bool is = change.type != StoredChangeType::deleted && plan_.filter.matches(*change.object);
  if (!was && !is) return;
  if (was && is) return send(sink, "MODIFIED", *change.object);
  if (is) return send(sink, "ADDED", *change.object);
  if (change.type == StoredChangeType::deleted) return send(sink, "DELETED", *change.object);
  StoredObject left = *change.old;
  left.version = change.version;
  left.json["metadata"]["resourceVersion"] = std::to_string(change.version);
  left.text = to_text(left.json);
  send(sink, "DELETED", left);
}

void WatchStream::send_bookmark(ByteSink& sink, bool initial_events_end) {
  if (initial_events_end && plan_.fault.omit_initial_events_end) return;
  const bool with_columns = !std::exchange(sent_columns_, true);
  sink.write(
      event_text("BOOKMARK", plan_.representation.bookmark_text(position_, initial_events_end,
                                                                clock_.wall(), with_columns)));
}

/// Writes the ERROR event that ends the watch.
WatchStream::Stage WatchStream::fail_with(ByteSink& sink, const ApiStatus& status) {
  sink.write(event_text("ERROR", to_text(status_json(status))));
  return Stage::ended;
}

Clock::Mono WatchStream::next_bookmark(Clock::Mono now) const {
  if (!plan_.request.bookmarks) return Clock::kNever;
  const Clock::Mono last = end_ - kLastBookmark;
  return now < last ? std::min<Clock::Mono>(now + kBookmarkInterval, last) : Clock::kNever;
}

}  // namespace kinf::sandbox
