// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/resumed_source.h"

#include "kinf/base/assign.h"
#include "kinf/recording/recording_reader.h"

namespace kinf {

EarlierObjects::EarlierObjects() = default;
EarlierObjects::~EarlierObjects() = default;

void EarlierObjects::close() { reader_.reset(); }

Result<std::vector<ObjectPtr>> EarlierObjects::load(const std::string& path, std::int64_t type,
                                                    const RecordedScope& scope,
                                                    const DecodeOptions& decode) {
  if (!reader_) {
    if (auto done = assign(reader_, RecordingReader::open_written(path)); !done) return fail(done);
  }
  const StateQuery query{
      .seq = reader_->last_seq(), .type = type, .ns = scope.ns, .name = scope.name};
  Result<std::vector<StateObject>> state = reader_->state(query, {.decode = decode});
  if (!state) return fail(state);
  std::vector<ObjectPtr> objects;
  objects.reserve(state->size());
  for (StateObject& one : *state) objects.push_back(std::move(one.object));
  return objects;
}

/// The answer to the first list.
class ResumedSource::EarlierList final : public ListCall {
 public:
  EarlierList(ResumedSource& owner, ListSink& sink) : owner_(owner), sink_(sink) {}

  std::optional<Result<ListPage>> poll() override {
    for (ObjectPtr& object : std::exchange(owner_.objects_, {})) sink_.item(std::move(object));
    owner_.listed_ = true;
    owner_.is_fresh_ = false;
    return ListPage{.resource_version = owner_.version_, .continue_token = {}};
  }

 private:
  ResumedSource& owner_;
  ListSink& sink_;
};

std::unique_ptr<ListCall> ResumedSource::list(const ListOptions& options, ListSink& sink) {
  if (listed_) {
    is_fresh_ = true;
    return source_->list(options, sink);
  }
  return std::make_unique<EarlierList>(*this, sink);
}

}  // namespace kinf
