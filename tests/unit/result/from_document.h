// Results out of documents that have only what a test is about.
#pragma once

#include "result/json.h"

namespace debrief::test {

inline result::Result from_document(nlohmann::json document) {
  document["schema"] = result::kSchema;
  return result::from_json(document);
}

} // namespace debrief::test
