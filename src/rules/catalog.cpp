#include "rules/catalog.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::rules {

namespace {

using nlohmann::ordered_json;

constexpr std::size_t kTextWidth = 90;

/// Breaks a text into lines that start with `indent`.
std::string wrapped(std::string_view text, const std::string& indent) {
  std::string out;
  std::string line = indent;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    if (line.size() > indent.size() && line.size() + 1 + word.size() > kTextWidth) {
      out += line + "\n";
      line = indent;
    }
    if (line.size() > indent.size()) line += ' ';
    line += word;
    begin = end + 1;
  }
  return out + line + "\n";
}

std::string with_unit(const Parameter& parameter) {
  const std::string range = range_text(parameter);
  return parameter.unit.empty() ? range : fmt::format("{} {}", range, parameter.unit);
}

/// A number where it is one, so that programs need not convert it.
ordered_json default_json(const Parameter& parameter) {
  switch (parameter.type) {
  case ParameterType::number:
  case ParameterType::integer:
    return ordered_json::parse(parameter.default_value);
  case ParameterType::optional_number:
  case ParameterType::optional_integer:
    if (parameter.default_value != "None") return ordered_json::parse(parameter.default_value);
    break;
  default:
    break;
  }
  return parameter.default_value;
}

ordered_json parameter_json(const Rule& rule, const Parameter& parameter) {
  ordered_json out = {{"name", parameter.name},
                      {"set_as", fmt::format("{}_{}", rule.declaration.name, parameter.name)},
                      {"default", default_json(parameter)},
                      {"unit", nullptr},
                      {"meaning", parameter.meaning}};
  if (!parameter.unit.empty()) out["unit"] = parameter.unit;
  switch (parameter.type) {
  case ParameterType::mode:
    out["type"] = "mode";
    out["values"] = {"TRAIN", "EVAL", "None"};
    break;
  case ParameterType::loss_mode:
    out["type"] = "mode";
    out["values"] = {"EVAL", "TRAIN", "GLOBAL"};
    break;
  case ParameterType::boolean:
    out["type"] = "boolean";
    out["values"] = {"True", "False"};
    break;
  case ParameterType::text:
    out["type"] = "text";
    break;
  case ParameterType::patterns:
    out["type"] = "regular expressions";
    break;
  case ParameterType::optional_integer:
  case ParameterType::optional_number:
  case ParameterType::integer:
  case ParameterType::number: {
    const bool whole = parameter.type == ParameterType::integer ||
                       parameter.type == ParameterType::optional_integer;
    out["type"] = whole ? "integer" : "number";
    out["min"] = parameter.min;
    out["max"] = parameter.max;
    if (parameter.type == ParameterType::optional_integer ||
        parameter.type == ParameterType::optional_number)
      out["values"] = {"None"};
  }
  }
  return out;
}

const char* looks_at(const Rule& rule) {
  switch (rule.declaration.looks_at) {
  case RuleInputKind::system_metrics:
    return "system metrics";
  case RuleInputKind::framework_events:
    return "framework events";
  case RuleInputKind::tensors:
    return "saved tensors";
  case RuleInputKind::metrics:
    return "metrics of the job";
  case RuleInputKind::scalars:
    return "logged scalars";
  case RuleInputKind::tables:
    return "exported tables";
  case RuleInputKind::tensors_or_losses:
    break;
  }
  return "saved tensors or logged losses";
}

const char* group_words(RuleGroup group) {
  switch (group) {
  case RuleGroup::profiler:
    return "Profiler rules";
  case RuleGroup::model:
    return "Model rules";
  case RuleGroup::deep_learning:
    return "Deep learning rules";
  case RuleGroup::applications:
    return "Rules for images and text";
  case RuleGroup::custom:
    return "Custom rules";
  case RuleGroup::xgboost:
    break;
  }
  return "XGBoost rules";
}

/// A default as a table of Markdown has it: regular expressions as code, with their bars escaped.
std::string default_cell(const Parameter& parameter) {
  if (parameter.type != ParameterType::patterns || parameter.default_value == "None")
    return parameter.default_value;
  std::string out;
  for (const char c : parameter.default_value)
    out += c == '|' ? std::string{"\\|"} : std::string{c};
  return "`" + out + "`";
}

/// The heading above a rule that is the first of its group, where several groups are listed.
std::string heading(std::span<const Rule* const> rules, std::size_t at) {
  const RuleGroup group = rules[at]->declaration.group;
  const bool several = rules.front()->declaration.group != rules.back()->declaration.group;
  return several && (at == 0 || rules[at - 1]->declaration.group != group) ? group_words(group)
                                                                           : "";
}

} // namespace

