#include "util/pattern_set.h"

#include <algorithm>
#include <utility>

namespace debrief {

namespace {

/// A pattern that begins with ".*" takes half the square of a name's length; names are below a
/// hundred bytes, and a collection has ten patterns at most.
constexpr std::uint64_t kStepsPerByte = 400;
constexpr std::uint64_t kSpareSearches = 5;

} // namespace

PatternSet::PatternSet(std::span<const std::string> texts)
    : left_(kSpareSearches * Pattern::kMaxSteps) {
  for (const std::string& text : texts)
    if (auto pattern = Pattern::parse(text)) patterns_.push_back(std::move(*pattern));
}

bool PatternSet::finds(std::string_view text) {
  left_ += kStepsPerByte * (text.size() + 1);
  return std::any_of(patterns_.begin(), patterns_.end(),
                     [&](const Pattern& pattern) { return pattern.search(text, left_); });
}

} // namespace debrief
