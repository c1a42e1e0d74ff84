// The GPU waits for Python, or for code that it calls, outside of PyTorch: loops over data,
// .tolist(), logging, metrics.
#include "findings/detectors/detectors.h"
#include "findings/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::findings {

std::optional<result::Finding> find_python_bound(const DiagnosisContext& ctx) {
  auto finding = cost_finding(ctx, result::FindingKind::python_bound);
  if (!finding) return std::nullopt;
  if (ctx.ledger.of_gpus()) {
    finding->title = "Python code outside PyTorch keeps " + lower_gpus(ctx) + " waiting";
    finding->why =
        fmt::format("{}. For {} {} had nothing to do while the CPU was in no PyTorch operator, "
                    "CUDA call or data loader.",
                    busy_in_loop(ctx), share_of_job(ctx, finding->score), lower_gpus(ctx));
  } else {
    finding->title = "Code outside PyTorch takes much of the training loop";
    finding->why = fmt::format("{} was spent outside of PyTorch's modules, optimizers and backward "
                               "passes.",
                               share_of_job(ctx, finding->score));
    finding->confidence = std::min(finding->confidence, result::Confidence::medium);
    finding->gain.reset(); // nothing tells how much of it is needed
  }
  finding->actions = {
      "Find what the loop does outside PyTorch: Python loops over data, .tolist(), logging, "
      "metrics.",
      "Vectorize it, move it to a worker or another thread, or run it every n-th step."};
  finding->evidence.push_back({"time lost to code outside PyTorch", 100 * finding->score, "%"});
  if (ctx.ledger.of_gpus())
    finding->evidence.push_back(
        {"GPU busy in the training loop", 100 * ctx.ledger.busy_share_in_loop(), "%"});
  return finding;
}

} // namespace debrief::findings
