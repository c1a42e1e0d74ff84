// Small JSON documents (a job's description, a rule's output), read whole.
#pragma once

#include "ingest/block_reader.h"

#include <nlohmann/json.hpp>

namespace debrief {

/// The rest of the source as one document; a discarded value where it is not valid JSON or larger
/// than 64 MiB. `text`, where given, is set to the document's text.
nlohmann::json read_whole_json(BlockReader& bytes, std::string* text = nullptr);

/// Whether text starts like a JSON object and has `"key"` in it.
bool looks_like_object_with(std::string_view head, std::string_view key);

} // namespace debrief
