#include "result/json.h"

#include "result/json_parts.h"

namespace debrief::result {

using nlohmann::json;

namespace {

json ignored_json(const IgnoredParameter& parameter) {
  return {{"name", parameter.name}, {"value", parameter.value}, {"reason", parameter.reason}};
}

json provenance_json(const Provenance& provenance) {
  return {{"debrief_version", provenance.version},
          {"input", provenance.input},
          {"parameters", provenance.parameters},
          {"ignored_parameters", parts::list(provenance.ignored_parameters, ignored_json)}};
}

} // namespace

json to_json(const Result& result) {
  json out;
  out["schema"] = kSchema;
  out["job"] = parts::job_json(result.job);
  out["time_accounting"] = parts::time_accounting_json(result.time_accounting);
  out["system_usage"] = parts::system_usage_json(result.system_usage);
  out["devices"] = parts::devices_json(result.devices);
  out["load_balance"] = parts::load_balance_json(result.load_balance);
  out["framework"] = parts::framework_json(result.framework);
  out["steps"] = parts::steps_json(result.steps);
  out["data_loading"] = parts::data_loading_json(result.data_loading);
  out["traces"] = parts::traces_json(result.traces);
  out["rules"] = parts::rules_json(result.rules);
  out["findings"] = parts::findings_json(result.findings);
  out["verdict"] = parts::verdict_json(result.verdict);
  out["waste"] = parts::waste_json(result.waste);
  out["gate"] = parts::gate_json(result.gate);
  out["data_quality"] = parts::quality_json(result.data_quality);
  out["provenance"] = provenance_json(result.provenance);
  return out;
}

std::string to_json_text(const Result& result) {
  return to_json(result).dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

} // namespace debrief::result
