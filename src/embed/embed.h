// The timeline's samples as text that the page carries and its script unpacks. docs/page.md is the
// contract.
#pragma once

#include "embed/bands.h"
#include "result/timeline.h"

#include <cstddef>
#include <string>
#include <vector>

namespace debrief::embed {

struct Embedded {
  std::string index;                ///< JSON without any `<`; empty: there is nothing to embed
  std::vector<std::string> blocks;  ///< base64
  std::vector<std::string> thinned; ///< sentences on what was thinned

  std::size_t size() const; ///< bytes of index and blocks
};

/// Index and blocks take at most `budget` bytes where thinning can achieve that.
Embedded embed(const result::Timeline& timeline, const Bands& bands, std::size_t budget);

} // namespace debrief::embed
