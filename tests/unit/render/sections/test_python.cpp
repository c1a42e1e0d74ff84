#include "render/view_support.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace test_python_view {

using namespace debrief;
using Catch::Matchers::StartsWith;
using result::CodeOrigin;
using result::PythonPhase;
using result::PythonProfile;
using result::PythonThreads;

namespace {

result::Result sampled() {
  result::Result result;
  result.python_stacks.processes = 2;
  result.python_stacks.seconds = 200;
  result.python_stacks.profiles = {
      {PythonPhase::startup, PythonThreads::main, 10, {{{"setup", "train.py", 3}, 10, 10, 10}}, 1},
      {PythonPhase::training,
       PythonThreads::main,
       100,
       {{{"encode", "json/encoder.py", 257, CodeOrigin::python}, 40, 40, 0},
        {{"<book>", "train.py", 9}, 11, 51, 51},
        {{"main", "train.py", 0}, 1, 100, 49}},
       3},
      {PythonPhase::training,
       PythonThreads::loader_workers,
       50,
       {{{"open", "PIL/Image.py", 3, CodeOrigin::package}, 50, 50, 0}},
       1}};
  return result;
}

} // namespace

TEST_CASE("python: the function that most training time is charged to is named") {
  const auto view = view_of(render::kPythonSection, sampled());
  CHECK(take_away(view) == "In training, main threads spent 51% of their time in <book> "
                           "(train.py:9). In training, none of the job's own code was on the "
                           "stacks of data-loader workers. Sampled: 3 min 20 s in 2 processes.");
  const auto tables = blocks(view, "table");
  REQUIRE(tables.size() == 3);
  CHECK(cell(view, "Main threads in training", 0, "Function") == "encode");
  CHECK(cell(view, "Main threads in training", 0, "Line") == "json/encoder.py:257");
  CHECK(cell(view, "Main threads in training", 0, "Code") == "Python");
  CHECK(cell(view, "Main threads in training", 1, "Self") == "11 s");
  CHECK(cell(view, "Main threads in training", 1, "Total") == "51 s");
  CHECK(cell(view, "Main threads in training", 2, "Line") == "train.py");
  CHECK(cell(view, "Data-loader workers in training", 0, "Code") == "Package");
  CHECK_THAT(tables.back()["summary"].get<std::string>(),
             StartsWith("Main threads in startup, 10"));
  CHECK(view["notes"].empty());
}

TEST_CASE("python: what was left out is said") {
  result::Result result = sampled();
  result.python_stacks.processes_left_out = 1;
  result.python_stacks.frames_left_out = 1200;
  result.python_stacks.full_files = 2;
  CHECK(view_of(render::kPythonSection, result)["notes"][0] ==
        "Left out: 1 process and 1,200 frames. Sampling ended early in 2 processes: the file's "
        "limit was reached.");
}

TEST_CASE("python: without samples it says how to get them") {
  CHECK_THAT(only_note(view_of(render::kPythonSection, result::Result{})),
             StartsWith("Python functions were not sampled. debrief record"));
}

} // namespace test_python_view
