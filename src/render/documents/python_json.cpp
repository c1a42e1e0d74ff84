#include "render/documents/python_json.h"

#include "util/python_float.h"

namespace debrief::render {

namespace {

using nlohmann::ordered_json;

void write_text(const std::string& text, std::string& out) {
  out += ordered_json(text).dump(-1, ' ', /*ensure_ascii=*/true,
                                 ordered_json::error_handler_t::replace);
}

void write(const ordered_json& value, std::string& out) {
  switch (value.type()) {
  case ordered_json::value_t::object: {
    const char* separator = "";
    out += '{';
    for (const auto& [key, member] : value.items()) {
      out += separator;
      write_text(key, out);
      out += ": ";
      write(member, out);
      separator = ", ";
    }
    out += '}';
    break;
  }
  case ordered_json::value_t::array: {
    const char* separator = "";
    out += '[';
    for (const ordered_json& element : value) {
      out += separator;
      write(element, out);
      separator = ", ";
    }
    out += ']';
    break;
  }
  case ordered_json::value_t::string:
    write_text(value.get_ref<const std::string&>(), out);
    break;
  case ordered_json::value_t::number_float:
    out += python_float(value.get<double>());
    break;
  default:
    out += value.dump();
  }
}

} // namespace

std::string to_python_json(const ordered_json& value) {
  std::string out;
  write(value, out);
  return out;
}

} // namespace debrief::render
