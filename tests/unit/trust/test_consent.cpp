#include "trust/consent.h"

#include <catch2/catch_test_macros.hpp>

namespace test_consent {

using namespace debrief;

TEST_CASE("a consent is read as it was written") {
  const trust::Consent consent{"/a \"b\"/debrief.json", "00ff", {{"rule.py", "12"}, {"x", "34"}}};
  CHECK(trust::parse_consent(trust::to_text(consent)) == consent);
}

TEST_CASE("what is no consent is none") {
  for (const char* text :
       {"", "{", "[]", "{}", R"({"config": 1, "sha256": "a", "files": {}})",
        R"({"config": "a", "sha256": "a"})", R"({"config": "a", "sha256": "a", "files": []})",
        R"({"config": "a", "sha256": "a", "files": {"b": 1}})"})
    CHECK_FALSE(trust::parse_consent(text));
}

} // namespace test_consent
