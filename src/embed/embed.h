// The timeline's samples as text that the page carries and its script unpacks. docs/page.md is the
// contract.
#pragma once

#include "result/findings.h"
#include "result/rules.h"
#include "result/timeline.h"

#include <cstddef>
#include <memory>
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

/// A timeline's samples on their way into the page. What can be done before it is known how much
/// room there is, is done when they are made: beside the page's text.
class Samples {
public:
  /// Refers to the timeline, which must outlive it.
  explicit Samples(const result::Timeline& timeline);
  Samples(const Samples&) = delete;
  Samples& operator=(const Samples&) = delete;
  ~Samples();

  /// Index and blocks take at most `budget` bytes where thinning can achieve that.
  Embedded embed(const Bands& bands, std::size_t budget);

private:
  struct Prepared;

  const result::Timeline& timeline_;
  std::unique_ptr<Prepared> prepared_;
};

} // namespace debrief::embed
