#include "ingest/stacks_reader.h"

#include "ingest/trackers/text_lines.h"
#include "util/text.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace debrief::ingest {

namespace {

using job::ReadingReport;

constexpr std::string_view kFirstStackLine = "debrief stacks 1";
constexpr std::size_t kLongestStackName = 400; // bytes
/// A run is written after a minute at the latest; a process that was stopped is late.
constexpr Microseconds kLongestRun = 24 * kHour;

/// The words of a line, one after the other.
class StackWords {
public:
  explicit StackWords(std::string_view line)
      : rest_(line) {}

  std::string_view word() {
    const std::size_t end = std::min(rest_.find(' '), rest_.size());
    const std::string_view out = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return out;
  }

  /// Nothing where the next word is no whole number of at least `least`.
  std::optional<std::int64_t> number(std::int64_t least = 0) {
    const std::string_view text = word();
    std::int64_t value = 0;
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, value);
    if (error != std::errc{} || end != last || text.empty() || value < least) return std::nullopt;
    return value;
  }

  std::string_view rest() const { return rest_; }

private:
  std::string_view rest_;
};

std::string stack_name(std::string_view text) {
  return cut_off(std::string{text}, kLongestStackName);
}

class StacksFile {
public:
  StacksFile() { out_.processes.emplace_back(); }

  /// Whether the line says what a line may.
  bool take(std::string_view line) {
    if (!line.empty() && is_digit(line.front())) return take_run(StackWords{line});
    if (line == kFirstStackLine) return true; // of each process that was left out
    StackWords words{line};
    const std::string_view kind = words.word();
    if (kind == "stack") return take_stack(words);
    if (kind == "frame") return take_frame(words);
    if (kind == "thread") return take_thread(words);
    if (kind == "left") return take_left_out(words);
    if (kind == "full") return process().full = true;
    if (kind == "host") return take_host(words.rest());
    if (kind == "kind") {
      process().loader_worker = words.rest() == "loader_worker";
      return true;
    }
    if (kind == "cost") return take_cost(words);
    if (kind == "process") return take_fact(words, process().process);
    if (kind == "parent") return take_fact(words, process().parent);
    if (kind == "rank") return take_fact(words, process().rank);
    if (kind == "interval") return take_fact(words, process().interval);
    return false;
  }

  /// Without what names no process: a file of those that were left out.
  job::PythonStacks finish() && {
    if (!process().process && out_.size() == 0) {
      out_.processes.clear();
      out_.threads.clear();
    }
    return std::move(out_);
  }

  std::size_t runs() const { return out_.size(); }

private:
  /// From a file's numbers to places in a table.
  using Places = std::map<std::int64_t, std::int32_t>;

  job::SampledProcess& process() { return out_.processes.front(); }

  static std::optional<std::int32_t> find(const Places& places, std::int64_t number) {
    const auto found = places.find(number);
    return found == places.end() ? std::nullopt : std::optional{found->second};
  }

  static bool take_fact(StackWords& words, std::optional<std::int64_t>& into) {
    const auto number = words.number();
    if (number) into = number;
    return number.has_value();
  }

  bool take_host(std::string_view text) {
    process().node = stack_name(text);
    return !text.empty();
  }

  bool take_cost(StackWords& words) {
    const auto cpu = words.number();
    const auto over = words.number();
    if (!cpu || !over) return false;
    process().cpu = cpu;
    process().sampled = over;
    return true;
  }

  bool take_left_out(StackWords& words) {
    constexpr std::int64_t kMost = 1'000'000'000'000; // so that sums fit
    const std::string_view kind = words.word();
    const auto count = words.number();
    if (!count || *count > kMost) return false;
    if (kind == "processes")
      out_.processes_left_out = std::min(out_.processes_left_out + *count, kMost);
    else if (kind == "threads")
      process().threads_left_out = *count;
    else if (kind == "frames")
      process().frames_left_out = *count;
    else if (kind == "stacks")
      process().stacks_left_out = *count;
    else
      return false;
    return true;
  }

