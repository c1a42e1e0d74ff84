#include "render/parts/unbroken.h"

namespace debrief::render {

std::string unbroken(std::string_view sentence) {
  std::string out;
  for (std::size_t at = 0; at < sentence.size(); ++at)
    if (sentence.substr(at, 2) == " %")
      out += "\u00A0";
    else
      out += sentence[at];
  return out;
}

} // namespace debrief::render
