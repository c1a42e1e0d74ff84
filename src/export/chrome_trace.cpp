#include "export/chrome_trace.h"

#include "util/text.h"

#include <fmt/format.h>

#include <iterator>

namespace debrief::exports {

namespace {

constexpr std::size_t kBufferSize = 1U << 18U;

} // namespace

std::string json_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : printable(text)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out += '"';
}

const std::string& QuotedNames::operator[](job::StringTable::Id id) {
  std::string& text = quoted_[static_cast<std::size_t>(id)];
  if (text.empty()) text = json_text(names_[id]);
  return text;
}

ChromeTrace::ChromeTrace(const std::string& target, Nanoseconds origin)
    : sink_(target)
    , origin_(origin) {
  buffer_.reserve(2 * kBufferSize);
  fmt::format_to(std::back_inserter(buffer_),
                 "{{\"schemaVersion\":1,\"baseTimeNanoseconds\":{},\"displayTimeUnit\":\"ms\","
                 "\"traceEvents\":[",
                 origin.count());
}

void ChromeTrace::open() {
  buffer_ += first_ ? "\n" : ",\n";
  first_ = false;
}

void ChromeTrace::close() {
  buffer_ += '}';
  if (buffer_.size() < kBufferSize) return;
  sink_.write(buffer_);
  buffer_.clear();
}

void ChromeTrace::append_time(const char* key, Nanoseconds time) {
  const bool negative = time < Nanoseconds{};
  const auto number = static_cast<std::uint64_t>(time.count());
  const std::uint64_t size = negative ? 0 - number : number;
  fmt::format_to(std::back_inserter(buffer_), ",\"{}\":{}{}.{:03}", key, negative ? "-" : "",
                 size / 1000, size % 1000);
}

void ChromeTrace::metadata(Place place, std::string_view kind, std::string_view args) {
  open();
  fmt::format_to(std::back_inserter(buffer_),
                 R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{{}}})", kind, place.process,
                 place.thread, args);
  close();
}

std::int64_t ChromeTrace::add_process(std::string_view name) {
  const Place place{++last_id_, 0};
  metadata(place, "process_name", fmt::format("\"name\":{}", json_text(name)));
  metadata(place, "process_sort_index", fmt::format("\"sort_index\":{}", place.process));
  return place.process;
}

ChromeTrace::Place ChromeTrace::add_thread(std::int64_t process, std::string_view name) {
  const Place place{process, ++last_id_};
  metadata(place, "thread_name", fmt::format("\"name\":{}", json_text(name)));
  metadata(place, "thread_sort_index", fmt::format("\"sort_index\":{}", place.thread));
  return place;
}

void ChromeTrace::slice(Place place, std::string_view quoted_name, std::string_view quoted_category,
                        Nanoseconds start, Nanoseconds duration, std::string_view args) {
  open();
  fmt::format_to(std::back_inserter(buffer_), R"({{"ph":"X","cat":{},"name":{},"pid":{},"tid":{})",
                 quoted_category, quoted_name, place.process, place.thread);
  append_time("ts", start - origin_);
  append_time("dur", duration);
  if (!args.empty()) fmt::format_to(std::back_inserter(buffer_), ",\"args\":{{{}}}", args);
  close();
  ++events_;
}

void ChromeTrace::counter(std::int64_t process, std::string_view quoted_name, Nanoseconds time,
                          std::string_view args) {
  open();
  fmt::format_to(std::back_inserter(buffer_), R"({{"ph":"C","name":{},"pid":{})", quoted_name,
                 process);
  append_time("ts", time - origin_);
  fmt::format_to(std::back_inserter(buffer_), ",\"args\":{{{}}}", args);
  close();
  ++events_;
}

void ChromeTrace::arrow(End end, std::int64_t id, Place place, Nanoseconds time) {
  open();
  // "bp": "e" binds the end to the slice around it; without it, to the next one.
  fmt::format_to(std::back_inserter(buffer_),
                 R"({{"ph":"{}","cat":"ac2g","name":"ac2g","id":{},"pid":{},"tid":{})",
                 end == End::start ? "s" : "f", id, place.process, place.thread);
  append_time("ts", time - origin_);
  if (end == End::finish) buffer_ += R"(,"bp":"e")";
  close();
}

std::uint64_t ChromeTrace::finish() {
  buffer_ += "\n]}\n";
  sink_.write(buffer_);
  buffer_.clear();
  sink_.commit();
  return sink_.bytes();
}

} // namespace debrief::exports
