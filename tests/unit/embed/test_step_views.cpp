#include "embed/decode.h"
#include "embed/step_views.h"

#include <catch2/catch_test_macros.hpp>

namespace test_step_views {

using namespace debrief;
using nlohmann::json;
using result::StepSlice;
using result::StepView;

namespace {

constexpr std::int32_t kOp = 0;
constexpr std::int32_t kRuntime = 3;
constexpr std::int32_t kKernel = 5;

StepView example_view(const std::string& which) {
  StepView view;
  view.which = which;
  view.process = "algo-1-10";
  view.number = 4;
  view.us = 0.1;
  view.shown_us = 0.33;
  view.names = {"aten::mm", "launch", "</script>\n"};
  view.tracks = {{"thread 11", false, 2}, {"GPU 0 stream 7", true, 1}};
  view.slices = {{-10, 50, 0, 0, 0, -1, kOp, false, result::WorkCategory::gemm},
                 {20, 5, 1, 0, 1, -1, kRuntime},
                 {30, 80, 2, 1, 0, 1, kKernel},
                 {200, 130, 2, 1, 0, -1, kKernel}};
  return view;
}

struct UnpackedSteps {
  json index;
  std::string block;

  explicit UnpackedSteps(const embed::EmbeddedSteps& steps)
      : index(json::parse(steps.index))
      , block(test::inflated(test::from_base64(steps.block))) {}

  std::vector<double> column(std::size_t view, const char* name) const {
    return test::decoded(block, index.at("views").at(view).at(name));
  }

