// The timeline's samples as text that the page carries and its script unpacks. docs/page.md is the
// contract.
#pragma once

#include "result/findings.h"
#include "result/rules.h"
#include "result/timeline.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace debrief::embed {

/// What has stretches of time of its own beside the samples: bands behind the charts. It refers to
/// them; they must outlive it.
struct Bands {
  std::span<const result::Finding> findings;
  std::span<const result::RuleRow> rules;
};

struct Embedded {
  std::string index;                ///< JSON without any `<`; empty: there is nothing to embed
  std::vector<std::string> blocks;  ///< base64
  std::vector<std::string> thinned; ///< sentences on what was thinned

  std::size_t size() const; ///< bytes of index and blocks
};

/// Index and blocks take at most `budget` bytes where thinning can achieve that.
Embedded embed(const result::Timeline& timeline, const Bands& bands, std::size_t budget);

} // namespace debrief::embed
