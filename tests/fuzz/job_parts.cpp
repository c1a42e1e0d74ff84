#include "job_parts.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <random>

namespace debrief::fuzz {

namespace {

constexpr char kBorder = '\x1E';

constexpr std::array<std::string_view, 26> kNumbers = {"0",
                                                       "1",
                                                       "-1",
                                                       "2",
                                                       "0.5",
                                                       "99.9",
                                                       "100",
                                                       "100.0001",
                                                       "110",
                                                       "255",
                                                       "65535",
                                                       "1e6",
                                                       "1e15",
                                                       "1e18",
                                                       "1e308",
                                                       "-1e308",
                                                       "4.9e-324",
                                                       "4294967295",
                                                       "1e999",
                                                       "null",
                                                       "true",
                                                       "\"7\"",
                                                       "[]",
                                                       "9007199254740993",
                                                       "9223372036854775807",
                                                       "-9223372036854775808"};

constexpr std::array<std::string_view, 10> kNames = {
    "",     "algo-1",  "gpu0",  "TRAIN",    "</script>",
    "=1+1", "\\u202e", "@a #1", "[memory]", "ProfilerStep#1"};

/// Where something stands in a text.
struct Range {
  std::size_t begin = 0;
  std::size_t size = 0;
};

class Mutator {
public:
  Mutator(std::vector<JobPart> parts, unsigned seed, MutateBytes mutate_bytes)
      : parts_(std::move(parts))
      , random_(seed)
      , mutate_bytes_(mutate_bytes) {}

  std::string mutate() {
    if (parts_.empty()) parts_.push_back({1, "{}\n"});
    // Some changes only matter together: a shape that is new needs more than one.
    for (std::size_t changes = 1 + below(4); changes > 0; --changes)
      change();
    return joined(parts_);
  }

private:
  std::size_t below(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>{0, count - 1}(random_);
  }

  JobPart& any_part() { return parts_[below(parts_.size())]; }

  void change() {
    switch (below(10)) {
    case 0:
      return change_bytes(any_part().text);
    case 1:
      return change_files();
    case 2:
    case 3:
      return change_records(any_part().text);
    case 4:
      return take_record(any_part().text, any_part().text);
    case 5:
    case 6:
      return change_number(any_part().text);
    case 7:
      return change_name(any_part().text);
    case 8:
      return set_clock(any_part().text);
    default:
      return change_bracket(any_part().text);
    }
  }

  void change_bytes(std::string& text) {
    const std::size_t size = text.size();
    text.resize(size + 64);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): libFuzzer's bytes are unsigned
    text.resize(mutate_bytes_(reinterpret_cast<unsigned char*>(text.data()), size, text.size()));
  }

  void change_files() {
    switch (below(4)) {
    case 0:
      if (parts_.size() > 1)
        parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(below(parts_.size())));
      return;
    case 1: {
      JobPart copy = any_part();
      copy.kind = static_cast<unsigned char>(below(256));
      parts_.push_back(std::move(copy));
      return;
    }
    case 2:
      std::swap(any_part().text, any_part().text);
      return;
    default: {
      std::string& text = any_part().text;
      if (!text.empty()) text.resize(below(text.size())); // cut off
    }
    }
  }

  /// Metrics have a record per line, timelines and traces most often too.
  Range any_record(const std::string& text) {
    if (text.empty()) return {};
    const std::size_t at = below(text.size());
    const std::size_t before = at == 0 ? text.npos : text.rfind('\n', at - 1);
    const std::size_t begin = before == text.npos ? 0 : before + 1;
    const std::size_t end = text.find('\n', at);
    return {begin, (end == text.npos ? text.size() : end + 1) - begin};
  }

  void change_records(std::string& text) {
    const Range record = any_record(text);
    if (record.size == 0) return;
    const std::string copy = text.substr(record.begin, record.size);
    switch (below(3)) {
    case 0:
      text.erase(record.begin, record.size);
      return;
    case 1:
      for (std::size_t times = std::size_t{1} << below(6); times > 0; --times)
        text.insert(record.begin, copy);
      return;
    default: {
      text.erase(record.begin, record.size);
      text.insert(any_record(text).begin, copy);
    }
    }
  }

  void take_record(const std::string& from, std::string& into) {
    const Range record = any_record(from);
    const std::string copy = from.substr(record.begin, record.size);
    into.insert(any_record(into).begin, copy);
  }

