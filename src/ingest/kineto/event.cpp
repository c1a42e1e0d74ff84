#include "ingest/kineto/event.h"

#include "ingest/kineto/values.h"

#include <charconv>
#include <cmath>

namespace debrief::kineto {

namespace {

namespace ondemand = simdjson::ondemand;

using Key = ondemand::raw_json_string; ///< keys as they stand in the file; nobody escapes them

bool read_argument(const Key& key, ondemand::value value, Event& event, ValueReader& read) {
  const auto is = [&](const char* name) { return key.unsafe_is_equal(name); };
  switch (*key.raw()) {
  case 'E':
    if (is("External id")) return read.integer(value, event.external);
    return true;
  case 'I':
    if (is("Input Dims")) return read.array_text(value, event.dims);
    if (is("Input type")) return read.array_text(value, event.types);
    if (is("In msg nelems")) return read.integer(value, event.in_elements);
    return true;
  case 'c':
    if (is("correlation")) return read.integer(value, event.correlation);
    return true;
  case 'd':
    if (is("device")) return read.integer(value, event.device);
    if (is("dtype")) return read.text(value, event.dtype);
    return true;
  case 's':
    if (is("stream")) return read.integer(value, event.stream);
    if (is("shared memory")) return read.small(value, event.launch.shared_memory);
    return true;
  case 'g':
    if (is("grid")) return read.three(value, event.launch.grid);
    return true;
  case 'b':
    if (is("block")) return read.three(value, event.launch.block);
    if (is("blocks per SM")) return read.number(value, event.launch.blocks_per_sm);
    if (is("bytes")) return read.integer(value, event.copy.bytes);
    return true;
  case 'r':
    if (is("registers per thread")) return read.small(value, event.launch.registers);
    return true;
  case 'w':
    if (is("warps per SM")) return read.number(value, event.launch.warps_per_sm);
    return true;
  case 'e':
    if (is("est. achieved occupancy %")) return read.number(value, event.launch.occupancy);
    return true;
  case 'm':
    if (is("memory bandwidth (GB/s)")) return read.number(value, event.copy.bandwidth);
    return true;
  case 'f':
    if (is("flops")) return read.integer(value, event.flops);
    return true;
  case 'C':
    if (is("Collective name")) return read.text(value, event.collective);
    return true;
  case 'P':
    if (is("Process Group Name")) return read.text(value, event.group);
    return true;
  case 'O':
    if (is("Out msg nelems")) return read.integer(value, event.out_elements);
    return true;
  case 'G':
    if (is("Group size")) return read.integer(value, event.group_size);
    return true;
  case 'B':
    if (is("Bytes")) return read.integer(value, event.memory_bytes);
    return true;
  case 'T':
    if (is("Total Allocated")) return read.integer(value, event.total_allocated);
    if (is("Total Reserved")) return read.integer(value, event.total_reserved);
    return true;
  case 'D':
    if (is("Device Type")) return read.integer(value, event.device_type);
    if (is("Device Id")) return read.integer(value, event.device_id);
    return true;
  case 'A':
    if (is("Addr")) return read.address(value, event.address);
    return true;
  case 'n':
    if (is("name")) return read.text(value, event.args_name);
    return true;
  default:
    return true;
  }
}

/// Whether something of the event's arguments may be kept, as far as is known by now.
bool wants_arguments(const Event& event) {
  if (event.ph.empty() || event.name.empty()) return true;
  if (event.ph == "X") return event.cat.empty() || kind_of(event.cat, event.name).has_value();
  if (event.ph == "i") return event.name == "[memory]";
  return event.ph == "M";
}

bool read_arguments(ondemand::value value, Event& event, ValueReader& read) {
  if (!wants_arguments(event)) return true;
  ondemand::object args;
  const simdjson::error_code error = value.get_object().get(args);
  if (error) return error == simdjson::INCORRECT_TYPE;
  for (auto entry : args) {
    ondemand::field field;
    if (std::move(entry).get(field)) return false;
    if (!read_argument(field.key(), field.value(), event, read)) return false;
  }
  return true;
}

bool read_field(const Key& key, ondemand::value value, Event& event, ValueReader& read) {
  const auto is = [&](const char* name) { return key.unsafe_is_equal(name); };
  switch (*key.raw()) {
  case 'p':
    if (is("ph")) return read.text(value, event.ph);
    if (is("pid")) return read.id(value, event.pid);
    return true;
  case 'c':
    if (is("cat")) return read.text(value, event.cat);
    return true;
  case 'n':
    if (is("name")) return read.text(value, event.name);
    return true;
  case 't':
    if (is("ts")) return read.time(value, event.ts);
    if (is("tid")) return read.id(value, event.tid);
    return true;
  case 'd':
    if (is("dur")) return read.time(value, event.dur);
    return true;
  case 'a':
    if (is("args")) return read_arguments(value, event, read);
    return true;
  default:
    return true;
  }
}

} // namespace

bool parse_event(ondemand::object object, Event& event) {
  event = Event{};
  ValueReader read{event.mended};
  for (auto entry : object) {
    ondemand::field field;
    if (std::move(entry).get(field)) return false;
    event.empty = false;
    if (!read_field(field.key(), field.value(), event, read)) return false;
  }
  return true;
}

std::optional<SliceKind> kind_of(std::string_view category, std::string_view name) {
  if (category == "cpu_op" || category == "Operator") return SliceKind::op;
  if (category == "python_function")
    return name.starts_with("nn.Module: ") ? std::optional{SliceKind::module} : std::nullopt;
  if (category == "kernel" || category == "Kernel" || category == "concurrent_kernel")
    return SliceKind::kernel;
  if (category.ends_with("_runtime") || category.ends_with("_driver") || category == "Runtime")
    return SliceKind::runtime;
  if (category == "gpu_memcpy" || category == "Memcpy") return SliceKind::memcpy;
  if (category == "gpu_memset" || category == "Memset") return SliceKind::memset;
  if (category == "user_annotation") return SliceKind::annotation;
  if (category == "gpu_user_annotation") return SliceKind::gpu_annotation;
  if (category == "cuda_sync") return SliceKind::gpu_wait;
  if (category == "overhead") return SliceKind::overhead;
  return std::nullopt;
}

std::optional<Nanoseconds> parse_microseconds(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  const bool negative = at != end && *at == '-';
  if (negative) ++at;
  std::int64_t value = 0;
  const char* const digits = at;
  for (; at != end && *at >= '0' && *at <= '9'; ++at) {
    if (value >= INT64_MAX / 10'000) return std::nullopt; // in nanoseconds it would not fit
    value = value * 10 + (*at - '0');
  }
  if (at == digits) return std::nullopt;
  value *= 1000;
  if (at != end && *at == '.') {
    std::int64_t scale = 100;
    for (++at; at != end && *at >= '0' && *at <= '9'; ++at, scale /= 10)
      value += scale * (*at - '0');
  }
  if (at != end &&
      (*at == 'e' || *at == 'E')) { // no recorder writes it so; to the precision of a double
    double number = 0;
    if (std::from_chars(text.data(), end, number).ec != std::errc{}) return std::nullopt;
    if (!(std::abs(number) < 9e15)) return std::nullopt;
    return std::llround(number * 1000);
  }
  if (at != end) return std::nullopt;
  return negative ? -value : value;
}

} // namespace debrief::kineto
