// Reading a result document that may be anybody's: what is missing, null or of another type than it
// should be is not there.
#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::compare {

/// The value of a key; null where there is none.
const nlohmann::json& at(const nlohmann::json& object, std::string_view key);

/// A finite number.
std::optional<double> number_at(const nlohmann::json& object, std::string_view key);

/// Empty where there is none.
std::string text_at(const nlohmann::json& object, std::string_view key);

/// The objects of a list; none where there is none.
std::vector<const nlohmann::json*> rows_at(const nlohmann::json& object, std::string_view key);

/// The numbers of a list; none where there is none.
std::vector<double> numbers_at(const nlohmann::json& object, std::string_view key);

/// part / whole in percent; nothing where either is not known or the whole is 0.
std::optional<double> percent_of(const std::optional<double>& part,
                                 const std::optional<double>& whole);

} // namespace debrief::compare
