// Writes Chrome's trace format, which Perfetto opens: a JSON object whose "traceEvents" are named
// processes and threads, slices, counters and arrows.
//
// Times are nanoseconds on the job's clock; the file has microseconds with three decimals after its
// origin, so that a reader's doubles keep every nanosecond, and the origin itself as
// "baseTimeNanoseconds". Texts that callers give as `quoted` are JSON strings with their quotes
// (see json_text()): names repeat, so that each is escaped once.
#pragma once

#include "export/byte_sink.h"
#include "job/string_table.h"
#include "util/time.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::exports {

/// The text as a JSON string. What is not printable, invalid UTF-8 included, is shown as an escape.
std::string json_text(std::string_view text);

/// The quoted texts of a table, each made when it is first asked for.
class QuotedNames {
public:
  explicit QuotedNames(const job::StringTable& names)
      : names_(names)
      , quoted_(names.size()) {}

  const std::string& operator[](job::StringTable::Id id);

private:
  const job::StringTable& names_;
  std::vector<std::string> quoted_;
};

class ChromeTrace {
public:
  struct Place {
    std::int64_t process = 0;
    std::int64_t thread = 0;
  };

  ChromeTrace(const std::string& target, Nanoseconds origin);

  /// A new process; the order of making them is the order in which they are shown. Ids of processes
  /// and threads are never the same, whatever the recorder's were.
  std::int64_t add_process(std::string_view name);
  Place add_thread(std::int64_t process, std::string_view name);

  /// `args` are the members of a JSON object, without its braces; may be empty.
  void slice(Place place, std::string_view quoted_name, std::string_view quoted_category,
             Nanoseconds start, Nanoseconds duration, std::string_view args);
  void counter(std::int64_t process, std::string_view quoted_name, Nanoseconds time,
               std::string_view args);

  /// An arrow's beginning or end, on the slice that is there at that time.
  enum class End { start, finish };
  void arrow(End end, std::int64_t id, Place place, Nanoseconds time);

  std::uint64_t events() const { return events_; } ///< without names and arrows

  /// Ends the file and makes it appear; its bytes.
  std::uint64_t finish();

private:
  void open();
  void close();
  void append_time(const char* key, Nanoseconds time);
  void metadata(Place place, std::string_view kind, std::string_view args);

  ByteSink sink_;
  Nanoseconds origin_;
  std::string buffer_;
  std::int64_t last_id_ = 0;
  std::uint64_t events_ = 0;
  bool first_ = true;
};

} // namespace debrief::exports
