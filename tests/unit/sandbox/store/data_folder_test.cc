// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/store/data_folder.h"

#include <doctest/doctest.h>

#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <optional>

#include "fakes/fake_clock.h"
#include "fakes/temp_folder.h"
#include "kinf/base/log.h"

using kinf::sandbox::DataFolder;
using kinf::sandbox::Json;
using kinf::sandbox::ResourceStore;
using kinf::sandbox::StoredPtr;

namespace {

/// A store on a folder, from one start to the next.
struct Kept {
  explicit Kept(const std::string& folder) : data(DataFolder::open(folder).value()) {
    REQUIRE(data->restore(store).has_value());
  }
  StoredPtr put(const std::string& name, const std::string& value) {
    const Json object = {{"metadata", {{"name", name}, {"uid", "u-" + name}}}, {"value", value}};
    const StoredPtr before = store.get("things", {"ns", name});
    return before ? store.update("things", {"ns", name}, with_namespace(object), before->version)
                  : store.create("things", {"ns", name}, with_namespace(object));
  }
  void remove(const std::string& name) {
    const StoredPtr before = store.get("things", {"ns", name});
    REQUIRE(before != nullptr);
    store.remove("things", before->key, before->json, before->version);
  }
  static Json with_namespace(Json object) {
    object["metadata"]["namespace"] = "ns";
    return object;
  }

  std::unique_ptr<DataFolder> data;
  kinf::test::FakeClock clock;
  ResourceStore store{clock};
};

std::string problem_of(const std::string& folder) {
  const auto data = DataFolder::open(folder);
  return data ? "" : data.error().message.substr(folder.size());
}

/// Limits the size of files that this process writes, like a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(std::size_t bytes) : before_(::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit limit{bytes, old_.rlim_max};
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &limit) == 0);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    ::signal(SIGXFSZ, before_);
  }

 private:
  void (*before_)(int);
  rlimit old_{};
};

}  // namespace

TEST_CASE("saved objects are loaded again, and versions continue") {
  const kinf::test::TempFolder folder;
  const std::string path = folder.path("data");
  {
    Kept first(path);
    CHECK(first.data->is_new());
    first.put("a", "1");
    first.put("b", "1");
    first.put("a", "2");
    first.remove("b");
    CHECK(first.store.version() == 5);
  }
  Kept second(path);
  CHECK_FALSE(second.data->is_new());
  CHECK(second.store.version() == 5);
  REQUIRE(second.store.list("things").objects.size() == 1);
  const StoredPtr a = second.store.get("things", {"ns", "a"});
  CHECK(a->version == 4);
  CHECK(a->json["metadata"]["uid"] == "u-a");
  CHECK(a->json["metadata"]["resourceVersion"] == "4");
  CHECK(a->json["value"] == "2");
  CHECK(second.put("c", "1")->version == 6);
}

TEST_CASE("versions from before the restart are expired, also for types that were never used") {
  const kinf::test::TempFolder folder;
  {
    Kept(folder.path()).put("a", "1");
  }
  Kept again(folder.path());
  using kinf::sandbox::VersionProblem;
  CHECK(again.store.list_at("things", 1).error() == VersionProblem::expired);
  CHECK(again.store.list_at("others", 1).error() == VersionProblem::expired);
  CHECK(again.store.list_at("others", 2).has_value());
}

TEST_CASE("an incomplete last line is ignored") {
  const kinf::test::TempFolder folder;
  {
    Kept(folder.path()).put("a", "1");
  }
  const std::string whole = folder.read("objects.jsonl");
  folder.write("objects.jsonl", whole + R"({"type":"things","version":3,"obj)");
  Kept again(folder.path());
  CHECK(again.store.version() == 2);
  CHECK(again.store.list("things").objects.size() == 1);
  CHECK(std::ranges::count(folder.read("objects.jsonl"), '\n') == 2);
}

TEST_CASE("damage is reported with its line, and the file stays as it is") {
  const kinf::test::TempFolder folder;
  const std::string head = "{\"kinf-sandbox\":1,\"version\":4}\n";
  const auto problem = [&](const std::string& content) {
    folder.write("objects.jsonl", content);
    const std::string text = problem_of(folder.path());
    CHECK(folder.read("objects.jsonl") == content);
    return text;
  };
  CHECK(problem("something else\n") ==
        "/objects.jsonl: line 1: not a valid line of a sandbox data file");
  CHECK(problem("something else") ==
        "/objects.jsonl: line 1: not a valid line of a sandbox data file");
  CHECK(problem("{\"version\":3}\n") == "/objects.jsonl: line 1: not a sandbox data file");
  CHECK(problem(head + "{]\n" + head) ==
        "/objects.jsonl: line 2: not a valid line of a sandbox data file");
  CHECK(problem(head + "{\"type\":\"t\",\"version\":-1,\"gone\":{}}\n") ==
        "/objects.jsonl: line 2: not a valid line of a sandbox data file");
  CHECK(problem(head + "{\"type\":\"t\",\"version\":18446744073709551615,\"gone\":{}}\n") ==
        "/objects.jsonl: line 2: not a valid line of a sandbox data file");
  CHECK(problem(head + "{\"type\":\"t\",\"version\":5,\"object\":[]}\n") ==
        "/objects.jsonl: line 2: the type or the name of the object is missing");
  CHECK(problem(head + std::string(5000, '[') + "\n") ==
        "/objects.jsonl: line 2: not a valid line of a sandbox data file");
}

