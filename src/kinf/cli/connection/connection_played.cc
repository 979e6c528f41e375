// SPDX-License-Identifier: Apache-2.0
// Connection: the recording or stream of --from, which takes the place of a server.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "kinf/cli/connection/connection.h"
#include "kinf/cli/flags/moment.h"
#include "kinf/client/type_names.h"
#include "kinf/kubernetes/built_in_types.h"

namespace kinf {
namespace {

/// Returns the types called `word`, or those of the category `word`; empty if there are none.
std::vector<ResourceType> find_played(const std::vector<ApiResource>& types,
                                      std::string_view word) {
  const TypeName name = split_type_name(word);
  const ApiResource* found = find_type_in_group(types, name.type, name.group);
  if (name.has_version() && found == nullptr) {
    found = find_type_in_group(types, name.type, name.group_behind_version);
  }
  if (name.group.empty() && found == nullptr) found = find_type(types, word);
  if (found != nullptr) return {found->type};
  std::vector<ResourceType> category;
  for (const ApiResource& type : types) {
    if (std::ranges::find(type.categories, word) != type.categories.end()) {
      category.push_back(type.type);
    }
  }
  return category;
}

Error unknown_played_type(const std::string& name, std::string_view word,
                          const std::vector<ResourceType>& types) {
  Error error(ErrorKind::usage, fmt::format("{} holds no resource type \"{}\"", name, word));
  std::vector<std::string> names;
  for (const ResourceType& type : types) names.push_back(type.gvr.group_resource());
  error.hint =
      names.empty() ? "it holds no objects" : fmt::format("it holds {}", fmt::join(names, ", "));
  return error;
}

ApiResource played_type(ResourceType type, std::vector<std::string> short_names,
                        std::vector<std::string> categories) {
  return {std::move(type), std::move(short_names), {"list", "watch"}, std::move(categories)};
}

/// Returns the types that objects in a stream may have without a server that describes them.
std::vector<ApiResource> well_known_types() {
  std::vector<ApiResource> types;
  for (const BuiltInType& known : built_in_types()) {
    ResourceType type{
        {std::string(known.group), std::string(known.version), std::string(known.resource)},
        std::string(known.kind),
        std::string(known.singular),
        !known.has(TypeTrait::cluster_scoped)};
    std::vector<std::string> short_names;
    for (const std::string_view name : known.short_names) {
      if (!name.empty()) short_names.emplace_back(name);
    }
    std::vector<std::string> categories;
    if (!known.category.empty()) categories.emplace_back(known.category);
    types.push_back(played_type(std::move(type), std::move(short_names), std::move(categories)));
  }
  return types;
}

}  // namespace

Result<void> Connection::open_player(const ReplayFlags& flags, const ConnectionNeeds& needs,
                                     const std::string& ns) {
  PlayedTime time{.only_state = !needs.play_scenario};
  const Result<RecordedMoment> moment = recorded_moment(flags, needs.replay->real_wall());
  if (!moment) return std::unexpected(moment.error());
  time.begin = moment->time;
  time.version = moment->version;
  replay_speed_ = flags.speed;
  if (!flags.until_time.empty()) {
    const Result<Clock::Wall> end = parse_moment(flags.until_time, needs.replay->real_wall());
    if (!end) return std::unexpected(end.error().within("--until-time"));
    time.end = *end;
  }
  config_.source = flags.from;
  Result<void> opened = is_json_stream(flags.from)
                            ? open_stream(flags.from, time, *needs.replay)
                            : open_recording(flags.from, time, *needs.replay);
  if (!ns.empty()) config_.default_namespace = ns;
  return opened;
}

Result<void> Connection::open_recording(const std::string& path, const PlayedTime& time,
                                        ReplayClock& clock) {
  Result<std::unique_ptr<RecordingReader>> reader = RecordingReader::open(path, stop_);
  if (!reader) return std::unexpected(std::move(reader).error());
  for (const auto& [id, recorded] : (*reader)->types()) {
    played_types_.push_back(played_type(recorded.type, recorded.short_names, recorded.categories));
  }
  config_.default_namespace = (*reader)->default_namespace();
  Result<std::unique_ptr<RecordingPlayer>> player =
      RecordingPlayer::create(*std::move(reader), time, clock);
  if (!player) return std::unexpected(std::move(player).error());
  recording_ = *std::move(player);
  return {};
}

Result<void> Connection::open_stream(const std::string& path, const PlayedTime& time,
                                     ReplayClock& clock) {
  if (time.version) {
    return fail(ErrorKind::usage, "--at rv=VERSION needs a recording of kinf record");
  }
  Result<std::unique_ptr<StreamInput>> input = FileInput::open(path);
  if (!input) return std::unexpected(std::move(input).error());
  const std::string name = path == "-" ? "standard input" : path;
  stream_ = std::make_unique<StreamPlayer>(*std::move(input), name, time, clock);
  played_types_ = well_known_types();
  return {};
}

Result<void> Connection::read_stream_types() {
  if (stream_types_) return {};
  const Result<std::vector<RecordedType>> found = stream_->types(stop_);
  if (!found) return std::unexpected(found.error());
  if (stop_.stop_requested()) return fail(ErrorKind::stopped, "stopped");
  stream_types_.emplace();
  for (const RecordedType& one : *found) {
    const auto known = std::ranges::find_if(played_types_, [&](const ApiResource& type) {
      return type.type.kind == one.type.kind && type.type.gvr.group == one.type.gvr.group;
    });
    const ResourceType type = known == played_types_.end() ? one.type : known->type;
    if (known == played_types_.end()) played_types_.push_back(played_type(type, {}, {}));
    if (std::ranges::find(*stream_types_, type) == stream_types_->end()) {
      stream_types_->push_back(type);
    }
  }
  return {};
}

Result<std::vector<ResourceType>> Connection::expand_played(std::string_view word) {
  std::vector<ResourceType> found = find_played(played_types_, word);
  if (!found.empty()) return found;
  if (stream_) {
    if (Result<void> read = read_stream_types(); !read) {
      return std::unexpected(std::move(read).error());
    }
    found = find_played(played_types_, word);
    if (!found.empty()) return found;
  }
  const Result<std::vector<ResourceType>> types = played_types();
  if (!types) return std::unexpected(types.error());
  return std::unexpected(unknown_played_type(played_name(), word, *types));
}

std::string Connection::played_name() const {
  return stream_ ? stream_->name() : recording_->reader().path();
}

Result<std::vector<ResourceType>> Connection::played_types() {
  if (stream_) {
    if (Result<void> read = read_stream_types(); !read) {
      return std::unexpected(std::move(read).error());
    }
    return *stream_types_;
  }
  std::vector<ResourceType> types;
  for (const ApiResource& type : played_types_) types.push_back(type.type);
  return types;
}

}  // namespace kinf
