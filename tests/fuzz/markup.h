// A strict reader of pages and of JUnit's XML, which knows no mercy: a name of a job that became
// markup leaves a tag, an attribute or a quote that debrief never writes.
#pragma once

#include <string_view>

namespace debrief::fuzz {

/// What every hostile name ends with: a tag, an attribute, an entity and a mark of the template
/// engine, none of which may come out as such.
inline constexpr std::string_view kMark = "'\"<zq zq=\"1\">&zq;{{zq}}<!--zq-->";

/// Ends the run unless tags are closed in order, attributes are quoted, every '<' and '&' of a text
/// is escaped, elements of script hold no '<' but in the page's own, JSON in them is valid, and
/// none of it is called zq.
void expect_markup(std::string_view text);

} // namespace debrief::fuzz