TEST_CASE("two sandboxes do not share a folder") {
  const kinf::test::TempFolder folder;
  const Kept first(folder.path());
  CHECK(problem_of(folder.path()) == ": in use by another sandbox");
}

TEST_CASE("a file that is a link or a pipe is an error, and stays as it is") {
  const kinf::test::TempFolder folder;
  const std::string target = folder.write("elsewhere", "precious");
  for (const char* name : {"objects.jsonl", "lock"}) {
    const std::string path = folder.path(name);
    std::filesystem::remove(path);
    std::filesystem::create_symlink(target, path);
    CHECK(problem_of(folder.path()) ==
          "/" + std::string(name) + ": a symbolic link, which kinf does not follow");
    std::filesystem::remove(path);
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    CHECK(problem_of(folder.path()) == "/" + std::string(name) + ": not a regular file");
    std::filesystem::remove(path);
  }
  CHECK(folder.read("elsewhere") == "precious");
}

TEST_CASE("a file is not rewritten through a link that was planted") {
  const kinf::test::TempFolder folder;
  const std::string target = folder.write("elsewhere", "precious");
  const std::string part = folder.path("objects.jsonl.part");
  std::filesystem::create_symlink(target, part);
  Kept(folder.path()).put("a", "1");
  CHECK(folder.read("elsewhere") == "precious");
  CHECK_FALSE(std::filesystem::exists(std::filesystem::symlink_status(part)));
  std::filesystem::create_directory(part);
  std::vector<std::string> notices;
  kinf::log::set_sink([&](std::string_view line) { notices.emplace_back(line); });
  Kept again(folder.path());
  kinf::log::set_sink({});
  REQUIRE(notices.size() == 1);
  CHECK(notices[0].ends_with("/objects.jsonl.part: File exists; " + folder.path("objects.jsonl") +
                             " stays as it is"));
  CHECK(again.put("b", "1")->version == 3);
}

TEST_CASE("a change that does not fit on the disk is refused, and the file stays valid") {
  const kinf::test::TempFolder folder;
  std::vector<std::string> warnings;
  kinf::log::set_sink([&](std::string_view line) { warnings.emplace_back(line); });
  {
    Kept kept(folder.path());
    kept.put("a", "1");
    {
      const FileSizeLimit limit(std::filesystem::file_size(folder.path("objects.jsonl")) + 20);
      CHECK(kept.put("b", "1") == nullptr);
      CHECK_FALSE(kept.store.saves());
      CHECK(kept.put("a", std::string(100, 'x')) == nullptr);
      CHECK(kept.store.version() == 2);
      CHECK(kept.store.list("things").objects.size() == 1);
    }
    CHECK(kept.put("c", "1")->version == 3);
    CHECK(kept.store.saves());
  }
  kinf::log::set_sink({});
  REQUIRE(warnings.size() == 1);  // one for all changes that were refused in a row
  CHECK(warnings[0].ends_with("File too large; changes are refused until they can be saved"));
  Kept again(folder.path());
  CHECK(again.store.version() == 3);
  CHECK(again.store.list("things").objects.size() == 2);
}

TEST_CASE("a file of which no copy fits on the disk is used as it is") {
  const kinf::test::TempFolder folder;
  {
    Kept kept(folder.path());
    kept.put("a", "1");
    kept.put("a", "2");
  }
  const std::string whole = folder.read("objects.jsonl");
  folder.write("objects.jsonl", whole + R"({"type":"things","version":4,"obj)");
  kinf::log::set_sink([](std::string_view) {});
  {
    std::optional<FileSizeLimit> limit(20);
    Kept kept(folder.path());
    CHECK(kept.store.version() == 3);
    CHECK(kept.put("b", "1") == nullptr);
    CHECK(folder.read("objects.jsonl") == whole);
    CHECK_FALSE(std::filesystem::exists(folder.path("objects.jsonl.part")));
    limit.reset();
    CHECK(kept.put("b", "1")->version == 4);
  }
  kinf::log::set_sink({});
  Kept again(folder.path());
  CHECK(again.store.version() == 4);
  CHECK(again.store.list("things").objects.size() == 2);
}

TEST_CASE("a new file that does not fit on the disk is an error with a hint") {
  const kinf::test::TempFolder folder;
  const FileSizeLimit limit(20);
  const auto data = DataFolder::open(folder.path()).value();
  kinf::test::FakeClock clock;
  ResourceStore store{clock};
  const auto restored = data->restore(store);
  REQUIRE_FALSE(restored.has_value());
  CHECK(restored.error().hint == "free some space, or use another folder");
}

TEST_CASE("a file that has grown is rewritten while it is used") {
  const kinf::test::TempFolder folder;
  {
    Kept kept(folder.path());
    const std::string large(1 << 20, 'x');
    for (int i = 0; i < 40; ++i) kept.put("a", large);
    CHECK(std::filesystem::file_size(folder.path("objects.jsonl")) < (20U << 20));
  }
  Kept again(folder.path());
  CHECK(again.store.version() == 41);
  CHECK(again.store.list("things").objects.size() == 1);
}
