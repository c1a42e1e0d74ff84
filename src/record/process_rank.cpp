#include "record/process_rank.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <iterator>
#include <string>

namespace debrief::record {

namespace {

std::optional<std::int64_t> rank_number(std::string_view text) {
  std::int64_t number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  if (error != std::errc{} || end != last || number < 0) return std::nullopt;
  return number;
}

std::optional<std::int64_t> variable(std::string_view environment, std::string_view name) {
  while (!environment.empty()) {
    const std::size_t end = std::min(environment.find('\0'), environment.size());
    const std::string_view entry = environment.substr(0, end);
    if (entry.starts_with(name) && entry.substr(name.size()).starts_with('='))
      return rank_number(entry.substr(name.size() + 1));
    environment.remove_prefix(std::min(end + 1, environment.size()));
  }
  return std::nullopt;
}

} // namespace

ProcessRank rank_in(std::string_view environment) {
  constexpr std::array<std::array<std::string_view, 2>, 3> kLaunchers = {{
      {"RANK", "WORLD_SIZE"},
      {"SLURM_PROCID", "SLURM_NTASKS"},
      {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
  }};
  for (const auto& [rank, size] : kLaunchers) {
    const ProcessRank found{variable(environment, rank), variable(environment, size)};
    if (found.rank && (!found.world_size || *found.rank < *found.world_size)) return found;
  }
  return {};
}

ProcessRank rank_of(pid_t process) {
  std::ifstream file{"/proc/" + std::to_string(process) + "/environ", std::ios::binary};
  const std::string text{std::istreambuf_iterator<char>{file}, {}};
  return rank_in(text);
}

} // namespace debrief::record
