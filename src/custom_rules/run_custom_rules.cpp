#include "custom_rules/run_custom_rules.h"

#include "custom_rules/judge.h"
#include "custom_rules/program.h"
#include "result/json.h"
#include "util/error.h"
#include "util/parallel.h"
#include "util/pending_file.h"
#include "util/private_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace debrief::custom_rules {

namespace {

/// What programs look at: a folder with the job's tables and its result, which is gone afterwards.
class Tables {
public:
  Tables(const TableWriter& write, const result::Result& result) {
    if (folder_.path().empty()) {
      trouble_ = folder_.trouble();
      return;
    }
    try {
      write(folder());
      write_file((folder_.path() / "result.json").string(), result::to_json_text(result));
    } catch (const Error& error) {
      trouble_ = error.what();
    }
  }

  std::string folder() const { return folder_.path().string(); }

  /// Why there is none; empty: there are.
  const std::string& trouble() const { return trouble_; }

private:
  PrivateFolder folder_;
  std::string trouble_;
};

std::string refusal_of(const CustomRules& custom, const CustomRule& rule) {
  return custom.refusal ? custom.refusal(rule) : "";
}

void run_programs(const CustomRules& custom, const rules::RuleInput& input,
                  std::vector<result::RuleRow>& rows) {
  const bool any =
      std::any_of(custom.rules.begin(), custom.rules.end(), [&](const CustomRule& rule) {
        return rule.program() != nullptr && refusal_of(custom, rule).empty();
      });
  std::optional<Tables> tables;
  if (any && custom.write_tables) tables.emplace(custom.write_tables, input.result);
  parallel_for(rows.size(), [&](std::size_t i) {
    if (custom.rules[i].program() == nullptr) return;
    // Once more: writing the tables took its time.
    if (const std::string refusal = refusal_of(custom, custom.rules[i]); !refusal.empty())
      rows[i] = rules::not_evaluated("not run: " + refusal);
    else if (!tables)
      rows[i] = rules::not_evaluated("programs are not run here");
    else if (!tables->trouble().empty())
      rows[i] = rules::not_evaluated(
          fmt::format("the job's tables could not be written: {}", tables->trouble()));
    else
      rows[i] = run_program(custom.rules[i], tables->folder(), input.result);
  });
}

} // namespace

std::vector<result::RuleRow> run_custom_rules(const CustomRules& custom,
                                              const rules::RuleInput& input) {
  std::vector<result::RuleRow> rows(custom.rules.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (const auto* condition = std::get_if<Condition>(&custom.rules[i].how))
      rows[i] = judge(*condition, input);
  run_programs(custom, input, rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const CustomRule& rule = custom.rules[i];
    rows[i].rule = rule.name;
    if (rows[i].description.empty()) rows[i].description = rule.description;
    if (rows[i].recommendation.empty()) rows[i].recommendation = rule.recommendation;
    if (!rows[i].severity) rows[i].severity = rule.severity;
    rows[i].parameters = settings_of(rule);
  }
  return rows;
}

} // namespace debrief::custom_rules
