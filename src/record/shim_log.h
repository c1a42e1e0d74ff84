// What the Python processes of a recorded command told the recorder, one line each:
// "4711 python", "4711 torch 2.11.0", "4711 profiler", "4711 graphs", "4711 recorder",
// "4711 error OSError: ...", "4711 memory RuntimeError: ...", "4711 stacks OSError: ...".
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::record {

struct ShimLog {
  bool python = false;             ///< a Python process ran the shim
  bool profiler = false;           ///< a script made a torch.profiler of its own
  bool graphs = false;             ///< a script captured a CUDA graph
  bool recorder = false;           ///< the command ran another recorder, which marks steps itself
  std::vector<std::string> torch;  ///< versions of PyTorch that were loaded, each once
  std::vector<std::string> errors; ///< each once
  std::vector<std::string> memory; ///< why there is no memory snapshot; each once
  std::vector<std::string> stacks; ///< why stacks were no longer sampled; each once
};

/// Adds what lines say. `text` is untrusted: what no line should say is left out.
void add_shim_lines(std::string_view text, ShimLog& log);

/// A log that processes go on writing, of which each look reads what came since the last one. All
/// of it counts, however much there is: a script may capture its first CUDA graph after a million
/// lines.
class ShimLogReader {
public:
  explicit ShimLogReader(std::filesystem::path path);

  /// Empty where there is none.
  const ShimLog& look();

private:
  std::filesystem::path path_;
  std::uint64_t read_ = 0; ///< bytes
  std::string begun_;      ///< of a line whose end was not there yet
  bool too_long_ = false;  ///< ... and which is longer than any that the shim writes
  ShimLog log_;
};

/// Whether a version such as "2.7.1+cu128" is this one or newer.
bool is_at_least(std::string_view version, int major, int minor);

} // namespace debrief::record
