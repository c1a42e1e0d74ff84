#include "result/json.h"

#include "result/json_io.h"
#include "util/error.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace debrief::result {

using nlohmann::json;

template <typename Io>
void describe(Io& io, Ref<Io, Node> node) {
  io("name", node.name);
  io("cores", node.cores);
  io("gpus", node.gpus);
}

template <typename Io>
void describe(Io& io, Ref<Io, RecorderAction> action) {
  io.time("time", action.time);
  io("condition", action.condition);
  io("action", action.action);
  io("why", action.why);
  io("outcome", action.outcome);
}

template <typename Io>
void describe(Io& io, Ref<Io, FailureFrame> frame) {
  io("file", frame.file);
  io("line", frame.line);
  io("function", frame.function);
  io("library", frame.of_library);
}

template <typename Io>
void describe(Io& io, Ref<Io, Failure> failure) {
  io("type", failure.type);
  io("message", failure.message);
  io("frames", failure.frames);
  io.time("time", failure.time);
  io("node", failure.node);
  io("process", failure.process);
  io("rank", failure.rank);
  io("step", failure.step);
  io("exit_code", failure.exit_code);
  io("signal", failure.signal);
  io("processes", failure.processes);
}

template <typename Io>
void describe(Io& io, Ref<Io, JobSummary> job) {
  io("name", job.name);
  io.span("start_time", "end_time", job.span);
  io.time("training_loop_start", job.training_loop_start);
  io.time("training_loop_end", job.training_loop_end);
  const JobPhases phases = job_phases(job);
  io.derived("job_duration_in_seconds", phases.job);
  io.derived("initialization_in_seconds", phases.initialization);
  io.derived("training_loop_duration_in_seconds", phases.training_loop);
  io.derived("finalization_in_seconds", phases.finalization);
  io.derived("initialization_percent", phases.percent(phases.initialization));
  io.derived("training_loop_percent", phases.percent(phases.training_loop));
  io.derived("finalization_percent", phases.percent(phases.finalization));
  io("nodes", job.nodes);
  io("processes", job.processes);
  io("recorder", job.recorder);
  io("framework", job.framework);
  io("instance_type", job.instance_type);
  io("instance_count", job.instance_count);
  io("status", job.status);
  io("failure", job.failure);
  io.time("described_start_time", job.described_start);
  io.time("described_end_time", job.described_end);
  io("hyperparameters", job.hyperparameters);
  io("gpu_energy_kwh", job.gpu_energy_kwh);
  io("gpu_energy_cost", job.gpu_energy_cost);
  io("actions", job.actions);
}

template <typename Io>
void describe(Io& io, Ref<Io, SourceRow> row) {
  io("source", row.source);
  io("files", row.files);
  io("bytes", row.bytes);
  io("decoded_bytes", row.decoded_bytes);
  io("records", row.records);
  io("samples", row.samples);
  io("events", row.events);
}

template <typename Io>
void describe(Io& io, Ref<Io, TroubleRow> row) {
  io("reason", row.reason);
  io("count", row.count);
  io("first_seen", row.first_seen);
}

template <typename Io>
void describe(Io& io, Ref<Io, IgnoredRow> row) {
  io("path", row.path);
  io("reason", row.reason);
}

template <typename Io>
void describe(Io& io, Ref<Io, OtherJobRow> row) {
  io("span", row.span);
  io("samples", row.samples);
  io("events", row.events);
}

template <typename Io>
void describe(Io& io, Ref<Io, DeviceSampling> device) {
  io("device", device.device);
  io("samples", device.samples);
  io("unsampled_seconds", device.unsampled_seconds);
}

template <typename Io>
void describe(Io& io, Ref<Io, NodeSampling> node) {
  io("node", node.node);
  io("span", node.span);
  io("samples", node.samples);
  io.group("interval_in_seconds", [&](Io& interval) {
    interval("p50", node.interval_p50);
    interval("min", node.interval_min);
    interval("max", node.interval_max);
  });
  io("gaps", node.gaps);
  io("gap_count", node.gap_count);
  io("gap_seconds", node.gap_seconds);
  io("unsampled_at_start_seconds", node.unsampled_at_start);
  io("unsampled_at_end_seconds", node.unsampled_at_end);
  io("less_sampled", node.less_sampled);
  io("less_sampled_count", node.less_sampled_count);
  io("missing_devices", node.missing_devices);
  io("not_recorded", node.not_recorded);
}

template <typename Io>
void describe(Io& io, Ref<Io, ClockSkew> skew) {
  io("node", skew.node);
  io("seconds", skew.seconds);
}

template <typename Io>
void describe(Io& io, Ref<Io, DataQuality> quality) {
  io("complete", quality.complete);
  io("sources", quality.sources);
  io("skipped", quality.skipped);
  io("repaired", quality.repaired);
  io.formerly("mended", quality.repaired);
  io("damaged_files", quality.damaged_files);
  io("ignored", quality.ignored);
  io("ignored_count", quality.ignored_count);
  io("other_jobs", quality.other_jobs);
  io("nodes", quality.nodes);
  io("clock_skew", quality.clock_skew);
  io("missing_nodes", quality.missing_nodes);
  io("missing_ranks", quality.missing_ranks);
  io("described_interval_in_seconds", quality.described_interval);
  io("recorder_notes", quality.recorder_notes);
}

