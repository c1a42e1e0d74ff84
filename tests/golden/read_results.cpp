// read_results FOLDER: reads every result (*.json) in a folder and writes it again; what comes out
// differently is named on standard output. Golden tests run it on all results that debrief wrote.
#include "result/json.h"
#include "util/parallel.h"

#include <nlohmann/json.hpp>

#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace {

/// Empty: it is read as it was written.
std::string trouble_with(const std::filesystem::path& path) {
  try {
    std::ifstream file{path};
    const auto document = nlohmann::json::parse(file);
    const auto again = debrief::result::to_json(debrief::result::from_json(document));
    return again == document ? "" : nlohmann::json::diff(document, again).dump().substr(0, 2000);
  } catch (const std::exception& error) {
    return error.what();
  }
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1]))
    if (entry.path().extension() == ".json") paths.push_back(entry.path());
  std::vector<std::string> troubles(paths.size());
  debrief::parallel_for(paths.size(), [&](std::size_t i) { troubles[i] = trouble_with(paths[i]); });
  bool good = !paths.empty();
  for (std::size_t i = 0; i < paths.size(); ++i)
    if (!troubles[i].empty()) {
      std::cout << paths[i].filename().string() << ": " << troubles[i] << '\n';
      good = false;
    }
  return good ? 0 : 1;
}
