#include "ingest/select_job.h"

#include "util/error.h"
#include "util/interval_set.h"
#include "util/parallel.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace debrief::ingest {

namespace {

void add_times(GrowingSet<Microseconds>& spans, std::span<const Microseconds> times) {
  for (std::size_t i = 0; i < times.size();) {
    std::size_t end = i + 1;
    while (end < times.size() && times[end] - times[end - 1] <= kSilenceBetweenJobs)
      ++end;
    spans.add({times[i], times[end - 1]});
    i = end;
  }
}

std::vector<job::OtherJob> find_jobs(const std::vector<job::MetricSeries>& metrics,
                                     const job::EventTableBuilder& events) {
  const GrowingSet<Microseconds> spans_of_none{kSilenceBetweenJobs};
  GrowingSet<Microseconds> spans = spans_of_none;
  job::SampleTimes seen;
  for (const job::MetricSeries& series : metrics) {
    if (!series.times.shared_with(seen)) add_times(spans, series.time_span());
    seen = series.times;
  }
  const std::vector<bool> clock_known = events.clocks_known();
  std::vector<GrowingSet<Microseconds>> of_parts(events.parts(), spans_of_none);
  parallel_for(events.parts(), [&](std::size_t part) {
    GrowingSet<Microseconds>& own = of_parts[part];
    events.each_of(part, [&](const job::EventTableBuilder::Event& event) {
      if (clock_known[static_cast<std::size_t>(event.track)])
        own.add({event.start, event.start + event.duration});
    });
  });
  for (const GrowingSet<Microseconds>& own : of_parts)
    for (const TimeSpan& span : own.set())
      spans.add(span);
  std::vector<job::OtherJob> jobs;
  for (const TimeSpan& span : spans.set())
    jobs.push_back({span, 0, 0});
  return jobs;
}

std::pair<std::int64_t, std::int64_t> rows_within(std::span<const Microseconds> times,
                                                  const TimeSpan& span) {
  const auto first = std::lower_bound(times.begin(), times.end(), span.first);
  const auto last = std::upper_bound(first, times.end(), span.last);
  return {first - times.begin(), last - times.begin()};
}

/// `jobs` are disjoint, by time.
void count_records(std::vector<job::OtherJob>& jobs, const std::vector<job::MetricSeries>& metrics,
                   const job::EventTableBuilder& events) {
  // A clock gone wild makes as many jobs as there are samples or events: each is looked up.
  const auto begins_after = [](Microseconds time, const job::OtherJob& job) {
    return time < job.span.first;
  };
  for (const job::MetricSeries& series : metrics) {
    std::span<const Microseconds> times = series.time_span();
    while (!times.empty()) {
      job::OtherJob& job =
          *std::prev(std::upper_bound(jobs.begin(), jobs.end(), times.front(), begins_after));
      const auto [first, last] = rows_within(times, job.span);
      job.samples += static_cast<std::uint64_t>(last - first);
      times = times.subspan(static_cast<std::size_t>(last));
    }
  }
  events.each([&](const job::EventTableBuilder::Event& event) {
    if (!events.timeline_of(event).clock_known) return;
    const auto next = std::upper_bound(jobs.begin(), jobs.end(), event.start, begins_after);
    if (next != jobs.begin() && std::prev(next)->span.contains(event.start))
      ++std::prev(next)->events;
  });
}

std::size_t nearest_to(const std::vector<job::OtherJob>& jobs, Microseconds wanted) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < jobs.size(); ++i)
    if (time_outside(jobs[i].span, wanted) < time_outside(jobs[best].span, wanted)) best = i;
  if (time_outside(jobs[best].span, wanted) <= kSilenceBetweenJobs) return best;
  std::string starts;
  for (const job::OtherJob& job : jobs)
    starts += fmt::format("{}{}", starts.empty() ? "" : ", ", to_iso8601(job.span.first));
  throw Error(fmt::format("--job-start {}: no job ran then; the data's jobs start at {}",
                          to_iso8601(wanted), starts));
}

std::size_t choose(const std::vector<job::OtherJob>& jobs, const job::JobDescription& description,
                   std::optional<Microseconds> wanted_start) {
  if (wanted_start) return nearest_to(jobs, *wanted_start);
  if (description.start) {
    const TimeSpan described{*description.start, description.end.value_or(*description.start)};
    for (std::size_t i = 0; i < jobs.size(); ++i)
      if (jobs[i].span.first <= described.last && described.first <= jobs[i].span.last) return i;
  }
  const auto larger = [](const job::OtherJob& a, const job::OtherJob& b) {
    return a.samples + a.events < b.samples + b.events;
  };
  return static_cast<std::size_t>(std::max_element(jobs.begin(), jobs.end(), larger) -
                                  jobs.begin());
}

void keep_only(const TimeSpan& span, std::vector<job::MetricSeries>& metrics,
               job::EventTableBuilder& events) {
  job::SampleTimes all; // of the series before, and what was kept of them
  job::SampleTimes kept;
  for (job::MetricSeries& series : metrics) {
    const auto times = series.time_span();
    const auto [first, last] = rows_within(times, span);
    if (!series.times.shared_with(all)) {
      all = series.times;
      kept = job::SampleTimes{{times.begin() + first, times.begin() + last}};
    }
    series.values.erase(series.values.begin() + last, series.values.end());
    series.values.erase(series.values.begin(), series.values.begin() + first);
    series.times = kept;
  }
  std::erase_if(metrics, [](const job::MetricSeries& series) { return series.size() == 0; });
  events.filter([&](const job::EventTableBuilder::Event& event) {
    return !events.timeline_of(event).clock_known || span.contains(event.start);
  });
}

} // namespace

Microseconds time_outside(const TimeSpan& span, Microseconds time) {
  if (time < span.first) return span.first - time;
  return time > span.last ? time - span.last : 0;
}

std::optional<TimeSpan> select_job(std::vector<job::MetricSeries>& metrics,
                                   job::EventTableBuilder& events,
                                   const job::JobDescription& description,
                                   std::optional<Microseconds> wanted_start,
                                   job::ReadingReport& report) {
  std::vector<job::OtherJob> jobs = find_jobs(metrics, events);
  if (jobs.empty()) return std::nullopt;
  if (jobs.size() > 1) count_records(jobs, metrics, events);
  const std::size_t chosen = choose(jobs, description, wanted_start);
  const TimeSpan span = jobs[chosen].span;
  if (jobs.size() == 1) return span;
  keep_only(span, metrics, events);
  jobs.erase(jobs.begin() + static_cast<std::ptrdiff_t>(chosen));
  report.other_jobs = std::move(jobs);
  return span;
}

} // namespace debrief::ingest
