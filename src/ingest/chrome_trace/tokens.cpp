#include "ingest/chrome_trace/tokens.h"

#include "ingest/block_reader.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <bit>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace debrief::ingest::chrome_trace {

namespace {

/// How much deeper the walk is behind each token; a step out is one less, as unsigned numbers go.
constexpr auto kDepths = [] {
  std::array<std::size_t, 256> depths{};
  depths['{'] = depths['['] = 1;
  depths['}'] = depths[']'] = static_cast<std::size_t>(-1);
  return depths;
}();

constexpr std::size_t kStep = 64; // bytes that are looked at at once: one bit of a word each
static_assert(BlockReader::kPadding >= kStep);

/// A bit for each byte of a step, the first in the lowest bit.
struct ByteKinds {
  std::uint64_t quote = 0;
  std::uint64_t backslash = 0;
  std::uint64_t punctuation = 0; ///< { } [ ] : ,
  std::uint64_t space = 0;
  std::uint64_t control = 0; ///< below 0x20
  std::uint64_t high = 0;    ///< from 0x80 on
};

/// What one step hands on to the next.
class TokenFinder {
public:
  explicit TokenFinder(std::uint32_t* places)
      : first_(places)
      , next_(places) {}

  /// Takes the step that starts at the text's `base`th byte.
  [[gnu::always_inline]] inline void take(const ByteKinds& kinds, std::uint32_t base) {
    const std::uint64_t quote = kinds.quote & ~escaped(kinds.backslash);
    const std::uint64_t in_text = parity(quote) ^ text_goes_on_; // from its first quote on
    text_goes_on_ = (in_text >> 63U) != 0 ? ~std::uint64_t{0} : 0;
    controls_ |= kinds.control & in_text;
    high_ |= kinds.high;

    const std::uint64_t other = ~(kinds.punctuation | kinds.space); // texts, numbers, words
    const std::uint64_t word = other & ~quote;
    const std::uint64_t after_word = word << 1U | word_goes_on_;
    word_goes_on_ = word >> 63U;
    const std::uint64_t behind_quote = in_text ^ quote; // a text but for its first quote
    add((kinds.punctuation | (other & ~after_word)) & ~behind_quote, base);
  }

  void finish(TokenScan& scan) const {
    scan.count = static_cast<std::size_t>(next_ - first_);
    scan.open_text = text_goes_on_ != 0;
    scan.control_in_text = controls_ != 0;
    scan.only_ascii = high_ == 0;
  }

private:
  /// The bytes behind an odd number of backslashes.
  [[gnu::always_inline]] inline std::uint64_t escaped(std::uint64_t backslash) {
    if (backslash == 0) {
      const std::uint64_t first = escape_goes_on_;
      escape_goes_on_ = 0;
      return first;
    }
    constexpr std::uint64_t kEven = 0x5555555555555555;
    backslash &= ~escape_goes_on_;
    const std::uint64_t behind = backslash << 1U | escape_goes_on_;
    // Adding a run's first bit to the run carries behind its end: at an odd distance from an odd
    // start for runs of even length.
    const std::uint64_t odd_starts = backslash & ~kEven & ~behind;
    std::uint64_t sum = 0;
    escape_goes_on_ = __builtin_add_overflow(odd_starts, backslash, &sum) ? 1 : 0;
    return (kEven ^ sum << 1U) & behind;
  }

  /// Each bit is the sum of all up to it, modulo two.
  [[gnu::always_inline]] static std::uint64_t parity(std::uint64_t bits) {
    for (const unsigned shift : {1U, 2U, 4U, 8U, 16U, 32U})
      bits ^= bits << shift;
    return bits;
  }

  /// Writes eight at a time, of which those beyond the last are written over later: their number is
  /// not to be foretold, so a branch for each would cost more.
  [[gnu::always_inline]] inline void add(std::uint64_t bits, std::uint32_t base) {
    const auto write_eight = [&](std::uint32_t* into) {
#pragma GCC unroll 8
      for (int i = 0; i < 8; ++i) {
        into[i] = base + static_cast<std::uint32_t>(std::countr_zero(bits));
        bits &= bits - 1;
      }
    };
    std::uint32_t* const into = next_;
    next_ += std::popcount(bits);
    write_eight(into);
    for (std::size_t written = 8; bits != 0; written += 8)
      write_eight(into + written);
  }

