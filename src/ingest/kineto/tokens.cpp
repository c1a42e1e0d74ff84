#include "ingest/kineto/tokens.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <new>

namespace debrief::ingest::kineto {

namespace {

/// How much deeper the walk is behind each token; a step out is one less, as unsigned numbers go.
constexpr auto kDepths = [] {
  std::array<std::size_t, 256> depths{};
  depths['{'] = depths['['] = 1;
  depths['}'] = depths[']'] = static_cast<std::size_t>(-1);
  return depths;
}();

} // namespace

bool TokenCursor::skip_value() {
  switch (peek()) {
  case '{':
  case '[':
    break;
  case '}':
  case ']':
  case ',':
  case ':':
    return false;
  default:
    return at++ < end;
  }
  std::size_t depth = 0;
  do {
    if (at >= end) return false;
    depth += kDepths[static_cast<unsigned char>(peek())];
    ++at;
  } while (depth > 0);
  return true;
}

TokenIndex::TokenIndex() = default;
TokenIndex::~TokenIndex() = default;

TokenIndex::Found TokenIndex::find(std::string_view text) {
  if (stage1_ == nullptr || text.size() > capacity_) {
    capacity_ = std::max(text.size(), 2 * capacity_);
    constexpr std::size_t kDepth = 1; // of what only the second stage looks at
    if (simdjson::get_active_implementation()->create_dom_parser_implementation(capacity_, kDepth,
                                                                                stage1_))
      throw std::bad_alloc();
  }
  text_ = text.data();
  switch (stage1_->stage1(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                          simdjson::stage1_mode::regular)) {
  case simdjson::SUCCESS:
    return Found::good;
  case simdjson::UTF8_ERROR:
    return Found::not_utf8;
  case simdjson::UNESCAPED_CHARS:
    return Found::control_character;
  default:
    return Found::broken;
  }
}

TokenCursor TokenIndex::cursor() const {
  const std::uint32_t* const first = stage1_->structural_indexes.get();
  return {text_, first, first + stage1_->n_structural_indexes};
}

} // namespace debrief::ingest::kineto
