// What framework timelines say of operators and phases, out of PyTorch traces where there are no
// such timelines.
#pragma once

#include "result/framework.h"
#include "result/trace.h"

namespace debrief::aggregate {

/// Fills what `framework` does not have, and says so in `operator_source`. `no_timelines`: what is
/// in `general` comes from traces already, and their annotations have it whole. SageMaker's own
/// figures are not mixed with others, operators apart, which say where they are from. Operators of
/// CPU and GPU are of one source, so that they can be compared.
///
/// Operators' total times are host time, kernels are the GPU's operators. Forward against backward
/// is known where DistributedDataParallel marks forward passes: the operators of the autograd
/// engine are the backward pass.
void fill_from_traces(const result::Traces& traces, bool no_timelines,
                      result::Framework& framework);

} // namespace debrief::aggregate
