// The Python files of src/record/shim, as they are in the repository.
#pragma once

#include <span>
#include <string_view>

namespace debrief::record {

struct EmbeddedFile {
  std::string_view name; ///< "sitecustomize.py"
  std::string_view text;
};

std::span<const EmbeddedFile> embedded_shim();

} // namespace debrief::record
