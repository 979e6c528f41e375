// SPDX-License-Identifier: Apache-2.0
// Runner: runs the vectors of one component. Each component has its own file, derives from
// SequenceRunner or TableRunner, and registers itself:
//
//     const Registration kRegistration("lister", [] { return std::make_unique<ListerRunner>(); });
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/fields.h"

namespace kinf::conformance {

/// One difference between a vector and kinf.
struct Failure {
  std::string component;
  std::string case_id;
  std::string where;  ///< `step 4 pop: result`, `expect`
  std::string expected;
  std::string got;
};

/// Collects the failures of one case.
class CaseReport {
 public:
  CaseReport(std::string component, std::string case_id)
      : component_(std::move(component)), case_id_(std::move(case_id)) {}

  void fail(std::string where, std::string expected, std::string got);
  /// Fails unless both are equal; the report is narrowed to the top-level keys that differ.
  void expect_equal(const std::string& where, const Json& expected, const Json& got);
  const std::vector<Failure>& failures() const { return failures_; }

 private:
  std::string component_;
  std::string case_id_;
  std::vector<Failure> failures_;
};

/// Threads: one.
class Runner {
 public:
  virtual ~Runner() = default;
  /// Called once, before the cases, with the rest of the document (`config`, data-only cases).
  virtual void open(Fields& document) { (void)document; }
  /// A BadVector or any other exception thrown from here is a failure of the case.
  virtual void run(const Json& test_case, CaseReport& report) = 0;
};

/// One case of a sequence component: the object under test.
class Sequence {
 public:
  virtual ~Sequence() = default;
  /// Does one step and returns its result with exactly the keys the format names. Every key of
  /// `args` must be read. `expected` is the vector's result (null if it has none) for the few
  /// steps that depend on it.
  virtual Json step(const std::string& op, Fields& args, const Json& expected) = 0;
  /// The state after a step; null if the component has none.
  virtual Json state() = 0;
  /// The same for components whose vectors say in the state how to write it (`order`).
  virtual Json state_like(const Json& expected) {
    (void)expected;
    return state();
  }
  /// Whether two results agree, for components with a tolerance.
  virtual bool same_result(const Json& expected, const Json& got) { return expected == got; }
  /// True after a step that ends the case without its state being compared.
  virtual bool is_over() const { return false; }
};

/// Runs `steps`: a fresh Sequence per case, result and state compared after each step. The case
/// stops at its first difference: what follows would only repeat it.
class SequenceRunner : public Runner {
 public:
  void run(const Json& test_case, CaseReport& report) final;

 protected:
  /// Every key of `config` must be read.
  virtual std::unique_ptr<Sequence> start(Fields& config) = 0;
};

/// Compares `expect` with the result of evaluate(`input`).
class TableRunner : public Runner {
 public:
  void run(const Json& test_case, CaseReport& report) final;

 protected:
  /// Returns exactly the keys of `expect`. Every key of `input` and `config` must be read.
  virtual Json evaluate(Fields& input, Fields& config, const Json& expect) = 0;
};

using MakeRunner = std::function<std::unique_ptr<Runner>()>;

/// Registers a component; a static object in the component's file.
class Registration {
 public:
  Registration(std::string component, MakeRunner make);
};

/// Null for a component that is not registered.
std::unique_ptr<Runner> make_runner(std::string_view component);

}  // namespace kinf::conformance
