// What the machine and the libraries can do with a trace, for the benchmark to compare with:
//
//   limits scan FILE       simdjson's own on-demand scan of the whole document: five fields of each
//   event limits inflate FILE    zlib's inflate of a .gz, thrown away
//
// Prints seconds, best of three.
#include <simdjson.h>
#include <zlib.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string_view>
#include <vector>

namespace {

namespace ondemand = simdjson::ondemand;

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "limits: %s\n", what);
  std::exit(2);
}

double best_of_three(const std::function<std::size_t()>& work) {
  double best = 1e9;
  std::size_t outcome = 0;
  for (int i = 0; i < 3; ++i) {
    const auto start = std::chrono::steady_clock::now();
    outcome = work();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
  }
  if (outcome == 0) fail("nothing read");
  return best;
}

/// Reading the file is part of it, as it is part of debrief's.
std::size_t scan(const char* path) {
  simdjson::padded_string text;
  if (simdjson::padded_string::load(path).get(text)) fail("cannot be read");
  ondemand::parser parser;
  ondemand::document document;
  ondemand::array events;
  if (parser.iterate(text).get(document) || document["traceEvents"].get_array().get(events))
    fail("no events");
  std::size_t sum = 0;
  for (auto entry : events) {
    ondemand::object event;
    if (entry.get_object().get(event)) fail("broken event");
    for (auto pair : event) {
      std::string_view key;
      std::string_view value;
      double number = 0;
      if (pair.unescaped_key().get(key)) fail("broken event");
      if (key == "ph" || key == "cat" || key == "name") {
        if (pair.value().get_string().get(value) == simdjson::SUCCESS) sum += value.size();
      } else if (key == "ts" || key == "dur") {
        if (pair.value().get_double().get(number) == simdjson::SUCCESS) sum += number > 0 ? 1U : 0U;
      }
    }
  }
  return sum;
}

std::size_t inflate(const char* path) {
  gzFile file = gzopen(path, "rb");
  if (file == nullptr) fail("cannot be read");
  gzbuffer(file, 1U << 20U);
  std::vector<char> block(std::size_t{1} << 20U);
  std::size_t bytes = 0;
  for (int got = 0; (got = gzread(file, block.data(), static_cast<unsigned>(block.size()))) > 0;)
    bytes += static_cast<std::size_t>(got);
  gzclose(file);
  return bytes;
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 3) fail("usage: limits scan|inflate FILE");
  const char* path = argv[2];
  const bool scans = std::strcmp(argv[1], "scan") == 0;
  std::printf("%.4f\n", best_of_three([&] { return scans ? scan(path) : inflate(path); }));
}
