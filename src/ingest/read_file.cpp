#include "ingest/read_file.h"

#include "ingest/foreign_format.h"
#include "ingest/open_file.h"
#include "ingest/reader_registry.h"
#include "ingest/tensors/trial_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace debrief::ingest {

namespace {

/// What SageMaker calls the folders that its jobs write.
constexpr std::array<std::string_view, 6> kSageMakerFolders = {
    "profiler-output", "profiler-reports", "rule-output", "incremental", "pevents", "debug-output"};

/// Files that say something by being there (their names carry it) and have no content of their own.
bool is_marker(std::string_view path) {
  return path.ends_with("training_job_end.ts") || path.ends_with("claim.smd") ||
         path.ends_with(".metadata");
}

/// Why a file that no reader recognizes is left out.
std::string reason_to_ignore(const InputFile& file) {
  if (file.head().empty()) return "empty file";
  if (file.name().starts_with("python_stats"))
    return "Python profile: this version of debrief does not read it yet";
  return "not a format that debrief reads";
}

const Reader* find_reader(const InputFile& file) {
  if (file.head().empty()) return nullptr;
  for (const Reader* reader : readers())
    if (reader->recognizes(file)) return reader;
  return nullptr;
}

/// A file of which nothing but its name is known.
class UnreadSource final : public ByteSource {
public:
  std::size_t read(char* /*into*/, std::size_t /*size*/) override { return 0; }

  std::uint64_t bytes_on_disk() const override { return 0; }

  std::optional<std::uint64_t> expected_size() const override { return 0; }
};

} // namespace

FileReading read_file(const FoundFiles& files, const std::string& path, std::uint32_t most_unpacked,
                      bool without_traces) {
  FileReading reading;
  // Values of tensors are read when a rule asks for them; what is left unfinished is counted where
  // indexes are joined (tensors/join_tensors.h).
  if (const auto place = tensors::trial_path(path);
      place && (place->unfinished || place->file == tensors::TrialFile::events))
    return reading;
  try {
    const auto source = files.links_are_asked_for
                            ? open_file(files.full_path(path), most_unpacked)
                            : open_file_below(files.root, path, most_unpacked);
    BlockReader bytes{*source};
    bytes.more();
    InputFile file{path, files.paths, bytes};
    const Reader* reader = find_reader(file);
    if (const ForeignFormat* foreign = foreign_format(file.head()); foreign != nullptr) {
      // Text that is packed or encoded otherwise is the job's where its name or place is.
      if (reader != nullptr && !foreign->archive)
        job::ReadingReport::count(reading.report.damaged_files, std::string{foreign->words}, path);
      else
        reading.report.ignored.push_back({path, std::string{foreign->words}});
    } else if (without_traces && reader != nullptr && reader->reads_traces()) {
      reading.trace_left_out = true;
    } else if (reader != nullptr) {
      job::SourceCounts& counts = reading.report.sources[std::string{reader->name()}];
      reader->read(file, reading, counts);
      while (bytes.more())
        bytes.consume(bytes.view().size());
      bytes.consume(bytes.view().size());
      counts.files = 1;
      counts.bytes = source->bytes_on_disk();
      counts.decoded_bytes = bytes.offset();
    } else if (!is_marker(path) && source->damage().empty()) {
      reading.report.ignored.push_back({path, reason_to_ignore(file)});
    }
    if (const std::string damage = source->damage(); !damage.empty()) {
      reading.report.damaged_files
          .clear(); // what a reader missed at the file's end follows from it
      job::ReadingReport::count(reading.report.damaged_files, damage, path);
    }
  } catch (const SourceError& error) {
    job::ReadingReport::count(reading.report.damaged_files,
                              fmt::format("cannot be read ({})", error.what()), path);
  }
  return reading;
}

bool is_job_file(const std::string& path) {
  try {
    const auto source = open_file(path);
    BlockReader bytes{*source};
    bytes.more();
    const std::vector<std::string> alone = {path};
    return is_marker(path) || find_reader({path, alone, bytes}) != nullptr;
  } catch (const SourceError&) {
    return false; // nothing there, or nothing that can be read
  }
}

bool has_parts_of_job(const std::string& folder) {
  std::error_code error;
  const std::filesystem::path place{folder};
  return std::any_of(
             kSageMakerFolders.begin(), kSageMakerFolders.end(),
             [&](std::string_view name) { return std::filesystem::exists(place / name, error); }) ||
         is_job_file((place / "job.json").string());
}

bool has_place_of_job(const std::string& path) {
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view part = std::string_view{path}.substr(begin, end - begin);
    if (std::find(kSageMakerFolders.begin(), kSageMakerFolders.end(), part) !=
        kSageMakerFolders.end())
      return true;
    begin = end + 1;
  }
  UnreadSource nothing;
  BlockReader bytes{nothing};
  const std::vector<std::string> alone = {path};
  const InputFile file{path, alone, bytes};
  return std::any_of(readers().begin(), readers().end(),
                     [&](const Reader* reader) { return reader->recognizes(file); });
}

} // namespace debrief::ingest
