#include "render/sections/gate.h"

#include "render/parts/finding_words.h"
#include "render/parts/format.h"
#include "render/parts/section.h"
#include "result/words.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::render {

using nlohmann::json;

namespace {

std::int64_t count_with(const result::Gate& gate, result::AssertionStatus status) {
  return std::count_if(gate.assertions.begin(), gate.assertions.end(),
                       [status](const auto& assertion) { return assertion.status == status; });
}

} // namespace

std::string gate_sentence(const result::Gate& gate) {
  const std::int64_t failed = count_with(gate, result::AssertionStatus::failed);
  const std::int64_t skipped = count_with(gate, result::AssertionStatus::skipped);
  const std::string all = counted(std::ssize(gate.assertions), "assertion");
  std::string out = failed == 0 ? fmt::format("None of {} failed", all)
                                : fmt::format("{} of {} failed", grouped(failed), all);
  if (skipped > 0) out += fmt::format(", {} could not be judged", grouped(skipped));
  out += '.';
  if (!gate.baseline.empty()) out += fmt::format(" Compared with {}.", brief(gate.baseline));
  return out;
}

json gate_view(const std::optional<result::Gate>& gate) {
  if (!gate) return nullptr;
  Section section;
  Table table{"Assertions, failed ones first",
              {{"Assertion", Kind::head},
               {"Status"},
               {"Expected"},
               {"Found"},
               {"What it means", Kind::words}}};
  for (const result::Assertion& assertion : gate->assertions)
    table.add({printable(assertion.name), capitalized(to_text(assertion.status)),
               printable(assertion.expected), printable(assertion.found),
               printable(assertion.message)});
  if (table.size() > 0) section.show(table);
  const Standing& standing = gate_standing(*gate);
  json view = section.view();
  view["word"] = standing.word;
  view["class"] = standing.css;
  view["path"] = standing.path;
  view["fill"] = standing.color.light;
  view["sentence"] = gate_sentence(*gate);
  return view;
}

} // namespace debrief::render
