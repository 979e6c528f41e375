// SPDX-License-Identifier: Apache-2.0
// Parses label selectors with the error messages and special cases of the API server (apimachinery
// pkg/labels): if a key or value is expected, `in` and `notin` are identifiers; a missing value is
// empty; `(,)` contains the empty value; and a NUL byte ends an identifier or the text.
#include "kinf/api/label_selector_parser.h"

#include <fmt/format.h>

#include <algorithm>

#include "kinf/base/ascii.h"
#include "kinf/base/quote.h"

namespace kinf {
namespace {

enum class Token { end, identifier, open, close, comma, bang, comparison };

struct Lexeme {
  Token token = Token::end;
  std::string text{};
  /// Set for comparisons, and for the identifiers `in` and `notin`.
  std::optional<LabelOperator> op{};
};

bool is_special(char c) { return std::string_view("=!(),><").find(c) != std::string_view::npos; }
bool is_white_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

Lexeme special(std::string_view rest) {
  using enum LabelOperator;
  static const Lexeme kSymbols[] = {{Token::comparison, "==", double_equals},
                                    {Token::comparison, "!=", not_equals},
                                    {Token::comparison, "=", equals},
                                    {Token::comparison, ">", greater_than},
                                    {Token::comparison, "<", less_than},
                                    {Token::bang, "!"},
                                    {Token::open, "("},
                                    {Token::close, ")"},
                                    {Token::comma, ","}};
  for (const Lexeme& symbol : kSymbols) {
    if (rest.starts_with(symbol.text)) return symbol;
  }
  return {};
}

std::vector<Lexeme> split(std::string_view text) {
  std::vector<Lexeme> lexemes;
  std::size_t at = 0;
  while (true) {
    while (at < text.size() && is_white_space(text[at])) ++at;
    if (at == text.size() || text[at] == '\0') break;
    if (is_special(text[at])) {
      lexemes.push_back(special(text.substr(at)));
      at += lexemes.back().text.size();
      continue;
    }
    const std::size_t start = at;
    while (at < text.size() && text[at] != '\0' && !is_special(text[at]) &&
           !is_white_space(text[at])) {
      ++at;
    }
    Lexeme& word =
        lexemes.emplace_back(Token::identifier, std::string(text.substr(start, at - start)));
    if (word.text == "in") word.op = LabelOperator::in;
    if (word.text == "notin") word.op = LabelOperator::not_in;
    if (at < text.size() && text[at] == '\0') ++at;
  }
  lexemes.push_back({});
  return lexemes;
}

constexpr std::size_t kNameLength = 63;
constexpr std::size_t kPrefixLength = 253;

constexpr std::string_view kQualified =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr std::string_view kSubdomain =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used "
    "for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
constexpr std::string_view kValue =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  "
    "or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

bool is_lower(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
bool is_alphanumeric(char c) { return is_lower(c) || (c >= 'A' && c <= 'Z'); }
bool is_name_character(char c) { return is_alphanumeric(c) || c == '-' || c == '_' || c == '.'; }

bool is_name(std::string_view text) {
  return !text.empty() && is_alphanumeric(text.front()) && is_alphanumeric(text.back()) &&
         std::all_of(text.begin(), text.end(), is_name_character);
}

bool is_subdomain(std::string_view text) {
  while (true) {
    const std::size_t dot = std::min(text.find('.'), text.size());
    const std::string_view part = text.substr(0, dot);
    const auto may_stand = [](char c) { return is_lower(c) || c == '-'; };
    if (part.empty() || !is_lower(part.front()) || !is_lower(part.back()) ||
        !std::all_of(part.begin(), part.end(), may_stand)) {
      return false;
    }
    if (dot == text.size()) return true;
    text.remove_prefix(dot + 1);
  }
}

void add(std::string& problems, std::string_view problem) {
  if (!problems.empty()) problems += "; ";
  problems += problem;
}

std::string too_long(std::size_t longest) {
  return fmt::format("must be no more than {} bytes", longest);
}

/// Returns the problems of a label key; empty if it is valid. A key has the form `[prefix/]name`;
/// the prefix is a DNS subdomain.
std::string label_key_problem(std::string_view key) {
  std::string problems;
  std::string_view name = key;
  if (const auto slash = key.find('/'); slash != std::string_view::npos) {
    const std::string_view prefix = key.substr(0, slash);
    name = key.substr(slash + 1);
    if (name.find('/') != std::string_view::npos) {
      return fmt::format(
          "a valid label key {} with an optional DNS subdomain prefix and '/' (e.g. "
          "'example.com/MyName')",
          kQualified);
    }
    if (prefix.empty()) {
      add(problems, "prefix part must be non-empty");
    } else {
      if (prefix.size() > kPrefixLength) add(problems, "prefix part " + too_long(kPrefixLength));
      if (!is_subdomain(prefix)) add(problems, fmt::format("prefix part {}", kSubdomain));
    }
  }
  if (name.empty()) {
    add(problems, "name part must be non-empty");
  } else if (name.size() > kNameLength) {
    add(problems, "name part " + too_long(kNameLength));
  }
  if (!is_name(name)) add(problems, fmt::format("name part {}", kQualified));
  return problems;
}

/// Returns the problems of a label value; empty if it is valid.
std::string label_value_problem(std::string_view value) {
  std::string problems;
  if (value.size() > kNameLength) add(problems, too_long(kNameLength));
  if (!value.empty() && !is_name(value)) add(problems, kValue);
  return problems;
}

/// Returns the problems of the values of a requirement; empty if all are valid.
std::string values_problem(const LabelRequirement& requirement) {
  std::vector<std::string> problems;
  const bool compares =
      requirement.op == LabelOperator::greater_than || requirement.op == LabelOperator::less_than;
  if (compares && !label_integer(requirement.values.front())) {
    problems.push_back(
        fmt::format("values[0]: Invalid value: {}: for 'Gt', 'Lt' operators, the value must be an "
                    "integer",
                    kinf::quoted(requirement.values.front())));
  }
  for (std::size_t i = 0; i < requirement.values.size(); ++i) {
    const std::string& value = requirement.values[i];
    if (const std::string problem = label_value_problem(value); !problem.empty()) {
      problems.push_back(fmt::format("values[{}][{}]: Invalid value: {}: {}", i, requirement.key,
                                     kinf::quoted(value), problem));
    }
  }
  if (problems.size() == 1) return problems.front();
  return problems.empty() ? std::string() : fmt::format("[{}]", fmt::join(problems, ", "));
}

class Parser {
 public:
  explicit Parser(std::string_view text) : lexemes_(split(text)) {}

  Result<std::vector<LabelRequirement>> run() {
    std::vector<LabelRequirement> requirements;
    if (peek() == Token::end) return requirements;
    if (!starts_requirement()) {
      return refuse("found '{}', expected: !, identifier, or 'end of string'");
    }
    while (true) {
      auto requirement = parse_requirement();
      if (!requirement) {
        return fail(std::move(requirement).error().within("unable to parse requirement"));
      }
      requirements.push_back(std::move(*requirement));
      if (peek() == Token::end) return requirements;
      if (peek() != Token::comma) return refuse("found '{}', expected: ',' or 'end of string'");
      take();
      if (!starts_requirement()) return refuse("found '{}', expected: identifier after ','");
    }
  }

 private:
  /// Returns the next token. `in` and `notin` are identifiers.
  Token peek() const { return lexemes_[at_].token; }
  /// Returns the next token and advances, but not past the end token.
  const Lexeme& take() { return at_ + 1 < lexemes_.size() ? lexemes_[at_++] : lexemes_[at_]; }
  bool starts_requirement() const { return peek() == Token::identifier || peek() == Token::bang; }

  /// Returns an error. The argument of `format` is the text of the unexpected token.
  std::unexpected<Error> refuse(std::string_view format) const {
    return fail(ErrorKind::usage, fmt::runtime(format), lexemes_[at_].text);
  }

  Result<LabelRequirement> parse_requirement() {
    LabelRequirement requirement;
    const bool negated = peek() == Token::bang;
    if (negated) take();
    if (peek() != Token::identifier) return refuse("found '{}', expected: identifier");
    requirement.key = take().text;
    if (const std::string problem = label_key_problem(requirement.key); !problem.empty()) {
      return fail(ErrorKind::usage, "<nil>: Invalid value: {}: {}", kinf::quoted(requirement.key),
                  problem);
    }
    if (negated || peek() == Token::end || peek() == Token::comma) {
      requirement.op = negated ? LabelOperator::does_not_exist : LabelOperator::exists;
      return requirement;
    }
    const auto op = lexemes_[at_].op;
    if (!op) return refuse("found '{}', expected: in, notin, =, ==, !=, gt, lt");
    take();
    requirement.op = *op;
    const bool is_set = op == LabelOperator::in || op == LabelOperator::not_in;
    auto values = is_set ? parse_set() : parse_value();
    if (!values) return fail(values);
    std::sort(values->begin(), values->end());
    values->erase(std::unique(values->begin(), values->end()), values->end());
    requirement.values = std::move(*values);
    if (std::string problem = values_problem(requirement); !problem.empty()) {
      return fail(ErrorKind::usage, std::move(problem));
    }
    return requirement;
  }

  Result<std::vector<std::string>> parse_value() {
    if (peek() == Token::end || peek() == Token::comma) return std::vector<std::string>{""};
    if (peek() != Token::identifier) return refuse("found '{}', expected: identifier");
    return std::vector<std::string>{take().text};
  }

  Result<std::vector<std::string>> parse_set() {
    if (peek() != Token::open) return refuse("found '{}' expected: '('");
    take();
    std::vector<std::string> values;
    if (peek() == Token::close) {
      values.emplace_back();
    } else if (peek() != Token::identifier && peek() != Token::comma) {
      return refuse("found '{}', expected: ',', ')' or identifier");
    }
    while (peek() != Token::close) {
      if (peek() == Token::identifier) {
        values.push_back(take().text);
        if (peek() != Token::comma && peek() != Token::close) {
          return refuse("found '{}', expected: ',' or ')'");
        }
      } else if (peek() == Token::comma) {
        take_comma(values);
      } else {
        return refuse("found '{}', expected: ',', or identifier");
      }
    }
    take();
    return values;
  }

  /// Reads a comma. Adds an empty value for each missing value next to it.
  void take_comma(std::vector<std::string>& values) {
    if (values.empty()) values.emplace_back();
    take();
    if (peek() == Token::comma) {
      take();
      values.emplace_back();
    } else if (peek() == Token::close) {
      values.emplace_back();
    }
  }

  std::vector<Lexeme> lexemes_;
  std::size_t at_ = 0;
};

}  // namespace

Result<std::vector<LabelRequirement>> parse_label_requirements(std::string_view text) {
  return Parser(text).run();
}

std::optional<std::int64_t> label_integer(std::string_view value) {
  if (value.starts_with('+') && !value.starts_with("+-")) value.remove_prefix(1);
  return parse_number<std::int64_t>(value);
}

}  // namespace kinf
