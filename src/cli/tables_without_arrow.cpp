// Of debrief.
#include "cli/tables.h"
#include "util/error.h"
#include "util/text.h"

#include <fmt/format.h>

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <vector>

namespace debrief::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = "debrief-tables";

/// What this program was started with, by its own process: each ends with a NUL.
std::string command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  return {std::istreambuf_iterator<char>{file}, {}};
}

} // namespace

/// Beside this program, as built, or with its libraries, as installed.
std::string tables_program() {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& place : {folder / kProgram, folder / DEBRIEF_LIBRARIES / kProgram})
    if (fs::exists(place, error)) return place.string();
  throw Error(
      fmt::format("tables are written by {}, and there is none next to {}; install debrief with "
                  "all of its files, or export a timeline (.json)",
                  kProgram, printable((folder / "debrief").string())));
}

void need_tables() {
  const std::string program = tables_program();
  std::string text = command_line();
  std::vector<char*> arguments;
  for (std::size_t at = 0; at < text.size();) {
    arguments.push_back(text.data() + at);
    const std::size_t end = text.find('\0', at);
    at = end == text.npos ? text.size() : end + 1;
  }
  arguments.push_back(nullptr);
  ::execv(program.c_str(), arguments.data());
  throw Error(fmt::format("cannot run {}: {}", printable(program), std::strerror(errno)));
}

std::uint64_t write_table(std::string_view /*table*/, const std::string& /*target*/,
                          exports::TableFormat /*format*/, const job::Job& /*job*/) {
  throw std::logic_error("need_tables() does not return here");
}

} // namespace debrief::cli
