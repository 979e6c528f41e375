// SPDX-License-Identifier: Apache-2.0
// A parser for a part of jq's grammar. Each function reads one rule and returns nullopt if the
// program is not known to be harmless. While it reads, it bounds the results.
#include "kinf/query/jq/jq_harmless.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "kinf/base/ascii.h"
#include "kinf/query/jq/jq_text.h"

namespace kinf {
namespace {

constexpr std::size_t kHarmlessText = 4096;
constexpr int kHarmlessDepth = 32;
constexpr int kHarmlessFactor = 32;
constexpr int kJsonFactor = 6;  ///< a control character becomes `\u0000`
constexpr int kTextFactor = 2;  ///< of the other formats
constexpr int kShortText = 8;   ///< bytes of a literal text that do not count
constexpr int kContained = 8;   ///< literals in all contains() of a program
constexpr std::size_t kIndexDigits = 6;

/// The results of a filter. Together they are at most `factor` times as large as its input. There
/// are at most `outputs` of them, or with `generates` so many for each element of a list or map.
struct Cost {
  bool generates = false;
  int factor = 1;
  int outputs = 1;
  bool builds = false;    ///< whether results are new maps, lists or texts, not parts of the input
  bool literal = false;   ///< whether it is a number
  bool constant = false;  ///< whether it is a number, text, true, false or null, for any input
};
using Known = std::optional<Cost>;

class HarmlessReader {
 public:
  explicit HarmlessReader(std::string_view program) : text_(program) {}

  bool program() {
    const bool is_known = pipe().has_value();
    text_.skip_blanks();
    return is_known && text_.empty();
  }

