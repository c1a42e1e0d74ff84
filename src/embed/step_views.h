// Steps in full as text that the page carries and its script unpacks. docs/page.md is the contract.
#pragma once

#include "result/trace.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace debrief::embed {

struct EmbeddedSteps {
  std::string index;                 ///< JSON without any `<`; empty: there is nothing to embed
  std::string block;                 ///< base64
  std::vector<std::string> left_out; ///< sentences on what is not in it

  std::size_t size() const { return index.size() + block.size(); }
};

/// Bytes that steps may take in a page whose samples and steps together have `room`: they give way
/// to the samples, of which the whole job's story is made.
std::size_t steps_budget(std::size_t room);

/// At most `budget` bytes: the shortest slices are left out first, then the fastest and the slowest
/// step, then all. Steps that are none of these ("step") are there as far as all stays within
/// `with_others` bytes.
EmbeddedSteps embed_steps(std::span<const result::StepView> views, std::size_t budget,
                          std::size_t with_others = 0);

} // namespace debrief::embed
