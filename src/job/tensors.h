// Tensors that a training job saved (SageMaker Debugger's debug-output): which tensor of which step
// lies where, and the collections that they belong to. Values stay on disk until somebody asks for
// them: a job may have saved hundreds of gigabytes.
#pragma once

#include "job/reading_report.h"
#include "util/time.h"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace debrief::job {

/// What the job did in a step. `global`: the script never said.
enum class TensorMode : std::uint8_t { train, eval, predict, global };

/// "TRAIN", as files and rules' parameters have it.
std::string_view to_string(TensorMode mode);

/// Nothing where it is no mode.
std::optional<TensorMode> tensor_mode(std::string_view text);

/// What was saved of a tensor: all of it, or one number computed from it.
enum class Reduction : std::uint8_t {
  none, ///< the whole tensor
  min,
  max,
  mean,
  std,
  variance,
  sum,
  prod,
  l1,
  l2,
  abs_min,
  abs_max,
  abs_mean,
  abs_std,
  abs_variance,
  abs_sum,
  abs_prod,
  abs_l1,
  abs_l2,
};

inline constexpr std::size_t kReductions = 19; ///< `none` included

/// "abs_mean", as files and conditions have it; empty for `none`.
std::string_view to_string(Reduction reduction);

/// Nothing where it is no reduction.
std::optional<Reduction> reduction_of(std::string_view name);

/// All that reduction_of() knows.
std::span<const std::string_view> reduction_names();

/// A saved name as tensor and reduction: "smdebug/reductions/abs_mean/gradient/fc.bias" is
/// abs_mean of "gradient/fc.bias".
std::pair<std::string_view, Reduction> split_reduction(std::string_view name);

/// A group of tensors. One belongs to it by its name, or where a pattern (Python's re.search) finds
/// something in it.
struct TensorCollection {
  std::string name;                  ///< "gradients"
  std::vector<std::string> names;    ///< sorted; only what was known after the first saved step
  std::vector<std::string> patterns; ///< regular expressions, as the file has them
};

/// What one worker saved of one step. Its records are those from `first_record` on.
struct TensorStep {
  std::int64_t step = 0;      ///< counts the steps of all modes
  std::int64_t mode_step = 0; ///< counts those of its mode
  TensorMode mode = TensorMode::global;
  std::uint32_t worker = 0; ///< index into TensorTable::workers
  std::uint32_t file = 0;   ///< the source's number for the file that has the values
  std::size_t first_record = 0;
  std::size_t record_count = 0;
};

/// Where a tensor, or a reduction of it, lies in the step's file.
struct TensorRecord {
  std::uint64_t offset = 0;      ///< bytes
  std::uint32_t length = 0;      ///< bytes
  std::uint32_t tensor : 27 = 0; ///< index into TensorTable::names
  std::uint32_t reduction : 5 = 0;

  Reduction kind() const { return static_cast<Reduction>(reduction); }
};

inline constexpr std::size_t kMaxTensors = 100'000; ///< distinct names; fits TensorRecord::tensor

/// A tensor's values, read from disk.
struct TensorData {
  bool numeric = false;            ///< false: texts, or complex numbers
  std::vector<std::int64_t> shape; ///< empty for a single number without dimensions
  std::vector<double> values;      ///< row by row; empty unless numeric
  std::vector<std::string> texts;
  std::optional<Microseconds> time; ///< when it was written
};

/// Reads values. Safe to use from several threads.
class TensorSource {
public:
  TensorSource() = default;
  virtual ~TensorSource() = default;
  TensorSource(const TensorSource&) = delete;
  TensorSource& operator=(const TensorSource&) = delete;

  /// A record that is wanted, and the tensor whose name it must carry.
  struct Wanted {
    TensorRecord record;
    std::string_view tensor;
  };

  using Sink = std::function<void(std::size_t wanted, const TensorData& data)>;

  /// Hands each wanted record of a step's file to `sink`, in the order in which they lie there;
  /// `data` lasts for the call. What cannot be read is counted in `lost` and left out.
  virtual void load(const TensorStep& step, std::span<const Wanted> wanted, const Sink& sink,
                    Troubles& lost) const = 0;

  /// When the records that lie first and last in a step's file were written, without reading their
  /// values; nothing where that cannot be read.
  virtual std::optional<TimeSpan> written(const TensorStep& step,
                                          std::span<const TensorRecord> records) const = 0;
};

struct TensorTable {
  std::string folder;               ///< of debug-output, relative to the job's; may be empty
  std::vector<std::string> workers; ///< sorted: "worker_0"
  std::vector<std::string> names;   ///< sorted, without reductions' prefixes
  std::vector<TensorCollection> collections; ///< sorted by name
  std::vector<TensorStep> steps;             ///< by step, then worker
  std::vector<TensorRecord> records;         ///< of each step by tensor and reduction, none twice
  bool ended = false;                        ///< the job said that it ended
  std::shared_ptr<const TensorSource> source;

  bool empty() const { return steps.empty(); }

  std::span<const TensorRecord> records_of(const TensorStep& step) const {
    return std::span{records}.subspan(step.first_record, step.record_count);
  }
};

} // namespace debrief::job
