// The GPU waits while code for it is compiled or loaded: torch.compile that compiles again and
// again, cuDNN that tries out convolutions for each new shape.
#include "findings/detectors/detectors.h"
#include "findings/interruptions.h"
#include "findings/words.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::findings {

namespace {

bool is_convolution(const result::SyncRow& call) {
  return call.call.find("convolution") != call.call.npos ||
         call.op.find("convolution") != call.op.npos;
}

/// " Most of it in inductor: 3 s in 4 calls."
std::string setup_words(const result::SyncRow& call) {
  return fmt::format(" Most of it in {}: {} in {}.",
                     printable(call.op.empty() ? call.call : call.op),
                     to_human_duration(call.us / 1e6), words::counted(call.calls, "call"));
}

std::vector<std::string> actions_compile_bound(const result::SyncRow* call) {
  if (call != nullptr && is_convolution(*call))
    return {"Set torch.backends.cudnn.benchmark = False: cuDNN times its algorithms again for each "
            "new shape.",
            "Or pad inputs to a few fixed sizes, and keep the benchmark."};
  return {"Mark what changes as dynamic: torch.compile(model, dynamic=True), or "
          "torch._dynamo.mark_dynamic(tensor, dimension).",
          "Or pad inputs to a few fixed sizes, so that each is compiled once.",
          "TORCH_LOGS=recompiles prints which guard failed each time."};
}

} // namespace

std::optional<result::Finding> find_compile_bound(const DiagnosisContext& ctx) {
  auto finding = cost_finding(ctx, result::FindingKind::compile_bound);
  if (!finding) return std::nullopt;
  const Interruptions compiled = interruptions(ctx, &ProcessTime::compiling);
  const auto& setup = ctx.result.traces.setup;
  const result::SyncRow* const call = setup.empty() ? nullptr : &setup.front();
  finding->title = "Compiling stops training again and again";
  if (compiled.spans.empty()) {
    finding->why = fmt::format("{}. {} passed while code for the GPU was compiled or loaded.",
                               busy_in_loop(ctx), share_of_job(ctx, finding->score));
    if (call != nullptr) finding->why += setup_words(*call);
  } else {
    set_windows(compiled.spans, *finding);
    finding->why = interruption_words(ctx, compiled, "compilation", finding->score);
    finding->evidence.push_back({"compilations", static_cast<double>(compiled.spans.size()), ""});
    finding->evidence.push_back({"longest compilation", compiled.longest, "s"});
  }
  finding->actions = actions_compile_bound(call);
  finding->evidence.push_back({"time lost to compiling", 100 * finding->score, "%"});
  return finding;
}

} // namespace debrief::findings
