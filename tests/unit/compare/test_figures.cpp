#include "compare/figures.h"
#include "repository.h"
#include "result/from_document.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

namespace test_figures {

using namespace debrief::compare;
using debrief::test::from_document;
using nlohmann::json;

namespace {

std::optional<Figure> find(const json& document, std::string_view name) {
  for (const Figure& figure : figures_of(from_document(document)))
    if (figure.name == name) return figure;
  return std::nullopt;
}

std::optional<double> value(const json& document, std::string_view name) {
  const auto figure = find(document, name);
  return figure ? std::optional(figure->value) : std::nullopt;
}

json usage(const char* node, const char* metric, double p50) {
  return {{"node", node}, {"metric", metric}, {"p50", p50}};
}

} // namespace

TEST_CASE("A document without anything has no figures but counts of nothing") {
  for (const json& document :
       {json::object(),
        json{{"system_usage", 7}, {"steps", {1, "a", nullptr}}, {"job", "x"}, {"waste", 3}}})
    for (const Figure& figure : figures_of(from_document(document))) {
      CHECK(find_declaration(figure.name)->group == Group::counts);
      CHECK(figure.value == 0);
    }
}

TEST_CASE("A result has the figures of its own document") {
  debrief::result::Result result;
  auto& gpu = result.system_usage.emplace_back();
  gpu.metric = debrief::result::Metric::gpu;
  gpu.p50 = 100.0 / 3;
  result.waste.paid = 1.0 / 3;
  result.waste.other = 1.0 / 7;
  result.waste.parts = {{debrief::result::FindingKind::slow_start, 1.0 / 11, 0, {}}};
  const auto fresh = figures_of(result);
  const auto saved = figures_of(debrief::result::from_json(debrief::result::to_json(result)));
  REQUIRE(fresh.size() == saved.size());
  for (std::size_t at = 0; at < fresh.size(); ++at) {
    CAPTURE(fresh[at].name);
    CHECK(fresh[at].value == saved[at].value);
  }
}

TEST_CASE("The least busy node's GPU and the busiest node's memory are the worst") {
  const json document = {{"system_usage",
                          {usage("algo-1", "GPU", 90), usage("algo-2", "GPU", 40),
                           usage("algo-1", "GPU memory", 10), usage("algo-2", "GPU memory", 5)}}};
  CHECK(value(document, "gpu.p50") == 40);
  CHECK(value(document, "gpu[algo-1].p50") == 90);
  CHECK(value(document, "gpu[algo-2].p50") == 40);
  CHECK(value(document, "gpu_memory.p50") == 10);
  CHECK_FALSE(value(document, "gpu.p95"));
  CHECK(find(document, "gpu.p50")->label == "GPU utilization, median");
}

TEST_CASE("A node's mean is the mean of its devices' means") {
  const auto device = [](const char* node, double mean) -> json {
    return {{"node", node}, {"metric", "GPU"}, {"mean", mean}};
  };
  const json document = {{"devices", {device("a", 10), device("a", 30), device("b", 50)}}};
  CHECK(value(document, "gpu.mean") == 20);
  CHECK(value(document, "gpu[b].mean") == 50);
}

TEST_CASE("Steps are those of the slowest process, with its own blocks") {
  const auto row = [](const char* process, double p50, std::vector<double> blocks) -> json {
    return {{"process", process}, {"mode", "TRAIN"},         {"p50", p50},
            {"p95", 2 * p50},     {"block_medians", blocks}, {"count", 30}};
  };
  const json document = {{"steps", {row("algo-1-27", 0.1, {1, 2}), row("algo-1-28", 0.3, {3, 4})}}};
  const auto p50 = find(document, "steps.train.p50");
  CHECK(p50->value == 0.3);
  CHECK(p50->blocks == std::vector<double>{3, 4});
  CHECK(p50->needs_blocks);
  CHECK(find(document, "steps.train[algo-1-27].p50")->blocks == std::vector<double>{1, 2});
  CHECK_FALSE(find(document, "steps.train.p95")->needs_blocks);
  CHECK(find(document, "steps.train.count")->better == Better::neither);
}

TEST_CASE("What was lost is the sum of all parts and the rest, in the document's unit") {
  const json document = {
      {"waste",
       {{"unit", "node-hours"},
        {"paid", 8},
        {"busy", 5},
        {"busy_percent", 62.5},
        {"lost_percent", 25},
        {"other", 0.5},
        {"unmeasured", 1},
        {"parts", {{{"kind", "input_bound"}, {"hours", 1.5}, {"percent", 18.75}}}}}}};
  CHECK(value(document, "waste.lost") == 2);
  CHECK(value(document, "waste.lost_percent") == 25);
  CHECK(value(document, "waste.busy_percent") == 62.5);
  CHECK(value(document, "waste.input_bound_percent") == 18.75);
  CHECK(value(document, "waste.slow_start_percent") == 0);
  CHECK(find(document, "waste.paid")->unit == "node-hours");
  CHECK(find(document, "waste.lost_percent")->of == "node-hours");
  CHECK_FALSE(value({{"waste", nullptr}}, "waste.slow_start_percent"));
}

TEST_CASE("Shares of profiled time are by GPU, memory is that of GPUs") {
  const json document = {
      {"traces",
       {{"gpus",
         {{{"process", "p"}, {"device", 0}, {"profiled_us", 200}, {"busy_us", 150}},
          {{"process", "p"}, {"device", 1}, {"profiled_us", 200}, {"busy_us", 50}},
          {{"process", "q"}, {"device", 0}, {"profiled_us", 0}, {"busy_us", 0}}}},
        {"operators", {{"device_self_us", 80}, {"tensor_core_us", 20}}},
        {"memory",
         {{{"process", "p"}, {"device", "CPU"}, {"peak_allocated", 9000}},
          {{"process", "p"}, {"device", "GPU 1"}, {"peak_allocated", 700}}}}}}};
  CHECK(value(document, "traces.gpu_busy_percent") == 25);
  CHECK(value(document, "traces[p/gpu0].gpu_busy_percent") == 75);
  CHECK_FALSE(value(document, "traces[q/gpu0].gpu_busy_percent"));
  CHECK(value(document, "traces.tensor_core_percent") == 25);
  CHECK(value(document, "traces.peak_memory") == 700);
}

TEST_CASE("Times of the job and parts of its accounting, counts of lists") {
  const json document = {
      {"job",
       {{"start_time", "2026-11-14T10:00:00Z"},
        {"end_time", "2026-11-14T10:01:40Z"},
        {"training_loop_start", "2026-11-14T10:00:07.5Z"}}},
      {"time_accounting",
       {{"parts", {{{"part", "between steps"}, {"seconds", 4}, {"percent", 4}}}}}},
      {"rules", {{{"status", "issue_found"}}, {{"status", "no_issue"}}}},
      {"findings", json::array()},
      {"data_quality",
       {{"skipped", {{{"count", 3}}, {{"count", 4}}}},
        {"nodes",
         {{{"span", {{"start", "2026-11-14T10:00:00Z"}, {"end", "2026-11-14T10:01:40Z"}}},
           {"gap_seconds", 2.5}}}}}}};
  CHECK(value(document, "job.duration") == 100);
  CHECK(value(document, "job.initialization_percent") == 7.5);
  CHECK(value(document, "job.initialization") == 7.5);
  CHECK_FALSE(value(document, "job.finalization"));
  CHECK(value(document, "job.between_steps") == 4);
  CHECK(value(document, "rules.triggered") == 1);
  CHECK(value(document, "findings.count") == 0);
  CHECK(value(document, "quality.skipped") == 7);
  CHECK(value(document, "quality.gap_seconds") == 2.5);
}

TEST_CASE("Places of any name give figures of unique names") {
  const json document = {{"system_usage",
                          {usage("a\n", "GPU", 1), usage("a\\n", "GPU", 2), usage("b].x", "GPU", 3),
                           usage("b].x", "GPU", 4)}}};
  std::set<std::string> names;
  const auto figures = figures_of(from_document(document));
  for (const Figure& figure : figures)
    names.insert(figure.name);
  CHECK(names.size() == figures.size());
  CHECK(value(document, "gpu[b].x].p50") == 3);
  CHECK(is_known_name("gpu[b].x].p50"));
}

TEST_CASE("Names without brackets are known, others have a nearest") {
  CHECK(is_known_name("gpu.p50"));
  CHECK(is_known_name("steps.train[algo-1-27].p50"));
  CHECK_FALSE(is_known_name("gpu.p51"));
  CHECK_FALSE(is_known_name("gpu"));
  CHECK_FALSE(is_known_name(""));
  CHECK(nearest_name("step.train.p50") == " (did you mean 'steps.train.p50'?)");
  CHECK(nearest_name("zzzzzzzzzzzz").empty());
}

TEST_CASE("docs/figures.md has every name, and none that does not exist") {
  std::ifstream file(debrief::test::repository() / "docs/figures.md");
  REQUIRE(file);
  std::set<std::string> documented;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("| `")) continue;
    const std::string names = line.substr(0, line.find('|', 1));
    const std::regex name("`([^`]+)`");
    for (std::sregex_iterator at(names.begin(), names.end(), name), end; at != end; ++at)
      CHECK(documented.insert((*at)[1]).second);
  }
  std::set<std::string> declared;
  for (const Declaration& row : catalog())
    CHECK(declared.insert(row.name).second);
  CHECK(documented == declared);
}

} // namespace test_figures
