// SPDX-License-Identifier: Apache-2.0
// PipelinePicture: the state of an informer and its server after one step, as plain values, and the
// functions that create these values from parts of the library. picture_layout.h draws a
// PipelinePicture for `kinf demo --live`.
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
enum class PicturePart {
  server,
  reflector,
  queue,
  store,
  controller,
  handler1,
  handler2,
  client1,
  client2
};

/// Which boxes the diagram has, and which arrows.
enum class PictureFlow {
  informer,   ///< server, reflector, queue, controller, store, two handlers
  worker,     ///< like informer, but a work queue that handler 1 fills, with a worker, replaces
              ///< handler 2
  reflector,  ///< server, reflector, queue; the queue's output replaces the handlers
  known,      ///< like reflector, with a store in which the queue looks up known objects
  clients     ///< a server with two clients, and the handlers of these clients if they have any
};

struct PipelinePicture {
  struct Server {
    std::string version;
    std::size_t pods = 0;
    std::string oldest;                 ///< the first version from which a watch can resume
    std::vector<std::string> requests;  ///< requests with their outcomes, oldest first
    std::string cost{};                 ///< text about the cost of the clients; empty means none
  };
  struct Reflector {
    std::string activity;    ///< such as `watching after v3`
    std::string version;     ///< the last version that it has received; empty before the first
    std::string last_error;  ///< the last error; empty if there is none
    std::string back_off;    ///< text about the wait before its next request
    std::uint64_t lists = 0;
    std::uint64_t watches = 0;
    std::uint64_t events = 0;
  };
  struct QueuedKey {
    std::string key;
    std::vector<std::string> deltas;  ///< texts such as `Added v4`, oldest first
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
    std::string title;  ///< empty means that there is no such box
    std::string activity;
    std::string last;  ///< text about the last call; empty before the first call
    /// The changes that wait for the handler, oldest first. Empty optional: the box shows no queue.
    std::optional<std::vector<std::string>> waiting;
    std::string purpose{};
    std::vector<std::string> lines{};  ///< more lines of text in the box
  };

  Server server;
  Reflector reflector;
  std::vector<QueuedKey> queue;
  std::vector<StoredPod> store;
  std::vector<IndexValue> index;  ///< names of the pods by phase
  std::string queue_name = "DeltaFIFO";
  std::string controller;  ///< what the controller has just done; empty means nothing
  Handler handler1;
  Handler handler2;
  Handler client1;  ///< client1 and client2 are used only with PictureFlow::clients
  Handler client2;
  PictureFlow flow = PictureFlow::informer;

  std::string heading = "kinf demo: how an informer works";
  std::string question;  ///< question of the tour; empty means that there is none
  std::string answer;    ///< shown instead of `news` unless empty
  std::string keys;      ///< the line that explains the keys
  std::uint64_t step = 0;
  std::string time;  ///< time of the demo's clock, such as `12.5 s`
  bool is_playing = false;
  std::vector<std::string> news;  ///< what happened in the last step, in sentences
  std::set<PicturePart> moved;    ///< the parts that the last step changed
};

/// Returns a short text of a change, such as `add pod-1` or `update pod-1 (2 merged)`.
std::string short_text(const Change& change);
/// Returns short texts of deltas, such as `Added v4` and `Updated v5`.
std::vector<std::string> short_texts(const Deltas& deltas);
/// Returns the key of an entry of a queue, or `the list`, `the store` or `bookmark`.
std::string entry_name(const Deltas& entry);
/// Returns the keys in a queue, each with its deltas.
std::vector<PipelinePicture::QueuedKey> queue_rows(const std::vector<Deltas>& queue);
/// Returns the pods of a store. pod-10 comes after pod-9.
std::vector<PipelinePicture::StoredPod> store_rows(const StoreReader& store);
/// Returns the values of an index of a store, each with the names of its pods.
std::vector<PipelinePicture::IndexValue> index_rows(const StoreReader& store,
                                                    const std::string& index);
/// Returns a duration in seconds with one decimal: `2.5 s`.
std::string in_seconds(Clock::Duration duration);

/// Returns a picture as one line of JSON, for `kinf demo --keys`: an object with members of
/// PipelinePicture, and with `key`, the last pressed key (empty at the start).
std::string picture_json(const PipelinePicture& picture, const std::string& key);

}  // namespace kinf
