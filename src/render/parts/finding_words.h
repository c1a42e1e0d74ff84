// Findings, verdict, waste and gate in words, for the page, for Markdown and for the terminal.
#pragma once

#include "result/findings.h"
#include "result/gate.h"
#include "result/result.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::render {

/// Three digits that count, never an exponent: "1,204", "12.5", "0.0139", "<0.001".
std::string short_number(double value);

/// What hours of a waste are shown in: GPU-hours, or below one GPU-minutes, GPU-seconds or
/// GPU-milliseconds. One for all of a job's figures, by what was paid.
struct WasteScale {
  double per_hour = 1;
  std::string unit;

  std::string number(double hours) const; ///< "12.5"
  std::string words(double hours) const;  ///< "12.5 GPU-seconds"
};

WasteScale scale_of(const result::Waste& waste);

/// Hours of a waste in words: "2.3 GPU-minutes".
std::string waste_time(const result::Waste& waste, double hours);

/// "78%", "2.5%", "<0.1%"; `share` from 0 to 1.
std::string share_words(double share);

/// What a finding costs, from 0 to 1: of all that was paid or, where samples tell it and a part of
/// the job has none, of what was measured; of the training loop, where startup is set aside. What
/// is wrong with a model is known without samples.
struct LostShare {
  double share = 0;
  const char* of = ""; ///< what it is a share of, if not of all: " in the loop", " measured"
  double hours = 0;    ///< in the unit of the waste
};

LostShare lost_share(result::FindingKind kind, double score, const result::Waste& waste);

/// "Where the GPU time went", or "Where the time went" of a job without GPUs.
std::string_view where_it_went(const result::Waste& waste);

/// Of USD: "$12.40", "<$0.01".
std::string money_words(double money);

/// What the scores are shares of: "GPU time", "the job's time".
std::string_view time_noun(const result::Waste& waste);

/// "25% of GPU time, 2.3 GPU-minutes, $0.05"; "no time lost" of a finding that costs
/// none.
std::string cost_words(const result::Finding& finding, const result::Waste& waste);

/// "1.25 of 3.33 GPU-minutes lost (38%), $0.07 of $0.19"; empty where it is not known.
std::string lost_words(const result::Waste& waste);

/// The order in which people read findings, as places in `result.findings`: what the verdict is
/// about, then the gravest, and of one severity the most costly.
std::vector<std::size_t> reading_order(const result::Result& result);

/// "16", "25 s", "1.25 GB".
std::string evidence_words(const result::Evidence& evidence);

/// "gpu0 of algo-1, process algo-1-27 (25% of its time)"; printable.
std::string place_words(const result::Place& place);

/// "medium confidence (200 samples, 11 steps)"
std::string confidence_words(const result::Finding& finding);

/// "1 of 3 assertions failed, 1 could not be judged. Compared with job-before."
std::string gate_sentence(const result::Gate& gate);

/// What a check found against its bound, as a bar; empty: it is not about a number.
std::string check_margin(const result::Assertion& check);

} // namespace debrief::render
