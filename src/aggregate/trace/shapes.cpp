#include "aggregate/trace/shapes.h"

namespace debrief::aggregate {

std::string readable_shapes(std::string_view dims) {
  std::string out;
  int depth = 0;
  for (const char c : dims) {
    if (out.size() >= kMaxShapesText) return out.append("…");
    if (c == ' ') continue;
    if (c == ']' && depth > 0) --depth;
    const bool between = depth == 1 && c == ',';
    const bool outermost = depth == 0 && (c == '[' || c == ']');
    if (c == '[') ++depth;
    if (outermost) continue;
    if (between)
      out += ' ';
    else if (c == ',')
      out += ", ";
    else
      out += c;
  }
  return out;
}

} // namespace debrief::aggregate
