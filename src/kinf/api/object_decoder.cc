// SPDX-License-Identifier: Apache-2.0
// ObjectWalk reads documents in the usual form. Other documents are copied and read by simdjson's
// on-demand parser. The first stage of that parser checks the UTF-8 and finds the tokens of the
// text. Its second stage reads only the metadata and skips everything else. Strings without escapes
// are kept as views into the document, because Object copies the document anyway.
#include "kinf/api/object_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "kinf/api/field_writers.h"
#include "kinf/api/json_members.h"
#include "kinf/api/object_trim.h"
#include "kinf/api/object_walk.h"
#include "kinf/base/ascii.h"
#include "kinf/base/timestamp.h"

namespace kinf {
namespace {

namespace ondemand = simdjson::ondemand;
using simdjson::error_code;
using simdjson::SUCCESS;

constexpr std::string_view kPartial = "PartialObjectMetadata";

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20; }

/// Returns a view into the document instead of `unescaped` if both are the same bytes. `raw` points
/// after the opening quote.
std::string_view in_document(const char* raw, std::string_view unescaped) {
  if (raw[unescaped.size()] != '"') return unescaped;
  if (std::memchr(raw, '\\', unescaped.size()) != nullptr) return unescaped;
  return {raw, unescaped.size()};
}

error_code read_string(ondemand::value value, std::string_view& out) {
  bool null = false;
  if (const auto error = value.is_null().get(null)) return error;
  out = {};
  if (null) return SUCCESS;
  const char* const raw = value.raw_json_token().data() + 1;
  if (const auto error = value.get_string().get(out)) return error;
  out = in_document(raw, out);
  return SUCCESS;
}

/// Sets `fields` to the text of an object. Leaves another value out.
error_code read_fields(ondemand::value value, std::string_view& fields) {
  ondemand::object object;
  const auto error = value.get_object().get(object);
  if (error) return error == simdjson::INCORRECT_TYPE ? SUCCESS : error;
  const auto failed = object.raw_json().get(fields);
  fields = trimmed(fields);  // raw_json() also has the blanks behind the object
  return failed;
}

error_code read_owner(ondemand::value value, OwnerReference& owner) {
  return for_each_member(value, [&](JsonMember& member) {
    if (member.name == "apiVersion") return read_string(member.value, owner.api_version);
    if (member.name == "kind") return read_string(member.value, owner.kind);
    if (member.name == "name") return read_string(member.value, owner.name);
    if (member.name == "uid") return read_string(member.value, owner.uid);
    if (member.name == "controller") {
      bool null = false;
      if (const auto error = member.value.is_null().get(null)) return error;
      if (!null) return member.value.get_bool().get(owner.controller);
    }
    return SUCCESS;
  });
}

/// Makes the heap of a thread grow in large steps while that thread allocates many long-lived
/// blocks. glibc grows the heap of every thread except the main thread by only what the next block
/// needs. This costs one system call for each object of a list, a tenth of the CPU time of reading
/// 10,000 pods.
class HeapRoom {
 public:
  /// Call use() before allocating blocks of about `size` bytes in total. Once every kStep bytes,
  /// allocates and frees one large block, which leaves free memory at the end of the heap.
  void use(std::size_t size) {
    left_ -= size < left_ ? size : left_;
    if (left_ != 0) return;
    void* volatile block = std::malloc(kStep);  // volatile, so that the compiler keeps both calls
    std::free(block);
    left_ = kStep;
  }

 private:
  /// The size of the large block in bytes, below glibc's two thresholds of 128 KiB. glibc maps
  /// larger blocks separately, and returns larger free areas at the end of the heap to the system.
  static constexpr std::size_t kStep = std::size_t{112} * 1024;

  std::size_t left_ = kStep;  // not 0, so a thread that allocates little keeps no spare memory
};

}  // namespace

struct ObjectDecoder::Parser {
  explicit Parser(const DecodeOptions& options_in) : options(options_in) {}

