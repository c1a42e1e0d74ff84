// The first screen of a comparison: the answer in a sentence, the headline metrics before and
// after, where the GPU time of both went, and which findings are gone or new.
#pragma once

#include "compare/diff.h"
#include "render/page/placeholders.h"

#include <nlohmann/json.hpp>

#include <string>

namespace debrief::render {

/// "B is 28× faster per iteration than A.", or which one is better where that is not known.
std::string answer_text(const compare::Diff& diff);

/// "×32", "÷28", "+12%", "−8 points", "no change".
std::string change_words(const compare::Change& change);

/// What templates/diff.html shows above the sections.
nlohmann::json diff_head(const compare::Diff& diff, Placeholders& placeholders);

} // namespace debrief::render
