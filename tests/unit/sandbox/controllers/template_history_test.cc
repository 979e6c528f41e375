// SPDX-License-Identifier: Apache-2.0
#include "kinf/sandbox/controllers/template_history.h"

#include "unit/sandbox/controllers/cluster_world.h"

using namespace kinf;
using namespace kinf::sandbox;
using std::chrono::seconds;

namespace {

using Lines = std::vector<std::string>;

void set_template_image(ClusterWorld& w, const std::string& image) {
  w.change("daemonsets.apps", "agent",
           [&](Json& set) { set["spec"]["template"]["spec"]["containers"][0]["image"] = image; });
  w.pass(seconds(1));
}
/// `NUMBER IMAGE` of each revision, sorted.
Lines revisions(const ClusterWorld& w) {
  Lines lines;
  for (const Json& each : w.all("controllerrevisions.apps")) {
    const Json pod_template = template_of_revision(each);
    CHECK_FALSE(pod_template.contains("$patch"));
    lines.push_back(each["revision"].dump() + " " +
                    text(pod_template["spec"]["containers"][0]["image"]));
  }
  std::ranges::sort(lines);
  return lines;
}

}  // namespace

TEST_CASE("each template has one revision, and a template that returns gets the next number") {
  ClusterWorld w(0);
  w.create_set("DaemonSet", "agent", 0);
  set_template_image(w, "image:2");
  CHECK(revisions(w) == Lines{"1 image:1", "2 image:2"});
  set_template_image(w, "image:1");
  CHECK(revisions(w) == Lines{"2 image:2", "3 image:1"});
  const Json newest = w.all("controllerrevisions.apps").front();
  const std::string hash = text(newest["metadata"]["labels"]["controller-revision-hash"]);
  CHECK(newest["metadata"]["name"] == "agent-" + hash);
  CHECK(newest["data"]["spec"]["template"]["$patch"] == "replace");
}

TEST_CASE("old revisions beyond the limit go, and all with their owner") {
  ClusterWorld w(0);
  w.create_set("DaemonSet", "agent", 0, {{"revisionHistoryLimit", 1}});
  for (const char* image : {"image:2", "image:3", "image:4"}) set_template_image(w, image);
  CHECK(revisions(w) == Lines{"3 image:3", "4 image:4"});
  w.remove("daemonsets.apps", "agent", with(Propagation::background));
  w.pass(seconds(1));
  CHECK(revisions(w).empty());
}
