#include "ingest/series_index.h"

namespace debrief::ingest {

std::size_t SeriesIndex::find(const Key& key) {
  if (const std::size_t guess = expected_next(); guess != kNone) {
    const SeriesPart& part = parts_[guess];
    if (part.name.name == key.name && part.name.dimension == key.dimension &&
        part.name.type == key.type && part.node == key.node)
      return last_ = guess;
  }
  const std::size_t found = look_up(key);
  if (last_ != kNone) followers_[last_] = found;
  return last_ = found;
}

std::size_t SeriesIndex::look_up(const Key& key) {
  scratch_.clear();
  for (const std::string_view part : {key.node, key.type, key.name, key.dimension}) {
    scratch_ += part;
    scratch_ += '\0';
  }
  const auto [entry, added] = by_key_.try_emplace(scratch_, parts_.size());
  if (added) {
    job::MetricName name{std::string{key.type}, std::string{key.name}, std::string{key.dimension}};
    units_.push_back(job::unit_of(job::classify(name)));
    parts_.push_back({std::string{key.node}, std::move(name), {}});
    followers_.push_back(kNone);
  }
  return entry->second;
}

} // namespace debrief::ingest
