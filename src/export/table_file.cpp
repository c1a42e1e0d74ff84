#include "export/table_file.h"

#include "export/batch_builder.h"
#include "export/safe_text.h"
#include "util/error.h"
#include "util/pending_file.h"
#include "util/text.h"

#include <arrow/csv/api.h>
#include <arrow/io/file.h>
#include <arrow/ipc/writer.h>
#include <arrow/util/compression.h>
#include <fmt/format.h>
#include <parquet/arrow/writer.h>

namespace debrief::exports {

namespace {

/// Zstandard where this Arrow has it: half of Snappy's size at the same speed for such columns.
arrow::Compression::type best_compression() {
  for (const auto kind : {arrow::Compression::ZSTD, arrow::Compression::SNAPPY})
    if (arrow::util::Codec::IsAvailable(kind)) return kind;
  return arrow::Compression::UNCOMPRESSED;
}

/// A format's writer behind one pair of functions.
struct BatchWriter {
  std::function<arrow::Status(const arrow::RecordBatch&)> write;
  std::function<arrow::Status()> close;
};

BatchWriter make_parquet_writer(const std::shared_ptr<arrow::Schema>& schema,
                                const std::shared_ptr<arrow::io::OutputStream>& out) {
  const auto properties =
      parquet::WriterProperties::Builder().compression(best_compression())->build();
  // Keeps the schema as Arrow has it (time zones, nullability) for readers that know Arrow.
  const auto arrow_properties = parquet::ArrowWriterProperties::Builder().store_schema()->build();
  const std::shared_ptr<parquet::arrow::FileWriter> writer = check(parquet::arrow::FileWriter::Open(
      *schema, arrow::default_memory_pool(), out, properties, arrow_properties));
  return {[writer](const arrow::RecordBatch& batch) { return writer->WriteRecordBatch(batch); },
          [writer] { return writer->Close(); }};
}

BatchWriter wrap(const std::shared_ptr<arrow::ipc::RecordBatchWriter>& writer) {
  return {[writer](const arrow::RecordBatch& batch) { return writer->WriteRecordBatch(batch); },
          [writer] { return writer->Close(); }};
}

BatchWriter make_writer(TableFormat format, const std::shared_ptr<arrow::Schema>& schema,
                        const std::shared_ptr<arrow::io::OutputStream>& out) {
  switch (format) {
  case TableFormat::parquet:
    return make_parquet_writer(schema, out);
  case TableFormat::arrow_ipc:
    return wrap(check(arrow::ipc::MakeFileWriter(out, schema)));
  case TableFormat::csv:
    break;
  }
  return wrap(check(arrow::csv::MakeCSVWriter(out, schema)));
}

} // namespace

std::uint64_t write_table(const std::string& target, TableFormat format,
                          const std::shared_ptr<arrow::Schema>& schema,
                          const std::function<void(const BatchSink&)>& produce) {
  PendingFile file{target};
  std::uint64_t rows = 0;
  try {
    const auto out = check(arrow::io::FileOutputStream::Open(file.path()));
    const BatchWriter writer = make_writer(format, schema, out);
    produce([&](const std::shared_ptr<arrow::RecordBatch>& batch) {
      rows += static_cast<std::uint64_t>(batch->num_rows());
      check(writer.write(*with_safe_texts(batch, format == TableFormat::csv)));
    });
    check(writer.close());
    check(out->Close());
  } catch (const std::runtime_error& error) {
    throw Error(
        fmt::format("{}: cannot be written ({})", printable(target), printable(error.what())));
  }
  file.commit();
  return rows;
}

} // namespace debrief::exports
