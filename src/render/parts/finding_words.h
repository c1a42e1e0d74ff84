// Findings, verdict and waste in words, for the page, for Markdown and for the terminal.
#pragma once

#include "chart/svg.h"
#include "result/findings.h"
#include "result/gate.h"

#include <string>
#include <string_view>

namespace debrief::render {

/// How grave something is: a word, and a shape for those who do not see its color.
struct Standing {
  const char* word; ///< "Critical"
  const char* css;  ///< the class that gives it its color
  const char* path; ///< of the shape, in a box of 16 by 16; what is inside of it is a hole
  chart::Color color;
};

const Standing& standing_of(result::Severity severity);

/// "Healthy" and "Not enough data" have a word of their own.
const Standing& standing_of(const result::Verdict& verdict);

/// "Passed", "Failed".
const Standing& gate_standing(const result::Gate& gate);

/// Three digits that count, never an exponent: "1 204", "12.5", "0.0139", "below 0.001".
std::string short_number(double value);

/// "25.0 %", "below 0.1 %"; `share` from 0 to 1.
std::string share_words(double share);

/// Of USD: "12.40 USD", "below 0.01 USD".
std::string money_words(double money);

/// What the scores are shares of: "GPU time", "the job's time".
std::string_view time_noun(const result::Waste& waste);

/// "25.0 % of GPU time, 0.0139 GPU-hours, 0.05 USD"; "no time lost" of a finding that costs
/// none.
std::string cost_words(const result::Finding& finding, const result::Waste& waste);

/// "0.0208 of 0.0556 GPU-hours lost (37.5 %), 0.07 of 0.19 USD"; idle, not lost, where no
/// finding takes it; empty where it is not known.
std::string lost_words(const result::Waste& waste);

/// "16", "25 s", "1.25 GB".
std::string evidence_words(const result::Evidence& evidence);

/// "gpu0 of algo-1, process algo-1-27 (25.0 % of its time)"; printable.
std::string place_words(const result::Place& place);

/// "medium confidence (200 samples, 11 steps)"
std::string confidence_words(const result::Finding& finding);

} // namespace debrief::render
