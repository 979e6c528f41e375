// SPDX-License-Identifier: Apache-2.0
#include "kinf/query/go_text.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "kinf/base/json_string.h"

namespace kinf {
namespace {

using Json = nlohmann::json;

/// Returns whether Go decodes the number as an integer, that is, if it fits in an int64.
bool is_int64(const Json& value) {
  return value.is_number_integer() &&
         (!value.is_number_unsigned() ||
          value.get<std::uint64_t>() <=
              static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()));
}

/// Returns the shortest scientific form, such as 1.5e+06, that parses to `value`.
std::string scientific(double value) {
  char buffer[40];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr;
  return {buffer, end};
}

int exponent_of(const std::string& scientific_text) {
  return std::stoi(scientific_text.substr(scientific_text.find('e') + 1));
}

/// Returns the digits of scientific() without an exponent, padded with zeros. (For large values,
/// std::chars_format::fixed would print the digits of the exact binary value instead of zeros.)
std::string fixed(double value) {
  const std::string text = scientific(value);
  const int exponent = exponent_of(text);
  const std::string sign = text.front() == '-' ? "-" : "";
  std::string digits;
  for (const char c : text.substr(0, text.find('e'))) {
    if (c != '-' && c != '.') digits += c;
  }
  if (exponent < 0) {
    return sign + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  }
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() <= whole) return sign + digits + std::string(whole - digits.size(), '0');
  return sign + digits.substr(0, whole) + "." + digits.substr(whole);
}

std::string number_text(double value) {
  std::string text = scientific(value);
  const int exponent = exponent_of(text);
  return exponent < -4 || exponent >= 6 ? text : fixed(value);
}

std::string number_json(double value) {
  const double size = std::fabs(value);
  if (size == 0 || (size >= 1e-6 && size < 1e21)) return fixed(value);
  std::string text = scientific(value);
  // Like Go, write a small negative exponent with one digit: e-9, not e-09.
  const std::size_t sign = text.size() - 3;
  if (text[sign] == '-' && text[sign + 1] == '0') text.erase(sign + 1, 1);
  return text;
}

class JsonWriter {
 public:
  explicit JsonWriter(bool indented) : indented_(indented) {}

  std::string run(const Json& value) {
    write(value);
    return std::move(out_);
  }

 private:
  void write(const Json& value) {
    if (value.is_object()) {
      write_members(value, '{', '}', [&](auto& member) {
        append_json_string(out_, member.key(), JsonEscapes::as_go);
        out_ += indented_ ? ": " : ":";
        write(member.value());
      });
    } else if (value.is_array()) {
      write_members(value, '[', ']', [&](auto& member) { write(member.value()); });
    } else if (value.is_string()) {
      append_json_string(out_, value.get_ref<const std::string&>(), JsonEscapes::as_go);
    } else if (value.is_number() && !is_int64(value)) {
      out_ += number_json(value.get<double>());
    } else {
      out_ += value.dump();
    }
  }

  template <class Write>
  void write_members(const Json& value, char open, char close, Write write_member) {
    out_ += open;
    ++depth_;
    bool first = true;
    for (const auto& member : value.items()) {
      if (!first) out_ += ',';
      first = false;
      new_line();
      write_member(member);
    }
    --depth_;
    if (!first) new_line();
    out_ += close;
  }

  void new_line() {
    if (indented_) out_.append("\n").append(depth_ * 4, ' ');
  }

  bool indented_;
  std::size_t depth_ = 0;
  std::string out_;
};

void append_text(std::string& out, const Json& value) {
  if (value.is_object()) {
    out += "map[";
    bool first = true;
    for (const auto& [name, member] : value.items()) {
      if (!first) out += ' ';
      first = false;
      out.append(name).append(":");
      append_text(out, member);
    }
    out += ']';
  } else if (value.is_array()) {
    out += '[';
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (i > 0) out += ' ';
      append_text(out, value[i]);
    }
    out += ']';
  } else if (value.is_string()) {
    out += value.get_ref<const std::string&>();
  } else if (value.is_null()) {
    out += "<nil>";
  } else if (value.is_number() && !is_int64(value)) {
    out += number_text(value.get<double>());
  } else {
    out += value.dump();
  }
}

}  // namespace

std::string go_text(const Json& value) {
  std::string out;
  append_text(out, value);
  return out;
}

std::string go_json(const Json& value, bool indented) { return JsonWriter(indented).run(value); }

std::string go_type(const Json& value) {
  if (value.is_object()) return "map[string]interface {}";
  if (value.is_array()) return "[]interface {}";
  if (value.is_string()) return "string";
  if (value.is_boolean()) return "bool";
  if (value.is_null()) return "<nil>";
  return is_int64(value) ? "int64" : "float64";
}

}  // namespace kinf