  std::uint32_t* first_;
  std::uint32_t* next_;
  std::uint64_t escape_goes_on_ = 0; ///< 1: the next byte is escaped
  std::uint64_t text_goes_on_ = 0;   ///< all bits: inside of a text
  std::uint64_t word_goes_on_ = 0;   ///< 1: inside of a number or word
  std::uint64_t controls_ = 0;
  std::uint64_t high_ = 0;
};

/// The last step's bytes behind the text are taken as space.
[[gnu::always_inline]] inline ByteKinds up_to(std::size_t size, ByteKinds kinds) {
  const std::uint64_t within = (std::uint64_t{1} << size) - 1;
  kinds.quote &= within;
  kinds.backslash &= within;
  kinds.punctuation &= within;
  kinds.space |= ~within;
  kinds.control &= within;
  kinds.high &= within;
  return kinds;
}

/// A bit each, in the order that kinds_plainly() takes them in.
constexpr std::uint8_t kQuote = 1;
constexpr std::uint8_t kBackslash = 2;
constexpr std::uint8_t kPunctuation = 4;
constexpr std::uint8_t kSpace = 8;
constexpr std::uint8_t kControl = 16;
constexpr std::uint8_t kHigh = 32;

constexpr auto kKinds = [] {
  std::array<std::uint8_t, 256> kinds{};
  for (std::size_t byte = 0; byte < 0x20; ++byte)
    kinds[byte] = kControl;
  for (std::size_t byte = 0x80; byte < 256; ++byte)
    kinds[byte] = kHigh;
  kinds['"'] = kQuote;
  kinds['\\'] = kBackslash;
  for (const char c : {'{', '}', '[', ']', ':', ','})
    kinds[static_cast<unsigned char>(c)] = kPunctuation;
  for (const char c : {' ', '\t', '\n', '\r'})
    kinds[static_cast<unsigned char>(c)] |= kSpace;
  return kinds;
}();

ByteKinds kinds_plainly(const char* bytes) {
  ByteKinds kinds;
  for (std::size_t i = 0; i < kStep; ++i) {
    const std::uint64_t kind = kKinds[static_cast<unsigned char>(bytes[i])];
    kinds.quote |= (kind & 1U) << i;
    kinds.backslash |= (kind >> 1U & 1U) << i;
    kinds.punctuation |= (kind >> 2U & 1U) << i;
    kinds.space |= (kind >> 3U & 1U) << i;
    kinds.control |= (kind >> 4U & 1U) << i;
    kinds.high |= (kind >> 5U & 1U) << i;
  }
  return kinds;
}

// The loop is written out for each set of instructions: a function can be inlined only into one
// that has its instructions.
#define DEBRIEF_SCAN_WITH(kinds_of)                                                                \
  TokenFinder finder{scan.places};                                                                 \
  const char* const text = scan.text.data();                                                       \
  const std::size_t size = scan.text.size();                                                       \
  std::size_t at = 0;                                                                              \
  for (; at + kStep <= size; at += kStep)                                                          \
    finder.take(kinds_of(text + at), static_cast<std::uint32_t>(at));                              \
  if (at < size)                                                                                   \
    finder.take(up_to(size - at, kinds_of(text + at)), static_cast<std::uint32_t>(at));            \
  finder.finish(scan)

void scan_plainly(TokenScan& scan) {
  DEBRIEF_SCAN_WITH(kinds_plainly);
}

#if defined(__x86_64__)

[[gnu::always_inline]] inline ByteKinds kinds_sse2(const char* bytes) {
  ByteKinds kinds;
  for (unsigned part = 0; part < 4; ++part) {
    const __m128i in =
        _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + std::size_t{16} * part));
    const auto is = [](__m128i value, char c) { return _mm_cmpeq_epi8(value, _mm_set1_epi8(c)); };
    const auto bits = [part](__m128i mask) {
      return static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm_movemask_epi8(mask)))
             << 16 * part;
    };
    const __m128i folded = _mm_or_si128(in, _mm_set1_epi8(0x20)); // '[' as '{', ']' as '}'
    kinds.quote |= bits(is(in, '"'));
    kinds.backslash |= bits(is(in, '\\'));
    kinds.punctuation |= bits(_mm_or_si128(_mm_or_si128(is(folded, '{'), is(folded, '}')),
                                           _mm_or_si128(is(in, ':'), is(in, ','))));
    kinds.space |= bits(_mm_or_si128(_mm_or_si128(is(in, ' '), is(in, '\t')),
                                     _mm_or_si128(is(in, '\n'), is(in, '\r'))));
    kinds.control |= bits(_mm_cmpeq_epi8(_mm_min_epu8(in, _mm_set1_epi8(0x1F)), in));
    kinds.high |= bits(in);
  }
  return kinds;
}

