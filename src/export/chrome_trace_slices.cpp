#include "aggregate/trace/figures.h"
#include "export/chrome_trace_file.h"
#include "export/lanes.h"
#include "export/slice_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

namespace debrief::exports {

namespace {

/// Members of an object; what was not recorded is left out.
class Members {
public:
  explicit Members(std::string& text)
      : text_(text) {}

  template <typename Value>
  void add(const char* key, const Value& value) {
    fmt::format_to(std::back_inserter(text_), "{}\"{}\":{}", text_.empty() ? "" : ",", key, value);
  }

  template <typename Number>
  void add_known(const char* key, Number number) {
    if (number >= 0 && std::isfinite(static_cast<double>(number))) add(key, number);
  }

  void add_name(const char* key, job::StringTable::Id id, QuotedNames& names) {
    if (id >= 0) add(key, names[id]);
  }

  void add_three(const char* key, const std::array<std::int32_t, 3>& numbers) {
    if (numbers[0] >= 0) add(key, fmt::format("[{},{},{}]", numbers[0], numbers[1], numbers[2]));
  }

private:
  std::string& text_;
};

void add_collective(const job::Trace& trace, std::int32_t place, QuotedNames& names,
                    Members& members) {
  if (place < 0) return;
  const job::CollectiveArgs& collective = trace.collectives[static_cast<std::size_t>(place)];
  members.add_name("Collective name", collective.name, names);
  members.add_name("dtype", collective.dtype, names);
  members.add_name("Process Group Name", collective.group, names);
  members.add_known("In msg nelems", collective.in_elements);
  members.add_known("Out msg nelems", collective.out_elements);
  members.add_known("Group size", collective.group_size);
}

void add_launch(const job::Trace& trace, const job::LaunchArgs& launch, QuotedNames& names,
                Members& members) {
  members.add_three("grid", launch.grid);
  members.add_three("block", launch.block);
  members.add_known("registers per thread", launch.registers);
  members.add_known("shared memory", launch.shared_memory);
  members.add_known("blocks per SM", launch.blocks_per_sm);
  members.add_known("warps per SM", launch.warps_per_sm);
  members.add_known("est. achieved occupancy %", launch.occupancy);
  add_collective(trace, launch.collective, names, members);
}

void add_inputs(const job::Trace& trace, const job::InputArgs& inputs, QuotedNames& names,
                Members& members) {
  members.add_name("Input Dims", inputs.dims, names);
  members.add_name("Input type", inputs.types, names);
  members.add_known("flops", inputs.flops);
  add_collective(trace, inputs.collective, names, members);
}

/// Appends what is worth knowing about a slice to `args`, as members of a JSON object, under the
/// recorder's own keys; `names` are those of the trace.
void append_slice_args(const aggregate::TraceIndex& index, std::size_t at, QuotedNames& names,
                       std::string& args) {
  const job::Trace& trace = index.trace;
  const job::Slice& slice = trace.slices[at];
  const job::TraceTrack& track = trace.tracks[static_cast<std::size_t>(slice.track)];
  Members members{args};
  members.add_known("External id", slice.external);
  members.add_known("correlation", slice.correlation);
  if (track.gpu) {
    members.add("device", track.process);
    members.add("stream", track.id);
  }
  if (const std::int32_t op = index.op[at]; op != aggregate::TraceIndex::kNone)
    members.add_name("op", trace.slices[static_cast<std::size_t>(op)].name, names);
  if (slice.details < 0) return;
  const auto details = static_cast<std::size_t>(slice.details);
  if (slice.kind == job::SliceKind::kernel) {
    add_launch(trace, trace.launches[details], names, members);
  } else if (slice.kind == job::SliceKind::memcpy || slice.kind == job::SliceKind::memset) {
    members.add_known("bytes", trace.copies[details].bytes);
    members.add_known("memory bandwidth (GB/s)", trace.copies[details].bandwidth);
  } else if (slice.kind != job::SliceKind::gpu_wait) {
    add_inputs(trace, trace.inputs[details], names, members);
  }
}

using Place = ChromeTrace::Place;

/// The processes and threads of all traces. Several profiling cycles of one process share theirs.
class TracePlaces {
public:
  explicit TracePlaces(ChromeTrace& out)
      : out_(out) {}

