#include "aggregate/trace/figures.h"
#include "util/text.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace debrief::aggregate {

namespace {

/// The mean over steps, as far as it is known of them.
class MeanOfSteps {
public:
  void add(double us) {
    sum_ += us;
    ++count_;
  }

  std::optional<double> value() const {
    return count_ > 0 ? std::optional{sum_ / static_cast<double>(count_)} : std::nullopt;
  }

private:
  double sum_ = 0;
  std::int64_t count_ = 0;
};

/// Of one process, in the order of parts_of_steps().
using MeansOfParts = std::vector<MeanOfSteps>;

std::vector<std::string> parts_of_steps() {
  std::vector<std::string> parts = {"step"};
  parts.insert(parts.end(), std::begin(result::kStepParts), std::end(result::kStepParts));
  parts.emplace_back("waiting");
  return parts;
}

double middle_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

} // namespace

std::vector<result::SlowestProcess>
slowest_processes(const std::vector<result::StepBreakdown>& steps,
                  const std::vector<result::TraceFile>& files) {
  const std::vector<std::string> parts = parts_of_steps();
  const auto natural = [](std::string_view a, std::string_view b) { return natural_less(a, b); };
  std::map<std::string_view, MeansOfParts, decltype(natural)> processes(natural);
  for (const result::StepBreakdown& step : steps) {
    if (!step.number) continue;
    MeansOfParts& means = processes[step.process];
    means.resize(parts.size());
    means.front().add(step.us);
    for (std::size_t i = 0; i < step.parts.size(); ++i)
      means[i + 1].add(step.parts[i].us);
    if (step.waited_us) means.back().add(*step.waited_us);
  }
  std::vector<result::SlowestProcess> out;
  if (processes.size() < 2) return out;
  std::map<std::string_view, std::optional<std::int64_t>> ranks;
  for (const result::TraceFile& file : files)
    ranks.emplace(file.process, file.rank);
  for (std::size_t part = 0; part < parts.size(); ++part) {
    result::SlowestProcess row;
    row.part = parts[part];
    std::vector<double> all;
    for (const auto& [process, means] : processes) {
      const auto mean = means[part].value();
      if (!mean) continue;
      all.push_back(*mean);
      if (*mean <= row.us) continue;
      row.us = *mean;
      row.process = process;
    }
    if (row.process.empty()) continue; // nobody spends time on it
    row.median_us = middle_of(std::move(all));
    if (const auto rank = ranks.find(row.process); rank != ranks.end()) row.rank = rank->second;
    out.push_back(std::move(row));
  }
  return out;
}

} // namespace debrief::aggregate