void scan_sse2(TokenScan& scan) {
  DEBRIEF_SCAN_WITH(kinds_sse2);
}

#define DEBRIEF_AVX2 [[gnu::target("avx2,bmi,popcnt")]]
#define DEBRIEF_AVX2_INLINE [[gnu::target("avx2,bmi,popcnt"), gnu::always_inline]] inline

DEBRIEF_AVX2_INLINE __m256i equal_avx2(__m256i value, char c) {
  return _mm256_cmpeq_epi8(value, _mm256_set1_epi8(c));
}

DEBRIEF_AVX2_INLINE std::uint64_t bits_avx2(__m256i low, __m256i high) {
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(low)) |
         static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm256_movemask_epi8(high))) << 32U;
}

DEBRIEF_AVX2_INLINE __m256i punctuation_avx2(__m256i in) {
  const __m256i folded = _mm256_or_si256(in, _mm256_set1_epi8(0x20)); // '[' as '{', ']' as '}'
  return _mm256_or_si256(_mm256_or_si256(equal_avx2(folded, '{'), equal_avx2(folded, '}')),
                         _mm256_or_si256(equal_avx2(in, ':'), equal_avx2(in, ',')));
}

/// By a table of the white space that has each low half of a byte.
DEBRIEF_AVX2_INLINE __m256i space_avx2(__m256i in) {
  const __m256i table = _mm256_broadcastsi128_si256(
      _mm_setr_epi8(' ', 0, 0, 0, 0, 0, 0, 0, 0, '\t', '\n', 0, 0, '\r', 0, 0));
  const __m256i found = _mm256_cmpeq_epi8(_mm256_shuffle_epi8(table, in), in);
  return _mm256_andnot_si256(_mm256_cmpeq_epi8(in, _mm256_setzero_si256()), found);
}

DEBRIEF_AVX2_INLINE __m256i control_avx2(__m256i in) {
  return _mm256_cmpeq_epi8(_mm256_min_epu8(in, _mm256_set1_epi8(0x1F)), in);
}

DEBRIEF_AVX2_INLINE ByteKinds kinds_avx2(const char* bytes) {
  const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes));
  const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes + 32));
  return {bits_avx2(equal_avx2(low, '"'), equal_avx2(high, '"')),
          bits_avx2(equal_avx2(low, '\\'), equal_avx2(high, '\\')),
          bits_avx2(punctuation_avx2(low), punctuation_avx2(high)),
          bits_avx2(space_avx2(low), space_avx2(high)),
          bits_avx2(control_avx2(low), control_avx2(high)),
          bits_avx2(low, high)};
}

DEBRIEF_AVX2 void scan_avx2(TokenScan& scan) {
  DEBRIEF_SCAN_WITH(kinds_avx2);
}

#undef DEBRIEF_AVX2_INLINE
#undef DEBRIEF_AVX2
#endif
#undef DEBRIEF_SCAN_WITH

#if defined(__x86_64__)
constexpr std::array<TokenScanner, 3> kScanners = {scan_avx2, scan_sse2, scan_plainly};
#else
constexpr std::array<TokenScanner, 1> kScanners = {scan_plainly};
#endif

} // namespace

std::span<const TokenScanner> token_scanners() {
#if defined(__x86_64__)
  const bool newer = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0;
  return newer ? std::span{kScanners} : std::span{kScanners}.subspan(1);
#else
  return kScanners;
#endif
}

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

TokenIndex::Found TokenIndex::find(std::string_view text) {
  if (places_ == nullptr || text.size() > capacity_) {
    capacity_ = std::max(text.size(), 2 * capacity_);
    places_ = std::make_unique_for_overwrite<std::uint32_t[]>(capacity_ + kStep);
  }
  TokenScan scan{text, places_.get()};
  scanner_(scan);
  text_ = text.data();
  count_ = scan.count;
  places_[count_] = static_cast<std::uint32_t>(text.size());
  if (scan.open_text) return Found::broken;
  if (scan.control_in_text) return Found::control_character;
  if (count_ == 0) return Found::broken;
  if (!scan.only_ascii && !simdjson::validate_utf8(text)) return Found::not_utf8;
  return Found::good;
}

} // namespace debrief::ingest::chrome_trace
