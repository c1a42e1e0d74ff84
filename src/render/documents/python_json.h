// JSON as Python's json.dump writes it: ", " and ": ", floats as repr() has them, ASCII only.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace debrief::render {

std::string to_python_json(const nlohmann::ordered_json& value);

} // namespace debrief::render
