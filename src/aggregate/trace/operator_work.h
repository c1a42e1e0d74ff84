// How much one call of an operator computes and moves, by the shapes and types of its inputs.
//
// The least that has to be done counts: a multiplication and an addition are two FLOPs, every input
// is read once and every output written once, whatever a kernel does on the way (workspace, caches,
// several passes). docs/performance.md has the formulas in words.
#pragma once

#include "aggregate/trace/operator_inputs.h"
#include "result/performance.h"

#include <optional>
#include <string_view>

namespace debrief::aggregate {

struct OperatorWork {
  std::optional<double> flops; ///< absent: the inputs do not tell
  std::optional<double> bytes;
  std::optional<result::MatrixProduct> product;
  std::string_view precision; ///< of the type that it computes in; empty: the inputs do not tell

  bool empty() const { return !flops && !bytes; }
};

/// Operators that call others of their own kind count their work once, where the innermost is: a
/// linear layer calls a product, one normalization another.
enum class WorkKind { plain, matrices, normalization };

/// One operator's formula, found once by its name.
class WorkFormula {
public:
  using Function = OperatorWork (*)(const OperatorInputs& inputs, const void* layout);

  WorkFormula() = default;

  WorkFormula(Function function, const void* layout, WorkKind of = WorkKind::plain)
      : function_(function)
      , layout_(layout)
      , kind_(of) {}

  explicit operator bool() const { return function_ != nullptr; }

  OperatorWork operator()(const OperatorInputs& inputs) const { return function_(inputs, layout_); }

  WorkKind kind() const { return kind_; }

private:
  Function function_ = nullptr;
  const void* layout_ = nullptr; ///< where the operator has which input
  WorkKind kind_ = WorkKind::plain;
};

/// Without a function where debrief has no formula for the operator.
WorkFormula work_formula(std::string_view op);

/// The parts of it: products and attention and convolutions, and what is bound by memory.
WorkFormula matrix_formula(std::string_view op);
WorkFormula memory_formula(std::string_view op);

} // namespace debrief::aggregate
