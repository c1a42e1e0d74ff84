// How a model rule looks at tensors: it says which it wants, sees them step by step, and adds to
// its firings what it finds. Tensors are read once, however many rules want them (tensor_pass.h).
#pragma once

#include "job/tensors.h"
#include "rules/model/firings.h"
#include "rules/model/seen_tensor.h"
#include "rules/model/tensor_names.h"
#include "rules/rule.h"

#include <memory>

namespace debrief::rules::model {

/// What a watch is made for: the tensors that one worker of the job saved.
struct WatchScope {
  const TensorNames& names;
  std::uint32_t worker = 0;
  bool trains = false;                     ///< there are steps of mode TRAIN
  bool evaluates = false;                  ///< there are steps of mode EVAL
  const job::TensorTable* other = nullptr; ///< another job's, for SimilarAcrossRuns
};

class TensorWatch {
public:
  TensorWatch() = default;
  virtual ~TensorWatch() = default;
  TensorWatch(const TensorWatch&) = delete;
  TensorWatch& operator=(const TensorWatch&) = delete;

  /// Which tensors it wants; empty: none.
  virtual const TensorIds& wanted() const = 0;

  /// Whether it keeps values of a step until a later one. Such a watch sees large tensors one after
  /// the other, each with all of its steps, so that memory is bounded.
  virtual bool keeps_values() const { return false; }

  /// Whether it has seen enough.
  virtual bool done() const { return false; }

  /// A wanted tensor of the worker; steps come in their order.
  virtual void see(const SeenTensor& tensor) = 0;

  /// All wanted tensors of a step were seen.
  virtual void end_step(const job::TensorStep& /*step*/) {}

  /// All steps were seen.
  virtual void finish() {}
};

/// A watch with what every one has.
class RuleWatch : public TensorWatch {
public:
  RuleWatch(TensorIds wanted, Firings& firings)
      : wanted_(std::move(wanted))
      , firings_(firings) {}

  const TensorIds& wanted() const override { return wanted_; }

protected:
  Firings& firings() { return firings_; }

private:
  TensorIds wanted_;
  Firings& firings_;
};

} // namespace debrief::rules::model
