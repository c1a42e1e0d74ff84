// Builds record batches row by row, column by column, and turns Arrow's statuses into exceptions:
// what fails here is memory or the disk, not data.
#pragma once

#include <arrow/api.h>

#include <memory>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

namespace debrief::exports {

inline void check(const arrow::Status& status) {
  if (status.IsOutOfMemory()) throw std::bad_alloc{};
  if (!status.ok()) throw std::runtime_error(status.ToString());
}

template <typename Value>
Value check(arrow::Result<Value> result) {
  check(result.status());
  return std::move(result).ValueUnsafe();
}

class BatchBuilder {
public:
  static constexpr std::int64_t kMaxRows = 65'536;

  explicit BatchBuilder(const std::shared_ptr<arrow::Schema>& schema)
      : builder_(check(arrow::RecordBatchBuilder::Make(schema, arrow::default_memory_pool()))) {}

  /// The builder of a column; the caller knows its type from the schema.
  template <typename Builder>
  Builder& column(int index) {
    return *builder_->GetFieldAs<Builder>(index);
  }

  std::shared_ptr<arrow::RecordBatch> flush() { return check(builder_->Flush()); }

private:
  std::unique_ptr<arrow::RecordBatchBuilder> builder_;
};

} // namespace debrief::exports
