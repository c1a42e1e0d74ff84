// What the Python processes of a recorded command told the recorder, one line each:
// "4711 python", "4711 torch 2.11.0", "4711 profiler", "4711 graphs", "4711 recorder",
// "4711 error OSError: ...", "4711 memory RuntimeError: ...".
#pragma once

#include <filesystem>
#include <string>
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
};

/// `text` is untrusted: what no line should say is left out.
ShimLog parse_shim_log(std::string_view text);

/// Empty where there is none.
ShimLog read_shim_log(const std::filesystem::path& path);

/// Whether a version such as "2.7.1+cu128" is this one or newer.
bool is_at_least(std::string_view version, int major, int minor);

} // namespace debrief::record
