// Numbers as a reader wants to see them, in one way wherever debrief writes for people: page,
// findings, gate, terminal. assets/src/format.ts mirrors them for what the script computes.
#pragma once

#include <cstdint>
#include <string>

namespace debrief {

/// 77.8 -> "78%", 7.61 -> "7.6%", 0.02 -> "<0.1%", 0 -> "0%", 99.8 -> "99.8%": only all is "100%".
/// `value` from 0 to 100.
std::string percent_text(double value);

/// One decimal, for columns that are compared line by line: "77.8%", "<0.1%", ">99.9%", "0%".
std::string exact_percent_text(double value);

/// 48470 -> "48,470".
std::string count_text(std::int64_t number);

/// Seconds of GPUs, or of nodes: 8.2 -> "8.2 GPU-seconds", 136 -> "2.3 GPU-minutes", from an hour
/// on "12.5 GPU-hours". `whose` is "GPU" or "node".
std::string device_time_text(double seconds, const char* whose);

/// Of USD: "$0.10", "<$0.01", "$1,204.50".
std::string money_text(double money);

/// Three digits that count: "1,204", "12.5", "0.0139", "0".
std::string short_number_text(double value);

} // namespace debrief