 private:
  /// Reads filters between `|`. A later one reads the results of the one before it.
  Known pipe() {
    if (++depth_ > kHarmlessDepth) return std::nullopt;
    const bool was_generated = generated_;
    Known all = comma();
    while (all && take_pipe()) {
      generated_ = generated_ || all->generates;
      all = joined(all, comma());
    }
    generated_ = was_generated;
    --depth_;
    return all;
  }
  Known comma() {
    Known all = term();
    while (all && take(',')) {
      const Known next = term();
      if (!next) return next;
      all = checked({all->generates || next->generates, all->factor + next->factor,
                     all->outputs + next->outputs, all->builds || next->builds});
    }
    return all;
  }
  /// Reads operands between operators, whose precedence does not matter for the bounds.
  Known term() {
    Known all = operand();
    while (all) {
      text_.skip_blanks();
      const std::string_view symbol = binary_operator();
      if (symbol.empty()) return all;
      const Known next = operand();
      if (!next) return next;
      const bool generates = all->generates || next->generates;
      const int outputs = all->outputs * next->outputs;
      // Each of many results on one side would read all of the other side.
      if ((all->generates && !next->constant) || (next->generates && !all->constant)) {
        return std::nullopt;
      }
      if (symbol == "-" || symbol == "/") {
        // With two lists or texts these are slow or large; with a number they fail.
        if (!next->literal) return std::nullopt;
        all = Cost{.generates = generates, .factor = outputs, .outputs = outputs};
      } else if (symbol == "+") {
        if (generates) return std::nullopt;
        const int size = all->factor * next->outputs + next->factor * all->outputs;
        all = checked({false, size, outputs, true});
      } else {
        const bool builds = symbol == "//" && (all->builds || next->builds);
        all = checked({generates, all->factor * next->factor, outputs, builds});
      }
    }
    return all;
  }
  std::string_view binary_operator() {
    constexpr std::array<std::string_view, 13> kRefused = {
        "|=", "+=", "-=", "*=", "/=", "%=", "//=", "*", "%", "?//", "=>", "..", "#"};
    constexpr std::array<std::string_view, 10> kKnown = {"==", "!=", "<=", ">=", "//",
                                                         "<",  ">",  "+",  "-",  "/"};
    for (const std::string_view refused : kRefused) {
      if (text_.at(refused)) return {};  // what follows is then not understood
    }
    for (const std::string_view known : kKnown) {
      if (take_text(known)) return known;
    }
    if (take_word("and")) return "and";
    return take_word("or") ? "or" : std::string_view();
  }
  /// Reads one filter and the path behind it.
  Known operand() {
    text_.skip_blanks();
    if (take('-')) {
      Known value = number();
      return value;
    }
    Known value = primary();
    if (!value) return value;
    return suffixes(*value);
  }
  Known primary() {
    if (text_.empty()) return std::nullopt;
    const char c = text_.front();
    if (c == '.') return path_start();
    if (c == '"') return text();
    if (is_digit(c)) return number();
    if (c == '$')
      return take_text("$old") && !text_.at_name() && !generated_ ? Known(Cost()) : std::nullopt;
    if (c == '@') return format();
    if (take('(')) {
      const Known inner = pipe();
      return inner && take(')') ? Known(without_literal(*inner)) : std::nullopt;
    }
    if (take('[')) return list();
    if (take('{')) return map();
    const std::string_view word = name();
    if (word.empty()) return std::nullopt;
    if (word == "if") return choice();
    return call(word);
  }
  /// Reads the start of a path, up to its first suffix.
  Known path_start() {
    text_.skip(1);
    if (text_.empty() || (!JqText::starts_name(text_.front()) && text_.front() != '"')) {
      if (!text_.empty() && (text_.front() == '.' || is_digit(text_.front()))) return std::nullopt;
      return Cost();
    }
    return field() ? Known(Cost()) : std::nullopt;
  }
  bool field() {
    if (!text_.empty() && text_.front() == '"') return text_.string().has_value();
    return !name().empty();
  }
  Known suffixes(Cost cost) {
    for (;;) {
      text_.skip_blanks();
      if (take_text("?")) {
        if (text_.at("//")) return std::nullopt;
      } else if (text_.at('.') && (JqText::starts_name(text_.second()) || text_.second() == '"')) {
        text_.skip(1);
        if (!field()) return std::nullopt;
        cost = without_literal(cost);
      } else if (text_.at(".[") || text_.at("[")) {
        if (text_.front() == '.') text_.skip(1);
        if (!index(cost)) return std::nullopt;
        cost = without_literal(cost);
      } else {
        return cost;
      }
    }
  }
  bool index(Cost& cost) {
    text_.skip(1);
    text_.skip_blanks();
    if (take(']')) {
      cost.generates = true;
      return true;
    }
    if (text_.at('"')) return text_.string() && take(']');
    take('-');
    const std::string_view digits = text_.take_while(is_digit);
    return !digits.empty() && digits.size() <= kIndexDigits && take(']');
  }
  /// Reads the rest of `[…]`.
  Known list() {
    if (take(']')) return Cost{.builds = true};
    const Known inner = pipe();
    if (!inner || !take(']')) return std::nullopt;
    return collected(*inner);
  }
  /// Reads the rest of `{…}`.
  Known map() {
    Cost all{.factor = 0, .builds = true};
    if (take('}')) return Cost{.builds = true};
    do {
      text_.skip_blanks();
      if (!field()) return std::nullopt;
      Known value = Cost();
      if (take(':')) value = map_value();
      if (!value || value->generates || value->outputs > 1) return std::nullopt;
      all.factor += value->factor;
    } while (take(','));
    return take('}') ? checked(all) : std::nullopt;
  }
  Known map_value() {
    Known all = operand();
    while (all && take_pipe()) all = joined(all, operand());
    return all;
  }
  /// Reads the rest of `if … then … else … end`.
  Known choice() {
    const Known condition = pipe();
    if (!condition || condition->generates || !take_word("then")) return std::nullopt;
    const Known yes = pipe();
    if (!yes) return yes;
    Known no = Cost();
    bool more = false;
    if (take_word("elif")) {
      no = choice();
      more = true;
    } else if (take_word("else")) {
      no = pipe();
    }
    if (!no || (!more && !take_word("end"))) return std::nullopt;
    return checked(
        {yes->generates || no->generates, condition->outputs * std::max(yes->factor, no->factor),
         condition->outputs * std::max(yes->outputs, no->outputs), yes->builds || no->builds});
  }
  /// Reads the arguments of a function.
  Known call(std::string_view word) {
    constexpr std::array<std::string_view, 3> kConstants = {"true", "false", "null"};
    // Not `add` and `join`: the time of libjq 1.6 for lists of texts is quadratic.
    constexpr std::array<std::string_view, 12> kPlain = {
        "not",  "empty", "length",         "type",         "any",   "all",
        "keys", "last",  "ascii_downcase", "ascii_upcase", "first", "values"};
    constexpr std::array<std::string_view, 5> kWithText = {"has", "startswith", "endswith",
                                                           "ltrimstr", "rtrimstr"};
    constexpr std::array<std::string_view, 2> kWithNew = {"tostring", "tojson"};
    const auto is_in = [&](const auto& words) {
      return std::ranges::find(words, word) != words.end();
    };
    if (!take('(')) {
      if (is_in(kConstants)) return Cost{.constant = true};
      if (is_in(kWithNew)) return Cost{.factor = kJsonFactor, .builds = true};
      return is_in(kPlain) ? Known(Cost()) : std::nullopt;
    }
    if (word == "any" || word == "all") return quantifier();
    if (word == "select") {
      const Known condition = pipe();
      if (!condition || condition->generates || !take(')')) return std::nullopt;
      return checked({false, condition->outputs, condition->outputs});
    }
    if (word == "map") return mapped();
    if (word == "contains") {
      return literal() && take(')') ? Known(Cost()) : std::nullopt;
    }
    if (!is_in(kWithText)) return std::nullopt;
    text_.skip_blanks();
    return text_.string() && take(')') ? Known(Cost()) : std::nullopt;
  }
  /// Reads the rest of `any(CONDITION)` or `any(GENERATOR; CONDITION)`.
  Known quantifier() {
    const bool was_generated = std::exchange(generated_, true);
    Known inner = pipe();
    if (inner && take(';')) inner = joined(inner, pipe());
    generated_ = was_generated;
    // It has one result, but each result inside takes time.
    if (!inner || !take(')')) return std::nullopt;
    return checked({.factor = inner->factor, .outputs = inner->outputs});
  }
  Known mapped() {
    const bool was_generated = std::exchange(generated_, true);
    Known inner = pipe();
    generated_ = was_generated;
    if (!inner || !take(')')) return std::nullopt;
    inner->generates = true;
    return collected(*inner);
  }
  /// Returns the cost of a list of the results. A list of many new values can be much larger than
  /// the input.
  static Known collected(const Cost& inner) {
    if (inner.generates && inner.builds) return std::nullopt;
    return Cost{.factor = inner.factor, .builds = true};
  }
  static Known joined(const Known& first, const Known& second) {
    if (!second) return second;
    return checked({first->generates || second->generates, first->factor * second->factor,
                    first->outputs * second->outputs, first->builds || second->builds});
  }
  static Known checked(const Cost& cost) {
    return std::max(cost.factor, cost.outputs) <= kHarmlessFactor ? Known(cost) : std::nullopt;
  }
  static Cost without_literal(Cost cost) {
    cost.literal = false;
    cost.constant = false;
    return cost;
  }

