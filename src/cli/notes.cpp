#include "cli/notes.h"

#include "cli/terminal.h"
#include "render/parts/quality_words.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace debrief::cli {

namespace {

void note_rows(const char* what, const std::vector<result::TroubleRow>& rows) {
  for (const result::TroubleRow& row : rows)
    print_note(fmt::format("{} {}: {} (first: {})", row.count, what, printable(row.reason),
                           printable(row.first_seen)));
}

} // namespace

void print_notes(const result::Result& result) {
  const result::DataQuality& quality = result.data_quality;
  note_rows("skipped", quality.skipped);
  note_rows("damaged", quality.damaged_files);
  if (const std::string missing = render::missing_words(quality); !missing.empty())
    print_note(missing);
  if (!quality.other_jobs.empty())
    print_note(fmt::format("skipped {} more in the folder; choose with --job-start",
                           count_of(quality.other_jobs.size(), "job")));
  for (const result::IgnoredRow& row : quality.ignored)
    if (row.reason.starts_with("another job's")) {
      print_note(fmt::format("{}: {}; give the folder of one job", printable(row.path),
                             printable(row.reason)));
      break; // data quality lists them all
    }
  constexpr std::size_t kMaxParameters = 5;
  const std::vector<result::IgnoredParameter>& ignored = result.provenance.ignored_parameters;
  for (std::size_t i = 0; i < std::min(ignored.size(), kMaxParameters); ++i)
    print_note(fmt::format("{} is ignored: {}", printable(ignored[i].name), ignored[i].reason));
  if (ignored.size() > kMaxParameters)
    print_note(fmt::format("{} ignored, too; the report lists them under Provenance",
                           count_of(ignored.size() - kMaxParameters, "more parameter")));
}

bool is_cut_off(const result::DataQuality& quality) {
  return !quality.damaged_files.empty() ||
         std::any_of(quality.skipped.begin(), quality.skipped.end(),
                     [](const result::TroubleRow& row) {
                       return row.reason.find("cut off") != row.reason.npos;
                     });
}

void print_strict(const result::DataQuality& quality) {
  print_note(fmt::format("--strict: the input is incomplete. {}",
                         printable(render::quality_notice(quality))));
}

} // namespace debrief::cli