  /// Reads the document with ObjectWalk if it has the usual form, otherwise with simdjson, which
  /// also reports errors.
  error_code read(std::string_view json) {
    facts.json = json;
    ObjectWalk walk(json, options.keep_managed_fields, options.held, facts,
                    options.writers ? &writers : nullptr);
    facts.one_line = walk.run();
    held = walk.held();
    if (facts.one_line || held) return SUCCESS;
    clear();
    facts.json = padded.copy(json);
    return read_document(facts.json);
  }
  error_code read_document(std::string_view json) {
    reading = "the document";
    const auto error = for_each_member(simdjson, document, json, [&](JsonMember& member) {
      if (member.name == "apiVersion") return read_string(member.value, facts.api_version);
      if (member.name == "kind") return read_string(member.value, facts.kind);
      if (member.name == "metadata") return read_metadata(member.value);
      return SUCCESS;
    });
    if (error) return error;
    const bool at_end = document.current_location().error() == simdjson::OUT_OF_BOUNDS;
    return at_end ? SUCCESS : simdjson::TRAILING_CONTENT;
  }
  error_code read_metadata(ondemand::value value) {
    reading = "metadata";
    const auto error =
        for_each_member(value, [&](JsonMember& member) { return read_metadata_member(member); });
    if (!error) reading = "the document";
    return error;
  }
  error_code read_metadata_member(JsonMember& member) {
    const std::string_view name = member.name;
    if (name == "name") return read_string(member.value, facts.name);
    if (name == "namespace") return read_string(member.value, facts.ns);
    if (name == "uid") return read_string(member.value, facts.uid);
    if (name == "resourceVersion") return read_string(member.value, facts.resource_version);
    if (name == "labels") return read_labels(member.value);
    if (name == "ownerReferences") return read_owners(member.value);
    if (name == "managedFields") return read_managed_fields(member);
    if (name == "creationTimestamp") {
      std::string_view text;
      const auto error = read_string(member.value, text);
      facts.creation_time = parse_timestamp(text);
      return error;
    }
    if (name == "deletionTimestamp") {
      bool null = false;
      const auto error = member.value.is_null().get(null);
      facts.deleting = !null;
      return error;
    }
    return SUCCESS;
  }
  error_code read_labels(ondemand::value value) {
    reading = "metadata.labels";
    facts.labels.clear();
    const auto error = for_each_member(value, [&](JsonMember& member) {
      std::string_view text;
      const auto failed = read_string(member.value, text);
      facts.labels.emplace_back(in_document(member.raw_name, member.name), text);
      return failed;
    });
    if (!error) reading = "metadata";
    return error;
  }
  error_code read_owners(ondemand::value value) {
    reading = "metadata.ownerReferences";
    facts.owners.clear();
    const auto error = for_each_element(value, [&](ondemand::value element) {
      return read_owner(element, facts.owners.emplace_back());
    });
    if (!error) reading = "metadata";
    return error;
  }
  /// Reads the entries of managedFields if they are asked for. Cuts managedFields out of the
  /// document unless keep_managed_fields is set.
  error_code read_managed_fields(JsonMember& member) {
    reading = "metadata.managedFields";
    writers.clear();
    const auto error = for_each_element(member.value, [&](ondemand::value element) {
      ManagedFieldsEntry entry;
      const auto failed = for_each_member(element, [&](JsonMember& part) {
        if (part.name == "fieldsV1") return read_fields(part.value, entry.fields);
        std::string_view* const text = entry.text(part.name);
        return text == nullptr ? SUCCESS : read_string(part.value, *text);
      });
      if (!failed && options.writers) writers.add(entry);
      return failed;
    });
    if (error) return error;
    if (!options.keep_managed_fields) {
      const char* next = nullptr;
      if (const auto failed = document.current_location().get(next)) return failed;
      JsonCutter(facts.json, facts.cuts).cut(member.raw_name - 1, next);
    }
    reading = "metadata";
    return SUCCESS;
  }
  /// Adds apiVersion and kind to a document without them. Replaces the type of a
  /// PartialObjectMetadata by the type of the object that it describes.
  void fill_in_type() {
    prefix.clear();
    const auto fill = [&](std::string_view name, std::string_view& fact, const std::string& known) {
      if (!fact.empty() || known.empty()) return;
      fact = known;
      facts.one_line = facts.one_line && std::ranges::none_of(known, is_control);
      prefix.append("\"").append(name).append("\":\"").append(known).append("\",");
    };
    if (facts.kind == kPartial && !options.kind.empty()) {
      facts.kind = options.kind;
      facts.api_version = options.api_version;
      return;
    }
    fill("apiVersion", facts.api_version, options.api_version);
    fill("kind", facts.kind, options.kind);
    facts.prefix = prefix;
  }
  void clear() {
    auto labels = std::move(facts.labels);
    auto owners = std::move(facts.owners);
    auto cuts = std::move(facts.cuts);
    labels.clear();
    owners.clear();
    cuts.clear();
    facts = ObjectFacts();
    facts.labels = std::move(labels);
    facts.owners = std::move(owners);
    facts.cuts = std::move(cuts);
    facts.form = options.form;
    writers.clear();
  }
  /// Sets who wrote the object: `known`, or else what managedFields say.
  void set_manager(std::string_view known) {
    facts.manager = known.empty() ? writers.packed() : known;
    facts.has_writers = known.empty() && options.writers;
  }
  Error describe(std::string_view what) const {
    std::string subject = facts.kind.empty() ? options.kind : std::string(facts.kind);
    if (subject.empty()) subject = "object";
    if (!facts.name.empty()) {
      subject += ' ';
      if (!facts.ns.empty()) subject.append(facts.ns).append("/");
      subject += facts.name;
    } else if (!facts.uid.empty()) {
      subject.append(" with uid ").append(facts.uid);
    }
    return Error(ErrorKind::protocol, fmt::format("{}: {}", subject, what));
  }

