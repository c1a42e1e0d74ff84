#include "aggregate/trace/kernel_names.h"

#include "util/text.h"

#include <algorithm>
#include <array>
#include <vector>

namespace debrief::aggregate {

namespace {

bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_open(char c) {
  return c == '<' || c == '(' || c == '{' || c == '[';
}

bool is_close(char c) {
  return c == '>' || c == ')' || c == '}' || c == ']';
}

/// Both compilers' ways to write what has no name.
std::string without_anonymous(std::string_view name) {
  constexpr std::array<std::string_view, 2> kAnonymous = {"(anonymous namespace)::", "<unnamed>::"};
  std::string out;
  out.reserve(name.size());
  for (std::size_t i = 0; i < name.size();) {
    const auto is_here = [&](std::string_view text) { return name.substr(i).starts_with(text); };
    const auto found = std::find_if(kAnonymous.begin(), kAnonymous.end(), is_here);
    if (found == kAnonymous.end())
      out += name[i++];
    else
      i += found->size();
  }
  return out;
}

/// The function of "void a::b<…>::c<…>(…)".
struct Parts {
  std::string base;        ///< "c"
  std::string_view callee; ///< "a::b<…>::c<…>", in the text that was taken apart
};

Parts take_apart(std::string_view text) {
  std::size_t depth = 0;
  std::size_t begin = 0;
  std::size_t parameters = text.size(); // where the last outermost (…) opens
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (depth == 0 && text[i] == '(') parameters = i;
    if (is_open(text[i]))
      ++depth;
    else if (is_close(text[i]) && depth > 0)
      --depth;
    else if (depth == 0 && text[i] == ' ' && parameters == text.size())
      begin = i + 1;
  }
  Parts parts;
  parts.callee = text.substr(begin, parameters - begin);
  depth = 0;
  for (const char c : parts.callee) {
    if (is_open(c))
      ++depth;
    else if (is_close(c) && depth > 0)
      --depth;
    else if (depth == 0 && c == ':')
      parts.base.clear();
    else if (depth == 0)
      parts.base += c;
  }
  return parts;
}

/// Kernels whose template arguments say what they do.
bool is_wrapper(std::string_view base) {
  constexpr std::array<std::string_view, 9> kWrappers = {"reduce_kernel",
                                                         "multi_tensor_apply_kernel",
                                                         "Kernel",
                                                         "Kernel2",
                                                         "device_kernel",
                                                         "kernel",
                                                         "index_elementwise_kernel",
                                                         "segmented_reduce_kernel",
                                                         "global_kernel"};
  return base.find("elementwise") != base.npos ||
         std::find(kWrappers.begin(), kWrappers.end(), base) != kWrappers.end();
}

/// Types, iterators and adapters, which do not tell what is done.
bool is_plain(std::string_view word) {
  constexpr std::array<std::string_view, 46> kPlain = {"float",
                                                       "double",
                                                       "int",
                                                       "long",
                                                       "unsigned",
                                                       "char",
                                                       "bool",
                                                       "void",
                                                       "const",
                                                       "short",
                                                       "signed",
                                                       "true",
                                                       "false",
                                                       "BFloat16",
                                                       "Half",
                                                       "complex",
                                                       "Array",
                                                       "array",
                                                       "operator",
                                                       "lambda",
                                                       "volatile",
                                                       "OpaqueType",
                                                       "LoadWithCast",
                                                       "StoreWithCast",
                                                       "LoadWithoutCast",
                                                       "ReduceOp",
                                                       "func_wrapper_t",
                                                       "OffsetCalculator",
                                                       "TrivialOffsetCalculator",
                                                       "gpu_kernel_impl",
                                                       "gpu_kernel_impl_nocast",
                                                       "StoreWithoutCast",
                                                       "BinaryFunctor",
                                                       "AUnaryFunctor",
                                                       "BUnaryFunctor",
                                                       "UnaryFunctor",
                                                       "TensorListMetadata",
                                                       "TensorListScalarListMetadata",
                                                       "FusedOptimizerTensorListMetadata",
                                                       "TensorIterator",
                                                       "TensorIteratorBase",
                                                       "float2",
                                                       "float4",
                                                       "policy",
                                                       "Params",
                                                       "__half"};
  return is_digit(word.front()) || std::find(kPlain.begin(), kPlain.end(), word) != kPlain.end();
}

/// The first words in the template arguments of `callee` that tell something: not qualifiers
/// ("a::"), and not within parameter lists.
std::vector<std::string_view> telling_words(std::string_view callee, std::size_t most) {
  std::vector<std::string_view> words;
  std::size_t angles = 0;
  std::size_t others = 0;
  for (std::size_t i = 0; i < callee.size() && words.size() < most; ++i) {
    const char c = callee[i];
    if (c == '<') ++angles;
    if (c == '>' && angles > 0) --angles;
    if (c != '<' && is_open(c)) ++others;
    if (c != '>' && is_close(c) && others > 0) --others;
    if (!is_name_char(c)) continue;
    const std::size_t start = i;
    while (i + 1 < callee.size() && is_name_char(callee[i + 1]))
      ++i;
    const std::string_view word = callee.substr(start, i + 1 - start);
    if (angles == 0 || others > 0 || callee.substr(i + 1).starts_with("::") || is_plain(word) ||
        std::find(words.begin(), words.end(), word) != words.end())
      continue;
    words.push_back(word);
  }
  return words;
}

/// The number that `text` begins with; `at` is moved behind it. Never more than `most`.
std::size_t number_at(std::string_view text, std::size_t& at, std::size_t most) {
  std::size_t number = 0;
  for (; at < text.size() && is_digit(text[at]); ++at)
    number = std::min(most, 10 * number + static_cast<std::size_t>(text[at] - '0'));
  return number;
}

/// A mangled name: "_ZN7cutlass6KernelINS_4conv6kernel23ImplicitGemmConvolution…" has its words
/// after their lengths, and numbers as "Li128E". The first words that begin with a capital name
/// classes: "Kernel: ImplicitGemmConvolution, GemmShape 64x128x32".
std::string from_mangled(std::string_view name) {
  std::string out;
  std::size_t numbers = 0; // after the last word
  for (std::size_t i = 0; i < name.size();) {
    if (!is_digit(name[i])) {
      ++i;
      continue;
    }
    std::size_t at = i;
    const std::size_t number = number_at(name, at, name.size());
    const bool literal = i >= 2 && name[i - 2] == 'L' && at < name.size() && name[at] == 'E';
    if (literal && !out.empty() && numbers < 3)
      out.append(numbers++ == 0 ? " " : "x").append(name.substr(i, at - i));
    const std::string_view word = literal ? std::string_view{} : name.substr(at, number);
    i = at + word.size();
    if (word.size() < 2 || word.front() < 'A' || word.front() > 'Z') {
      if (!word.empty()) numbers = 3; // of what is not shown
      continue;
    }
    if (!out.empty() && out.size() + word.size() > kMaxShortName - 16) break;
    if (!out.empty()) out += out.find(':') == out.npos ? ": " : ", ";
    out += word;
    numbers = 0;
  }
  return out;
}

/// "add_rmsnorm_quant_kernel" of "_ZN5aiter24add_rmsnorm_quant_kernelIDF16b…": the last name before
/// template arguments and parameters; empty where there is none.
std::string_view mangled_function(std::string_view name) {
  name.remove_prefix(2); // "_Z"
  if (name.starts_with('N')) name.remove_prefix(1);
  std::string_view last;
  while (!name.empty() && is_digit(name.front())) {
    std::size_t at = 0;
    const std::size_t length = number_at(name, at, name.size());
    last = name.substr(at, length);
    name.remove_prefix(at + last.size());
  }
  return last;
}

/// At most kMaxShortName bytes: without its middle where it is longer, never within a character.
/// What names the tile is kept rather than the end.
std::string fitted(std::string_view text) {
  constexpr std::string_view kGap = "…";
  if (text.size() <= kMaxShortName) return std::string{text};
  const auto continues = [&](std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
  };
  const std::size_t half = (kMaxShortName - kGap.size()) / 2;
  std::size_t head = half;
  std::size_t tail = text.size() - half;
  for (const std::string_view tile : {"tilesize", "MT"})
    if (const std::size_t at = text.find(tile, half); at < tail) tail = at;
  std::size_t end = std::min(text.size(), tail + half);
  for (int i = 0; i < 3 && continues(head); ++i)
    --head;
  for (int i = 0; i < 3 && continues(tail); ++i)
    ++tail;
  for (int i = 0; i < 3 && continues(end); ++i)
    --end;
  return std::string{text.substr(0, head)}.append(kGap).append(text.substr(tail, end - tail));
}

} // namespace

std::string short_kernel_name(std::string_view name) {
  if (name.starts_with("_Z"))
    if (const std::string found = from_mangled(name); !found.empty()) return fitted(found);
  if (name.starts_with("_Z"))
    if (const std::string_view found = mangled_function(name); !found.empty()) return fitted(found);
  const std::string text = without_anonymous(name.substr(0, name.find(" [clone")));
  Parts parts = take_apart(text);
  if (parts.base.empty()) return fitted(name);
  if (is_wrapper(parts.base)) {
    std::string told;
    for (const std::string_view word : telling_words(parts.callee, 2))
      told.append(told.empty() ? "" : ", ").append(word);
    const bool library = told.starts_with("cutlass_");
    if (!told.empty()) parts.base = library ? told : parts.base + ": " + told;
  }
  // These libraries' names begin or end in what all of them have.
  constexpr std::string_view kGenerated = "cudnn_generated_fort_native_";
  if (parts.base.starts_with(kGenerated) && parts.base.size() > kGenerated.size())
    parts.base.erase(0, kGenerated.size());
  if (const std::size_t at = parts.base.find("_execute_"); at != parts.base.npos && at > 0)
    parts.base.resize(at);
  return fitted(parts.base);
}

} // namespace debrief::aggregate
