#include "ingest/job_description_reader.h"
#include "ingest/rule_output_reader.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

namespace test_description_readers {

using namespace debrief;
using test::count_in;

TEST_CASE("a SageMaker description is read") {
  const ingest::FileReading reading =
      test::read_text(ingest::JobDescriptionReader{}, "training-job.json", R"({
    "TrainingJobName": "my-job",
    "TrainingJobStatus": "Completed",
    "TrainingStartTime": "2024-08-15T08:16:00.500000+00:00",
    "TrainingEndTime": 1723710780,
    "ResourceConfig": {"InstanceType": "ml.g5.12xlarge", "InstanceCount": 2},
    "HyperParameters": {"epochs": "3", "lr": 0.5},
    "AlgorithmSpecification": {"TrainingImage": "123.example/pytorch-training:1.8.1-gpu-py36"},
    "ProfilerConfig": {"ProfilingIntervalInMilliseconds": 500},
    "ProfilerRuleConfigurations": [{"RuleConfigurationName": "R", "RuleParameters":
      {"rule_to_invoke": "ProfilerReport", "CPUBottleneck_cpu_threshold": "80"}}]
  })");
  REQUIRE(reading.description);
  const job::JobDescription& description = *reading.description;
  CHECK(description.name == "my-job");
  CHECK(description.status == "Completed");
  CHECK(description.start == 1723709760500000);
  CHECK(description.end == 1723710780000000);
  CHECK(description.instance_type == "ml.g5.12xlarge");
  CHECK(description.instance_count == 2);
  CHECK(description.framework == "pytorch 1.8.1");
  CHECK(description.sampling_interval_ms == 500);
  CHECK(description.hyperparameters ==
        std::map<std::string, std::string>{{"epochs", "3"}, {"lr", "0.5"}});
  CHECK(description.rule_parameters ==
        std::map<std::string, std::string>{{"CPUBottleneck_cpu_threshold", "80"}});
  CHECK(reading.report.skipped.empty());
}

TEST_CASE(
    "parameters of rules on the model are read, of a rule's second configuration by its name") {
  const ingest::FileReading reading =
      test::read_text(ingest::JobDescriptionReader{}, "training-job.json", R"({
    "TrainingJobName": "my-job",
    "DebugRuleConfigurations": [
      {"RuleConfigurationName": "VanishingGradient", "RuleParameters":
        {"rule_to_invoke": "VanishingGradient", "base_trial": "x", "threshold": "20.0"}},
      {"RuleConfigurationName": "a strict/one", "RuleParameters":
        {"rule_to_invoke": "VanishingGradient", "threshold": 1e-3}},
      {"RuleConfigurationName": "Other", "RuleParameters": {"threshold": "1"}}, 5]
  })");
  REQUIRE(reading.description);
  CHECK(reading.description->rule_parameters ==
        std::map<std::string, std::string>{{"VanishingGradient_threshold", "20.0"},
                                           {"VanishingGradient:astrictone_threshold", "0.001"}});
}

TEST_CASE("a recorder's notes are read, within bounds") {
  const auto notes = [](const std::string& recording) {
    const ingest::FileReading reading = test::read_text(ingest::JobDescriptionReader{}, "job.json",
                                                        R"({"Recording": )" + recording + "}");
    return reading.description->recorder_notes;
  };
  CHECK(notes(R"({"Notes": ["One.", 2, "Three."]})") == std::vector<std::string>{"One.", "Three."});
  CHECK(notes("{}").empty());
  CHECK(notes(R"({"Notes": "One."})").empty());
  CHECK(notes(R"({"Notes": [")" + std::string(501, 'x') + R"("]})").empty());
  std::string many = R"({"Notes": ["a")";
  for (int i = 0; i < 100; ++i)
    many += R"(, "a")";
  CHECK(notes(many + "]}").size() == 20);
}

TEST_CASE("what a recorder did is read, within bounds") {
  const auto actions = [](const std::string& list) {
    const ingest::FileReading reading = test::read_text(
        ingest::JobDescriptionReader{}, "job.json", R"({"Recording": {"Actions": )" + list + "}}");
    return reading.description->recorder_actions;
  };
  const auto one = actions(R"([{"Time": "2023-11-14T22:13:20Z", "Condition": "idle", "Action":
      "stop", "Why": "It is.", "Outcome": "done"}, 7, {"Action": "run"}])");
  REQUIRE(one.size() == 2);
  CHECK(one[0].time == test::at(0));
  CHECK(one[0].condition == "idle");
  CHECK(one[0].action == "stop");
  CHECK(one[0].why == "It is.");
  CHECK(one[0].outcome == "done");
  CHECK_FALSE(one[1].time);
  CHECK(one[1].why.empty());
  CHECK(actions(R"([{"Why": ")" + std::string(501, 'x') + R"("}])").at(0).why.empty());
  std::string many = "[{}";
  for (int i = 0; i < 200; ++i)
    many += ", {}";
  CHECK(actions(many + "]").size() == 100);
  CHECK(actions("{}").empty());
}

