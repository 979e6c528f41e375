// SPDX-License-Identifier: Apache-2.0
#include "kinf/api/table_reader.h"

#include <algorithm>

#include "kinf/api/json_members.h"
#include "kinf/base/limits.h"

namespace kinf {
namespace {

namespace ondemand = simdjson::ondemand;
using simdjson::error_code;
using simdjson::SUCCESS;

error_code read_column(ondemand::value value, TableColumn& column) {
  return for_each_member(value, [&](JsonMember& member) {
    if (member.name == "name") return read_text(member.value, column.name);
    if (member.name == "type") return read_text(member.value, column.type);
    if (member.name == "format") return read_text(member.value, column.format);
    if (member.name == "description") return read_text(member.value, column.description);
    if (member.name == "priority") {
      std::int64_t priority = 0;
      const auto error = member.value.get_int64().get(priority);
      column.priority = static_cast<int>(std::clamp<std::int64_t>(priority, 0, 1000));
      return error;
    }
    return SUCCESS;
  });
}

error_code read_row_member(JsonMember& member, TableRow& row) {
  if (member.name == "cells") return read_raw(member.value, row.cells);
  if (member.name == "object") return read_raw(member.value, row.object);
  return SUCCESS;
}

std::unexpected<Error> refuse(std::string_view what, error_code error) {
  return fail(ErrorKind::protocol, "cannot read {}: {}", what, simdjson::error_message(error));
}

}  // namespace

struct TableReader::Parser {
  ondemand::parser simdjson;
  ondemand::document document;
  PaddedText text;
};

TableReader::TableReader() : parser_(std::make_unique<Parser>()) {}
TableReader::~TableReader() = default;

Result<TableParts> TableReader::table(std::string_view json) {
  TableParts parts;
  const auto read_row = [&](ondemand::value value) {
    TableRow& row = parts.rows.emplace_back();
    return for_each_member(value, [&](JsonMember& member) { return read_row_member(member, row); });
  };
  const auto read_member = [&](JsonMember& member) {
    if (member.name == "columnDefinitions") return read_raw(member.value, parts.columns);
    if (member.name == "rows") return for_each_element(member.value, read_row);
    return SUCCESS;
  };
  const auto error =
      for_each_member(parser_->simdjson, parser_->document, parser_->text.copy(json), read_member);
  if (error) return refuse("a Table", error);
  return parts;
}

Result<std::shared_ptr<const TableColumns>> TableReader::columns(
    std::string_view json, const std::shared_ptr<const TableColumns>& known) {
  TableColumns read;
  PaddedText padded;
  json = padded.copy(json);
  ondemand::array root;
  auto error = parser_->simdjson.iterate(json.data(), json.size(), json.size() + Object::kPadding)
                   .get(parser_->document);
  if (!error) error = parser_->document.get_array().get(root);
  if (!error) {
    error = for_each_element(root, [&](ondemand::value column) {
      if (read.columns.size() == limits::kColumns) return SUCCESS;
      return read_column(column, read.columns.emplace_back());
    });
  }
  if (error) return refuse("column definitions", error);
  if (known != nullptr && *known == read) return known;
  return std::make_shared<const TableColumns>(std::move(read));
}

}  // namespace kinf
