#include "embed/plan.h"

#include "util/parallel.h"

#include <algorithm>

namespace debrief::embed {

namespace {

/// So many points of a group are deflated to predict the size of all.
constexpr std::size_t kTriedPoints = 150'000;

/// What an array takes in the index: "[1234567,14400,2,1,0.01],".
constexpr double kBytesInIndex = 26;

/// Points that a series keeps while another group can still give way.
constexpr std::array<std::size_t, 3> kFloors = {500, 30, 1};

/// Deflates every so many-th of some parts and gives the size of all of them.
class Trial {
public:
  explicit Trial(std::size_t all_points)
      : all_(all_points)
      , stride_(std::max<std::size_t>(1, all_points / kTriedPoints)) {}

  template <typename Add>
  void part(std::size_t points, const Add& add) {
    if (seen_++ % stride_ != 0) return;
    tried_ += points;
    add(block_);
  }

  double size() const {
    if (tried_ == 0) return 0;
    return static_cast<double>(base64_size(deflated(block_.bytes()).size())) *
           static_cast<double>(all_) / static_cast<double>(tried_);
  }

private:
  std::size_t all_;
  std::size_t stride_;
  std::size_t seen_ = 0;
  std::size_t tried_ = 0;
  Block block_;
};

std::size_t points_of(const Bundle& bundle, std::size_t every) {
  return (bundle.times.size() + every - 1) / every;
}

bool same_times(const Bundle* a, const Bundle* b) {
  return a != nullptr &&
         std::equal(a->times.begin(), a->times.end(), b->times.begin(), b->times.end());
}

} // namespace

Plan::Plan(const Bundles& bundles)
    : bundles_(bundles) {
  for (std::size_t group = 0; group < kGroups; ++group) {
    groups_[group] = bundles.of(static_cast<Group>(group));
    for (const Bundle* bundle : groups_[group])
      longest_[group] = std::max(longest_[group], bundle->times.size());
  }
  parallel_for(kGroups, [&](std::size_t group) { sizes_[group] = predicted(group); });
}

double Plan::predicted(std::size_t group) const {
  std::size_t values = 0;
  std::size_t times = 0;
  std::size_t arrays = 0;
  const std::size_t every = levels_[group];
  const Bundle* last = nullptr;
  for (const Bundle* bundle : groups_[group]) {
    values += points_of(*bundle, every) * bundle->series.size();
    if (!same_times(last, bundle)) times += points_of(*bundle, every);
    arrays += 1 + bundle->series.size() * (every > 1 ? 3 : 1);
    last = bundle;
  }
  Trial trial_of_values{values};
  Trial trial_of_times{times};
  last = nullptr;
  for (const Bundle* bundle : groups_[group]) {
    const std::size_t points = points_of(*bundle, every);
    if (!same_times(last, bundle))
      trial_of_times.part(points,
                          [&](Block& block) { add_times(block, *bundle, bundles_.start, every); });
    for (const Series& series : bundle->series)
      trial_of_values.part(points, [&](Block& block) { add_series(block, series, every); });
    last = bundle;
  }
  return trial_of_values.size() + trial_of_times.size() +
         kBytesInIndex * static_cast<double>(arrays);
}

double Plan::total() const {
  double sum = 0;
  for (const double size : sizes_)
    sum += size;
  return sum;
}

std::size_t Plan::points(std::size_t group) const {
  return (longest_[group] + levels_[group] - 1) / levels_[group];
}

bool Plan::exhausted() const {
  for (std::size_t group = 0; group < kGroups; ++group)
    if (points(group) > 1 && !incompressible_[group]) return false;
  return true;
}

void Plan::thin(std::size_t group) {
  const auto level = levels_[group];
  const double size = sizes_[group];
  do {
    // Mean, least and greatest of two samples are more than the two samples.
    levels_[group] *= levels_[group] == 1 ? 4U : 2U;
    sizes_[group] = predicted(group);
  } while (sizes_[group] >= size && points(group) > 1);
  if (sizes_[group] < size) return;
  levels_[group] = level;
  sizes_[group] = size;
  incompressible_[group] = true;
}

void Plan::fit(double bytes) {
  // Where there is no room at all, giving up samples cannot make any.
  const std::size_t floors = bytes > 0 ? kFloors.size() : 1;
  for (std::size_t at = 0; at < floors; ++at)
    for (std::size_t group = 0; group < kGroups; ++group)
      while (total() > bytes && points(group) > kFloors[at] && !incompressible_[group])
        thin(group);
}

} // namespace debrief::embed