TEST_CASE("what a description does not say is absent, and what it says wrongly is counted") {
  const ingest::FileReading nothing =
      test::read_text(ingest::JobDescriptionReader{}, "job.json", "{}");
  REQUIRE(nothing.description);
  CHECK_FALSE(nothing.description->name);
  CHECK_FALSE(nothing.description->start);
  CHECK_FALSE(nothing.description->instance_count);

  const ingest::FileReading wrong = test::read_text(
      ingest::JobDescriptionReader{}, "job.json",
      R"({"TrainingJobName": 7, "TrainingStartTime": "soon", "TrainingEndTime": -1, "ResourceConfig": []})");
  CHECK_FALSE(wrong.description->name);
  CHECK(count_in(wrong.report.skipped, "field of the job's description has an unexpected value") ==
        4);

  const ingest::FileReading broken =
      test::read_text(ingest::JobDescriptionReader{}, "job.json", "{\"Train");
  CHECK_FALSE(broken.description);
  CHECK(count_in(broken.report.damaged_files, "job description is not valid JSON") == 1);
}

TEST_CASE("what is no object is told from what is broken, and from what is too deep") {
  const auto trouble_of = [](const std::string& text) {
    const ingest::FileReading reading =
        test::read_text(ingest::JobDescriptionReader{}, "job.json", text);
    REQUIRE(reading.report.damaged_files.size() == 1);
    return reading.report.damaged_files.begin()->first;
  };
  CHECK(trouble_of("[1]") == "job description is not a JSON object");
  const std::string open(32, '[');
  const std::string close(32, ']');
  CHECK(trouble_of("{\"a\": " + open + open + close + close + "}") ==
        "job description nests deeper than 64 levels");
  CHECK(trouble_of("{\"a\": " + open + close) == "job description is not valid JSON");
  std::string many = "{\"a\": [[]";
  for (int i = 0; i < 500'000; ++i)
    many += ",[]";
  CHECK(trouble_of(many + "]}") == "job description has more than 500,000 values");
}

TEST_CASE("the framework is in the image's name") {
  CHECK(ingest::framework_of_image("r/tensorflow-training:2.11.0-gpu-py39") == "tensorflow 2.11.0");
  CHECK(ingest::framework_of_image("pytorch-training") == "pytorch");
  CHECK_FALSE(ingest::framework_of_image("registry/my-own:latest"));
}

TEST_CASE("a rule output is read whole") {
  const ingest::FileReading reading = test::read_text(
      ingest::RuleOutputReader{}, "profiler-reports/LowGPUUtilization.json",
      R"({"RuleTriggered": 4, "Violations": 5, "Details": {"algo-1": {"gpu0": {"p95": 85.0}}}, "Datapoints": 1068, "RuleParameters": "threshold_p95:70\nwindow:500"})");
  REQUIRE(reading.rule_output);
  CHECK(reading.rule_output->rule == "LowGPUUtilization");
  CHECK(reading.rule_output->triggered == 4);
  CHECK(reading.rule_output->violations == 5);
  CHECK(reading.rule_output->datapoints == 1068);
  CHECK(reading.rule_output->parameters == "threshold_p95:70\nwindow:500");
  CHECK(reading.rule_output->details()["algo-1"]["gpu0"]["p95"] == 85.0);

  const ingest::FileReading broken = test::read_text(ingest::RuleOutputReader{}, "X.json",
                                                     R"({"RuleTriggered": 4, "Details": 3})");
  CHECK_FALSE(broken.rule_output);
  CHECK(count_in(broken.report.damaged_files, "rule output has no Details") == 1);
}

TEST_CASE("a rule output with numbers that nothing measures is left out") {
  const ingest::FileReading absurd =
      test::read_text(ingest::RuleOutputReader{}, "X.json",
                      R"({"RuleTriggered": 4, "Details": {"step": {"p50": 1e308}}})");
  CHECK(!absurd.rule_output);
  CHECK(count_in(absurd.report.damaged_files, "rule output has an implausibly large number") == 1);
}

TEST_CASE("descriptions and rule outputs are known by content") {
  CHECK(test::reader_for("anything", R"({"TrainingJobName": "x"})") == "Job description");
  CHECK(test::reader_for("a/job.json", "{}") == "Job description");
  CHECK(test::reader_for("X.json", R"({"RuleTriggered": 0, "Details": {}})") ==
        "SageMaker rule outputs");
  CHECK(test::reader_for("X.json", R"({"other": 0})").empty());
}

} // namespace test_description_readers
