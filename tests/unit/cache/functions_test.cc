// SPDX-License-Identifier: Apache-2.0
#include "kinf/cache/functions.h"

#include <doctest/doctest.h>

#include <stdexcept>

#include "fakes/object_builder.h"

namespace kinf {
namespace {

using test::make_object;

TEST_CASE("A3: the error of a key function names the object and the cause") {
  const KeyFunction broken = [](const Object&) -> Result<std::string> {
    return fail(ErrorKind::protocol, "no uid");
  };
  const Result<std::string> key = key_of(broken, *make_object("a"));
  REQUIRE_FALSE(key);
  CHECK(key.error().message == "couldn't create key for object default/a: no uid");
  CHECK(key.error().kind == ErrorKind::protocol);
}

TEST_CASE("without a key function the key is namespace/name") {
  CHECK(key_of({}, *make_object("a")) == "default/a");
}

TEST_CASE("what a user's function throws becomes an error") {
  const ObjectPtr object = make_object("a");
  const KeyFunction key = [](const Object&) -> Result<std::string> {
    throw std::runtime_error("boom");
  };
  CHECK(key_of(key, *object).error().message == "couldn't create key for object default/a: boom");
  const IndexFunction index = [](const Object&) -> Result<std::vector<std::string>> { throw 7; };
  CHECK(index_values(index, *object).error().message == "an exception of unknown type");
  const Transform transform = [](const ObjectPtr&) -> Result<ObjectPtr> {
    throw std::runtime_error("boom");
  };
  CHECK(transformed(transform, object).error().message == "boom");
}

TEST_CASE("a transform that returns null is an error") {
  const Transform vanish = [](const ObjectPtr&) -> Result<ObjectPtr> { return nullptr; };
  CHECK_FALSE(transformed(vanish, make_object("a")));
}

}  // namespace
}  // namespace kinf