  std::string names() const {
    return block.substr(index.at("names").at(0).get<std::size_t>(),
                        index.at("names").at(1).get<std::size_t>());
  }
};

} // namespace

TEST_CASE("a step comes back as it was") {
  const std::vector<StepView> views = {example_view("only")};
  const embed::EmbeddedSteps steps = embed::embed_steps(views, 100'000);
  CHECK(steps.left_out.empty());
  CHECK(steps.index.find('<') == std::string::npos);
  const UnpackedSteps found{steps};
  const json& view = found.index.at("views").at(0);
  CHECK(view.at("which") == "only");
  CHECK(view.at("process") == "algo-1-10");
  CHECK(view.at("step") == 4);
  CHECK(view.at("length") == 0.1);
  CHECK(view.at("shown") == 0.33);
  CHECK(view.at("first") == -10);
  CHECK(view.at("dropped") == 0);
  CHECK(view.at("tracks").dump() ==
        R"([{"depth":2,"gpu":false,"name":"thread 11","other":"","slices":2},)"
        R"({"depth":1,"gpu":true,"name":"GPU 0 stream 7","other":"","slices":2}])");
  CHECK(found.column(0, "starts") == std::vector<double>{0, 30, 40, 210});
  CHECK(found.column(0, "durations") == std::vector<double>{50, 5, 80, 130});
  CHECK(found.column(0, "names") == std::vector<double>{0, 1, 2, 2});
  CHECK(found.column(0, "depths") == std::vector<double>{0, 1, 0, 0});
  const std::vector<double> launches = found.column(0, "launches");
  REQUIRE(launches.size() == 2); // of slices on GPUs
  CHECK(launches[0] == 1);
  CHECK(std::isnan(launches[1]));
  CHECK(found.names() == "aten::mm\nlaunch\n</script>\\n");
  CHECK(test::decoded(found.block, found.index.at("kind_of_name")) ==
        std::vector<double>{kOp, kRuntime, kKernel});
  CHECK(found.index.at("kinds").at(kKernel) == "kernel");
  CHECK(test::decoded(found.block, found.index.at("category_of_name")) ==
        std::vector<double>{0, 9, 9});
  CHECK(found.index.at("categories").at(0) == "gemm");
}

TEST_CASE("steps of many seconds are stored in greater units") {
  std::vector<StepView> views = {example_view("only")};
  views[0].slices.back().start_ns = 50'000'000'007;
  const UnpackedSteps found{embed::embed_steps(views, 100'000)};
  const std::vector<double> starts = found.column(0, "starts");
  CHECK(std::abs(starts.back() - 10 - 50'000'000'007) <= 50);
  CHECK(found.column(0, "durations").back() == 130);
}

TEST_CASE("views share names, and a name of two kinds is there twice") {
  std::vector<StepView> views = {example_view("slowest"), example_view("fastest")};
  views[1].slices[1].kind = kOp;
  const UnpackedSteps found{embed::embed_steps(views, 100'000)};
  CHECK(found.names() == "aten::mm\nlaunch\n</script>\\n\nlaunch");
  CHECK(found.column(1, "names") == std::vector<double>{0, 3, 2, 2});
}

TEST_CASE("any other step is there as far as it fits") {
  std::vector<StepView> views = {example_view("slowest"), example_view("fastest")};
  for (int step = 0; step < 4; ++step)
    views.push_back(example_view("step"));
  const auto count = [&](std::size_t with_others) {
    return UnpackedSteps{embed::embed_steps(views, 100'000, with_others)}.index.at("views").size();
  };
  CHECK(count(0) == 2);
  CHECK(count(100'000) == 6);
  const std::size_t alone = embed::embed_steps(views, 100'000).size();
  const std::size_t all = embed::embed_steps(views, 100'000, 100'000).size();
  const std::size_t some = count((alone + all) / 2);
  CHECK((some > 2 && some < 6));
  CHECK(embed::embed_steps(views, 100'000, (alone + all) / 2).size() <= (alone + all) / 2);
}

TEST_CASE("tracks that keep no slice are left out") {
  StepView view = example_view("only");
  view.tracks.clear();
  view.slices.clear();
  for (std::int32_t i = 0; i < 2'400; ++i) {
    view.tracks.push_back({"GPU 0 stream " + std::to_string(i), true, 1});
    view.slices.push_back({10 * i, 1 + i, 0, i, 0, -1, kKernel});
  }
  const embed::EmbeddedSteps steps = embed::embed_steps(std::vector{view}, 50'000);
  CHECK(steps.size() <= 50'000);
  const UnpackedSteps found{steps};
  const json& tracks = found.index.at("views").at(0).at("tracks");
  const std::vector<double> durations = found.column(0, "durations");
  REQUIRE(tracks.size() == durations.size()); // a slice each
  CHECK(tracks.size() < view.tracks.size());
  CHECK(found.index.at("views").at(0).at("dropped") == view.tracks.size() - tracks.size());
  CHECK(tracks.back().at("name") == "GPU 0 stream 2399"); // the longest
  CHECK(durations.back() == 2400);
}

TEST_CASE("what does not fit is left out: the shortest slices, then steps, then all") {
  std::vector<StepView> views;
  for (const char* which : {"slowest", "median", "fastest"}) {
    StepView& view = views.emplace_back(example_view(which));
    view.slices.clear();
    auto random = static_cast<std::uint32_t>(views.size());
    for (int i = 0; i < 4000; ++i) {
      random = random * 1'664'525 + 1'013'904'223;
      view.slices.push_back({100'000LL * i, 1 + random % 90'000, 0, 0, 0, -1, kOp});
    }
  }
  const embed::EmbeddedSteps whole = embed::embed_steps(views, 1'000'000);
  CHECK(whole.left_out.empty());
  std::size_t last = whole.size();
  const std::size_t less = whole.size() * 9 / 10;
  for (const std::size_t budget : {less, whole.size() / 3, whole.size() / 8, whole.size() / 20}) {
    const embed::EmbeddedSteps steps = embed::embed_steps(views, budget);
    CHECK(steps.size() <= budget);
    CHECK(steps.size() < last);
    CHECK_FALSE(steps.left_out.empty());
    last = steps.size();
  }
  const embed::EmbeddedSteps some = embed::embed_steps(views, less);
  CHECK(some.left_out.front() == "The slowest step is shown without its 1500 shortest slices.");
  const UnpackedSteps found{some};
  CHECK(found.index.at("views").at(0).at("dropped") == 1500);
  std::vector<std::int64_t> durations;
  for (const StepSlice& slice : views[0].slices)
    durations.push_back(slice.duration_ns);
  std::sort(durations.rbegin(), durations.rend());
  const std::vector<double> kept = found.column(0, "durations");
  CHECK(*std::min_element(kept.begin(), kept.end()) == static_cast<double>(durations[2499]));
  const embed::EmbeddedSteps none = embed::embed_steps(views, 100);
  CHECK(none.index.empty());
  CHECK(none.block.empty());
  CHECK(none.left_out.size() == 1);
}

TEST_CASE("steps give way to samples") {
  CHECK(embed::steps_budget(0) == 0);
  CHECK(embed::steps_budget(400'000) == 100'000);
  CHECK(embed::steps_budget(8'000'000) == 240'000);
  CHECK(embed::embed_steps({}, 1000).index.empty());
}

} // namespace test_step_views
