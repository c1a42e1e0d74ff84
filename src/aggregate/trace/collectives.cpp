#include "aggregate/trace/collectives.h"

#include "aggregate/trace/around.h"
#include "aggregate/trace/collective_names.h"

#include <algorithm>
#include <unordered_map>

namespace debrief::aggregate {

namespace {

class Finder {
public:
  explicit Finder(const TraceIndex& index)
      : index_(index)
      , trace_(index.trace) {}

  Collective of_range(std::int32_t range) {
    const job::Slice& slice = slice_at(index_, range);
    Collective found{slice.start, slice.end(), slice.start, false, {}, {}, {}, std::nullopt};
    describe_by(range, found);
    complete(found, index_.name(range));
    return found;
  }

  Collective of_kernel(std::int32_t kernel) {
    const job::Slice& slice = slice_at(index_, kernel);
    const std::int32_t launch = index_.launch[static_cast<std::size_t>(kernel)];
    const std::int32_t op = index_.op[static_cast<std::size_t>(kernel)];
    Collective found{slice.start, slice.end(), slice.start, true, {}, {}, {}, std::nullopt};
    if (slice.details >= 0)
      take(trace_.launches[static_cast<std::size_t>(slice.details)].collective, found);
    std::int32_t around = launch != TraceIndex::kNone ? launch : op;
    if (around != TraceIndex::kNone) found.issued = slice_at(index_, around).start;
    for (; around != TraceIndex::kNone; around = parent_of(index_, around))
      describe_by(around, found);
    complete(found, index_.name(kernel));
    return found;
  }

private:
  void take(std::int32_t collective, Collective& found) const {
    if (collective < 0) return;
    const job::CollectiveArgs& args = trace_.collectives[static_cast<std::size_t>(collective)];
    if (const auto name = collective_name(text(args.name)); name && found.name.empty())
      found.name = *name;
    if (found.group.empty()) found.group = text(args.group);
    if (found.bytes) return;
    const auto size = element_size(text(args.dtype));
    const std::int64_t elements = std::max(args.in_elements, args.out_elements);
    std::int64_t bytes = 0;
    if (size && elements >= 0 && !__builtin_mul_overflow(*size, elements, &bytes)) {
      found.bytes = bytes;
      found.dtype = text(args.dtype);
    }
  }

  /// What an operator or range around it adds.
  void describe_by(std::int32_t slice, Collective& found) {
    const job::Slice& around = slice_at(index_, slice);
    const bool range = around.kind == job::SliceKind::annotation;
    if (!range && around.kind != job::SliceKind::op) return;
    const job::InputArgs* inputs =
        around.details < 0 ? nullptr : &trace_.inputs[static_cast<std::size_t>(around.details)];
    if (inputs != nullptr) take(inputs->collective, found);
    if (!is_collective_annotation(index_.name(slice))) return;
    if (const auto name = collective_name(index_.name(slice)); name && found.name.empty())
      found.name = *name;
    if (!range || inputs == nullptr || found.bytes) return;
    const Sized& sized = size_of(around.details);
    found.bytes = sized.bytes;
    if (sized.bytes) found.dtype = sized.dtype;
  }

  static void complete(Collective& found, std::string_view recorded) {
    if (!found.name.empty()) return;
    const std::string_view whole = recorded.substr(0, recorded.find('('));
    found.name = collective_name(recorded).value_or(std::string{whole});
  }

  struct Sized {
    std::optional<std::int64_t> bytes;
    std::string dtype;
  };

  const Sized& size_of(std::int32_t inputs) {
    const auto [found, added] = sized_.try_emplace(inputs);
    if (added) {
      const job::InputArgs& args = trace_.inputs[static_cast<std::size_t>(inputs)];
      found->second.bytes = input_bytes(text(args.dims), text(args.types));
      found->second.dtype = first_type(text(args.types));
    }
    return found->second;
  }

  std::string_view text(job::StringTable::Id id) const {
    return id < 0 ? std::string_view{} : trace_.names[id];
  }

  const TraceIndex& index_;
  const job::Trace& trace_;
  std::unordered_map<std::int32_t, Sized> sized_; ///< by InputArgs: many calls are alike
};

} // namespace

std::vector<Collective> collectives_of(const TraceIndex& index, const Roles& roles) {
  std::vector<Collective> all;
  Finder finder{index};
  const auto& slices = index.trace.slices;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    if (roles.of(slices[i]) != Role::communication) continue;
    const auto slice = static_cast<std::int32_t>(i);
    all.push_back(slices[i].kind == job::SliceKind::kernel ? finder.of_kernel(slice)
                                                           : finder.of_range(slice));
  }
  return all;
}

} // namespace debrief::aggregate
