#include "util/short_paths.h"

#include <catch2/catch_test_macros.hpp>

namespace test_short_paths {

using debrief::with_short_paths;

TEST_CASE("paths below the folder are relative to it, others are names") {
  CHECK(with_short_paths("No such file: '/home/me/run/data/a.pt'", "/home/me/run") ==
        "No such file: 'data/a.pt'");
  CHECK(with_short_paths("No such file: '/home/you/data/a.pt'.", "/home/me/run") ==
        "No such file: 'a.pt'.");
  CHECK(with_short_paths("/home/me/running/a and /home/me/run", "/home/me/run") == "a and run");
  CHECK(with_short_paths("in /usr/lib/python3/site-packages/torch/nn/functional.py:12", "/usr") ==
        "in torch/nn/functional.py:12");
  CHECK(with_short_paths("cannot write /data/me/.", "") == "cannot write me.");
}

TEST_CASE("what is no path stays") {
  for (const char* text : {"", "/", "a / b", "1/2 of it", "https://host.example/a/b", "and/or",
                           "//", "torch/nn/functional.py", "key=value"})
    CHECK(with_short_paths(text, "/home/me") == text);
}

} // namespace test_short_paths
