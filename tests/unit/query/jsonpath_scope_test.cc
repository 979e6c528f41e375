// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/jsonpath_scope.h"

#include <doctest/doctest.h>

#include "kinf/query/jsonpath.h"

namespace kinf {
namespace {

using jsonpath::Document;

bool is_within(Document document, std::string_view text) {
  return JsonPath::parse(text).value().reads_only_metadata(document);
}

TEST_CASE("of an object, only paths below metadata certainly read no more") {
  for (const char* text :
       {"{.metadata.name}", "{$.metadata}", "{@.metadata.labels.app\\.kubernetes\\.io/name}",
        "{.metadata['name','uid']}", "{['metadata'].name}", "{.metadata..name}",
        "{.metadata.ownerReferences[?(@.kind=='Job' && !(@.name=~/^a/))].uid}",
        "{.metadata.ownerReferences[-1:].name}", "{.metadata.labels.*}", "text", "{'text'}", "{1}",
        "{range .metadata.ownerReferences[*]}{.name}{\"\\n\"}{end}{.metadata.uid}"}) {
    CHECK_MESSAGE(is_within(Document::object, text), text);
  }
  for (const char* text :
       {"{.spec.nodeName}", "{.kind}", "{@}", "{..name}", "{.*}", "{.metadata.name}{.status}",
        "{['metadata','spec']}", "{range .metadata.labels}{.x}{end}{.status.phase}",
        "{range .spec.containers[*]}{.name}{end}", "{.items[0].metadata}", "{[0]}", "{[*]}",
        "{.metadata.name}{end}",
        "{range .metadata.labels}{range .metadata.labels}{end}{end}{.a}"}) {
    CHECK_MESSAGE(!is_within(Document::object, text), text);
  }
}

TEST_CASE("certainly beyond the metadata are fields that PartialObjectMetadata does not have") {
  const auto is_beyond = [](Document document, std::string_view text) {
    return JsonPath::parse(text).value().reads_beyond_metadata(document);
  };
  for (const char* text : {"{.spec.nodeName}", "{.metadata.name}{.status}", "{['metadata','spec']}",
                           "{@.data.key}", "{range .spec.containers[*]}{.name}{end}",
                           "{range .metadata.ownerReferences[*]}{.name}{end}{.status.phase}"}) {
    CHECK_MESSAGE(is_beyond(Document::object, text), text);
  }
  for (const char* text :
       {"{.metadata.name}", "{.kind} {.apiVersion}", "{@}", "{..name}", "{.*}", "{.items[*].kind}",
        "{.metadata.ownerReferences[?(@.kind=='Job')].name}", "{.metadata..spec}", "text",
        "{range .metadata.ownerReferences[*]}{.name}{end}"}) {
    CHECK_MESSAGE(!is_beyond(Document::object, text), text);
  }
  CHECK(is_beyond(Document::list, "{.items[*].spec.nodeName}"));
  CHECK(is_beyond(Document::list, "{range .items[*]}{.metadata.name}{.status.phase}{end}"));
  CHECK(is_beyond(Document::list, "{.items[?(@.status.phase=='Failed')].metadata.name}"));
  CHECK_FALSE(is_beyond(Document::list, "{.items[*].metadata.name}{.kind}{.spec}"));
  CHECK(is_beyond(Document::event, "{.type} {.old.status.phase}"));
  CHECK_FALSE(is_beyond(Document::event, "{.type} {.object.metadata.name} {.object}"));
}

TEST_CASE("of a List, the metadata of its items is certainly enough for paths that stay there") {
  for (const char* text :
       {"{.items[*].metadata.name}", "{.items[0]['metadata'].labels}",
        "{.metadata.resourceVersion}",
        "{range .items[*]}{.metadata.name}{\"\\t\"}{.metadata.uid}{\"\\n\"}{end}{.kind}",
        "{range .items[*]}{range .metadata.ownerReferences[*]}{.name}{end}{.metadata.name}{end}",
        "{.items[?(@.metadata.name=='a')].metadata.uid}"}) {
    CHECK_MESSAGE(is_within(Document::list, text), text);
  }
  for (const char* text :
       {"{.items}", "{.items[*]}", "{.items[*].spec}", "{.items[?(@.spec)].metadata.uid}",
        "{.items[?(@.metadata.name=='a' || @.status.x)].metadata.uid}", "{.items..name}", "{@}",
        "{range .items[*]}{.metadata.name}{.status}{end}",
        "{range .items[*]}{.metadata.name}{@}{end}",
        "{range .items[*]}{range .metadata.ownerReferences[*]}{.name}{end}{.spec}{end}"}) {
    CHECK_MESSAGE(!is_within(Document::list, text), text);
  }
}

TEST_CASE("of an event, its own fields and the metadata of its objects certainly suffice") {
  CHECK(is_within(Document::event, "{.type} {.object.metadata.name} {.old.metadata.labels}"));
  CHECK_FALSE(is_within(Document::event, "{.type} {.object.status}"));
  CHECK_FALSE(is_within(Document::event, "{.object}"));
  CHECK_FALSE(is_within(Document::event, "{.diff[*].path}"));
  CHECK_FALSE(is_within(Document::event, "{@}"));
}

}  // namespace
}  // namespace kinf
