#include "ingest/tensors/trial_path.h"

#include <algorithm>
#include <charconv>

namespace debrief::ingest::tensors {

namespace {

/// Cuts the last part off a path.
std::string_view take_last(std::string_view& path) {
  const std::size_t slash = path.rfind('/');
  const std::string_view last = slash == path.npos ? path : path.substr(slash + 1);
  path = slash == path.npos ? std::string_view{} : path.substr(0, slash);
  return last;
}

std::optional<std::int64_t> whole_number(std::string_view digits) {
  constexpr std::size_t kMostDigits = 18; // fits 64 bits
  if (digits.empty() || digits.size() > kMostDigits ||
      !std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; }))
    return std::nullopt;
  std::int64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return value;
}

bool cut_end(std::string_view& text, std::string_view end) {
  if (!text.ends_with(end)) return false;
  text.remove_suffix(end.size());
  return true;
}

} // namespace

std::optional<TrialPath> trial_path(std::string_view path) {
  std::string_view name = take_last(path);
  const std::string_view number = take_last(path);
  const std::string_view kind = take_last(path);
  TrialPath out;
  out.folder = path;
  if (!whole_number(number)) return std::nullopt;
  out.unfinished = cut_end(name, ".tmp");
  if (kind == "collections") {
    if (!cut_end(name, "_collections.json") || name.empty()) return std::nullopt;
    out.file = TrialFile::collections;
    out.worker = name;
    return out;
  }
  if (kind == "index" && cut_end(name, ".json"))
    out.file = TrialFile::index;
  else if (kind == "events" && cut_end(name, ".tfevents"))
    out.file = TrialFile::events;
  else
    return std::nullopt;
  const std::size_t bar = name.find('_');
  const auto step = whole_number(name.substr(0, bar));
  if (!step || bar == name.npos || bar + 1 == name.size()) return std::nullopt;
  out.step = *step;
  out.worker = name.substr(bar + 1);
  return out;
}

bool holds_tensor_values(std::string_view path) {
  const auto place = trial_path(path);
  return place && place->file == TrialFile::events;
}

} // namespace debrief::ingest::tensors