  const DecodeOptions& options;
  ondemand::parser simdjson;
  ondemand::document document;
  PaddedText padded;
  ObjectFacts facts;
  FieldWriters writers;
  std::string prefix;
  const char* reading = "";  ///< the part of the document being read, for messages
  ObjectPtr held;            ///< the stored object to return instead of a new one
  HeapRoom heap;             ///< grows the heap before objects are allocated
};

ObjectDecoder::ObjectDecoder(DecodeOptions options)
    : options_(std::move(options)), parser_(std::make_unique<Parser>(options_)) {}

ObjectDecoder::~ObjectDecoder() = default;

void ObjectDecoder::assume_type(std::string_view api_version, std::string_view kind) {
  if (options_.api_version.empty()) options_.api_version = api_version;
  if (options_.kind.empty()) options_.kind = kind;
}

Result<ObjectPtr> ObjectDecoder::decode(std::string_view json, const RowCells& row) {
  Parser& parser = *parser_;
  parser.clear();
  json = trimmed(json);
  if (json.size() > options_.max_bytes) {
    return fail(parser.describe(fmt::format("larger than {} bytes", options_.max_bytes)));
  }
  if (json.empty() || json.front() != '{') return fail(parser.describe("not a JSON object"));
  if (const auto error = parser.read(json)) {
    return fail(parser.describe(
        fmt::format("cannot read {}: {}", parser.reading, simdjson::error_message(error))));
  }
  if (parser.held) return std::exchange(parser.held, nullptr);
  if (parser.facts.name.empty()) return fail(parser.describe("has no metadata.name"));
  parser.fill_in_type();
  if (options_.selects) {
    parser.facts.form = ObjectForm::raw;
    parser.facts.selected = options_.selects(*Object::create(parser.facts));
    parser.facts.form = options_.form;
  }
  if (options_.trim && options_.form == ObjectForm::raw) {
    parser.facts.cuts.clear();
    if (!options_.trim->cut(parser.facts.json, parser.facts.cuts)) {
      return fail(parser.describe("cannot read the fields to leave out"));
    }
  }
  parser.facts.cells = row.cells;
  parser.facts.columns = row.columns;
  parser.set_manager(row.manager);
  parser.heap.use(json.size());
  return Object::create(parser.facts);
}

}  // namespace kinf
