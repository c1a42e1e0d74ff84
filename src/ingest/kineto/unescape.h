// The text that a JSON string stands for.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace debrief::ingest::kineto {

/// `raw` is what stands between the quotes; nothing where it has an escape that JSON does not know.
std::optional<std::string> unescape(std::string_view raw);

} // namespace debrief::ingest::kineto
