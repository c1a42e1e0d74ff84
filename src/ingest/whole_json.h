// Small JSON documents (a job's description, a rule's output), read whole.
#pragma once

#include "ingest/block_reader.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace debrief::ingest {

struct WholeJson {
  nlohmann::json object;
  std::string_view trouble; ///< what it is instead of an object: "is not valid JSON"; or empty
};

/// What keeps a text from being parsed, whatever it says: it nests too deep, or has more values
/// than a document of its kind ever has ("has more than 500,000 values"). Empty: nothing.
std::string_view trouble_before_parsing(std::string_view text);

/// The rest of the source as one object, of at most 64 MB, 64 levels and 500,000 values. `text`,
/// where given, is set to its text.
WholeJson read_whole_json(BlockReader& bytes, std::string* text = nullptr);

/// Whether text starts like a JSON object and has `"key"` in it.
bool looks_like_object_with(std::string_view head, std::string_view key);

} // namespace debrief::ingest
