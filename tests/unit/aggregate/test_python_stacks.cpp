#include "aggregate/python_lines.h"
#include "aggregate/python_stacks.h"
#include "ingest/join_stacks.h"
#include "ingest/stacks_reader.h"
#include "support.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

namespace test_python_stacks {

using namespace debrief;
using Catch::Approx;
using test::at;

namespace {

/// main (1) calls book (5, 6) and loads (json.dumps, encode); a package alone is a stack, too.
constexpr const char* kTables =
    "frame 0 own main (train.py:1)\nframe 1 own book (train.py:5)\nframe 2 own book (train.py:6)\n"
    "frame 3 own load (data.py:9)\nframe 4 python dumps (json/__init__.py:3)\n"
    "frame 5 python encode (json/encoder.py:7)\nframe 6 package serve (vllm/engine.py:8)\n"
    "frame 7 package _call_impl (torch/nn/modules/module.py:8)\nframe 8 own forward (net.py:4)\n"
    "stack 0 -1 0\nstack 1 0 1\nstack 2 0 2\nstack 3 0 3\nstack 4 3 4\nstack 5 4 5\nstack 6 -1 6\n"
    "stack 7 0 7\nstack 8 7 8\n"
    "thread 0 main\nthread 1 pin\n";

struct Run {
  double start;
  double seconds;
  int stack;
  int thread = 0;
};

std::string text_of(const std::string& facts, const std::vector<Run>& runs) {
  std::string text = "debrief stacks 1\n" + facts + kTables;
  for (const Run& run : runs)
    text += fmt::format("{} {} {} {}\n", at(run.start),
                        static_cast<std::int64_t>(run.seconds * 1e6), run.thread, run.stack);
  return text;
}

job::PythonStacks joined(const std::vector<std::string>& files) {
  std::vector<job::PythonStacks> read;
  for (const std::string& text : files)
    read.push_back(
        std::move(*test::read_text(ingest::StacksReader{}, "a.stacks", text).python_stacks));
  job::ReadingReport report;
  return ingest::join_stacks(std::move(read), std::nullopt, report);
}

job::PythonStacks one(const std::vector<Run>& runs) {
  return joined({text_of("host box\nprocess 7\n", runs)});
}

std::optional<result::PythonLine> line_in(const job::PythonStacks& stacks, double from, double to,
                                          const aggregate::StacksOf& of = {}) {
  const TimeSpan window{at(from), at(to)};
  return aggregate::top_line(stacks, of, {&window, 1});
}

} // namespace

TEST_CASE("the line of the job's own code that takes the most time is named") {
  const job::PythonStacks stacks = one({{0, 2, 1}, {2, 1, 2}, {3, 5, 5}, {8, 2, 0}});
  const auto line = line_in(stacks, 0, 10);
  REQUIRE(line);
  CHECK(line->place.function == "load");
  CHECK(line->place.file == "data.py");
  CHECK(line->place.line == 9);
  CHECK(line->place.origin == result::CodeOrigin::own);
  CHECK(line->share == Approx(0.5));
  CHECK(line->function_share == Approx(0.5));
  REQUIRE(line->callee);
  CHECK(line->callee->function == "dumps");
  REQUIRE(line->leaf);
  CHECK(line->leaf->file == "json/encoder.py");
  CHECK(line->sampled == Approx(1));
}

TEST_CASE("a function whose time is spread over its lines is named before one line") {
  const auto line = line_in(one({{0, 3, 1}, {3, 2, 2}, {5, 4, 3}}), 0, 20);
  REQUIRE(line);
  CHECK(line->place.function == "book");
  CHECK(line->place.line == 5);
  CHECK(line->share == Approx(3.0 / 9));
  CHECK(line->function_share == Approx(5.0 / 9));
  CHECK_FALSE(line->callee);
  CHECK_FALSE(line->leaf);
  CHECK(line->sampled == Approx(0.45));
}

TEST_CASE("what a module, an optimizer or a backward pass calls is within PyTorch") {
  const job::PythonStacks stacks = one({{0, 5, 8}, {5, 1, 7}, {6, 3, 1}, {9, 1, 0}});
  CHECK(line_in(stacks, 0, 10)->place.function == "forward");
  const auto line = line_in(stacks, 0, 10, {.outside_pytorch = true});
  REQUIRE(line);
  CHECK(line->place.function == "book");
  CHECK(line->function_share == Approx(0.3)); // of all
  const TimeSpan all{at(0), at(10)};
  CHECK(aggregate::share_outside_pytorch(stacks, {&all, 1}, 10).value() == Approx(0.4));
  CHECK_FALSE(aggregate::share_outside_pytorch(stacks, {&all, 1}, 10.1));
  CHECK_FALSE(aggregate::share_outside_pytorch({}, {&all, 1}, 0));
}

TEST_CASE("only the windows count") {
  const job::PythonStacks stacks = one({{0, 4, 1}, {4, 1, 3}});
  const std::vector<TimeSpan> windows{{at(3.5), at(6)}, {at(3.75), at(4)}};
  const auto line = aggregate::top_line(stacks, {}, windows);
  REQUIRE(line);
  CHECK(line->place.function == "load");
  CHECK(line->share == Approx(1 / 1.5));
  CHECK(line->sampled == Approx(1.5 / 2.5));
  CHECK_FALSE(line_in(stacks, 6, 7));
  CHECK_FALSE(aggregate::top_line(stacks, {}, {}));
  CHECK_FALSE(line_in({}, 0, 7));
}

TEST_CASE("without own code the innermost line is named") {
  const auto line = line_in(one({{0, 4, 6}, {4, 1, 3}}), 0, 4);
  REQUIRE(line);
  CHECK(line->place.function == "serve");
  CHECK(line->place.origin == result::CodeOrigin::package);
}

TEST_CASE("processes, their loaders' workers and other threads are told apart") {
  const job::PythonStacks stacks =
      joined({text_of("host box\nprocess 7\n", {{0, 4, 1}, {0, 9, 3, 1}}),
              text_of("host other\nprocess 7\n", {{0, 4, 3}}),
              text_of("host box\nprocess 8\nparent 7\nkind loader_worker\n", {{0, 2, 6}})});
  CHECK(line_in(stacks, 0, 9, {"box", 7})->place.function == "book");
  CHECK(line_in(stacks, 0, 9, {"box"})->share == Approx(1));
  CHECK(line_in(stacks, 0, 9, {"other", 7})->place.function == "load");
  CHECK_FALSE(line_in(stacks, 0, 9, {"box", 9}));
  CHECK(line_in(stacks, 0, 9, {"box", 7, true})->place.function == "serve");
  CHECK_FALSE(line_in(stacks, 0, 9, {"other", 7, true}));
  CHECK(line_in(stacks, 0, 9, {"box", 7})->sampled == Approx(4.0 / 9));
  CHECK(line_in(stacks, 0, 4)->share == Approx(0.5));
}

TEST_CASE("equal times are told apart by name") {
  CHECK(line_in(one({{0, 1, 1}, {1, 1, 3}}), 0, 2)->place.file == "data.py");
  CHECK(line_in(one({{0, 1, 3}, {1, 1, 1}}), 0, 2)->place.file == "data.py");
}

TEST_CASE("functions are summed by phase") {
  const job::PythonStacks stacks =
      joined({text_of("host box\nprocess 7\ninterval 33000\ncost 20000 10000000\nleft threads 2\n",
                      {{0, 3, 0}, {3, 4, 5}, {7, 3, 1}, {0, 10, 6, 1}}),
              "debrief stacks 1\nleft processes 3\n"});
  job::EventTableBuilder events;
  job::Timeline timeline;
  timeline.kind = job::TimelineKind::python;
  const std::int32_t track = events.track({events.timeline(timeline), {}, {}});
  const auto add = [&](const char* phase, double from, double to) {
    events.add({at(from), at(to) - at(from), events.names.intern("x"), events.phases.intern(phase),
                track, job::kNoStep});
  };
  add("Checkpoint", 4, 5);
  add("Step:ModeKeys.EVAL", 4.5, 6);
  add("Step:ModeKeys.TRAIN", 2, 3);
  result::JobSummary summary;
  summary.training_loop_start = at(2);
  summary.training_loop_end = at(8);
  const result::PythonStacks found =
      aggregate::python_stacks(stacks, std::move(events).finish(), summary);
  CHECK(found.processes == 1);
  CHECK(found.processes_left_out == 3);
  CHECK(found.threads == 2);
  CHECK(found.seconds == Approx(20));
  CHECK(found.interval == Approx(0.033));
  CHECK(found.cost_percent == Approx(0.2));
  CHECK(found.thread_samples_left_out == 2);
  std::map<std::pair<result::PythonThreads, result::PythonPhase>, double> seconds;
  for (const result::PythonProfile& profile : found.profiles)
    seconds[{profile.threads, profile.phase}] = profile.seconds;
  using result::PythonPhase;
  const auto main_in = [&](PythonPhase phase) {
    return seconds[{result::PythonThreads::main, phase}];
  };
  CHECK(main_in(PythonPhase::startup) == Approx(2));
  CHECK(main_in(PythonPhase::training) == Approx(4)); // 2 to 4, 6 to 8
  CHECK(main_in(PythonPhase::evaluation) == Approx(1));
  CHECK(main_in(PythonPhase::saving) == Approx(1));
  CHECK(main_in(PythonPhase::end) == Approx(2));
  CHECK(seconds[{result::PythonThreads::others, PythonPhase::training}] == Approx(4));
  const result::PythonProfile& training = found.profiles[1];
  REQUIRE(training.phase == PythonPhase::training);
  CHECK(training.function_count == 5);
  // encode 2 s, main 1 s, book 1 s of their own; dumps has none.
  REQUIRE(training.functions.size() == 4);
  CHECK(training.functions[0].place.function == "encode");
  CHECK(training.functions[0].self_seconds == Approx(2));
  CHECK(training.functions[1].place.function == "main");
  CHECK(training.functions[1].total_seconds == Approx(4));
  CHECK(training.functions[3].place.function == "load");
  CHECK(training.functions[3].self_seconds == 0);
  CHECK(training.functions[3].total_seconds == Approx(2));
  CHECK(training.functions[3].own_seconds == Approx(2)); // json is its own business
  CHECK(training.functions[0].own_seconds == 0);
  CHECK(training.functions[1].own_seconds == Approx(1));
}

TEST_CASE("without steps a job has one phase") {
  const result::PythonStacks found = aggregate::python_stacks(one({{0, 4, 1}}), {}, {});
  REQUIRE(found.profiles.size() == 1);
  CHECK(found.profiles.front().phase == result::PythonPhase::job);
  CHECK(aggregate::python_stacks({}, {}, {}).empty());
}

TEST_CASE("a function that calls itself is counted once") {
  const job::PythonStacks stacks =
      joined({"debrief stacks 1\nprocess 1\nframe 0 own f (a.py:1)\nframe 1 own f (a.py:2)\n"
              "stack 0 -1 0\nstack 1 0 1\nstack 2 1 1\nthread 0 main\n" +
              fmt::format("{} 3000000 0 2\n", at(0))});
  const result::PythonStacks found = aggregate::python_stacks(stacks, {}, {});
  REQUIRE(found.profiles.front().functions.size() == 1);
  CHECK(found.profiles.front().functions.front().total_seconds == Approx(3));
  CHECK(found.profiles.front().functions.front().self_seconds == Approx(3));
}

} // namespace test_python_stacks
