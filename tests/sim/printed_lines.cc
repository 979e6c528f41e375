// SPDX-License-Identifier: Apache-2.0
#include "sim/printed_lines.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "sim/documents.h"
#include "sim/sim_handler.h"

namespace kinf::sim {
namespace {

/// Returns the text of the first member `name`, which has no escapes.
std::string_view text_after(std::string_view line, std::string_view name) {
  const std::string start = fmt::format("\"{}\":\"", name);
  const std::size_t at = line.find(start);
  if (at == std::string_view::npos) return {};
  line.remove_prefix(at + start.size());
  return line.substr(0, line.find('"'));
}

}  // namespace

struct PrintedLines::Line {
  explicit Line(std::string_view line)
      : text(line),
        type(text_after(line, "type")),
        source(text_after(line, "source")),
        object(object_of(text_after(line, "name"))),
        is_whole(line.starts_with(R"({"type":")") && line.ends_with('}')) {
    const std::string_view uid = text_after(line, "uid");
    version = {.uid = uid.empty() ? 0 : number_of(uid.substr(1)),
               .revision = number_of(text_after(line, "resourceVersion"))};
  }

  std::string_view text;
  std::string_view type;
  std::string_view source;
  std::size_t object;
  Version version{};
  bool is_whole;
};

PrintedLines::PrintedLines(LineRules rules, const Etcd& etcd, const Wire& wire, Verdict& verdict)
    : rules_(std::move(rules)),
      etcd_(etcd),
      wire_(wire),
      verdict_(verdict),
      file_(::memfd_create("kinf-sim-lines", MFD_CLOEXEC)) {}

void PrintedLines::begin(const State& known) {
  shown_ = newest_ = known;
  last_ = 0;
}

void PrintedLines::find_timeline() {
  is_lost_ = false;
  newest_ = shown_;
  last_ = 0;
}

void PrintedLines::check() {
  const auto end = static_cast<std::int64_t>(::lseek(file_.get(), 0, SEEK_CUR));
  if (end == position_) return;
  std::string text(static_cast<std::size_t>(end - position_), '\0');
  const bool was_read = ::pread(file_.get(), text.data(), text.size(), position_) ==
                        static_cast<ssize_t>(text.size());
  expect(was_read && text.ends_with('\n'), "", "the output ends in the middle of a line");
  position_ = end;
  std::string_view rest = text;
  while (!rest.empty() && verdict_.holds()) {
    const std::size_t size = rest.find('\n');
    check_line(rest.substr(0, size));
    rest.remove_prefix(std::min(rest.size(), size + 1));
  }
}

void PrintedLines::check_line(std::string_view text) {
  verdict_.trace("{} {}", rules_.name, text);
  const Line line(text);
  expect(line.is_whole && line.version.revision > 0, text, "not a whole line");
  if (line.type == "BOOKMARK") return check_bookmark(line);
  expect(line.object < kObjects, text, "an unknown object");
  if (!verdict_.holds()) return;
  check_order(line);
  check_document(line);
  check_event(line);
}

/// Bookmarkable: all events until its version were printed before it.
void PrintedLines::check_bookmark(const Line& line) {
  const std::uint32_t version = line.version.revision;
  if (is_lost_) return;
  // In a DeltaFifo, the changes of an object pass the end of the list together.
  if (version > etcd_.revision() || (line.source == "list" && !rules_.in_order)) return;
  check_none_missing(version);
  last_ = version;
  const State& state = etcd_.state_at(version);
  for (std::size_t i = 0; i < kObjects; ++i) {
    const Version wanted = state.at(i).is_selected(rules_.red_only) ? state.at(i) : Version();
    expect(is_same(shown_.at(i), wanted), line.text, "{} is {} instead of {}", key_of(i),
           text_of(shown_.at(i)), text_of(wanted));
  }
}

/// Unique and resumable: each line follows from those before it and from what the program knew.
void PrintedLines::check_event(const Line& line) {
  Version& shown = shown_.at(line.object);
  if (line.type == "ADDED") {
    expect(!shown.exists(), line.text, "it has {}", text_of(shown));
  } else {
    expect(shown.exists() && shown.uid == line.version.uid, line.text, "it has {}", text_of(shown));
  }
  expect(line.type == "ADDED" || line.type == "MODIFIED" || line.type == "DELETED", line.text,
         "an unknown type");
  shown = line.type == "DELETED" ? Version() : line.version;
}

/// Ordered: a watch brings revisions that rise; a list brings newer versions of each object.
void PrintedLines::check_order(const Line& line) {
  Version& newest = newest_.at(line.object);
  const std::uint32_t revision = line.version.revision;
  const bool is_last_state = line.type == "DELETED" && is_same(line.version, newest);
  if (!is_lost_ && !is_last_state) {
    expect(revision > newest.revision, line.text, "after {}", text_of(newest));
    if (line.source == "watch" && rules_.in_order) {
      expect(revision > last_, line.text, "after revision {}", last_);
      check_none_missing(revision - 1);
      last_ = revision;
    }
  }
  newest = line.version;
}

/// Reliable: every event after last_ until `revision` was printed, unless a list came instead.
void PrintedLines::check_none_missing(std::uint32_t revision) {
  if (last_ == 0 || !rules_.in_order) return;
  for (std::uint32_t missing = last_ + 1; missing <= revision; ++missing) {
    const bool is_listed = std::ranges::any_of(wire_.lists, [&](std::uint32_t version) {
      return version >= missing && version <= revision;
    });
    const bool is_missing = !is_listed && event_of(etcd_, missing, rules_.red_only);
    expect(!is_missing, "", "the event at {} was not printed until {}", missing, revision);
  }
}

/// Atomic: a line has the whole object, exactly as the server sent it.
void PrintedLines::check_document(const Line& line) {
  const std::uint32_t revision = line.version.revision;
  if (etcd_.epoch() > 0) return check_lost_document(line);
  if (revision == 0 || revision > etcd_.revision()) return;
  const Version& now = etcd_.state_at(revision).at(line.object);
  const Version& before = etcd_.state_at(revision - 1).at(line.object);
  const bool is_of_deletion = line.type == "DELETED" && etcd_.changed_at(revision) == line.object &&
                              !now.is_selected(rules_.red_only);
  std::string document = object_document(line.object, is_of_deletion ? before : now, revision);
  document.erase(0, document.find("\"metadata\"")).append(",\"");
  const std::size_t at = line.text.find("\"metadata\"");
  expect(at != std::string_view::npos && line.text.substr(at).starts_with(document) &&
             line.version.uid == (is_of_deletion ? before : now).uid,
         line.text, "the document is not that of the server, {}", document);
}

/// After a restore, a client may hold an object of a lost timeline, if etcd has one with its uid
/// and revision again: nothing tells them apart. Only a deletion has a revision of its own.
void PrintedLines::check_lost_document(const Line& line) {
  Version version = line.version;
  version.value = value_of(line.text);
  if (!etcd_.has_had(line.object, version))
    return expect(line.type == "DELETED", line.text, "the server never had this");
  std::string document = object_document(line.object, version, version.revision);
  document.erase(0, document.find("\"metadata\"")).append(",\"");
  expect(line.text.contains(document), line.text, "the document is not that of the server, {}",
         document);
}

}  // namespace kinf::sim