  bool take_frame(StackWords& words) {
    const auto number = words.number();
    const std::string_view origin = words.word();
    // "function (file:line)": the file may have any of these characters, a function has none.
    const std::string_view text = words.rest();
    const std::size_t open = text.find(" (");
    const std::size_t colon = text.rfind(':');
    if (!number || !text.ends_with(')') || open == text.npos || colon == text.npos || colon < open)
      return false;
    StackWords line{text.substr(colon + 1, text.size() - colon - 2)};
    const auto line_number = line.number();
    if (!line_number) return false;
    job::StackFrame frame;
    if (origin == "package")
      frame.origin = job::CodeOrigin::package;
    else if (origin == "python")
      frame.origin = job::CodeOrigin::python;
    else if (origin != "own")
      return false;
    const auto place = static_cast<std::int32_t>(out_.frames.size());
    if (!frames_.emplace(*number, place).second) return false;
    frame.function = out_.texts.intern(stack_name(text.substr(0, open)));
    frame.file = out_.texts.intern(stack_name(text.substr(open + 2, colon - open - 2)));
    frame.line = *line_number;
    out_.frames.push_back(frame);
    return true;
  }

  bool take_stack(StackWords& words) {
    const auto number = words.number();
    const auto caller_number = words.number(-1);
    const auto frame_number = words.number();
    if (!number || !caller_number || !frame_number) return false;
    const auto frame = find(frames_, *frame_number);
    job::CallStack stack;
    std::int32_t depth = 1;
    if (*caller_number >= 0) {
      const auto caller = find(stacks_, *caller_number);
      if (!caller) return false;
      stack.caller = *caller;
      depth = depths_[static_cast<std::size_t>(*caller)] + 1;
    }
    if (!frame || depth > job::kMostStackFrames) return false;
    stack.frame = *frame;
    if (!stacks_.emplace(*number, static_cast<std::int32_t>(out_.stacks.size())).second)
      return false;
    out_.stacks.push_back(stack);
    depths_.push_back(depth);
    return true;
  }

  bool take_thread(StackWords& words) {
    const auto number = words.number();
    if (!number || words.rest().empty()) return false;
    if (!threads_.emplace(*number, static_cast<std::int32_t>(out_.threads.size())).second)
      return false;
    out_.threads.push_back({0, stack_name(words.rest()), words.rest() == "main"});
    return true;
  }

  bool take_run(StackWords words) {
    const auto start = words.number();
    const auto duration = words.number(1);
    const auto thread_number = words.number();
    const auto stack_number = words.number(-1);
    const bool has_wait = !words.rest().empty();
    const auto waited = has_wait ? words.number() : std::optional<std::int64_t>{0};
    if (!start || !duration || !thread_number || !stack_number || !waited) return false;
    const auto thread = find(threads_, *thread_number);
    const auto stack = *stack_number < 0 ? std::optional{-1} : find(stacks_, *stack_number);
    if (!thread || !stack || !is_plausible(*start) || *duration > kLongestRun) return false;
    out_.start.push_back(*start);
    out_.duration.push_back(*duration);
    out_.waited.push_back(std::min(*waited, *duration));
    out_.thread.push_back(*thread);
    out_.stack.push_back(*stack);
    return true;
  }

  job::PythonStacks out_;
  Places frames_;
  Places stacks_;
  Places threads_;
  std::vector<std::int32_t> depths_; ///< of `stacks`
};

} // namespace

bool StacksReader::recognizes(const InputFile& file) const {
  const std::string_view head = file.head();
  return head.starts_with(kFirstStackLine) &&
         (head.size() == kFirstStackLine.size() || head[kFirstStackLine.size()] == '\n');
}

void StacksReader::read(InputFile& file, FileReading& reading, job::SourceCounts& counts) const {
  trackers::TextLines lines{file.bytes};
  StacksFile stacks;
  while (const auto line = lines.next()) {
    ++counts.records;
    if (!lines.ended())
      ReadingReport::count(reading.report.skipped, "last line is cut off",
                           job::at_line(file.path, lines.number()));
    else if (!stacks.take(*line))
      ReadingReport::count(reading.report.skipped, "line of Python stacks says nothing",
                           job::at_line(file.path, lines.number()));
  }
  if (lines.too_long())
    ReadingReport::count(reading.report.damaged_files, "has a line of more than 1 MB",
                         std::string{file.path});
  counts.samples += stacks.runs();
  reading.python_stacks = std::move(stacks).finish();
}

} // namespace debrief::ingest