template <typename Io>
void describe(Io& io, Ref<Io, IgnoredParameter> parameter) {
  io("name", parameter.name);
  io("value", parameter.value);
  io("reason", parameter.reason);
}

template <typename Io>
void describe(Io& io, Ref<Io, Provenance> provenance) {
  io("debrief_version", provenance.version);
  io("input", provenance.input);
  io("parameters", provenance.parameters);
  io("ignored_parameters", provenance.ignored_parameters);
}

template <typename Io>
void describe(Io& io, Ref<Io, Result> result) {
  io("job", result.job);
  describe_usage(io, result);
  describe_traces(io, result);
  describe_curves(io, result);
  describe_xgboost(io, result);
  describe_model(io, result);
  describe_python(io, result);
  describe_conclusions(io, result);
  io("data_quality", result.data_quality);
  io("provenance", result.provenance);
}

double rounded(double value) {
  const double scaled = std::round(value * 1e6);
  if (!std::isfinite(scaled)) return value; // too large to have decimals, or no number
  return scaled / 1e6 + 0.0;                // the sum makes -0 a 0
}

json number_json(double value) {
  return std::isfinite(value) ? json(rounded(value)) : json(nullptr);
}

double rounded_digits(double value) {
  if (!std::isfinite(value)) return value;
  const std::string text = fmt::format("{:.7g}", value);
  double rounded = 0;
  std::from_chars(text.data(), text.data() + text.size(), rounded);
  return rounded;
}

json digits_json(double value) {
  return std::isfinite(value) ? json(rounded_digits(value)) : json(nullptr);
}

const json& Reader::at(const char* key) const {
  static const json null;
  if (!in_.is_object()) return null;
  const auto found = in_.find(key);
  return found == in_.end() ? null : *found;
}

void Reader::time(const char* key, std::optional<Microseconds>& value) {
  std::string text;
  value = read(at(key), text) ? parse_time(text) : std::nullopt;
}

void Reader::span(const char* first, const char* last, std::optional<TimeSpan>& value) {
  std::optional<Microseconds> start;
  std::optional<Microseconds> end;
  time(first, start);
  time(last, end);
  value.reset();
  if (start && end && *start <= *end) value = TimeSpan{*start, *end};
}

bool Reader::read(const json& from, bool& value) {
  if (!from.is_boolean()) return false;
  value = from.get<bool>();
  return true;
}

bool Reader::read(const json& from, std::int64_t& value) {
  // Beyond this, whole numbers are not exact as JSON's doubles.
  constexpr double kMaxExact = 9e15;
  if (from.is_number_unsigned()) {
    const auto number = from.get<std::uint64_t>();
    if (number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return false;
    value = static_cast<std::int64_t>(number);
    return true;
  }
  if (from.is_number_integer()) {
    value = from.get<std::int64_t>();
    return true;
  }
  if (!from.is_number_float() || !(std::abs(from.get<double>()) <= kMaxExact)) return false;
  value = static_cast<std::int64_t>(from.get<double>());
  return true;
}

bool Reader::read(const json& from, std::uint64_t& value) {
  if (from.is_number_unsigned()) {
    value = from.get<std::uint64_t>();
    return true;
  }
  std::int64_t number = 0;
  if (!read(from, number) || number < 0) return false;
  value = static_cast<std::uint64_t>(number);
  return true;
}

bool Reader::read(const json& from, double& value) {
  value = from.is_number() ? from.get<double>() : std::nan("");
  if (!std::isfinite(value)) value = std::nan("");
  return std::isfinite(value);
}

bool Reader::read(const json& from, std::string& value) {
  value.clear();
  if (!from.is_string()) return false;
  value = from.get<std::string>();
  return true;
}

bool Reader::read(const json& from, PhaseName& value) {
  std::string text;
  if (!read(from, text)) return false;
  value = PhaseName::from(text);
  return true;
}

bool Reader::read(const json& from, LaunchSize& value) {
  std::vector<std::int64_t> found;
  if (!read(from, found) || found.size() != value.size()) return false;
  std::copy(found.begin(), found.end(), value.begin());
  return true;
}

/// Bins that cannot be are none.
bool Reader::read(const json& from, Histogram& value) {
  value = {};
  Histogram found;
  if (!from.is_object()) return false;
  Reader inner{from};
  describe(inner, found);
  const bool counts = std::all_of(found.counts.begin(), found.counts.end(), [](std::int64_t count) {
    return count >= 0 && count <= 9'000'000'000'000'000;
  });
  if (!counts || found.edges.size() != found.counts.size() + 1) return false;
  value = std::move(found);
  return true;
}

json to_json(const Result& result) {
  json out;
  Writer io{out};
  io("schema", kSchema);
  describe(io, result);
  return out;
}

std::string to_json_text(const Result& result) {
  return to_json(result).dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

Result from_json(const json& document) {
  Result result;
  Reader io{document};
  std::string schema;
  io("schema", schema);
  if (schema != kSchema)
    throw Error(fmt::format("the document's schema is '{}', not {}", printable(schema), kSchema));
  describe(io, result);
  return result;
}

} // namespace debrief::result