  /// Numbers outside of texts and within: ids are often written as texts.
  Range any_number(const std::string& text) {
    if (text.empty()) return {};
    const auto digit = [&](std::size_t at) {
      return std::isdigit(static_cast<unsigned char>(text[at])) != 0;
    };
    std::size_t at = below(text.size());
    while (at < text.size() && !digit(at))
      ++at;
    if (at == text.size()) return {};
    std::size_t begin = at;
    while (begin > 0 && (digit(begin - 1) || text[begin - 1] == '.' || text[begin - 1] == '-'))
      --begin;
    std::size_t end = at;
    while (end < text.size() && (digit(end) || text[end] == '.' || text[end] == 'e'))
      ++end;
    return {begin, end - begin};
  }

  void change_number(std::string& text) {
    const Range number = any_number(text);
    if (number.size == 0) return;
    const std::string old = text.substr(number.begin, number.size);
    std::string now{kNumbers[below(kNumbers.size())]};
    switch (below(4)) {
    case 0: // near what it was
      now = old;
      now.back() = static_cast<char>('0' + below(10));
      break;
    case 1: // far from it
      now = old + std::string(1 + below(12), '0');
      break;
    case 2: { // another's
      const std::string& other = any_part().text;
      const Range found = any_number(other);
      if (found.size > 0) now = other.substr(found.begin, found.size);
      break;
    }
    default:
      break;
    }
    text.replace(number.begin, number.size, now);
  }

  Range any_name(const std::string& text) {
    if (text.empty()) return {};
    const std::size_t open = text.find('"', below(text.size()));
    const std::size_t close = open == text.npos ? open : text.find('"', open + 1);
    return close == text.npos ? Range{} : Range{open + 1, close - open - 1};
  }

  void change_name(std::string& text) {
    const Range name = any_name(text);
    if (name.begin == 0) return;
    std::string now{kNames[below(kNames.size())]};
    if (below(2) == 0) {
      const std::string& other = any_part().text;
      const Range found = any_name(other);
      now = other.substr(found.begin, found.size);
    }
    text.replace(name.begin, name.size, now);
  }

  /// All times of a file by the same digits, so that they stay in their order.
  void set_clock(std::string& text) {
    constexpr std::array<std::string_view, 4> kKeys = {"\"Timestamp\"", "\"ts\"", "\"dur\"",
                                                       "\"start_time_since_epoch_in_micros\""};
    const std::string_view key = kKeys[below(kKeys.size())];
    const std::string more(below(4), '0');
    const auto digit = static_cast<char>('1' + below(9));
    for (std::size_t at = text.find(key); at != text.npos; at = text.find(key, at + key.size())) {
      std::size_t begin = at + key.size();
      while (begin < text.size() && std::isdigit(static_cast<unsigned char>(text[begin])) == 0 &&
             text[begin] != '\n')
        ++begin;
      if (begin == text.size() || text[begin] == '\n') continue;
      text[begin] = digit;
      text.insert(begin + 1, more);
    }
  }

  void change_bracket(std::string& text) {
    constexpr std::string_view kBrackets = "[]{},:\"\\";
    if (text.empty()) return;
    const std::size_t at = text.find_first_of(kBrackets, below(text.size()));
    const char bracket = kBrackets[below(kBrackets.size())];
    if (at == text.npos)
      text.push_back(bracket);
    else if (below(2) == 0)
      text.erase(at, 1);
    else
      text.insert(at, std::size_t{1} << below(8), bracket);
  }

  std::vector<JobPart> parts_;
  std::minstd_rand random_;
  MutateBytes mutate_bytes_;
};

} // namespace

std::vector<JobPart> parts_of(std::string_view input) {
  std::vector<JobPart> parts;
  for (std::size_t at = input.find(kBorder); at < input.size() && at + 1 < input.size();) {
    const std::size_t next = std::min(input.find(kBorder, at + 2), input.size());
    parts.push_back({static_cast<unsigned char>(input[at + 1]),
                     std::string{input.substr(at + 2, next - at - 2)}});
    at = next;
  }
  return parts;
}

std::string joined(const std::vector<JobPart>& parts) {
  std::string out;
  for (const JobPart& part : parts) {
    out += kBorder;
    out += static_cast<char>(part.kind);
    for (const char byte : part.text)
      if (byte != kBorder) out += byte;
  }
  return out;
}

std::string mutated_job(std::string_view input, std::size_t most, unsigned seed,
                        MutateBytes mutate_bytes) {
  std::string job = Mutator{parts_of(input), seed, mutate_bytes}.mutate();
  if (job.size() > most) job.resize(most);
  return job;
}

} // namespace debrief::fuzz
