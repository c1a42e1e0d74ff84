#include "ingest/kineto/header.h"

#include "ingest/whole_json.h"

#include <nlohmann/json.hpp>

#include <charconv>

namespace debrief::ingest::kineto {

namespace {

using nlohmann::json;

std::optional<std::int64_t> integer(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number_integer()) return std::nullopt;
  if (found->is_number_unsigned() && found->get<std::uint64_t>() > INT64_MAX) return std::nullopt;
  return found->get<std::int64_t>();
}

std::string text(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

bool flag(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return false;
  if (found->is_boolean()) return found->get<bool>();
  return found->is_number() && found->get<double>() != 0;
}

job::GpuProperties gpu_of(const json& object) {
  job::GpuProperties gpu;
  gpu.id = integer(object, "id").value_or(0);
  gpu.name = text(object, "name");
  gpu.memory = integer(object, "totalGlobalMem");
  gpu.multiprocessors = integer(object, "numSms");
  gpu.threads_per_multiprocessor = integer(object, "maxThreadsPerMultiprocessor");
  gpu.compute_major = integer(object, "computeMajor");
  gpu.compute_minor = integer(object, "computeMinor");
  return gpu;
}

void read_groups(const json& info, job::Trace& trace) {
  const auto groups = info.find("pg_config");
  if (groups == info.end() || !groups->is_array()) return;
  for (const json& entry : *groups) {
    if (!entry.is_object()) continue;
    job::ProcessGroup group{text(entry, "pg_name"), text(entry, "pg_desc"), {}};
    if (const auto ranks = entry.find("ranks"); ranks != entry.end() && ranks->is_array())
      for (const json& rank : *ranks)
        if (rank.is_number_integer()) group.ranks.push_back(rank.get<std::int64_t>());
    trace.groups.push_back(std::move(group));
  }
}

/// A whole number at the start of `text`.
std::optional<std::int64_t> leading_number(std::string_view text) {
  std::int64_t number = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), number).ec != std::errc{} ||
      number < 0)
    return std::nullopt;
  return number;
}

} // namespace

std::string_view read_header(const std::string& header, job::Trace& trace, Nanoseconds& base) {
  if (const std::string_view trouble = trouble_before_parsing(header); !trouble.empty())
    return trouble;
  const json document = json::parse(header, nullptr, false);
  if (document.is_discarded() || !document.is_object()) return "is not valid JSON";
  base = Nanoseconds{integer(document, "baseTimeNanoseconds").value_or(0)};
  trace.with_shapes = flag(document, "record_shapes");
  trace.with_memory = flag(document, "profile_memory");
  trace.with_stacks = flag(document, "with_stack");
  if (const auto gpus = document.find("deviceProperties");
      gpus != document.end() && gpus->is_array())
    for (const json& gpu : *gpus)
      if (gpu.is_object() && trace.gpus.size() < kMaxGpus) trace.gpus.push_back(gpu_of(gpu));
  const auto info = document.find("distributedInfo");
  if (info == document.end() || !info->is_object()) return {};
  trace.backend = text(*info, "backend");
  if (const auto rank = integer(*info, "rank")) trace.rank = rank;
  trace.world_size = integer(*info, "world_size");
  read_groups(*info, trace);
  return {};
}

void read_worker_name(std::string_view name, job::Trace& trace) {
  const std::string_view worker = name.substr(0, name.find('.'));
  if (worker.starts_with("rank")) {
    std::string_view number = worker.substr(4);
    while (!number.empty() && (number.front() == '-' || number.front() == '_'))
      number.remove_prefix(1);
    trace.rank = leading_number(number);
    return;
  }
  const std::size_t underscore = worker.rfind('_');
  if (underscore != worker.npos && underscore + 1 < worker.size() &&
      worker.find_first_not_of("0123456789", underscore + 1) == worker.npos) {
    trace.node = worker.substr(0, underscore);
    trace.pid = leading_number(worker.substr(underscore + 1));
  } else if (name.find(".pt.trace.json") != name.npos) {
    trace.node = worker;
  }
}

} // namespace debrief::ingest::kineto
