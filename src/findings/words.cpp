#include "findings/words.h"

#include "findings/memory_series.h"
#include "findings/series.h"
#include "result/lost.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

namespace debrief::findings::words {

namespace {

constexpr std::int64_t kMaxBatch = 1'000'000'000;

} // namespace

std::string percent(double share) {
  const double value = 100 * share;
  return value != 0 && value < 9.95 ? fmt::format("{:.1f} %", value)
                                    : fmt::format("{:.0f} %", value);
}

std::string grouped(std::int64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t at = digits.size(); at > 3; at -= 3)
    digits.insert(at - 3, 1, ',');
  return digits;
}

std::string counted(std::int64_t count, const char* noun) {
  return fmt::format("{} {}{}", grouped(count), noun, count == 1 ? "" : "s");
}

std::string the_gpus(const Case& of) {
  return of.ledger.accounts.size() == 1 ? "The GPU" : "The GPUs";
}

std::string lower_gpus(const Case& of) {
  return of.ledger.accounts.size() == 1 ? "the GPU waits" : "the GPUs wait";
}

std::string busy_in_loop(const Case& of) {
  if (of.ledger.basis == Basis::steps)
    return fmt::format("Steps took {} of the training loop",
                       percent(of.ledger.busy_share_in_loop()));
  if (!of.ledger.of_gpus())
    return fmt::format("The cores worked {} of the time", percent(of.ledger.busy_share_in_loop()));
  return fmt::format("{} {} busy {} of the training loop", the_gpus(of),
                     of.ledger.accounts.size() == 1 ? "was" : "were",
                     percent(of.ledger.busy_share_in_loop()));
}

const char* kind_of_time(const Case& of) {
  return of.ledger.of_gpus() ? "GPU time" : "time";
}

std::string share_of_job(const Case& of, double score) {
  const bool in_part = of.ledger.unmeasured() > result::kUnmeasuredSaid * of.ledger.paid();
  return fmt::format("{} of the job's {}{}", percent(score), in_part ? "measured " : "",
                     kind_of_time(of));
}

std::string place(const std::string& node, const std::string& device) {
  if (node.empty() || device.empty()) return printable(node + device);
  return fmt::format("{} {}", printable(node), printable(device));
}

std::optional<HostUse> host_use(const Case& of, Cause cause) {
  double cores_of_all = 0;
  double nodes = 0;
  SampleSum working;
  for (const result::NodeTimeline& node : of.result.timeline.nodes) {
    const result::MetricTimeline* cpu = find_metric(node, "CPU");
    if (cpu == nullptr || cpu->devices.size() < 2) continue; // cores are not known
    const auto cores = static_cast<double>(cpu->devices.size());
    ++nodes;
    cores_of_all += cores;
    add_within(*cpu, of.ledger.windows[index_of(cause)], cores / 100, working);
  }
  if (working.samples == 0) return std::nullopt;
  return HostUse{working.sum / working.samples, cores_of_all / nodes};
}

std::optional<BatchSize> batch_size(const result::JobSummary& job) {
  std::optional<BatchSize> found;
  for (const auto& [name, text] : job.hyperparameters) {
    std::string plain;
    for (const char letter : name)
      if (std::isalpha(static_cast<unsigned char>(letter)) != 0)
        plain += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    // "per_device_train_batch_size" is, "eval_batch_size" and "batch_norm" are not.
    const bool means_it = plain == "bs" || plain == "batch" ||
                          (plain.ends_with("batchsize") && plain.find("eval") == plain.npos &&
                           plain.find("test") == plain.npos && plain.find("valid") == plain.npos);
    if (!means_it) continue;
    std::string_view digits = text;
    if (digits.size() > 1 && digits.front() == '"') digits = digits.substr(1, digits.size() - 2);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error == std::errc{} && end == digits.data() + digits.size() && value > 0 &&
        value <= kMaxBatch && !found)
      found = BatchSize{name, value};
  }
  return found;
}

std::optional<double> occupied_memory(const Case& of) {
  std::optional<double> most;
  for (const MemorySeries& series : gpu_memory(of.result, of.loop.span))
    if (series.occupied()) most = std::max(most.value_or(0), series.highest);
  return most;
}

const result::StepRow* training_steps(const result::Result& result) {
  const result::StepRow* best = nullptr;
  for (const result::StepRow& row : result.steps) {
    const bool better = best == nullptr || (row.mode == "TRAIN" && best->mode != "TRAIN") ||
                        (row.mode == best->mode && row.p50 > best->p50);
    if (better && (best == nullptr || row.mode == "TRAIN" || best->mode != "TRAIN")) best = &row;
  }
  return best;
}

} // namespace debrief::findings::words
