#include "ingest/trace_event.h"

#include <charconv>

namespace debrief::ingest {

namespace {

namespace ondemand = simdjson::ondemand;

using simdjson::error_code;
using simdjson::SUCCESS;

/// An integer, or a string that holds one (recorders write step numbers and pids either way);
/// anything else is taken as absent. False only where the JSON itself is broken.
bool read_integer(ondemand::value value, std::optional<std::int64_t>& into) {
  ondemand::json_type type{};
  if (value.type().get(type)) return false;
  if (type == ondemand::json_type::number) {
    std::int64_t integer = 0;
    if (value.get_int64().get(integer) == SUCCESS) {
      into = integer;
      return true;
    }
    double number = 0;
    if (value.get_double().get(number)) return false;
    if (number > -9.2e18 && number < 9.2e18) into = static_cast<std::int64_t>(number);
    return true;
  }
  if (type == ondemand::json_type::string) {
    std::string_view text;
    if (value.get_string().get(text)) return false;
    std::int64_t integer = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), integer);
    if (error == std::errc{} && end == text.data() + text.size()) into = integer;
  }
  return true;
}

bool read_number(ondemand::value value, std::optional<double>& into) {
  double number = 0;
  const error_code error = value.get_double().get(number);
  if (error == SUCCESS) into = number;
  return error == SUCCESS || error == simdjson::INCORRECT_TYPE;
}

bool read_bool(ondemand::value value, std::optional<bool>& into) {
  bool flag = false;
  const error_code error = value.get_bool().get(flag);
  if (error == SUCCESS) into = flag;
  return error == SUCCESS || error == simdjson::INCORRECT_TYPE;
}

bool read_text(ondemand::value value, std::string_view& into) {
  const error_code error = value.get_string().get(into);
  return error == SUCCESS || error == simdjson::INCORRECT_TYPE;
}

/// The next field of an object; false where the JSON is broken.
template <typename Entry>
bool read_field(Entry entry, std::string_view& key, ondemand::value& value) {
  ondemand::field field;
  if (std::move(entry).get(field) || field.unescaped_key().get(key)) return false;
  value = field.value();
  return true;
}

} // namespace

bool TraceEventParser::parse_args(ondemand::value value, TraceEvent& event) {
  ondemand::object args;
  const error_code error = value.get_object().get(args);
  if (error) return error == simdjson::INCORRECT_TYPE;
  for (auto entry : args) {
    std::string_view key;
    ondemand::value argument;
    if (!read_field(entry, key, argument)) return false;
    bool good = true;
    if (key == "step_num")
      good = read_integer(argument, event.step);
    else if (key == "pid")
      good = read_integer(argument, event.args_pid);
    else if (key == "tid" || key == "thread_id")
      good = read_integer(argument, event.args_tid);
    else if (key == "name")
      good = read_text(argument, event.args_name);
    else if (key == "start_time_since_epoch_in_micros")
      good = read_integer(argument, event.epoch_start);
    else if (key == "bytes_fetched")
      good = read_integer(argument, event.bytes_fetched);
    else if (key == "num_workers")
      good = read_integer(argument, event.num_workers);
    else if (key == "worker_id")
      good = read_integer(argument, event.worker_id);
    else if (key == "pin_memory")
      good = read_bool(argument, event.pin_memory);
    if (!good) return false;
  }
  return true;
}

bool TraceEventParser::parse(const TraceScanner::EventText& text, TraceEvent& event) {
  event = TraceEvent{};
  ondemand::document document;
  ondemand::object object;
  const simdjson::padded_string_view padded{text.text.data(), text.text.size(), text.capacity};
  if (parser_.iterate(padded).get(document) || document.get_object().get(object)) return false;
  for (auto entry : object) {
    std::string_view key;
    ondemand::value value;
    if (!read_field(entry, key, value)) return false;
    event.empty = false;
    bool good = true;
    if (key == "name")
      good = read_text(value, event.name);
    else if (key == "ph")
      good = read_text(value, event.ph);
    else if (key == "ts")
      good = read_number(value, event.ts);
    else if (key == "dur")
      good = read_number(value, event.dur);
    else if (key == "pid")
      good = read_integer(value, event.pid);
    else if (key == "tid")
      good = read_integer(value, event.tid);
    else if (key == "args")
      good = parse_args(value, event);
    if (!good) return false;
  }
  return true;
}

} // namespace debrief::ingest
