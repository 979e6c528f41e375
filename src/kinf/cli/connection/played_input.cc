// SPDX-License-Identifier: Apache-2.0
#include "kinf/cli/connection/played_input.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kinf/base/assign.h"
#include "kinf/cli/flags/global_flags.h"
#include "kinf/cli/flags/moment.h"
#include "kinf/cli/flags/type_args.h"
#include "kinf/client/discovery.h"
#include "kinf/client/http_lister_watcher.h"
#include "kinf/client/type_names.h"
#include "kinf/columns/columns.h"
#include "kinf/kubernetes/built_in_types.h"
#include "kinf/print/object_row.h"
#include "kinf/query/jsonpath.h"
#include "kinf/recording/play/recording_player.h"
#include "kinf/recording/play/stream_player.h"

namespace kinf {
namespace {

/// Returns the type named `word`, or the types of the category `word`. Empty if there are none.
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
  std::vector<std::string> names;
  for (const ResourceType& type : types) names.push_back(type.gvr.group_resource());
  return Error(ErrorKind::usage, fmt::format("{} holds no resource type \"{}\"", name, word))
      .with_hint(names.empty() ? "it holds no objects"
                               : fmt::format("it holds {}", fmt::join(names, ", ")));
}

ApiResource played_type(ResourceType type, std::vector<std::string> short_names,
                        std::vector<std::string> categories) {
  return {std::move(type), std::move(short_names), {"list", "watch"}, std::move(categories)};
}

/// The values of --at, --since and --until-time.
struct PlayedMoments {
  RecordedMoment begin;
  RecordedMoment end;
  bool plays_on = false;  ///< `begin` is that of --since

  /// Sets the times of `time`, which depend on the recording.
  Result<void> set(PlayedTime& time, RecordingReader& reader) const {
    if (!plays_on) time.version = begin.version;
    RecordedMoment moment = begin;
    if (!plays_on) moment.version.reset();
    Result<void> done = assign(time.begin, time_in(reader, moment));
    return done ? assign(time.end, time_in(reader, end)) : done;
  }
  /// Sets the times of `time` for a stream of JSON, which has neither resourceVersions nor an end.
  Result<void> set(PlayedTime& time) const {
    time.begin = begin.time;
    time.end = end.time;
    if (!begin.version && !end.version && !begin.before_end && !end.before_end) return {};
    return fail(ErrorKind::usage, "{} needs a recording of kinf record",
                begin.version || end.version ? "rv=VERSION" : "a time before the end");
  }
};

class PlayedRecording final : public PlayedInput {
 public:
  explicit PlayedRecording(std::unique_ptr<RecordingPlayer> player) : player_(std::move(player)) {
    for (const auto& [id, recorded] : player_->reader().types()) {
      known_types_.push_back(played_type(recorded.type, recorded.short_names, recorded.categories));
    }
  }

  static Result<std::unique_ptr<PlayedInput>> open(const std::string& path,
                                                   const PlayedMoments& moments, PlayedTime time,
                                                   ReplayClock& clock,
                                                   const std::stop_token& stop) {
    Result<std::unique_ptr<RecordingReader>> reader = RecordingReader::open(path, stop);
    if (!reader) return fail(reader);
    if (Result<void> set = moments.set(time, **reader); !set) return fail(set);
    auto player = RecordingPlayer::create(*std::move(reader), time, clock);
    if (!player) return fail(player);
    return std::make_unique<PlayedRecording>(*std::move(player));
  }

  Player& player() override { return *player_; }
  std::string name() const override { return player_->reader().path(); }
  std::optional<std::string> default_namespace() const override {
    return player_->reader().default_namespace();
  }
  bool masks_secrets() const override { return player_->reader().masks_secrets(); }
  Result<std::unique_ptr<ListerWatcher>> add_source(const HttpSource& source,
                                                    const std::string& description) override {
    PlayedSelection selection;
    selection.type = source.type;
    selection.ns = source.ns;
    selection.name = source.name;
    // --field-selector needs the documents, because kinf itself applies it.
    selection.parts.decode.form = source.field_selector.empty() ? source.form : ObjectForm::raw;
    selection.parts.decode.keep_managed_fields = source.keep_managed_fields;
    selection.parts.decode.trim = source.trim;
    if (source.representation == Representation::table)
      selection.parts.needs_document = has_other_ages;
    selection.description = description;
    return player_->add_source(std::move(selection));
  }

 private:
  Result<std::vector<ResourceType>> held_types() override {
    std::vector<ResourceType> types;
    for (const ApiResource& type : known_types_) types.push_back(type.type);
    return types;
  }

