// What the machine and the libraries can do with a job's files, for the benchmark to compare with:
//
//   limits lines THREADS PATH    simdjson's on-demand scan of JSON lines: six fields of each
//   limits scan THREADS PATH     simdjson's on-demand scan of documents: five fields of each event
//   limits inflate THREADS PATH  ISA-L's inflate of .gz files, thrown away: debrief's library
//   limits zlib THREADS PATH     the same by zlib, which gunzip has
//
// PATH is a file or a folder; files go to threads one by one. Prints seconds, best of three.
#include <simdjson.h>
#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <isa-l/igzip_lib.h>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

namespace ondemand = simdjson::ondemand;
using Work = std::size_t (*)(const std::string& path);

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "limits: %s\n", what);
  std::exit(2);
}

/// Reading the file is part of it, as it is part of debrief's.
simdjson::padded_string load(const std::string& path) {
  simdjson::padded_string text;
  if (simdjson::padded_string::load(path).get(text)) fail("cannot be read");
  return text;
}

std::size_t look_at(simdjson::simdjson_result<ondemand::field> pair) {
  std::string_view key;
  std::string_view value;
  double number = 0;
  if (pair.unescaped_key().get(key)) fail("broken key");
  if (key == "ph" || key == "cat" || key == "name") {
    if (pair.value().get_string().get(value) == simdjson::SUCCESS) return value.size();
  } else if (key == "ts" || key == "dur") {
    if (pair.value().get_double().get(number) == simdjson::SUCCESS) return number > 0 ? 1U : 0U;
  }
  return 0;
}

std::size_t scan(const std::string& path) {
  const simdjson::padded_string text = load(path);
  ondemand::parser parser;
  ondemand::document document;
  ondemand::array events;
  if (parser.iterate(text).get(document)) fail("no document");
  const bool bare = document.type() == ondemand::json_type::array;
  if ((bare ? document.get_array() : document["traceEvents"].get_array()).get(events))
    fail("no events");
  std::size_t sum = 0;
  for (auto entry : events) {
    ondemand::object event;
    if (entry.get_object().get(event)) fail("broken event");
    for (auto pair : event)
      sum += look_at(pair);
  }
  return sum;
}

std::size_t lines(const std::string& path) {
  const simdjson::padded_string text = load(path);
  ondemand::parser parser;
  ondemand::document_stream samples;
  if (parser.iterate_many(text).get(samples)) fail("no lines");
  std::size_t sum = 0;
  for (auto sample : samples) {
    double value = 0;
    double time = 0;
    for (const char* key : {"Type", "Name", "Dimension"}) {
      std::string_view word;
      if (sample[key].get_string().get(word)) fail("broken line");
      sum += word.size();
    }
    std::string_view node;
    if (sample["Value"].get_double().get(value) || sample["NodeId"].get_string().get(node) ||
        sample["Timestamp"].get_double().get(time))
      fail("broken line");
    sum += node.size() + (value < time ? 1U : 0U);
  }
  return sum;
}

std::size_t zlib(const std::string& path) {
  gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) fail("cannot be read");
  gzbuffer(file, 1U << 20U);
  std::vector<char> block(std::size_t{1} << 20U);
  std::size_t bytes = 0;
  for (int got = 0; (got = gzread(file, block.data(), static_cast<unsigned>(block.size()))) > 0;)
    bytes += static_cast<std::size_t>(got);
  gzclose(file);
  return bytes;
}

std::size_t inflate(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) fail("cannot be read");
  std::vector<std::uint8_t> packed(std::size_t{1} << 20U);
  std::vector<std::uint8_t> block(packed.size());
  inflate_state state{};
  isal_inflate_init(&state);
  state.crc_flag = ISAL_GZIP;
  std::size_t bytes = 0;
  while (state.block_state != ISAL_BLOCK_FINISH) {
    if (state.avail_in == 0) {
      state.next_in = packed.data();
      state.avail_in =
          static_cast<std::uint32_t>(std::fread(packed.data(), 1, packed.size(), file));
      if (state.avail_in == 0) fail("cut off");
    }
    state.next_out = block.data();
    state.avail_out = static_cast<std::uint32_t>(block.size());
    if (isal_inflate(&state) != ISAL_DECOMP_OK) fail("broken");
    bytes += block.size() - state.avail_out;
  }
  std::fclose(file);
  return bytes;
}

std::vector<std::string> files_of(const std::string& path) {
  if (!std::filesystem::is_directory(path)) return {path};
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path))
    if (entry.is_regular_file() && entry.file_size() > 0) files.push_back(entry.path().string());
  return files;
}

std::size_t on_threads(std::size_t threads, const std::vector<std::string>& files, Work work) {
  std::atomic<std::size_t> next{0};
  std::atomic<std::size_t> sum{0};
  {
    std::vector<std::jthread> pool;
    for (std::size_t i = 0; i < threads; ++i)
      pool.emplace_back([&] {
        for (std::size_t file = next++; file < files.size(); file = next++)
          sum += work(files[file]);
      });
  }
  return sum;
}

Work work_called(std::string_view name) {
  if (name == "lines") return lines;
  if (name == "scan") return scan;
  if (name == "inflate") return inflate;
  if (name == "zlib") return zlib;
  fail("usage: limits lines|scan|inflate|zlib THREADS PATH");
}

} // namespace

int main(int argc, char** argv) {
  const Work work = work_called(argc == 4 ? argv[1] : "");
  const auto threads = static_cast<std::size_t>(std::max(1, std::atoi(argv[2])));
  const std::vector<std::string> files = files_of(argv[3]);
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    const auto start = std::chrono::steady_clock::now();
    if (on_threads(threads, files, work) == 0) fail("nothing read");
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
  }
  std::printf("%.5f\n", best);
}