  std::int64_t host(const job::Trace& trace) {
    const auto [found, added] = hosts_.try_emplace(trace.process, 0);
    if (added) found->second = out_.add_process(words(trace));
    return found->second;
  }

  std::int64_t gpu(const job::Trace& trace, std::int64_t device) {
    const auto [found, added] = gpus_.try_emplace({trace.process, device}, 0);
    if (!added) return found->second;
    const auto properties =
        std::find_if(trace.gpus.begin(), trace.gpus.end(),
                     [&](const job::GpuProperties& gpu) { return gpu.id == device; });
    const bool named = properties != trace.gpus.end() && !properties->name.empty();
    return found->second = out_.add_process(fmt::format(
               "{} GPU {}{}", words(trace), device, named ? " (" + properties->name + ")" : ""));
  }

  Place thread(const job::Trace& trace, const job::TraceTrack& track, std::int32_t lane) {
    const std::tuple key{trace.process, track.gpu, track.process, track.id, lane};
    if (const auto found = threads_.find(key); found != threads_.end()) return found->second;
    const std::string name = track_name(track);
    const std::int64_t process = track.gpu ? gpu(trace, track.process) : host(trace);
    const Place place =
        out_.add_thread(process, lane == 0 ? name : fmt::format("{} ({})", name, lane + 1));
    return threads_[key] = place;
  }

private:
  static std::string words(const job::Trace& trace) {
    std::string name = trace.process;
    const std::string rank = trace.rank ? fmt::format("rank {}", *trace.rank) : "";
    if (!rank.empty() && rank != name) name += fmt::format(" ({})", rank);
    return trace.clock_known ? name : name + " (its clock is not known)";
  }

  ChromeTrace& out_;
  std::map<std::string, std::int64_t> hosts_;
  std::map<std::pair<std::string, std::int64_t>, std::int64_t> gpus_;
  std::map<std::tuple<std::string, bool, std::int64_t, std::int64_t, std::int32_t>, Place> threads_;
};

/// Writes one trace.
class TraceWriter {
public:
  TraceWriter(const aggregate::TraceIndex& index, Nanoseconds shift, const TimeRanges& ranges,
              TracePlaces& places, std::int64_t& last_arrow, ChromeTrace& out)
      : index_(index)
      , trace_(index.trace)
      , shift_(shift)
      , ranges_(ranges)
      , places_(places)
      , last_arrow_(last_arrow)
      , out_(out)
      , names_(index.trace.names) {}

  void write() {
    place_slices();
    find_arrows();
    // Threads before streams: an arrow binds to a slice that stands before it.
    for (const bool gpu : {false, true})
      for (std::size_t i = 0; i < trace_.slices.size(); ++i)
        if (lane_[i] != kLeftOut && track_of(i).gpu == gpu) write_slice(i);
    write_memory();
  }

private:
  static constexpr std::int32_t kLeftOut = -1;

  const job::TraceTrack& track_of(std::size_t i) const {
    return trace_.tracks[static_cast<std::size_t>(trace_.slices[i].track)];
  }

  bool overlaps(const job::Slice& slice) const {
    return ranges_.overlaps(slice.start + shift_, slice.end() + shift_);
  }

  void place_slices() {
    lane_.assign(trace_.slices.size(), kLeftOut);
    Lanes lanes;
    std::int32_t track = -1;
    for (std::size_t i = 0; i < trace_.slices.size(); ++i) { // by track, start, longest first
      const job::Slice& slice = trace_.slices[i];
      const std::int32_t launch = index_.launch[i];
      const bool launched_within = launch != aggregate::TraceIndex::kNone &&
                                   overlaps(trace_.slices[static_cast<std::size_t>(launch)]);
      if (!launched_within && !overlaps(slice)) continue;
      if (std::exchange(track, slice.track) != slice.track) lanes = Lanes{};
      lane_[i] = lanes.place(slice.start, slice.end());
    }
  }

