#include "ingest/kineto/event.h"

#include <charconv>
#include <cmath>

namespace debrief::kineto {

namespace {

namespace ondemand = simdjson::ondemand;

using simdjson::error_code;
using simdjson::SUCCESS;

/// An integer, or a string that holds one; what does not fit or is something else is taken as
/// absent. False only where the JSON itself is broken.
bool read_integer(ondemand::value value, std::optional<std::int64_t>& into) {
  ondemand::json_type type{};
  if (value.type().get(type)) return false;
  std::string_view text;
  if (type == ondemand::json_type::string) {
    if (value.get_string().get(text)) return false;
  } else if (type == ondemand::json_type::number) {
    text = value.raw_json_token();
  } else {
    return true;
  }
  std::int64_t integer = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), integer);
  if (error == std::errc{}) into = integer;
  return true;
}

bool read_integer(ondemand::value value, std::int64_t& into) {
  std::optional<std::int64_t> number;
  if (!read_integer(value, number)) return false;
  if (number) into = *number;
  return true;
}

bool read_small(ondemand::value value, std::int32_t& into) {
  std::optional<std::int64_t> number;
  if (!read_integer(value, number)) return false;
  if (number && *number >= 0 && *number <= INT32_MAX) into = static_cast<std::int32_t>(*number);
  return true;
}

bool read_address(ondemand::value value, std::uint64_t& into) {
  std::uint64_t number = 0;
  if (value.get_uint64().get(number) == SUCCESS) into = number;
  return true;
}

template <typename Number>
bool read_number(ondemand::value value, Number& into) {
  double number = 0;
  const error_code error = value.get_double().get(number);
  if (error == SUCCESS && std::isfinite(number)) into = static_cast<Number>(number);
  return error == SUCCESS || error == simdjson::INCORRECT_TYPE;
}

bool read_time(ondemand::value value, std::optional<Nanoseconds>& into) {
  into = parse_microseconds(value.raw_json_token());
  return true;
}

bool read_text(ondemand::value value, std::string_view& into) {
  const error_code error = value.get_string().get(into);
  return error == SUCCESS || error == simdjson::INCORRECT_TYPE;
}

bool read_id(ondemand::value value, Id& into) {
  ondemand::json_type type{};
  if (value.type().get(type)) return false;
  return type == ondemand::json_type::string ? read_text(value, into.text)
                                             : read_integer(value, into.number);
}

/// The text of a value that is kept as it is; only of arrays.
bool read_array_text(ondemand::value value, std::string_view& into) {
  ondemand::array array;
  const error_code error = value.get_array().get(array);
  if (error) return error == simdjson::INCORRECT_TYPE;
  return array.raw_json().get(into) == SUCCESS;
}

bool read_three(ondemand::value value, std::array<std::int32_t, 3>& into) {
  ondemand::array array;
  const error_code error = value.get_array().get(array);
  if (error) return error == simdjson::INCORRECT_TYPE;
  std::size_t at = 0;
  for (auto element : array) {
    ondemand::value number;
    if (std::move(element).get(number)) return false;
    if (at < into.size() && !read_small(number, into[at++])) return false;
  }
  return true;
}

bool read_argument(std::string_view key, ondemand::value value, Event& event) {
  if (key == "External id") return read_integer(value, event.external);
  if (key == "correlation") return read_integer(value, event.correlation);
  if (key == "Input Dims") return read_array_text(value, event.dims);
  if (key == "Input type") return read_array_text(value, event.types);
  if (key == "device") return read_integer(value, event.device);
  if (key == "stream") return read_integer(value, event.stream);
  if (key == "grid") return read_three(value, event.launch.grid);
  if (key == "block") return read_three(value, event.launch.block);
  if (key == "registers per thread") return read_small(value, event.launch.registers);
  if (key == "shared memory") return read_small(value, event.launch.shared_memory);
  if (key == "blocks per SM") return read_number(value, event.launch.blocks_per_sm);
  if (key == "warps per SM") return read_number(value, event.launch.warps_per_sm);
  if (key == "est. achieved occupancy %") return read_number(value, event.launch.occupancy);
  if (key == "bytes") return read_integer(value, event.copy.bytes);
  if (key == "memory bandwidth (GB/s)") return read_number(value, event.copy.bandwidth);
  if (key == "flops") return read_integer(value, event.flops);
  if (key == "Collective name") return read_text(value, event.collective);
  if (key == "dtype") return read_text(value, event.dtype);
  if (key == "Process Group Name") return read_text(value, event.group);
  if (key == "In msg nelems") return read_integer(value, event.in_elements);
  if (key == "Out msg nelems") return read_integer(value, event.out_elements);
  if (key == "Group size") return read_integer(value, event.group_size);
  if (key == "Bytes") return read_integer(value, event.memory_bytes);
  if (key == "Total Allocated") return read_integer(value, event.total_allocated);
  if (key == "Total Reserved") return read_integer(value, event.total_reserved);
  if (key == "Device Type") return read_integer(value, event.device_type);
  if (key == "Device Id") return read_integer(value, event.device_id);
  if (key == "Addr") return read_address(value, event.address);
  if (key == "name") return read_text(value, event.args_name);
  return true;
}

bool read_field(std::string_view key, ondemand::value value, Event& event);

bool read_args(ondemand::value value, Event& event) {
  ondemand::object args;
  const error_code error = value.get_object().get(args);
  if (error) return error == simdjson::INCORRECT_TYPE;
  for (auto entry : args) {
    ondemand::field field;
    std::string_view key;
    if (std::move(entry).get(field) || field.unescaped_key().get(key)) return false;
    if (!read_argument(key, field.value(), event)) return false;
  }
  return true;
}

bool read_field(std::string_view key, ondemand::value value, Event& event) {
  if (key == "ph") return read_text(value, event.ph);
  if (key == "cat") return read_text(value, event.cat);
  if (key == "name") return read_text(value, event.name);
  if (key == "pid") return read_id(value, event.pid);
  if (key == "tid") return read_id(value, event.tid);
  if (key == "ts") return read_time(value, event.ts);
  if (key == "dur") return read_time(value, event.dur);
  if (key == "args") return read_args(value, event);
  return true;
}

} // namespace

bool parse_event(ondemand::object object, Event& event) {
  event = Event{};
  for (auto entry : object) {
    ondemand::field field;
    std::string_view key;
    if (std::move(entry).get(field) || field.unescaped_key().get(key)) return false;
    event.empty = false;
    if (!read_field(key, field.value(), event)) return false;
  }
  return true;
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
  return negative ? -value : value;
}

} // namespace debrief::kineto
