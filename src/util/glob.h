// Names with wildcards, as in a shell: '*' is any text, '?' any one character.
#pragma once

#include <string_view>

namespace debrief {

/// Whether `text` is all of what `pattern` describes. '/' and '.' are characters as any other.
bool glob_matches(std::string_view pattern, std::string_view text);

} // namespace debrief
