// SPDX-License-Identifier: Apache-2.0
#include "kinf/recording/version_checksum.h"

#include <fmt/format.h>
#include <zlib.h>

#include <array>

namespace kinf {
namespace {

/// Adds values to a CRC-32.
class Crc {
 public:
  void add(std::int64_t value) {
    std::array<unsigned char, sizeof value> bytes{};
    auto rest = static_cast<std::uint64_t>(value);
    for (unsigned char& byte : bytes) {
      byte = static_cast<unsigned char>(rest);
      rest >>= 8U;
    }
    add(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  }
  void add(const std::optional<std::int64_t>& value) {
    add(std::int64_t{value.has_value()});
    add(value.value_or(0));
  }
  void add(std::string_view text) {
    value_ = crc32_z(value_, reinterpret_cast<const Bytef*>(text.data()), text.size());
  }
  std::int64_t value() const { return static_cast<std::int32_t>(value_); }

 private:
  unsigned long value_ = crc32_z(0, nullptr, 0);
};

std::optional<std::int64_t> integer_at(const Statement& row, version_column::Position at) {
  return row.is_null(at) ? std::nullopt : std::optional(row.integer(at));
}

Result<bool> has_added_columns(Database& database) {
  const auto format = database.integer("PRAGMA user_version");
  if (!format) return fail(format);
  return format->value_or(0) >= 2;
}

}  // namespace

Result<std::string> version_columns(Database& database) {
  const Result<bool> has_all = has_added_columns(database);
  if (!has_all) return fail(has_all);
  return fmt::format(
      "seq, time, facts, resource_version, manager, column_set, distance, sample, data, object, {}",
      *has_all ? "late, checksum" : "NULL, NULL");
}

Result<std::string> arrival_column(Database& database) {
  const Result<bool> has_all = has_added_columns(database);
  if (!has_all) return fail(has_all);
  return *has_all ? "time + coalesce(late, 0)" : "time";
}

std::int64_t checksum_of(const VersionFields& fields) {
  Crc crc;
  for (const std::int64_t value : {fields.seq, fields.object, fields.time, fields.facts}) {
    crc.add(value);
  }
  for (const auto& value :
       {fields.manager, fields.column_set, fields.distance, fields.sample, fields.late}) {
    crc.add(value);
  }
  crc.add(static_cast<std::int64_t>(fields.resource_version.size()));
  crc.add(fields.resource_version);
  crc.add(std::int64_t{fields.data.has_value()});
  crc.add(fields.data.value_or(std::string_view()));
  return crc.value();
}

VersionFields fields_of(const Statement& row, std::string& resource_version) {
  namespace at = version_column;
  resource_version = row.number_or_text(at::resource_version);
  VersionFields fields{.seq = row.integer(at::seq),
                       .object = row.integer(at::object),
                       .time = row.integer(at::time),
                       .facts = row.integer(at::facts),
                       .resource_version = resource_version,
                       .manager = integer_at(row, at::manager),
                       .column_set = integer_at(row, at::column_set),
                       .distance = integer_at(row, at::distance),
                       .sample = integer_at(row, at::sample),
                       .late = integer_at(row, at::late)};
  if (!row.is_null(at::data)) fields.data = row.bytes(at::data);
  return fields;
}

Result<void> check_version(const Statement& row) {
  if (row.is_null(version_column::checksum)) return {};
  std::string resource_version;
  const VersionFields fields = fields_of(row, resource_version);
  if (checksum_of(fields) == row.integer(version_column::checksum)) return {};
  return fail(
      row.database().damaged(fmt::format("version {} is not as kinf wrote it", fields.seq)));
}

}  // namespace kinf
