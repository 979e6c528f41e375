// SPDX-License-Identifier: Apache-2.0
// How `kinf demo --live` writes changes, deltas and times.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kinf/api/change.h"
#include "kinf/api/lister_watcher.h"
#include "kinf/base/clock.h"
#include "kinf/cache/queue.h"
#include "kinf/cache/store_reader.h"
#include "kinf/demo/pipeline_picture.h"

namespace kinf {

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
/// Returns `ADDED`, `MODIFIED` or `DELETED`.
std::string_view verb_of(WatchEventType type);
/// Returns a duration in seconds with one decimal: `2.5 s`.
std::string in_seconds(Clock::Duration duration);

}  // namespace kinf