  void find_arrows() {
    for (std::size_t i = 0; i < trace_.slices.size(); ++i)
      if (const std::int32_t launch = index_.launch[i];
          launch != aggregate::TraceIndex::kNone && lane_[i] != kLeftOut &&
          lane_[static_cast<std::size_t>(launch)] != kLeftOut)
        arrows_.emplace_back(launch, static_cast<std::int32_t>(i));
    std::sort(arrows_.begin(), arrows_.end());
    ends_.assign(trace_.slices.size(), 0);
    for (std::size_t i = 0; i < arrows_.size(); ++i)
      ends_[static_cast<std::size_t>(arrows_[i].second)] =
          last_arrow_ + 1 + static_cast<std::int64_t>(i);
  }

  void write_slice(std::size_t i) {
    const job::Slice& slice = trace_.slices[i];
    const Place place = place_of(slice.track, lane_[i]);
    args_.clear();
    append_slice_args(index_, i, names_, args_);
    const Nanoseconds start = slice.start + shift_;
    out_.slice(place, names_[slice.name], quoted_category(slice.kind), start, slice.duration,
               args_);
    for (; next_arrow_ < arrows_.size() && std::cmp_equal(arrows_[next_arrow_].first, i);
         ++next_arrow_)
      out_.arrow(ChromeTrace::End::start, ++last_arrow_, place, start);
    if (ends_[i] != 0) out_.arrow(ChromeTrace::End::finish, ends_[i], place, start);
  }

  /// Slices come track by track, so that the last place is mostly the next.
  Place place_of(std::int32_t track, std::int32_t lane) {
    if (track != last_track_ || lane != last_lane_) {
      last_place_ = places_.thread(trace_, trace_.tracks[static_cast<std::size_t>(track)], lane);
      last_track_ = track;
      last_lane_ = lane;
    }
    return last_place_;
  }

  void write_memory() {
    std::map<std::pair<bool, std::int16_t>, std::vector<const job::MemoryEvent*>> devices;
    for (const job::MemoryEvent& event : trace_.memory)
      devices[{event.gpu, event.gpu ? event.device : std::int16_t{-1}}].push_back(&event);
    for (const auto& [device, events] : devices) {
      const auto [gpu, number] = device;
      const std::string name = json_text(gpu ? fmt::format("GPU {} memory", number) : "CPU memory");
      // Recorded totals mean nothing on the CPU, which has no one allocator.
      for (const aggregate::MemoryLevel& level :
           gpu ? aggregate::recorded_levels(events) : aggregate::summed_levels(events)) {
        const Nanoseconds time = level.time + shift_;
        if (!ranges_.overlaps(time, time)) continue;
        args_.clear();
        fmt::format_to(std::back_inserter(args_), "\"allocated\":{}", level.allocated);
        if (gpu) fmt::format_to(std::back_inserter(args_), ",\"reserved\":{}", level.reserved);
        out_.counter(places_.host(trace_), name, time, args_);
      }
    }
  }

  const aggregate::TraceIndex& index_;
  const job::Trace& trace_;
  Nanoseconds shift_;
  const TimeRanges& ranges_;
  TracePlaces& places_;
  std::int64_t& last_arrow_;
  ChromeTrace& out_;
  QuotedNames names_;
  std::vector<std::int32_t> lane_;
  std::vector<std::pair<std::int32_t, std::int32_t>> arrows_; ///< launch, what it started
  std::vector<std::int64_t> ends_; ///< the arrow that ends on a slice; 0: none
  std::size_t next_arrow_ = 0;
  std::int32_t last_track_ = -1;
  std::int32_t last_lane_ = -1;
  Place last_place_;
  std::string args_;
};

} // namespace

void write_traces(const std::vector<aggregate::TraceIndex>& traces, const JobClock& clock,
                  const TimeRanges& ranges, ChromeTrace& out) {
  TracePlaces places{out};
  std::int64_t last_arrow = 0;
  for (const aggregate::TraceIndex& index : traces)
    TraceWriter{index, clock.shift(index.trace), ranges, places, last_arrow, out}.write();
}

} // namespace debrief::exports
