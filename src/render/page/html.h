// The report as one self-contained HTML file.
#pragma once

#include "result/result.h"

#include <cstddef>
#include <functional>
#include <string>

namespace debrief::render {

struct PageOptions {
  /// Bytes that the page may have; samples are thinned to keep it. Nothing else is left out, so a
  /// page whose text alone is greater is greater.
  std::size_t max_size = 8'000'000;
  int reload_seconds = 0; ///< after which the page reloads itself, of a job that runs; 0: never
  std::function<void()> text_done = {}; ///< called when all but the samples is there; may be empty
};

std::string to_html(const result::Result& result, const PageOptions& options = {});

} // namespace debrief::render
