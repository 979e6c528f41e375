// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/key_format.h"

#include <fmt/format.h>

namespace kinf {

Result<KeyFormat> KeyFormat::parse(std::string_view text) {
  using Kind = Piece::Kind;
  KeyFormat format;
  bool tells_objects_apart = false;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t open = text.find('{', i);
    if (open != i) format.pieces_.push_back({Kind::text, std::string(text.substr(i, open - i))});
    if (open == std::string_view::npos) break;
    const std::size_t close = text.find('}', open);
    const std::string_view word =
        close == std::string_view::npos ? "" : text.substr(open + 1, close - open - 1);
    if (word != "ns" && word != "name" && word != "uid") {
      return fail(
          ErrorKind::usage,
          fmt::format("\"{}\": unknown field; use {{ns}}, {{name}} or {{uid}}", text.substr(open)));
    }
    format.pieces_.push_back({word == "ns"     ? Kind::ns
                              : word == "name" ? Kind::name
                                               : Kind::uid,
                              ""});
    if (word != "ns") tells_objects_apart = true;
    i = close + 1;
  }
  if (!tells_objects_apart) {
    return fail(ErrorKind::usage, "the key format needs {name} or {uid}");
  }
  return format;
}

std::string KeyFormat::key(const Object& object) const {
  using Kind = Piece::Kind;
  if (pieces_.empty()) return object.key();
  const auto is_empty_namespace = [&](std::size_t i) {
    return i < pieces_.size() && pieces_[i].kind == Kind::ns && object.ns().empty();
  };
  const auto is_value = [&](std::size_t i) {
    return i < pieces_.size() && pieces_[i].kind != Kind::text;
  };
  std::string key;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    switch (pieces_[i].kind) {
      case Kind::text:
        // Skip the separator between an empty namespace and a neighbouring field.
        if (i > 0 && is_empty_namespace(i - 1) && is_value(i + 1)) break;
        if (i > 0 && is_empty_namespace(i + 1) && !is_value(i + 3)) break;
        key += pieces_[i].text;
        break;
      case Kind::ns:
        key += object.ns();
        break;
      case Kind::name:
        key += object.name();
        break;
      case Kind::uid:
        key += object.uid();
        break;
    }
  }
  return key;
}

}  // namespace kinf
