// Jobs with saved tensors that were never on a disk, and what a rule says of them.
#pragma once

#include "rules/rule_support.h"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace debrief::test {

using Steps = std::vector<std::int64_t>;

/// A tensor of one step. A name may be that of a reduction.
struct Saved {
  std::string name;
  std::vector<double> values;
  std::vector<std::int64_t> shape = {};
};

class TensorJob {
public:
  TensorJob& collection(const std::string& name, std::vector<std::string> names) {
    std::sort(names.begin(), names.end());
    collections_.push_back({name, std::move(names), {}});
    return *this;
  }

  /// Seconds after the step before, at which it was saved: `later`.
  TensorJob& step(std::int64_t step, const std::vector<Saved>& tensors,
                  job::TensorMode mode = job::TensorMode::train, double later = 1,
                  const std::string& worker = "worker_0") {
    clock_ += later;
    steps_.push_back({step, mode, at(clock_), tensors, worker});
    return *this;
  }

  job::Job job() const {
    job::Job job;
    job::TensorTable& table = job.tensors;
    auto source = std::make_shared<Source>();
    for (const Step& step : steps_) {
      table.workers.push_back(step.worker);
      for (const Saved& tensor : step.tensors)
        table.names.emplace_back(job::split_reduction(tensor.name).first);
    }
    for (auto* list : {&table.workers, &table.names}) {
      std::sort(list->begin(), list->end());
      list->erase(std::unique(list->begin(), list->end()), list->end());
    }
    const auto place = [](const std::vector<std::string>& list, std::string_view name) {
      return static_cast<std::uint32_t>(std::lower_bound(list.begin(), list.end(), name) -
                                        list.begin());
    };
    for (const Step& step : steps_) {
      job::TensorStep row;
      row.step = step.step;
      row.mode_step = step.step;
      row.mode = step.mode;
      row.worker = place(table.workers, step.worker);
      row.first_record = table.records.size();
      row.record_count = step.tensors.size();
      for (const Saved& tensor : step.tensors) {
        const auto [name, reduction] = job::split_reduction(tensor.name);
        job::TensorRecord record;
        record.offset = source->data.size();
        record.length = 100;
        record.tensor = place(table.names, name) & 0x7ffffffU;
        record.reduction = static_cast<std::uint32_t>(reduction) & 0x1fU;
        table.records.push_back(record);
        job::TensorData data;
        data.numeric = true;
        data.values = tensor.values;
        data.shape = tensor.shape;
        if (data.shape.empty() && data.values.size() != 1)
          data.shape = {static_cast<std::int64_t>(data.values.size())};
        data.time = step.time;
        source->data.push_back(std::move(data));
      }
      std::sort(table.records.begin() + static_cast<std::ptrdiff_t>(row.first_record),
                table.records.end(), [](const auto& a, const auto& b) {
                  return std::pair{a.tensor + 0U, a.reduction + 0U} <
                         std::pair{b.tensor + 0U, b.reduction + 0U};
                });
      table.steps.push_back(row);
    }
    table.collections = collections_;
    table.source = std::move(source);
    return job;
  }

private:
  struct Step {
    std::int64_t step = 0;
    job::TensorMode mode = job::TensorMode::train;
    Microseconds time = 0;
    std::vector<Saved> tensors;
    std::string worker;
  };

  /// A record's offset is the number of its data.
  struct Source final : job::TensorSource {
    void load(const job::TensorStep& /*step*/, std::span<const Wanted> wanted, const Sink& sink,
              job::Troubles& /*lost*/) const override {
      for (std::size_t i = 0; i < wanted.size(); ++i)
        sink(i, data[wanted[i].record.offset]);
    }

    std::optional<TimeSpan> written(const job::TensorStep& /*step*/,
                                    std::span<const job::TensorRecord> records) const override {
      if (records.empty()) return std::nullopt;
      return TimeSpan{*data[records.front().offset].time, *data[records.front().offset].time};
    }

    std::vector<job::TensorData> data;
  };

  double clock_ = 0;
  std::vector<Step> steps_;
  std::vector<job::TensorCollection> collections_;
};

/// The steps at which a rule triggered.
inline Steps fired(const job::Job& job, const std::string& rule,
                   const Parameters& parameters = {}) {
  const result::RuleRow row = outcome(job, rule, parameters);
  CHECK(row.status != result::RuleStatus::not_evaluated);
  CHECK(row.triggered == static_cast<std::int64_t>(row.model.steps.size()));
  return row.model.steps;
}

inline Steps fired(const TensorJob& job, const std::string& rule,
                   const Parameters& parameters = {}) {
  return fired(job.job(), rule, parameters);
}

inline bool not_evaluated(const TensorJob& job, const std::string& rule,
                          const Parameters& parameters = {}) {
  const result::RuleRow row = outcome(job.job(), rule, parameters);
  return row.status == result::RuleStatus::not_evaluated && !row.reason.empty();
}

inline bool has_row(const job::Job& job, const std::string& rule) {
  const auto rows = analyzed(job).rules;
  return std::any_of(rows.begin(), rows.end(),
                     [&](const result::RuleRow& row) { return row.rule == rule; });
}

/// A job that logged scalars and saved no tensor.
inline job::ScalarSeries logged(const std::string& name, const std::vector<double>& values,
                                std::int64_t every = 1) {
  job::ScalarSeries series;
  series.name = name;
  for (std::size_t i = 0; i < values.size(); ++i) {
    series.steps.push_back(static_cast<std::int64_t>(i) * every);
    series.times.push_back(at(static_cast<double>(i)));
  }
  series.values = values;
  return series;
}

} // namespace debrief::test
