#include "util/text.h"

#include <catch2/catch_test_macros.hpp>

#include <array>

namespace test_text {

using namespace debrief;

TEST_CASE("printable shows what would deceive and leaves the rest alone") {
  CHECK(printable("aten::conv2d") == "aten::conv2d");
  CHECK(printable("Zürich 東京 🚀") == "Zürich 東京 🚀");
  CHECK(printable("a\nb\tc") == "a\\nb\\tc");
  CHECK(printable("\x1b[31m") == "\\u{001b}[31m");
  CHECK(printable("evil\u202Etxt.exe") == "evil\\u{202e}txt.exe");
  CHECK(printable("line\u2028end") == "line\\u{2028}end");
  CHECK(printable("tag\U000E0041\U000E007F") == "tag\\u{e0041}\\u{e007f}");
  CHECK(printable("selector\U000E0100") == "selector\\u{e0100}");
  CHECK(printable("filler\u3164") == "filler\\u{3164}");
  CHECK(printable(std::string_view{"nul\0l", 5}) == "nul\\u{0000}l");
}

TEST_CASE("printable shows invalid UTF-8 byte by byte") {
  CHECK(printable("a\xFF\xFE") == "a\\x{ff}\\x{fe}");
  CHECK(printable("\xC3") == "\\x{c3}");                       // cut off
  CHECK(printable("\xC0\xAF") == "\\x{c0}\\x{af}");            // overlong '/'
  CHECK(printable("\xED\xA0\x80") == "\\x{ed}\\x{a0}\\x{80}"); // surrogate
}

TEST_CASE("file names made of job names stay in the folder") {
  CHECK(safe_file_name("resnet50-healthy", "job") == "resnet50-healthy");
  CHECK(safe_file_name("../../etc/passwd", "job") == "etc-passwd");
  CHECK(safe_file_name("a b\nc", "job") == "a-b-c");
  CHECK(safe_file_name("", "job") == "job");
  CHECK(safe_file_name("...", "job") == "job");
  CHECK(safe_file_name("-rf", "job") == "rf");
  CHECK(safe_file_name(".hidden", "job") == "hidden");
  CHECK(safe_file_name("ünïcode", "job") == "n-code");
  CHECK(safe_file_name(std::string(10'000, 'x'), "job").size() == 100);
}

TEST_CASE("a misspelling finds its word and nonsense finds none") {
  const std::array<std::string, 3> words = {"--json", "--output", "--job-start"};
  CHECK(nearest("--jsn", words) == "--json");
  CHECK(nearest("--job-strat", words) == "--job-start");
  CHECK(nearest("--frobnicate", words).empty());
  CHECK(did_you_mean("--jsn", words) == " (did you mean '--json'?)");
  CHECK(did_you_mean("x", words).empty());
}

TEST_CASE("a word of megabytes is like no other") {
  const std::vector<std::string> words(20, std::string(30, 'a'));
  CHECK(nearest(std::string(20'000'000, 'a'), words).empty());
}

TEST_CASE("bytes are shown with three digits") {
  CHECK(to_human_bytes(0) == "0 B");
  CHECK(to_human_bytes(999) == "999 B");
  CHECK(to_human_bytes(1536) == "1.54 kB");
  CHECK(to_human_bytes(48'470'000) == "48.5 MB");
  CHECK(to_human_bytes(999'999) == "1.00 MB");
  CHECK(to_human_bytes(3e12) == "3.00 TB");
}

TEST_CASE("counts agree with their noun") {
  CHECK(count_of(0, "file") == "0 files");
  CHECK(count_of(1, "file") == "1 file");
  CHECK(count_of(2, "file") == "2 files");
}

TEST_CASE("names sort as people count") {
  CHECK(natural_less("cpu2", "cpu10"));
  CHECK_FALSE(natural_less("cpu10", "cpu2"));
  CHECK(natural_less("algo-1", "algo-2"));
  CHECK(natural_less("algo-9", "algo-10"));
  CHECK(natural_less("cpu", "cpu0"));
  CHECK(natural_less("cpu2", "gpu0"));
  CHECK_FALSE(natural_less("cpu2", "cpu2"));
  CHECK(natural_less("cpu02", "cpu2") !=
        natural_less("cpu2", "cpu02")); // a strict order all the same
}

} // namespace test_text
