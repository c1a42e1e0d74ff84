// The values of an event, read from their bytes: simdjson has found where each begins, and most are
// short numbers or texts without escapes that need no more than a look.
#pragma once

#include "ingest/kineto/event.h"

#include <simdjson.h>

namespace debrief::kineto {

/// All readers below leave `into` as it is where the value is of another type or does not fit, and
/// return false only where it is no JSON at all.
class ValueReader {
public:
  using Value = simdjson::ondemand::value;

  /// Troubles that were read around are set in `mended`.
  explicit ValueReader(std::uint8_t& mended)
      : mended_(mended) {}

  /// An integer, or a text that holds one.
  bool integer(Value value, std::optional<std::int64_t>& into);
  bool integer(Value value, std::int64_t& into);
  bool small(Value value, std::int32_t& into); ///< from 0 on
  bool address(Value value, std::uint64_t& into);
  bool number(Value value, float& into);
  bool number(Value value, double& into);
  bool time(Value value, std::optional<Nanoseconds>& into);
  bool text(Value value, std::string_view& into);
  bool id(Value value, Id& into);
  bool array_text(Value value, std::string_view& into); ///< as it stands in the file
  bool three(Value value, std::array<std::int32_t, 3>& into);

private:
  enum class Type { number, text, other, broken };

  Type look(Value& value, std::string_view& token);

  std::uint8_t& mended_;
};

} // namespace debrief::kineto
