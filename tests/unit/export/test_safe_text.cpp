#include "export/safe_text.h"

#include <catch2/catch_test_macros.hpp>

namespace test_safe_text {

using namespace debrief;

namespace {

std::shared_ptr<arrow::RecordBatch> batch_of(const std::vector<std::string>& texts) {
  arrow::StringBuilder builder;
  for (const std::string& text : texts)
    REQUIRE(builder.Append(text).ok());
  REQUIRE(builder.AppendNull().ok());
  const std::shared_ptr<arrow::Array> column = *builder.Finish();
  return arrow::RecordBatch::Make(arrow::schema({arrow::field("name", arrow::utf8())}),
                                  column->length(), {column});
}

std::vector<std::string> texts_of(const arrow::RecordBatch& batch) {
  std::vector<std::string> texts;
  for (std::int64_t row = 0; row < batch.num_rows(); ++row)
    texts.push_back((*batch.column(0)->GetScalar(row))->ToString());
  return texts;
}

} // namespace

TEST_CASE("what a spreadsheet takes for a formula is known by its first mark") {
  for (const char* text : {"=1+1", "+1", "-1", "@a", "\t=1", " =1", "\uFF1D1"})
    CHECK(exports::looks_like_formula(text));
  for (const char* text : {"", " ", "aten::conv2d", "a=1", "'=1", "1-1", "Zürich"})
    CHECK_FALSE(exports::looks_like_formula(text));
}

TEST_CASE("texts that are safe stay as they are, with their memory") {
  const auto batch = batch_of({"a", "=1"});
  CHECK(exports::with_safe_texts(batch, false) == batch);
  CHECK(exports::with_safe_texts(batch_of({"a"}), true)->num_rows() == 2);
}

TEST_CASE("formulas are guarded and bytes that are not UTF-8 are shown") {
  CHECK(texts_of(*exports::with_safe_texts(batch_of({"=1", "a"}), true)) ==
        std::vector<std::string>{"'=1", "a", "null"});
  CHECK(texts_of(*exports::with_safe_texts(batch_of({"a\xFF", "ü"}), false)) ==
        std::vector<std::string>{"a\\x{ff}", "ü", "null"});
}

TEST_CASE("CSV has no control characters and no marks that turn text around") {
  const std::vector<std::string> evil{"a\x1b[31mb", "a\u202eb", "a\u0085b", "a\nb", "ü", "=\x07"};
  CHECK(texts_of(*exports::with_safe_texts(batch_of(evil), true)) ==
        std::vector<std::string>{"a\\u{001b}[31mb", "a\\u{202e}b", "a\\u{0085}b", "a\\nb", "ü",
                                 "'=\\u{0007}", "null"});
  const auto batch = batch_of(evil);
  CHECK(exports::with_safe_texts(batch, false) == batch); // other formats keep what is valid
}

} // namespace test_safe_text
