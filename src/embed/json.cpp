#include "embed/json.h"

namespace debrief::embed {

using Json = nlohmann::ordered_json;

Json to_json(const Array& array) {
  return Json::array({array.offset, array.count, array.width, array.delta ? 1 : 0, array.scale});
}

std::string script_text(const Json& json) {
  const std::string text = json.dump();
  std::string out;
  out.reserve(text.size());
  for (const char c : text)
    if (c == '<') // occurs only within texts, where it may be written in another way
      out += "\\u003c";
    else
      out += c;
  return out;
}

} // namespace debrief::embed
