// Memory is copied between CPU and GPU, and the GPU does nothing else meanwhile: copies from
// pageable memory, which hold up the host too, and copies that no kernel overlaps.
#include "findings/detectors/detectors.h"
#include "findings/words.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::findings {

namespace {

/// Copies between CPU and GPU of one direction and kind of memory, over all processes.
struct HostCopies {
  std::string direction;
  std::string memory;
  std::int64_t calls = 0;
  double us = 0;
  double bytes = 0;

  bool from_host() const { return direction == result::kHostToDevice; }

  bool pageable() const { return memory.find("ageable") != memory.npos; }
};

/// Those that took longest; nothing where no copy is recorded.
std::optional<HostCopies> longest_copies(const result::Traces& traces) {
  std::vector<HostCopies> kinds;
  for (const result::CopyRow& row : traces.copies) {
    if (row.direction != result::kHostToDevice && row.direction != result::kDeviceToHost) continue;
    auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const HostCopies& one) {
      return one.direction == row.direction && one.memory == row.memory;
    });
    if (kind == kinds.end())
      kind = kinds.insert(kinds.end(), HostCopies{row.direction, row.memory});
    kind->calls += row.calls;
    kind->us += row.us;
    kind->bytes += static_cast<double>(row.bytes.value_or(0));
  }
  const auto longest = std::max_element(kinds.begin(), kinds.end(),
                                        [](const auto& a, const auto& b) { return a.us < b.us; });
  return longest == kinds.end() ? std::nullopt : std::optional{*longest};
}

/// "5 copies to the GPU from pageable memory took 239 ms: 2.0 GB at 8.4 GB/s."
std::string copies_words(const HostCopies& copies) {
  std::string text = fmt::format("{} {} the GPU",
                                 words::counted(copies.calls, copies.calls == 1 ? "copy" : "copie"),
                                 copies.from_host() ? "to" : "from");
  if (copies.pageable())
    text += copies.from_host() ? " from pageable memory" : " to pageable memory";
  text += fmt::format(" took {}", to_human_duration(copies.us / 1e6));
  if (copies.bytes > 0 && copies.us > 0)
    text += fmt::format(": {} at {:.1f} GB/s", to_human_bytes(copies.bytes),
                        copies.bytes / copies.us / 1e3);
  return text + '.';
}

/// "hipMemcpyWithStream of aten::copy_".
std::string call_words(const result::SyncRow& call) {
  return call.op.empty() ? printable(call.call)
                         : fmt::format("{} of {}", printable(call.call), printable(call.op));
}

std::vector<std::string> actions_copy_bound(const DiagnosisContext& ctx,
                                            const std::optional<HostCopies>& copies,
                                            const result::SyncRow* call) {
  std::vector<std::string> out;
  const bool blocks = call != nullptr || (copies && copies->pageable());
  if (copies && !copies->from_host() && !blocks) {
    out.emplace_back(
        "Copy less from the GPU inside the loop: reduce on the GPU first, or copy every "
        "n-th step.");
    out.emplace_back("Copy into pinned memory with non_blocking=True, and use it a step later.");
    return out;
  }
  if (blocks)
    out.push_back(
        fmt::format("Pin the memory {}, then copy with .to(\"cuda\", non_blocking=True).",
                    ctx.result.data_loading.pin_memory == false
                        ? "of each batch with pin_memory=True in the DataLoader (now off)"
                        : "with pin_memory=True in the DataLoader, or Tensor.pin_memory()"));
  out.emplace_back("Copy the next batch on a second stream while the GPU computes this one.");
  out.emplace_back("Or copy less: keep data that repeats on the GPU, and send uint8 or bfloat16 "
                   "instead of float32.");
  return out;
}

} // namespace

std::optional<result::Finding> find_copy_bound(const DiagnosisContext& ctx) {
  auto finding = cost_finding(ctx, result::FindingKind::copy_bound);
  if (!finding) return std::nullopt;
  const result::Traces& traces = ctx.result.traces;
  const auto copies = longest_copies(traces);
  const result::SyncRow* call =
      traces.blocking_copies.empty() ? nullptr : &traces.blocking_copies.front();
  finding->title = copies && !copies->from_host() ? "Copies from the GPU keep it from computing"
                                                  : "Copies to the GPU keep it from computing";
  finding->why = fmt::format("{}. {} went to copies that no computation overlaps.",
                             busy_in_loop(ctx), share_of_job(ctx, finding->score));
  if (copies)
    finding->why += " " + copies_words(*copies);
  else if (call != nullptr)
    finding->why += fmt::format(" The CPU was blocked for {} in {}.",
                                to_human_duration(call->us / 1e6), call_words(*call));
  finding->actions = actions_copy_bound(ctx, copies, call);
  finding->gain
      .reset(); // pinned memory is copied faster, and how much of that kernels hide is open
  finding->evidence.push_back({"time in exposed copies", 100 * finding->score, "%"});
  if (copies) {
    finding->evidence.push_back({"copies", static_cast<double>(copies->calls), ""});
    if (copies->bytes > 0) {
      finding->evidence.push_back({"copied", copies->bytes, "B"});
      finding->evidence.push_back({"copy rate", copies->bytes / (copies->us / 1e6), "B/s"});
    }
  }
  if (call != nullptr) {
    finding->evidence.push_back({"CPU blocked in copies", call->us / 1e6, "s"});
    if (ctx.ledger.basis == Basis::traces) finding->where.push_back({"", "", call->process, 0});
  }
  return finding;
}

} // namespace debrief::findings
