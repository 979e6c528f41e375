// SPDX-License-Identifier: Apache-2.0
#include "fuzz/damage.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "sim/documents.h"

namespace kinf::fuzz {
namespace {

using sim::Exchange;

constexpr std::size_t kDeep = 3000;
constexpr std::string_view kVersion = R"("resourceVersion":")";

/// Replaces what follows each `mark` up to the next quote.
void replace_after(std::string& bytes, std::string_view mark, std::string_view text) {
  for (std::size_t at = bytes.find(mark); at != std::string::npos; at = bytes.find(mark, at)) {
    at += mark.size();
    bytes.replace(at, std::min(bytes.find('"', at), bytes.size()) - at, text);
  }
}

std::string_view odd_version(std::string_view text) {
  constexpr std::array<std::string_view, 8> kVersions = {
      "", "0", "00", "-1", "1", "99999999", "18446744073709551616", "x"};
  return text.empty() ? kVersions[2]
                      : kVersions.at(static_cast<unsigned char>(text[0]) % kVersions.size());
}

std::string_view odd_kind(std::string_view text) {
  constexpr std::array<std::string_view, 6> kKinds = {"",       "Pod",   "ConfigMapList",
                                                      "Status", "Table", "PartialObjectMetadata"};
  return text.empty() ? kKinds[1] : kKinds.at(static_cast<unsigned char>(text[0]) % kKinds.size());
}

}  // namespace

Damage::Damage(Choices& choices)
    : kind_(static_cast<Kind>(choices.below(static_cast<std::size_t>(Kind::last) + 1))),
      place_(choices.below(101)),
      text_(choices.text()) {}

bool Damage::apply(Exchange& exchange, Clock::Mono now) const {
  const auto found = std::ranges::find_if(exchange.arrivals, [](const Exchange::Arrival& arrival) {
    return std::holds_alternative<std::string>(arrival.what);
  });
  if (found == exchange.arrivals.end()) return false;
  auto& bytes = std::get<std::string>(found->what);
  const std::string rest = bytes.substr(bytes.size() * place_ / 100);
  if (kind_ == Kind::split || kind_ == Kind::cut) {
    bytes.resize(bytes.size() - rest.size());
    const auto next = found + 1;
    if (kind_ == Kind::split) {
      exchange.arrivals.insert(next, {found->at, rest});
    } else {
      exchange.arrivals.erase(next, exchange.arrivals.end());
      exchange.send(sim::Closed(), now);
      exchange.phase = Exchange::Phase::over;
    }
  } else {
    change(bytes);
  }
  return true;
}

void Damage::change(std::string& bytes) const {
  const std::size_t at = bytes.size() * place_ / 100;
  switch (kind_) {
    case Kind::overwrite: bytes.replace(at, text_.size(), text_); return;
    case Kind::insert: bytes.insert(at, text_); return;
    case Kind::replace: bytes = text_; return;
    case Kind::erase: bytes.erase(at, text_.size()); return;
    case Kind::repeat: bytes += bytes; return;
    case Kind::nest: bytes.insert(at, kDeep, '['); return;
    case Kind::version: return replace_after(bytes, kVersion, odd_version(text_));
    case Kind::other_kind: return replace_after(bytes, R"("kind":")", odd_kind(text_));
    default: bytes += sim::status_document(410);
  }
}

}  // namespace kinf::fuzz
