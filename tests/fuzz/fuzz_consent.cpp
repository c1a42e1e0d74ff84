#include "expect.h"
#include "trust/consent.h"

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace debrief;
  const auto consent = trust::parse_consent({reinterpret_cast<const char*>(data), size});
  if (consent)
    fuzz::expect(trust::parse_consent(trust::to_text(*consent)) == consent, "reads itself");
  return 0;
}
