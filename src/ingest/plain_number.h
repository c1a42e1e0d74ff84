// A number as recorders write most of them, "-12.50": digits and perhaps a fraction, no exponent.
// Read faster than by a general parser, and to the same nearest double.
#pragma once

namespace debrief::ingest {

/// Bytes that may be looked at from a number's start on, whatever they hold.
inline constexpr int kMaxPlainNumberBytes = 32;

/// Reads the number at `text` and returns where it ends; null where none of this form is there.
const char* read_plain_number(const char* text, double& into);

} // namespace debrief::ingest
