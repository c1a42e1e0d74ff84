// Hugging Face's `trainer_state.json`: the Trainer's log of losses, learning rates and evaluations
// by step, without times. Each checkpoint has one with the history up to it; the newest is used.
#pragma once

#include "ingest/reader.h"

#include <string>
#include <string_view>

namespace debrief::ingest {

class TrainerStateReader final : public Reader {
public:
  std::string_view name() const override { return "Hugging Face trainer states"; }

  bool recognizes(const InputFile& file) const override;
  void read(InputFile& file, FileReading& reading, job::SourceCounts& counts) const override;
};

/// Python writes NaN, Infinity and -Infinity bare, which is no JSON: they become texts.
std::string with_quoted_numbers(std::string_view text);

} // namespace debrief::ingest
