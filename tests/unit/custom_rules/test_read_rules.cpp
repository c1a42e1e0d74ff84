#include "custom_rules/read_rules.h"
#include "gate/message.h"

#include <catch2/catch_test_macros.hpp>

namespace test_read_rules {

using namespace debrief;
using namespace debrief::custom_rules;
using nlohmann::json;

namespace {

std::vector<CustomRule> rules(const std::string& list) {
  return read_custom_rules(json::parse(list), "rules.custom", "/etc");
}

std::string refusal(const std::string& list) {
  return test::message_of([&] { rules(list); });
}

bool says(const std::string& list, const std::string& place, const std::string& words) {
  const std::string sentence = refusal(list);
  return sentence.starts_with(place + ": ") && sentence.find(words) != std::string::npos;
}

} // namespace

TEST_CASE("a rule has a condition, texts and a severity") {
  const auto read = rules(R"([{"name": "Idle-GPU_2", "when": "gpu.util < 5", "description": "d",
                               "recommendation": "r", "severity": "critical"}])");
  REQUIRE(read.size() == 1);
  CHECK(read[0].name == "Idle-GPU_2");
  CHECK(read[0].description == "d");
  CHECK(read[0].recommendation == "r");
  CHECK(read[0].severity == result::Severity::critical);
  CHECK(read[0].program() == nullptr);
  CHECK(names_of(read) == std::vector<std::string>{"Idle-GPU_2"});
  const rules::RuleDeclaration declared = declaration_of(read[0]);
  CHECK(declared.group == rules::RuleGroup::custom);
  CHECK(declared.looks_at == rules::RuleInputKind::system_metrics);
  CHECK(declared.settings == std::vector<std::pair<std::string, std::string>>{
                                 {"when", "gpu.util < 5"}, {"severity", "critical"}});
}

TEST_CASE("a rule has a program and how long it may take") {
  const auto read = rules(R"([{"name": "A", "program": ["python3", "a.py"], "timeout": "2min"},
                              {"name": "B", "program": ["./b"]}])");
  REQUIRE(read.size() == 2);
  CHECK(read[0].program()->words == std::vector<std::string>{"python3", "a.py"});
  CHECK(read[0].program()->folder == "/etc");
  CHECK(read[0].program()->limit == std::chrono::minutes{2});
  CHECK(read[1].program()->limit == std::chrono::seconds{30});
  CHECK(read[1].severity == result::Severity::warning);
  CHECK_FALSE(read[1].description.empty());
  CHECK(read[1].recommendation.empty());
  CHECK(declaration_of(read[0]).looks_at == rules::RuleInputKind::tables);
}

TEST_CASE("limits of time are from 100 ms to an hour") {
  const auto with = [](const std::string& timeout) {
    return R"([{"name": "A", "program": ["a"], "timeout": ")" + timeout + R"("}])";
  };
  CHECK(refusal(with("100ms")) == "no error");
  CHECK(refusal(with("1h")) == "no error");
  for (const char* timeout : {"99ms", "61min", "0s", "soon"})
    CHECK(says(with(timeout), "rules.custom[0].timeout", "30s or 5min"));
}

TEST_CASE("what is no rule is one sentence that says where") {
  CHECK(says("{}", "rules.custom", "is not a list"));
  CHECK(says("[1]", "rules.custom[0]", "is not an object"));
  CHECK(says(R"([{"name": "A", "wen": "x"}])", "rules.custom[0]", "did you mean 'when'?"));
  CHECK(says(R"([{"name": "A"}])", "rules.custom[0]", "neither a condition nor a program"));
  CHECK(says(R"([{"name": "A", "when": "gpu.util < 5", "program": ["a"]}])", "rules.custom[0]",
             "both a condition and a program"));
  CHECK(says(R"([{"name": "A", "when": "gpu.util < 5", "timeout": "1s"}])",
             "rules.custom[0].timeout", "it is for programs"));
  CHECK(says(R"([{"name": "A", "when": 5}])", "rules.custom[0].when", "is not a text"));
  CHECK(says(R"([{"name": "A", "when": "gpu.util < 5"}, {"name": "B", "when": "x"}])",
             "rules.custom[1].when 'x'", "not a condition"));
  CHECK(says(R"([{"name": "A", "when": "gpu.util < 5", "severity": "fatal"}])",
             "rules.custom[0].severity", "info, warning or critical"));
  for (const char* program : {R"("sh")", "[]", "[1]", R"([""])", R"(["a\u0000b"])", "{}"})
    CHECK(says(R"([{"name": "A", "program": )" + std::string{program} + "}]",
               "rules.custom[0].program", "is not a list of a program and its arguments"));
}

TEST_CASE("a name is a plain one that nothing else has") {
  const auto with = [](const std::string& name) {
    return R"([{"when": "gpu.util < 5", "name": ")" + name + R"("}])";
  };
  CHECK(says(R"([{"when": "gpu.util < 5"}])", "rules.custom[0]", "has no name"));
  CHECK(says(with(""), "rules.custom[0]", "has no name"));
  for (const char* name : {"a b", "../x", "a.b", "-a", "ä", "a:b"})
    CHECK(says(with(name), "rules.custom[0].name", "letters, digits"));
  CHECK(refusal(with(std::string(64, 'a'))) == "no error");
  CHECK(says(with(std::string(65, 'a')), "rules.custom[0].name", "at most 64"));
  for (const char* name : {"StepOutlier", "stepoutlier", "input_bound", "severity", "Severity2"})
    CHECK(says(with(name), "rules.custom[0].name", "choose another name"));
  CHECK(says(R"([{"name": "A", "when": "gpu.util < 5"}, {"name": "a", "when": "gpu.util < 5"}])",
             "rules.custom[1].name", "another rule"));
}

TEST_CASE("there are at most 200 rules") {
  json list = json::array();
  for (int i = 0; i < 200; ++i)
    list.push_back({{"name", "R" + std::to_string(i)}, {"when", "gpu.util < 5"}});
  CHECK(rules(list.dump()).size() == 200);
  list.push_back({{"name", "X"}, {"when", "gpu.util < 5"}});
  CHECK(says(list.dump(), "rules.custom", "at most 200"));
}

} // namespace test_read_rules
