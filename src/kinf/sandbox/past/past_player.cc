// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/past/past_player.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kinf/base/ascii.h"
#include "kinf/base/limits.h"
#include "kinf/base/log.h"
#include "kinf/base/timestamp.h"
#include "kinf/kubernetes/secret_values.h"

namespace kinf::sandbox {
namespace {

/// Returns the built-in type. If there is none, returns a custom type of which only the name is
/// set.
ApiType known_type(const GroupVersionResource& gvr) {
  const BuiltInType* known = find_built_in_type(gvr.group, gvr.resource);
  if (known != nullptr && known->version == gvr.version && !known->has(TypeTrait::sandbox_lacks)) {
    return served_type(*known);
  }
  ApiType type;
  type.gvr = gvr;
  type.custom = true;
  return type;
}

/// Returns a read-only type. `columns` are the columns of its Table rows. They may be null.
ApiType read_only_type(const RecordedType& recorded, std::shared_ptr<const TableColumns> columns) {
  ApiType type = known_type(recorded.type.gvr);
  static_cast<ResourceType&>(type) = recorded.type;
  type.list_kind = type.kind + "List";
  type.short_names = recorded.short_names;
  type.categories = recorded.categories;
  type.has_status = false;
  type.has_scale = false;
  type.read_only = true;
  type.recorded_columns = std::move(columns);
  return type;
}

/// Returns the read-only type of namespaces.
ApiType read_only_namespaces() {
  ApiType type = known_type({"", "v1", "namespaces"});
  type.has_status = false;
  type.read_only = true;
  return type;
}

/// Returns a minimal Namespace object for a namespace that was not recorded.
Json bare_namespace(const std::string& name, std::uint64_t version) {
  return {{"kind", "Namespace"},
          {"apiVersion", "v1"},
          {"metadata",
           {{"name", name},
            {"resourceVersion", std::to_string(version)},
            {"labels", {{"kubernetes.io/metadata.name", name}}}}},
          {"status", {{"phase", "Active"}}}};
}

/// Replaces the texts `<7 bytes>` in a Secret, which recordings of format 1 have instead of values,
/// with base64 of as many bytes, because clients decode them. Returns whether it replaced any. What
/// exceeds the size of a Secret becomes empty.
bool decode_marks(Json& object) {
  const auto data = object.find("data");
  if (data == object.end() || !data->is_object()) return false;
  std::size_t left = limits::kMiB;  // the most that a Secret can have
  bool found = false;
  for (auto& [name, value] : data->items()) {
    const auto length =
        value.is_string() ? length_in_mark(value.get_ref<const std::string&>()) : std::nullopt;
    if (!length) continue;
    found = true;
    value = base64_of_length(*length <= left ? *length : 0);
    left -= *length <= left ? *length : 0;
  }
  return found;
}

Clock::Wall arrival(const RecordedVersion& version) {
  return Clock::Wall(Clock::Duration(version.version.time));
}

}  // namespace

Result<std::unique_ptr<PastPlayer>> PastPlayer::open(const std::string& path, PastOptions options,
                                                     ResourceStore& store, ApiTypes& types,
                                                     PastClock& clock) {
  Result<std::unique_ptr<RecordingReader>> reader = RecordingReader::open(path, options.stop);
  if (!reader) return std::unexpected(std::move(reader).error());
  std::unique_ptr<PastPlayer> player(
      new PastPlayer(*std::move(reader), std::move(options), store, types, clock));
  if (player->options_.plays) {  // what is after a resourceVersion is what arrived later
    const auto time = time_in(*player->reader_, player->options_.moment);
    if (!time) return std::unexpected(time.error());
    player->options_.moment = {.time = *time, .plays_on = true};
  }
  const Result<FoundMoment> begin = find_moment(*player->reader_, player->options_.moment);
  if (!begin) return std::unexpected(begin.error());
  player->begin_ = *begin;
  clock.stand_at(begin->time);
  if (Result<void> loaded = player->load(); !loaded) {
    return std::unexpected(std::move(loaded).error());
  }
  const bool plays = player->options_.plays;
  Result<GapNotices> gaps =
      GapNotices::read(*player->reader_, begin->time, plays ? Clock::Wall::max() : begin->time);
  if (!gaps) return std::unexpected(std::move(gaps).error());
  player->gaps_ = *std::move(gaps);
  log::notice("{}: the state at {}{}", path, local_time_text(begin->time),
              plays ? "; the first watch plays what follows" : "");
  player->report_gaps(plays ? begin->time : Clock::Wall::max());
  return player;
}

PastPlayer::~PastPlayer() { stop(); }

Result<void> PastPlayer::load() {
  std::vector<ApiType> types;
  std::vector<LoggedObject> objects;
  std::uint64_t version = options_.moment.version.value_or(1);
  for (const auto& [id, recorded] : reader_->types()) {
    Result<ApiType> type = load_type(id, recorded, objects, version);
    if (!type) return std::unexpected(std::move(type).error());
    types.push_back(*std::move(type));
  }
  const ApiType namespaces = read_only_namespaces();
  invents_namespaces_ =
      std::ranges::none_of(types, [&](const ApiType& type) { return type.gvr == namespaces.gvr; });
  if (invents_namespaces_) types.push_back(namespaces);
  types_.serve_only(std::move(types));
  store_.restore(version, objects, nullptr);
  ensure_namespace(default_namespace());
  for (const LoggedObject& each : objects) ensure_namespace(each.object->key.ns);
  return {};
}

Result<ApiType> PastPlayer::load_type(std::int64_t id, const RecordedType& recorded,
                                      std::vector<LoggedObject>& objects, std::uint64_t& version) {
  const std::string key = keys_[id] = read_only_type(recorded, nullptr).storage_key();
  std::shared_ptr<const TableColumns> columns;
  std::int64_t newest = 0;
  VersionParts whole;
  whole.decode.keep_managed_fields = true;
  const Result<std::vector<StateObject>> state =
      reader_->state({.seq = begin_.seq, .type = id}, whole, options_.stop);
  if (!state) return std::unexpected(state.error());
  Scratch scratch;
  for (const StateObject& each : *state) {
    Result<StoredPtr> object =
        stored(recorded.type, each.version, {each.object->cells(), each.object->json(scratch)});
    if (!object) return std::unexpected(std::move(object).error());
    version = std::max(version, (*object)->version);
    if ((*object)->columns != nullptr &&
        each.version.seq > std::exchange(newest, each.version.seq)) {
      columns = (*object)->columns;
    }
    objects.push_back({key, *std::move(object)});
  }
  return read_only_type(recorded, columns);
}

Result<StoredPtr> PastPlayer::stored(const ResourceType& type, const FoundVersion& version,
                                     const VersionText& parts) const {
  const bool is_secret = type.gvr.group.empty() && type.gvr.resource == "secrets";
  std::optional<Json> json = parse_json(parts.json);
  if (!json || !json->is_object()) {
    return fail(ErrorKind::protocol, fmt::format("{} is damaged: version {} is not an object",
                                                 reader_->path(), version.seq));
  }
  auto object = std::make_shared<StoredObject>();
  object->key = key_of(*json);
  object->version = parse_number<std::uint64_t>(version.resource_version).value_or(0);
  object->json = *std::move(json);
  object->text =
      is_secret && decode_marks(object->json) ? object->json.dump() : std::string(parts.json);
  object->cells = parts.cells;
  object->columns = reader_->columns_of(version);
  return StoredPtr(std::move(object));
}

std::string PastPlayer::default_namespace() const {
  const std::string& ns = reader_->default_namespace();
  const bool is_plain = !ns.empty() && ns.find_first_of(",*?[!") == std::string::npos;
  return is_plain ? ns : "default";
}

void PastPlayer::ensure_namespace(const std::string& name) {
  if (!invents_namespaces_ || name.empty() || !namespaces_.insert(name).second) return;
  store_.replay(read_only_namespaces().storage_key(),
                stored_object({"", name}, 0, bare_namespace(name, store_.version())), false);
}

void PastPlayer::report_gaps(Clock::Wall time) {
  gaps_.report(time, [](const RecordedGap&) { return true; });
}

void PastPlayer::start() {
  MutexLock lock(mu_);
  if (!options_.plays || stopped_ || thread_.joinable()) return;
  clock_.run(options_.speed, reader_->ends());
  thread_ = std::jthread([this](const std::stop_token& stop) { play(stop); });
}

void PastPlayer::stop() {
  std::jthread thread;
  {
    MutexLock lock(mu_);
    stopped_ = true;
    thread = std::move(thread_);
  }
  // `thread` stops and joins here, without the lock.
}

void PastPlayer::play(const std::stop_token& stop) {
  const Result<bool> done = play_all(stop);
  if (!done && done.error().kind == ErrorKind::stopped) return;
  if (!done) {
    log::warning("{}: stopped playing: {}", reader_->path(), done.error().message);
    return;
  }
  if (!*done) return;
  log::notice("{} ends at {}; its last state stays", reader_->path(),
              local_time_text(reader_->ends()));
  if (options_.on_end) options_.on_end();
}

/// Plays all changes after `begin_`. Returns false if it was stopped.
Result<bool> PastPlayer::play_all(const std::stop_token& stop) {
  reader_->seek(begin_.seq);
  while (true) {
    const Result<std::optional<RecordedVersion>> version = reader_->next(reader_->last_seq());
    if (!version) return std::unexpected(version.error());
    if (!*version) break;
    if (!sleep_until(clock_, clock_.when(arrival(**version)), stop)) return false;
    report_gaps(arrival(**version));
    if (const Result<void> applied = apply(**version); !applied) {
      return std::unexpected(applied.error());
    }
  }
  if (!sleep_until(clock_, clock_.when(reader_->ends()), stop)) return false;
  report_gaps(Clock::Wall::max());
  return true;
}

Result<void> PastPlayer::apply(const RecordedVersion& version) {
  const std::string& key = keys_[version.type];
  const VersionFacts& facts = version.version.facts;
  const bool is_gone = facts.type == kinf::ChangeType::deleted;
  StoredPtr object;
  if (facts.final_state_unknown) {  // the previous version has the last known state
    object = store_.get(key, {version.ns, version.name});
    if (object == nullptr) return {};
  } else {
    std::string text;
    if (Result<void> read = reader_->rebuild(version.object, version.version.seq, text); !read) {
      return read;
    }
    Result<StoredPtr> made =
        stored(reader_->types().at(version.type).type, version.version, VersionText::split(text));
    if (!made) return std::unexpected(std::move(made).error());
    object = *std::move(made);
  }
  ensure_namespace(version.ns);
  store_.replay(key, std::move(object), is_gone);
  return {};
}

}  // namespace kinf::sandbox
