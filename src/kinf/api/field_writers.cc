// SPDX-License-Identifier: Apache-2.0
// A packed entry consists of a PackedWriter and the name. Entries are told apart by hashes of 32
// bits: an object has at most 64 of them.
#include "kinf/api/field_writers.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <optional>

#include "kinf/api/change.h"
#include "kinf/base/limits.h"
#include "kinf/base/timestamp.h"

namespace kinf {
namespace {

struct PackedWriter {
  std::uint32_t identity = 0;
  std::uint32_t fields = 0;
  std::uint32_t size = 0;
  std::uint32_t name_size = 0;
  std::int64_t time = 0;
};

struct Writer : PackedWriter {
  std::string_view name{};
};

/// What the entry of a writer shows of a change, the surest last.
enum class Trace : std::uint8_t {
  none,
  shrunk,   ///< lost fields, or vanished
  grown,    ///< has other fields, but its time is the same second
  renewed,  ///< is new, or has another time
};

std::uint32_t hash_of(std::string_view text) {
  return static_cast<std::uint32_t>(std::hash<std::string_view>()(text));
}

std::uint32_t mixed(std::uint32_t hash, std::string_view text) {
  constexpr std::uint32_t kOddFactor = 0x9E3779B1;
  return (hash ^ hash_of(text)) * kOddFactor;
}

/// Removes the first entry from `packed`, which is not empty, and returns it.
Writer take_first(std::string_view& packed) {
  Writer writer;
  std::memcpy(static_cast<PackedWriter*>(&writer), packed.data(), sizeof(PackedWriter));
  writer.name = packed.substr(sizeof(PackedWriter), writer.name_size);
  packed.remove_prefix(sizeof(PackedWriter) + writer.name.size());
  return writer;
}

std::vector<Writer> unpacked(std::string_view packed) {
  std::vector<Writer> writers;
  while (!packed.empty()) writers.push_back(take_first(packed));
  return writers;
}

const Writer* find(const std::vector<Writer>& writers, std::uint32_t identity) {
  const auto found = std::ranges::find(writers, identity, &Writer::identity);
  return found == writers.end() ? nullptr : &*found;
}

Trace trace_of(const Writer& now, const Writer* before) {
  if (before == nullptr || now.time != before->time) return Trace::renewed;
  if (now.size < before->size) return Trace::shrunk;
  return now.size > before->size || now.fields != before->fields ? Trace::grown : Trace::none;
}

/// Finds the writer whose entry shows most of the change: by trace, then time, then growth. If all
/// are equal, a status is less telling than another part.
class BestWriter {
 public:
  void consider(const Writer& writer, Trace trace, bool has_grown) {
    if (trace == Trace::none) return;
    const Rank rank{trace, writer.time, has_grown, !writer.name.ends_with("(status)")};
    if (rank > best_) {
      best_ = rank;
      name_ = writer.name;
    }
  }
  std::string_view name() const { return name_; }

 private:
  struct Rank {
    Trace trace = Trace::none;
    std::int64_t time = 0;
    bool has_grown = false;
    bool is_main = false;
    friend auto operator<=>(const Rank&, const Rank&) = default;
  };
  Rank best_;
  std::string_view name_;
};

/// Returns the writer whose entry differs between the two versions; empty if none does.
std::string_view differing_writer(const std::vector<Writer>& before,
                                  const std::vector<Writer>& after) {
  BestWriter best;
  for (const Writer& writer : after) {
    const Writer* const earlier = find(before, writer.identity);
    best.consider(writer, trace_of(writer, earlier),
                  earlier == nullptr || writer.size > earlier->size);
  }
  for (const Writer& writer : before) {
    if (find(after, writer.identity) == nullptr) best.consider(writer, Trace::shrunk, false);
  }
  return best.name();
}

/// Returns the newest writer whose time is within two seconds of the arrival of the change. An
/// entry from the second of the object's `creation` belongs to the creation.
std::string_view recent_writer(const std::vector<Writer>& writers, Clock::Wall arrived,
                               std::optional<std::chrono::sys_seconds> creation) {
  constexpr std::int64_t kNear = 2;
  const auto now = std::chrono::floor<std::chrono::seconds>(arrived).time_since_epoch().count();
  for (const Writer& writer : writers) {
    const bool created = creation && creation->time_since_epoch().count() == writer.time;
    if (!created && writer.time >= now - kNear && writer.time <= now + kNear) return writer.name;
  }
  return {};
}

}  // namespace

std::string_view* ManagedFieldsEntry::text(std::string_view name) {
  if (name == "manager") return &manager;
  if (name == "operation") return &operation;
  if (name == "subresource") return &subresource;
  if (name == "apiVersion") return &api_version;
  return name == "time" ? &time : nullptr;
}

void FieldWriters::add(const ManagedFieldsEntry& entry) {
  Entry added;
  for (const std::string_view part :
       {entry.manager, entry.operation, entry.subresource, entry.api_version}) {
    added.identity = mixed(added.identity, part);
  }
  added.fields = hash_of(entry.fields);
  added.size = static_cast<std::uint32_t>(entry.fields.size());
  if (const auto time = parse_timestamp(entry.time)) added.time = time->time_since_epoch().count();
  added.manager = entry.manager;
  added.subresource = entry.subresource;
  entries_.insert(std::ranges::upper_bound(entries_, added.time, {}, &Entry::time), added);
  if (entries_.size() > limits::kFieldWriters) entries_.erase(entries_.begin());
}

std::string_view FieldWriters::packed() {
  packed_.clear();
  for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
    std::string name(entry->manager);
    if (!entry->subresource.empty()) name.append(" (").append(entry->subresource).append(")");
    const PackedWriter writer{entry->identity, entry->fields, entry->size,
                              static_cast<std::uint32_t>(name.size()), entry->time};
    packed_.append(reinterpret_cast<const char*>(&writer), sizeof(writer)).append(name);
  }
  return packed_;
}

std::string_view newest_writer(std::string_view packed) {
  return packed.empty() ? packed : take_first(packed).name;
}

/// When a deletion begins, the server changes no entry, so a recent entry tells nothing.
std::string_view Change::manager() const {
  if (!object || type == ChangeType::deleted || type == ChangeType::resync) return {};
  const auto writers = object->writers();
  if (!old || !writers) return object->manager();
  const std::vector<Writer> after = unpacked(*writers);
  const auto earlier = old->writers();
  if (earlier) {
    const std::string_view differs = differing_writer(unpacked(*earlier), after);
    if (!differs.empty()) return differs;
  }
  if (object->deleting() && !old->deleting()) return {};
  return recent_writer(after, origin.arrived, earlier ? object->creation_time() : std::nullopt);
}

}  // namespace kinf
