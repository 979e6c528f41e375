// SPDX-License-Identifier: Apache-2.0
#include "kinf/client/discovery.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <vector>

#include "fakes/fake_clock.h"
#include "fakes/temp_folder.h"

namespace kinf {
namespace {

namespace fs = std::filesystem;
constexpr const char* kServer = "https://10.0.0.1:6443";

/// The files with documents, including temporary ones.
std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  return files;
}

TEST_CASE("a document is found again until ten minutes have passed") {
  const test::TempFolder folder;
  test::FakeClock clock;
  const std::string root = folder.path("a/b");
  const DiscoveryCache cache(root, kServer, "dev", clock);
  CHECK_FALSE(cache.find("/api/v1"));
  cache.keep("/api/v1", "{\n}\n");
  cache.keep("/apis", "other");
  CHECK(cache.find("/api/v1") == "{\n}\n");
  CHECK(DiscoveryCache(root, kServer, "dev", clock).find("/apis") == "other");
  clock.advance(DiscoveryCache::kLifetime);
  CHECK(cache.find("/api/v1"));
  clock.advance(std::chrono::seconds(1));
  CHECK_FALSE(cache.find("/api/v1"));
  cache.keep("/api/v1", "new");
  CHECK(cache.find("/api/v1") == "new");
}

TEST_CASE("each server and each user has its own documents") {
  const test::TempFolder folder;
  test::FakeClock clock;
  DiscoveryCache(folder.path(), kServer, "dev", clock).keep("/apis", "x");
  CHECK_FALSE(DiscoveryCache(folder.path(), kServer, "ops", clock).find("/apis"));
  CHECK_FALSE(DiscoveryCache(folder.path(), "https://10.0.0.2", "dev", clock).find("/apis"));
}

TEST_CASE("only its owner can read a document, and no partial file is left") {
  const test::TempFolder folder;
  test::FakeClock clock;
  const DiscoveryCache cache(folder.path(), kServer, "dev", clock);
  cache.keep("/../../apis/x", "1");
  cache.keep("/../../apis/x", "2");
  const auto files = files_in(folder.path());
  REQUIRE(files.size() == 1);
  CHECK((fs::status(files[0]).permissions() & (fs::perms::group_all | fs::perms::others_all)) ==
        fs::perms::none);
  CHECK(cache.find("/../../apis/x") == "2");
}

TEST_CASE("damaged documents, those from the future and those of others are not used") {
  const test::TempFolder folder;
  test::FakeClock clock;
  const DiscoveryCache cache(folder.path(), kServer, "dev", clock);
  cache.keep("/apis", "{}");
  const fs::path file = files_in(folder.path()).at(0);
  const std::string name = fs::relative(file, folder.path()).string();
  const std::string head = std::string("kinf discovery 1\n") + kServer + "\ndev\n/apis\n";
  const std::vector<std::string> wrong = {"",
                                          "{}",
                                          head,
                                          head + "1",
                                          head + "x\n",
                                          head + "99999999999999\n{}",
                                          "kinf discovery 1\nhttps://other\ndev\n/apis\n1\n{}"};
  for (const std::string& text : wrong) {
    folder.write(name, text);
    CAPTURE(text);
    CHECK_FALSE(cache.find("/apis"));
  }
}

TEST_CASE("a folder that cannot be written is not an error") {
  const test::TempFolder folder;
  test::FakeClock clock;
  const std::string file = folder.write("file", "");
  const DiscoveryCache cache(file, kServer, "dev", clock);
  cache.keep("/apis", "{}");
  CHECK_FALSE(cache.find("/apis"));
}

}  // namespace
}  // namespace kinf
