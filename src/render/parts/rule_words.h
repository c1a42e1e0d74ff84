// What several sections say about a rule: its outcome in a sentence, its parameters, and what ran
// while its condition held.
#pragma once

#include "render/parts/section.h"
#include "result/result.h"

#include <optional>
#include <string>
#include <string_view>

namespace debrief::render {

/// The rule's row, or null where the result has none.
const result::RuleRow* find_rule(const result::Result& result, std::string_view name);

/// Two of the rules only collect figures: they have no say in whether something is wrong.
bool can_trigger(const result::RuleRow& rule);

/// "issue found", "no issue", "not evaluated".
std::string_view status_words(result::RuleStatus status);

/// "The rule BatchSize found no issue over 1 310 datapoints."; empty for null.
std::string outcome_sentence(const result::RuleRow* rule);

/// A parameter as a number; absent where the rule is null, has no such parameter or another value.
std::optional<double> parameter(const result::RuleRow* rule, std::string_view name);

/// What ran while a rule's condition held, against the rest of the time. Of each kind of work the
/// rows that differ most; the caption says so where there are more. `during`: "outlying steps".
/// Nothing where there is no row.
std::optional<Chart> activity_chart(const result::Activity& activity, std::string_view during);

/// Adds what ran while the rule's condition held: the take-away's sentence on the greatest
/// difference to the rest of the time, and a table. `during`: "outlying steps".
void show_activity(Section& section, const result::Activity& activity, std::string_view during);

/// The text as a sentence of its own: a capital first, a full stop last.
std::string as_sentence(std::string_view text);

} // namespace debrief::render
