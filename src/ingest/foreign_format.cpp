#include "ingest/foreign_format.h"

#include <cstddef>

namespace debrief::ingest {

namespace {

using namespace std::string_view_literals;

struct Known {
  std::size_t at; ///< where in the file its mark stands
  std::string_view mark;
  ForeignFormat format;
};

constexpr Known kKnown[] = {
    {0, "\xFF\xFE"sv, {"text in UTF-16: save it as UTF-8"}},
    {0, "\xFE\xFF"sv, {"text in UTF-16: save it as UTF-8"}},
    {0, "\xFD\x37zXZ\0"sv, {"packed with xz: unpack it, or pack it with gzip"}},
    {0, "\x28\xB5\x2F\xFD"sv, {"packed with zstd: unpack it, or pack it with gzip"}},
    {0, "BZh"sv, {"packed with bzip2: unpack it, or pack it with gzip"}},
    {0, "PK\x03\x04"sv, {"a zip archive: unpack it if it has the job's files", true}},
    {257, "ustar"sv, {"a tar archive: unpack it if it has the job's files", true}},
};

} // namespace

const ForeignFormat* foreign_format(std::string_view head) {
  for (const Known& known : kKnown)
    if (head.size() > known.at && head.substr(known.at).starts_with(known.mark))
      return &known.format;
  return nullptr;
}

} // namespace debrief::ingest