  const std::unique_ptr<RecordingPlayer> player_;
};

/// Returns the built-in types of Kubernetes. No server describes the types of a stream.
std::vector<ApiResource> well_known_types() {
  std::vector<ApiResource> types;
  for (const BuiltInType& known : built_in_types()) {
    ResourceType type{
        {std::string(known.group), std::string(known.version), std::string(known.resource)},
        std::string(known.kind),
        known.singular(),
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

/// Returns the table row that an API server would return. Empty for kinds whose columns kinf does
/// not know.
StreamRow row_of(const StreamItem& item, const Clock& clock) {
  const TableColumns& columns = table_columns(item.api_version, item.kind);
  if (&columns == &table_columns("", "")) return {};
  nlohmann::json object = parse_document(item.json);
  if (!object.is_object()) return {};
  object["apiVersion"] = item.api_version;  // the items of a List lack both fields
  object["kind"] = item.kind;
  return {table_cells(object, clock.wall())
              .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace),
          {std::shared_ptr<void>(), &columns}};
}

class PlayedStream final : public PlayedInput {
 public:
  PlayedStream(std::unique_ptr<StreamInput> input, const std::string& path, const PlayedTime& time,
               ReplayClock& clock, std::stop_token stop)
      : player_(std::move(input), path == "-" ? "standard input" : path, time, clock),
        stop_(std::move(stop)) {
    known_types_ = well_known_types();
  }

  static Result<std::unique_ptr<PlayedInput>> open(const std::string& path,
                                                   const PlayedMoments& moments, PlayedTime time,
                                                   ReplayClock& clock,
                                                   const std::stop_token& stop) {
    if (Result<void> set = moments.set(time); !set) return fail(set);
    Result<std::unique_ptr<StreamInput>> input = FileInput::open(path);
    if (!input) return fail(input);
    return std::make_unique<PlayedStream>(*std::move(input), path, time, clock, stop);
  }

  Player& player() override { return player_; }
  std::string name() const override { return player_.name(); }
  std::optional<std::string> default_namespace() const override { return std::nullopt; }
  bool masks_secrets() const override { return false; }
  Result<std::vector<ResourceType>> take_all_types() override {
    Result<std::vector<ResourceType>> types = PlayedInput::take_all_types();
    if (types) player_.take_all_types();
    return types;
  }
  /// A stream has no table cells, so kinf computes them from the documents.
  Result<std::unique_ptr<ListerWatcher>> add_source(const HttpSource& source,
                                                    const std::string& description) override {
    const bool has_cells = source.representation == Representation::table ||
                           source.representation == Representation::table_with_object;
    StreamSelection selection;
    selection.type = source.type;
    selection.ns = source.ns;
    selection.name = source.name;
    selection.decode.form =
        has_cells || !source.field_selector.empty() ? ObjectForm::raw : source.form;
    selection.decode.keep_managed_fields = source.keep_managed_fields;
    selection.decode.trim = source.trim;
    selection.description = description;
    if (has_cells) {
      selection.row = [&clock = player_.clock()](const StreamItem& item) {
        return row_of(item, clock);
      };
    }
    return player_.add_source(std::move(selection));
  }

 private:
  Result<std::vector<ResourceType>> held_types() override {
    if (held_types_) return *held_types_;
    const Result<std::vector<RecordedType>> found = player_.types(stop_);
    if (!found) return fail(found);
    if (stop_.stop_requested()) return fail(ErrorKind::stopped, "stopped");
    held_types_.emplace();
    for (const RecordedType& one : *found) {
      const auto known = std::ranges::find_if(known_types_, [&](const ApiResource& type) {
        return type.type.kind == one.type.kind && type.type.gvr.group == one.type.gvr.group;
      });
      const ResourceType type = known == known_types_.end() ? one.type : known->type;
      if (known == known_types_.end()) known_types_.push_back(played_type(type, {}, {}));
      if (std::ranges::find(*held_types_, type) == held_types_->end()) held_types_->push_back(type);
    }
    return *held_types_;
  }

  StreamPlayer player_;
  const std::stop_token stop_;
  std::optional<std::vector<ResourceType>> held_types_;  ///< nullopt until they are read
};

}  // namespace

PlayedInput::PlayedInput() = default;
PlayedInput::~PlayedInput() = default;

Result<std::vector<ResourceType>> PlayedInput::expand(std::string_view word) {
  if (word == RequestedType::kAll) {
    Result<std::vector<ResourceType>> types = take_all_types();
    if (types) std::erase_if(*types, [](const ResourceType& type) { return !type.namespaced; });
    return types;
  }
  std::vector<ResourceType> found = find_played(known_types_, word);
  if (!found.empty()) return found;
  const Result<std::vector<ResourceType>> held = held_types();
  if (!held) return held;
  found = find_played(known_types_, word);
  if (!found.empty()) return found;
  return fail(unknown_played_type(name(), word, *held));
}

Result<std::vector<ResourceType>> PlayedInput::take_all_types() {
  Result<std::vector<ResourceType>> held = held_types();
  if (held && held->empty()) return fail(ErrorKind::not_found, "{} holds no objects", name());
  return held;
}

Result<std::unique_ptr<PlayedInput>> PlayedInput::open(const ReplayFlags& flags, bool only_state,
                                                       ReplayClock& clock,
                                                       const std::stop_token& stop) {
  PlayedTime time{.only_state = only_state, .every_time = flags.speed.has_value()};
  PlayedMoments moments{.begin = {}, .end = {}, .plays_on = flags.at.empty()};
  Result<void> read = assign(moments.begin, recorded_moment(flags, clock.real_wall()));
  if (read) read = assign(moments.end, end_moment(flags, clock.real_wall()));
  if (!read) return fail(read);
  Result<std::unique_ptr<PlayedInput>> input =
      is_json_stream(flags.from) ? PlayedStream::open(flags.from, moments, time, clock, stop)
                                 : PlayedRecording::open(flags.from, moments, time, clock, stop);
  if (input) (*input)->speed_ = flags.speed;
  return input;
}

}  // namespace kinf
