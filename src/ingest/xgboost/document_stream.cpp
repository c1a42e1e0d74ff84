#include "ingest/xgboost/document_stream.h"

namespace debrief::ingest::xgboost {

namespace {

/// Names and numbers are short; a longer run of bytes is no model.
constexpr std::uint64_t kMostOfAValue = std::uint64_t{16} * 1024 * 1024;

} // namespace

DocumentStream::DocumentStream(BlockReader& bytes, bool text)
    : bytes_(bytes)
    , is_text_(text)
    , view_(bytes.view()) {
  if (text && view_.starts_with("\xEF\xBB\xBF")) at_ = 3;
  replace_bare_words();
}

bool DocumentStream::has_bytes() {
  if (at_ < view_.size()) return true;
  bytes_.consume(view_.size());
  at_ = 0;
  bytes_.more();
  view_ = bytes_.view();
  return !view_.empty();
}

bool DocumentStream::at_end() {
  if (since_value_ > kMostOfAValue) return true;
  return instead_.empty() && !has_bytes();
}

bool DocumentStream::ends_in_number() const {
  return since_value_ == 0 &&
         std::string_view{"0123456789.eE+-"}.find(last_) != std::string_view::npos;
}

void DocumentStream::take() {
  const char c = view_[at_++];
  last_ = c;
  ++taken_;
  ++since_value_;
  if (!is_text_) return;
  if (in_string_) {
    if (escaped_)
      escaped_ = false;
    else if (c == '\\')
      escaped_ = true;
    else if (c == '"')
      in_string_ = false;
  } else if (c == '"') {
    in_string_ = true;
  }
}

void DocumentStream::advance() {
  if (!instead_.empty()) {
    instead_.remove_prefix(1);
    if (!instead_.empty()) return;
  } else {
    take();
  }
  replace_bare_words();
}

/// "NaN", "Infinity" and "-Infinity" outside of texts become "null"; XGBoost and Python write them.
void DocumentStream::replace_bare_words() {
  if (!is_text_ || in_string_ || !has_bytes()) return;
  const bool minus = view_[at_] == '-';
  if (minus) take();
  if (!has_bytes()) return;
  if (view_[at_] != 'N' && view_[at_] != 'I') {
    if (minus) instead_ = "-";
    return;
  }
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  while (since_value_ <= kMostOfAValue && has_bytes() && is_letter(view_[at_]))
    take();
  instead_ = "null";
}

} // namespace debrief::ingest::xgboost
