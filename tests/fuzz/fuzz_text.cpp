// Texts of a job or of a user in the forms in which they leave debrief, and what reads them.
#include "expect.h"
#include "export/time_range.h"
#include "render/documents/markdown_text.h"
#include "util/error.h"
#include "util/redact.h"
#include "util/size.h"
#include "util/text.h"
#include "util/time.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

using namespace debrief;

namespace {

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

void write(std::string_view text) {
  const std::string shown = printable(text);
  fuzz::expect(std::none_of(shown.begin(), shown.end(), is_control), "all can be seen", shown);
  fuzz::expect(printable(shown) == shown, "what can be seen stays as it is", shown);
  nlohmann::json(shown).dump(); // throws for what is no UTF-8

  const std::string name = safe_file_name(text, "job");
  fuzz::expect(!name.empty() && name.size() <= 100 && name[0] != '.', "a file's name", name);
  fuzz::expect(name.find_first_of("/\\") == name.npos && name[0] != '-', "a file's name", name);

  const std::string told = "token='hunter2' " + std::string{text};
  fuzz::expect(without_secrets(told).find("hunter2") == told.npos ||
                   text.find("hunter2") != text.npos,
               "a secret is hidden whatever follows it", told);

  const std::string markdown = render::markdown_text(text);
  fuzz::expect(markdown.find_first_of("<>\n") == markdown.npos, "Markdown without marks", markdown);
  for (std::size_t at = markdown.find('|'); at != markdown.npos; at = markdown.find('|', at + 1))
    fuzz::expect(at > 0 && markdown[at - 1] == '\\', "one cell of a table", markdown);
}

void read(std::string_view text) {
  if (const auto time = parse_time(text); time && is_plausible(*time))
    fuzz::expect(parse_time(to_iso8601(*time)) == time, "a time reads back", text);
  if (const auto size = parse_size(text)) fuzz::expect(*size > 0, "a size is more than 0", text);
  const std::size_t comma = std::min(text.find(','), text.size());
  const std::string_view rest = text.substr(std::min(comma + 1, text.size()));
  try {
    exports::RangeRequest{text.substr(0, comma), rest, {}};
    exports::RangeRequest{{}, {}, rest};
  } catch (const Error&) {
    // What is no time or step is one sentence.
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  write(text);
  read(text);
  return 0;
}
