#include "ingest/tensors/tensor_store.h"

#include "ingest/open_file.h"
#include "ingest/tensors/tensor_event.h"
#include "util/spare.h"

#include <algorithm>
#include <array>

namespace debrief::ingest::tensors {

namespace {

/// Records that are closer than this are read at once, with what is between them: a call costs as
/// much as some kilobytes.
constexpr std::uint64_t kMaxGap = std::uint64_t{16} * 1024;

/// What is read at once where records follow one another.
constexpr std::uint64_t kMaxRead = std::uint64_t{8} * 1024 * 1024;

/// Consecutive bytes of the file, with the records that lie in them (places in `order`).
struct Part {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::size_t first = 0;
  std::size_t last = 0; ///< past the last one
};

std::vector<Part> parts_of(std::span<const job::TensorSource::Wanted> wanted,
                           std::span<const std::size_t> order) {
  std::vector<Part> parts;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const job::TensorRecord& record = wanted[order[i]].record;
    const std::uint64_t end = record.offset + record.length;
    if (!parts.empty() && record.offset <= parts.back().end + kMaxGap &&
        end - parts.back().begin <= kMaxRead) {
      parts.back().end = std::max(parts.back().end, end);
      parts.back().last = i + 1;
    } else {
      parts.push_back({record.offset, end, i, i + 1});
    }
  }
  return parts;
}

} // namespace

void TensorStore::load(const job::TensorStep& step, std::span<const Wanted> wanted,
                       const Sink& sink, job::Troubles& lost) const {
  const std::string& path = files_[step.file];
  const auto lose = [&](std::string_view why, std::uint64_t times) {
    job::ReadingReport::count(lost, std::string{why}, path, times);
  };
  try {
    const FileParts file{root_, path, follow_links_};
    // Records of a file are apart: whoever wants more bytes than it has was given a made-up index.
    std::uint64_t left = file.size();
    std::vector<std::size_t> order;
    std::uint64_t beyond = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const job::TensorRecord& record = wanted[i].record;
      if (record.offset > file.size() || record.length > file.size() - record.offset ||
          record.length > left) {
        ++beyond;
        continue;
      }
      left -= record.length;
      order.push_back(i);
    }
    if (beyond > 0) lose("tensor beyond the end of its file: cut off", beyond);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return wanted[a].record.offset < wanted[b].record.offset;
    });
    auto& bytes = spare<std::vector<char>>(); // of all files: no allocation for each
    auto& data = spare<job::TensorData>();
    for (const Part& part : parts_of(wanted, order)) {
      bytes.resize(static_cast<std::size_t>(part.end - part.begin));
      if (!file.read(part.begin, bytes)) {
        lose("tensor beyond the end of its file: cut off", part.last - part.first);
        continue;
      }
      for (std::size_t i = part.first; i < part.last; ++i) {
        const Wanted& one = wanted[order[i]];
        const std::string_view frame{bytes.data() +
                                         static_cast<std::size_t>(one.record.offset - part.begin),
                                     one.record.length};
        const EventTrouble trouble = decode_tensor(frame, one.tensor, one.record.kind(), data);
        if (trouble == EventTrouble::none)
          sink(order[i], data);
        else
          lose(words_of(trouble), 1);
      }
    }
  } catch (const SourceError& error) {
    lose(std::string{"file of tensors that cannot be read ("} + error.what() + ")", 1);
  }
}

std::optional<TimeSpan> TensorStore::written(const job::TensorStep& step,
                                             std::span<const job::TensorRecord> records) const {
  const auto [first, last] =
      std::minmax_element(records.begin(), records.end(),
                          [](const auto& a, const auto& b) { return a.offset < b.offset; });
  if (first == records.end()) return std::nullopt;
  try {
    const FileParts file{root_, files_[step.file], follow_links_};
    std::array<char, kTimeBytes> head{};
    const auto time_at = [&](std::uint64_t offset) -> std::optional<Microseconds> {
      if (offset > file.size() || file.size() - offset < head.size() || !file.read(offset, head))
        return std::nullopt;
      return written_at({head.data(), head.size()});
    };
    const auto from = time_at(first->offset);
    const auto to = time_at(last->offset);
    if (!from || !to) return std::nullopt;
    return TimeSpan{std::min(*from, *to), std::max(*from, *to)};
  } catch (const SourceError&) {
    return std::nullopt; // counted where values are loaded
  }
}

} // namespace debrief::ingest::tensors