std::string rules_text(std::span<const Rule* const> rules) {
  std::string out;
  for (std::size_t at = 0; at < rules.size(); ++at) {
    const Rule* rule = rules[at];
    const RuleDeclaration& declaration = rule->declaration;
    if (const std::string group = heading(rules, at); !group.empty())
      out += fmt::format("{}{}\n", out.empty() ? "" : "\n", group);
    out += fmt::format("{}{}  (looks at {})\n", out.empty() ? "" : "\n", declaration.name,
                       looks_at(*rule));
    out += wrapped(declaration.description, "  ");
    if (!declaration.recommendation.empty())
      out += wrapped("What to do: " + declaration.recommendation, "  ");
    for (const auto& [name, value] : declaration.settings)
      out += fmt::format("    {} = {}\n", name, value);
    for (const Parameter& parameter : declaration.parameters) {
      out += fmt::format("    {}_{} = {}  ({})\n", declaration.name, parameter.name,
                         parameter.default_value, with_unit(parameter));
      out += wrapped(parameter.meaning, "        ");
    }
  }
  return out;
}

std::string rules_json(std::span<const Rule* const> rules) {
  ordered_json list = ordered_json::array();
  for (const Rule* rule : rules) {
    const RuleDeclaration& declaration = rule->declaration;
    ordered_json parameters = ordered_json::array();
    for (const Parameter& parameter : declaration.parameters)
      parameters.push_back(parameter_json(*rule, parameter));
    list.push_back({{"rule", declaration.name},
                    {"group", group_words(declaration.group)},
                    {"looks_at", looks_at(*rule)},
                    {"description", declaration.description},
                    {"recommendation", declaration.recommendation},
                    {"parameters", std::move(parameters)}});
    for (const auto& [name, value] : declaration.settings)
      list.back()["settings"][name] = value;
  }
  return list.dump(2) + "\n";
}

std::string rules_markdown(std::span<const Rule* const> rules) {
  std::string out = R"(# The rules

`debrief rules --markdown` writes this page from the rules' own declarations; `debrief rules` prints the same on a terminal
and `--json` gives it to programs. A test compares the page with the program.

Parameters are set as `<Rule>_<parameter>`: by the job itself (its ProfilerRuleConfigurations and
DebugRuleConfigurations), by a config file (`--config debrief.json` with `{"rules": {"CPUBottleneck": {"cpu_threshold": 80}}}`) or on the command line
(`--param CPUBottleneck_cpu_threshold=80`). Later ones override earlier ones, and all are validated alike. Defaults are
those of SageMaker in production. [sagemaker-differences.md](sagemaker-differences.md) lists what debrief computes
differently.

ProfilerReport, the rule that runs all others, is the report itself. A rule without enough input is `not_evaluated`, with
the reason; it never says that all is well.

Rules on the model look at tensors that SageMaker Debugger's hook saved (`debug-output/`). Those that need only losses also
look at what W&B, MLflow, TensorBoard, Hugging Face or Lightning logged. A job with neither has no row for them. Each says at
which steps it triggered, for which tensors, with the value and the threshold. To run one several times with different
parameters, give each a name after a colon: `--param VanishingGradient:strict_threshold=1e-5`.
)";
  for (std::size_t at = 0; at < rules.size(); ++at) {
    const Rule* rule = rules[at];
    const RuleDeclaration& declaration = rule->declaration;
    if (const std::string group = heading(rules, at); !group.empty())
      out += fmt::format("\n# {}\n", group);
    out += fmt::format("\n## {}\n\n{}\n\n", declaration.name, declaration.description);
    if (!declaration.recommendation.empty())
      out += fmt::format("**What to do:** {}\n\n", declaration.recommendation);
    out += fmt::format("**Looks at:** {}.\n\n", looks_at(*rule));
    for (const auto& [name, value] : declaration.settings)
      out += fmt::format("- {}: `{}`\n", name, value);
    if (declaration.parameters.empty()) continue;
    out += "| parameter | default | range | meaning |\n|---|---|---|---|\n";
    for (const Parameter& parameter : declaration.parameters)
      out += fmt::format("| `{}` | {} | {} | {} |\n", parameter.name, default_cell(parameter),
                         with_unit(parameter), parameter.meaning);
  }
  return out;
}

} // namespace debrief::rules
