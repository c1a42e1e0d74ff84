// Documents that are wrong in one place: every part of a good one, replaced by everything that
// could stand there instead.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace debrief::test {

inline void collect_places(const nlohmann::json& value, const nlohmann::json::json_pointer& place,
                           std::vector<nlohmann::json::json_pointer>& places) {
  places.push_back(place);
  if (value.is_object())
    for (const auto& [key, member] : value.items())
      collect_places(member, place / key, places);
  if (value.is_array())
    for (std::size_t i = 0; i < value.size(); ++i)
      collect_places(value[i], place / i, places);
}

/// Calls `use(document)` for each of them, and for those with a part missing.
template <typename Use>
void for_each_break(const std::string& good, const Use& use) {
  using nlohmann::json;
  const json whole = json::parse(good);
  const json others = json::parse(R"([null, true, "", "NaN", "12", -1, -9223372036854775808,
      18446744073709551615, 9223372036854775807, 0.5, 1e308, -1e308, [], [1, "a", null, []],
      {}, {"a": {"b": 1}}])");
  std::vector<json::json_pointer> places;
  collect_places(whole, json::json_pointer{}, places);
  for (const auto& place : places) {
    for (const json& other : others) {
      json document = whole;
      document[place] = other;
      use(document);
    }
    if (place.empty() || !whole[place.parent_pointer()].is_object()) continue;
    json document = whole;
    document[place.parent_pointer()].erase(place.back());
    use(document);
  }
}

} // namespace debrief::test
