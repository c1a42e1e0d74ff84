#include "ingest/xgboost/model_reader.h"
#include "support.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

namespace test_xgboost_model_reader {

using namespace debrief;

namespace {

/// Two trees: one split by f1, and one that splits twice.
nlohmann::json model() {
  return nlohmann::json::parse(R"({"learner": {
    "attributes": {"best_iteration": "1"},
    "feature_names": ["age", "income"],
    "gradient_booster": {"model": {
      "gbtree_model_param": {"num_parallel_tree": "1", "num_trees": "2"},
      "iteration_indptr": [0, 1, 2],
      "trees": [
        {"left_children": [1, -1, -1], "right_children": [2, -1, -1], "split_indices": [1, 0, 0],
         "loss_changes": [4.5, 0, 0], "sum_hessian": [10, 4, 6], "split_conditions": [1, 2, 3]},
        {"left_children": [1, 3, -1, -1, -1], "right_children": [2, 4, -1, -1, -1],
         "split_indices": [0, 7, 0, 0, 0], "loss_changes": [2, 1, 0, 0, 0],
         "sum_hessian": [8, 5, 3, 2, 3]}]},
      "name": "gbtree"},
    "learner_model_param": {"num_class": "0", "num_feature": "8"},
    "objective": {"name": "binary:logistic"}},
    "version": [3, 2, 0]})");
}

std::string ubjson(const nlohmann::json& document) {
  const std::vector<std::uint8_t> bytes = nlohmann::json::to_ubjson(document);
  return {bytes.begin(), bytes.end()};
}

ingest::FileReading read(const std::string& text, std::size_t piece = SIZE_MAX) {
  return test::read_text(ingest::XgboostModelReader{}, "model.json", text, piece);
}

void check_model(const ingest::FileReading& reading) {
  REQUIRE(reading.tree_model);
  const job::TreeModel& found = *reading.tree_model;
  CHECK(found.path == "model.json");
  CHECK(found.objective == "binary:logistic");
  CHECK(found.booster == "gbtree");
  CHECK(found.version == "3.2.0");
  CHECK(found.trees == 2);
  CHECK(found.rounds == 2);
  CHECK(found.best_round == 1);
  CHECK(found.features == 8);
  CHECK_FALSE(found.classes);
  CHECK(found.splits == 3);
  CHECK(found.leaves == 5);
  CHECK(found.trees_by_depth == std::vector<std::int64_t>{0, 1, 1});
  REQUIRE(found.used.size() == 3);
  CHECK(found.used[0].name == "age");
  CHECK(found.used[1].name == "f7"); // beyond the names
  CHECK(found.used[2].name == "income");
  CHECK(found.used[2].splits == 1);
  CHECK(found.used[2].gain == 4.5);
  CHECK(found.used[2].cover == 10);
  CHECK(reading.report.damaged_files.empty());
  CHECK(reading.report.skipped.empty());
}

} // namespace

TEST_CASE("saved model: JSON and UBJSON say the same, wherever blocks end") {
  check_model(read(model().dump()));
  check_model(read(model().dump(2), 7));
  check_model(read(ubjson(model())));
  check_model(read(ubjson(model()), 5));
}

TEST_CASE("saved model: known by its content") {
  const auto recognizes = [](const std::string& text) {
    test::TextSource source{text};
    ingest::BlockReader bytes{source};
    bytes.more();
    return ingest::XgboostModelReader{}.recognizes({"any", {}, bytes});
  };
  CHECK(recognizes(model().dump()));
  CHECK(recognizes(ubjson(model())));
  CHECK_FALSE(recognizes(R"({"model": 1})"));
  CHECK_FALSE(recognizes("{"));
  CHECK_FALSE(recognizes("learner"));
}

TEST_CASE("saved model: dart has its trees one level deeper") {
  nlohmann::json dart = model();
  auto& booster = dart["learner"]["gradient_booster"];
  booster = {{"gbtree", booster}, {"name", "dart"}, {"weight_drop", {1, 1}}};
  const auto reading = read(dart.dump());
  REQUIRE(reading.tree_model);
  CHECK(reading.tree_model->booster == "dart");
  CHECK(reading.tree_model->trees == 2);
}

TEST_CASE("saved model: bare NaN and Infinity are no damage") {
  std::string text = model().dump();
  text.replace(text.find("[1,2,3]"), 7, "[NaN,-Infinity,Infinity]");
  check_model(read(text));
  check_model(read(text, 3));
}

TEST_CASE("saved model: trees whose nodes do not fit together are counted") {
  const auto broken = [](const char* column, const nlohmann::json& values) {
    nlohmann::json document = model();
    document["learner"]["gradient_booster"]["model"]["trees"][0][column] = values;
    return read(document.dump());
  };
  for (const auto& reading :
       {broken("left_children", {1, -1}), broken("left_children", {0, -1, -1}),
        broken("left_children", {2, -1, -1}), broken("right_children", {9, -1, -1}),
        broken("left_children", {1.5, -1, -1}), broken("split_indices", {-3, 0, 0}),
        broken("loss_changes", nlohmann::json::array()), broken("sum_hessian", "none")}) {
    REQUIRE(reading.tree_model);
    CHECK(reading.tree_model->trees == 1);
    REQUIRE(reading.report.skipped.size() == 1);
    CHECK(reading.report.skipped.begin()->second.count == 1);
  }
}

TEST_CASE("saved model: a cut-off file keeps the trees before the cut") {
  const std::string text = model().dump();
  const auto reading = read(text.substr(0, text.find("\"sum_hessian\":[8")));
  REQUIRE(reading.tree_model);
  CHECK(reading.tree_model->trees == 1);
  CHECK(reading.report.damaged_files.size() == 1);
  const std::string bytes = ubjson(model());
  for (std::size_t size = 20; size < bytes.size(); size += 11)
    CHECK(read(bytes.substr(0, size)).report.damaged_files.size() == 1);
}

TEST_CASE("saved model: a configuration is none") {
  const auto reading = read(R"({"learner": {"gradient_booster": {"name": "gbtree"}}})");
  CHECK_FALSE(reading.tree_model);
  CHECK(reading.report.ignored.size() == 1);
}

TEST_CASE("saved model: depth and counts that are made up end early") {
  const std::string start = "{L" + std::string(7, '\0') + "\x07learner";
  CHECK(read(start + std::string(1'000'000, '[')).report.damaged_files.size() == 1);
  // An array that says it has 2^62 values of no bytes each.
  const std::string endless =
      start + "[$Z#L" + std::string("\x40\0\0\0\0\0\0\0", 8) + std::string(100, ' ');
  CHECK(read(endless).report.damaged_files.size() == 1);
}

} // namespace test_xgboost_model_reader
