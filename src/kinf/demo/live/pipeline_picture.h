// SPDX-License-Identifier: Apache-2.0
// PipelinePicture: the state of an informer and its server at one moment, as `kinf demo --live`
// shows it. Plain values, and the functions that make them from parts of the library.
// picture_layout.h draws them.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kinf/api/change.h"
#include "kinf/api/lister_watcher.h"
#include "kinf/base/clock.h"
#include "kinf/cache/queue.h"
#include "kinf/cache/store_reader.h"

namespace kinf {

/// The parts of the diagram.
enum class PicturePart { server, reflector, queue, store, handler1, handler2, client1, client2 };

/// Which boxes the diagram has, and which arrows.
enum class PictureFlow {
  informer,   ///< server, reflector, queue, store, two handlers
  worker,     ///< the same, but handler 1 fills the work queue in place of handler 2
  reflector,  ///< server, reflector, queue; its output in place of the handlers
  known,      ///< the same with a store that the queue looks into
  clients     ///< a server with two clients, each with a handler if it has one
};

struct PipelinePicture {
  struct Server {
    std::string version;
    std::size_t pods = 0;
    std::string oldest;                 ///< the first version from which a watch can resume
    std::vector<std::string> requests;  ///< oldest first, each with its outcome
    std::string cost{};                 ///< what its clients cost; empty: not shown
  };
  struct Reflector {
    std::string activity;    ///< `watching after version 3`
    std::string version;     ///< the last version that it has received; empty at first
    std::string last_error;  ///< empty: none
    std::string back_off;    ///< how long it waits before its next request
    std::uint64_t lists = 0;
    std::uint64_t watches = 0;
    std::uint64_t events = 0;
  };
  struct QueuedKey {
    std::string key;
    std::vector<std::string> deltas;  ///< `Added v4`, oldest first
  };
  struct StoredPod {
    std::string name;
    std::string version;
    std::string phase;
  };
  struct IndexValue {
    std::string value;
    std::vector<std::string> keys;
  };
  struct Handler {
    std::string title;  ///< empty: there is no such box
    std::string activity;
    std::string last;  ///< the last call; empty: none
    /// The changes in its queue, oldest first. Empty: it has no queue.
    std::optional<std::vector<std::string>> waiting;
    std::string purpose{};
    std::vector<std::string> lines{};  ///< further lines
  };

  Server server;
  Reflector reflector;
  std::vector<QueuedKey> queue;
  std::vector<StoredPod> store;
  std::vector<IndexValue> index;  ///< the index by phase
  Handler handler1;
  Handler handler2;
  Handler client1;  ///< only with PictureFlow::clients, as client2
  Handler client2;
  PictureFlow flow = PictureFlow::informer;

  std::string heading = "kinf demo: how an informer works";
  std::string question;  ///< of the tour; empty: none
  std::string answer;    ///< shown in place of `news`; empty: none
  std::string keys;      ///< what the keys do
  std::uint64_t step = 0;
  std::string time;  ///< of the demo's clock: `12.5 s`
  bool is_playing = false;
  std::vector<std::string> news;  ///< what happened in the last step, in sentences
  std::set<PicturePart> moved;    ///< where
};

/// Returns a change in short: `add pod-1`, `update pod-1 (2 merged)`.
std::string short_text(const Change& change);
/// Returns deltas in short: `Added v4`, `Updated v5`.
std::vector<std::string> short_texts(const Deltas& deltas);
/// Returns the deltas of a queue.
std::vector<PipelinePicture::QueuedKey> queue_rows(const std::vector<Deltas>& queue);
/// Returns the pods of a store. pod-10 comes after pod-9.
std::vector<PipelinePicture::StoredPod> store_rows(const StoreReader& store);
/// Returns an index of a store.
std::vector<PipelinePicture::IndexValue> index_rows(const StoreReader& store,
                                                    const std::string& index);
/// Returns a duration in seconds with one decimal: `2.5 s`.
std::string in_seconds(Clock::Duration duration);

/// Returns a picture as one line of JSON, for `kinf demo --keys`: an object with the members of
/// PipelinePicture and `key`, the key that led here (empty: none).
std::string picture_json(const PipelinePicture& picture, const std::string& key);

}  // namespace kinf
