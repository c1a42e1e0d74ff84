// What GPU work is for: one category for each kernel, copy and set, by the operator that launched
// it and by its name. Figures, tables and formulas that speak of categories all ask here.
#pragma once

#include "aggregate/trace/index.h"
#include "result/performance.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace debrief::aggregate {

/// Nothing where the name does not tell. Operators of PyTorch are known by their whole names, those
/// of others by words in them: "flash_attn::_flash_attn_forward", "_C::rms_norm".
std::optional<result::WorkCategory> operator_category(std::string_view op);

/// The same of a kernel, whose name may be a function with its template arguments. Communication is
/// not told here: see Roles.
std::optional<result::WorkCategory> kernel_category(std::string_view kernel);

/// The operator decides, else the kernel's name; `other` where neither tells. `op` is empty where
/// there is none.
result::WorkCategory work_category(std::string_view kernel, std::string_view op, bool communicates);

/// Of the work of one trace; each name is looked at once.
class WorkCategories {
public:
  explicit WorkCategories(const TraceIndex& index)
      : index_(index)
      , by_kernel_(index.trace.names.size())
      , by_op_(index.trace.names.size()) {}

  /// `work` is a kernel, a copy or a set.
  result::WorkCategory of(std::size_t work);

private:
  struct Known {
    bool asked = false;
    std::optional<result::WorkCategory> category; ///< absent: the name does not tell
  };

  const TraceIndex& index_;
  std::vector<Known> by_kernel_; ///< by name
  std::vector<Known> by_op_;     ///< by name
};

/// Of a few slices of one trace, operators and GPU work; what else there is counts as `other`.
/// Takes room for the names that it is asked about only.
class SliceCategories {
public:
  explicit SliceCategories(const TraceIndex& index)
      : index_(index) {}

  result::WorkCategory of(std::int32_t slice);

private:
  const TraceIndex& index_;
  /// By the slice's name and that of the operator that launched it.
  std::unordered_map<std::uint64_t, result::WorkCategory> known_;
};

/// Time and number of pieces of work by category. Takes little room without work, as most of a
/// million operators are.
class CategorySums {
public:
  void add(result::WorkCategory category, Nanoseconds duration) {
    sums_.resize(result::kWorkCategories);
    Sum& sum = sums_[static_cast<std::size_t>(category)];
    sum.time += duration;
    ++sum.calls;
  }

  void add(const CategorySums& other);

  /// With the most time; nothing where there is no work.
  std::optional<result::WorkCategory> most() const;

  /// Those that occur, most time first.
  std::vector<result::CategoryShare> shares() const;

private:
  struct Sum {
    Nanoseconds time{};
    std::int64_t calls = 0;
  };

  std::vector<Sum> sums_; ///< by category; empty: no work
};

} // namespace debrief::aggregate
