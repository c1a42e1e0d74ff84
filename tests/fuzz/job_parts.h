// The input of the target `job`: a byte 0x1E begins a file, the byte after it says which of the
// job's files it is. And a mutator that knows what such a job is made of: files, records, numbers,
// names.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::fuzz {

struct JobPart {
  unsigned char kind = 0; ///< taken modulo the number of files that there are
  std::string text;
};

std::vector<JobPart> parts_of(std::string_view input);

/// What parts_of() reads. A border within a part's text is left out.
std::string joined(const std::vector<JobPart>& parts);

/// Changes bytes in place and returns the new size, at most `most`: libFuzzer's own mutator.
using MutateBytes = std::size_t (*)(unsigned char* data, std::size_t size, std::size_t most);

/// Another job near this one, of at most `most` bytes: a file more or less, records that are
/// dropped, repeated, moved or taken to another file, numbers that are at the edge of what they can
/// be, names that are another's, clocks that are set otherwise. The same seed gives the same job.
std::string mutated_job(std::string_view input, std::size_t most, unsigned seed,
                        MutateBytes mutate_bytes);

} // namespace debrief::fuzz