  /// Reads a literal for contains(): a text, a number, or a list or map of them.
  bool literal() {
    text_.skip_blanks();
    if (text_.empty() || ++contained_ > kContained || ++depth_ > kHarmlessDepth) return false;
    bool done = false;
    if (text_.front() == '"') {
      done = text_.string().has_value();
    } else if (take('[')) {
      do {
        done = literal();
      } while (done && take(','));
      done = done && take(']');
    } else if (take('{')) {
      do {
        text_.skip_blanks();
        done = field() && take(':') && literal();
      } while (done && take(','));
      done = done && take('}');
    } else {
      done = number().has_value();
    }
    --depth_;
    return done;
  }
  /// Reads a text, which may contain `\(…)`.
  Known text() {
    text_.skip(1);
    Cost all{.constant = true};
    int size = 0;
    while (!text_.empty()) {
      const char c = text_.front();
      text_.skip(1);
      if (c == '"') {
        all.factor += size / kShortText;
        all.builds = all.builds || size > kShortText;
        return checked(all);
      }
      ++size;
      if (c != '\\') continue;
      if (text_.empty()) break;
      const bool is_filter = text_.front() == '(';
      text_.skip(1);
      if (!is_filter) continue;
      const Known inner = pipe();
      if (!inner || inner->generates || inner->outputs > 1 || !take(')')) return std::nullopt;
      all.factor += kJsonFactor * inner->factor;
      all.builds = true;
      all.constant = false;
    }
    return std::nullopt;
  }
  Known number() {
    text_.skip_blanks();
    if (text_.take_while(is_digit).empty()) return std::nullopt;
    if (text_.at('.') && is_digit(text_.second())) {
      text_.skip(1);
      text_.take_while(is_digit);
    }
    if (!text_.empty() && (JqText::starts_name(text_.front()) || text_.front() == '.'))
      return std::nullopt;
    return Cost{.literal = true, .constant = true};
  }
  Known format() {
    using Format = std::pair<std::string_view, int>;
    for (const auto& [known, factor] :
         {Format("@text", kJsonFactor), Format("@json", kJsonFactor), Format("@tsv", kTextFactor),
          Format("@csv", kTextFactor), Format("@base64", kTextFactor)}) {
      if (!take_text(known)) continue;
      text_.skip_blanks();
      if (text_.at_name() || text_.at('"')) return std::nullopt;
      return Cost{.factor = factor, .builds = true};
    }
    return std::nullopt;
  }

  bool take(char c) { return take_text(std::string_view(&c, 1)); }
  bool take_text(std::string_view text) {
    text_.skip_blanks();
    return text_.take(text);
  }
  bool take_pipe() {
    text_.skip_blanks();
    return !text_.at("|=") && text_.take('|');
  }
  bool take_word(std::string_view word) {
    text_.skip_blanks();
    return text_.take_word(word);
  }
  /// Reads the name of a function, or nothing. A name with `::` is one of a module.
  std::string_view name() {
    const std::string_view found = text_.name();
    return text_.at("::") ? std::string_view() : found;
  }

  JqText text_;
  int depth_ = 0;
  int contained_ = 0;  ///< literals in contains()
  /// Whether the input here is one of many: then `$old`, of any size, would be read many times.
  bool generated_ = false;
};

}  // namespace

bool is_harmless_jq(std::string_view program) {
  return program.size() <= kHarmlessText && HarmlessReader(program).program();
}

}  // namespace kinf
