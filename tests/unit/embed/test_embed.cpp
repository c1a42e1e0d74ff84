#include "embed/decode.h"
#include "embed/embed.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <random>

namespace test_embed {

using namespace debrief;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;
using test::at;
using test::Unpacked;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr std::size_t kPlenty = 100'000'000;

/// Random values of a metric, which nothing can pack.
result::MetricTimeline metric(const std::string& name, const std::string& unit, std::size_t samples,
                              const std::vector<std::string>& devices, unsigned seed) {
  std::mt19937 random{seed};
  result::MetricTimeline out;
  out.metric = *result::from_text<result::Metric>(name);
  out.unit = unit;
  out.devices = devices;
  out.values.resize(devices.size());
  const float largest = unit == "%" ? 100.0F : 1e9F;
  const auto next = [&] { return largest * static_cast<float>(random() % 10'001) / 10'000; };
  for (std::size_t i = 0; i < samples; ++i) {
    out.times.push_back(at(0) + static_cast<Microseconds>(500'000 * i + random() % 5000));
    out.whole.push_back(next());
    for (auto& values : out.values)
      values.push_back(random() % 50 == 0 ? kNan : next());
  }
  return out;
}

result::Timeline example(std::size_t samples, std::size_t nodes = 2) {
  result::Timeline out;
  out.span = {at(0) - 1234, at(0) + static_cast<Microseconds>(samples) * 500'000};
  for (unsigned i = 0; i < nodes; ++i)
    out.nodes.push_back({"algo-" + std::to_string(i + 1),
                         {metric("GPU", "%", samples, {"gpu0", "gpu1"}, i),
                          metric("CPU", "%", samples, {"cpu0", "cpu1", "cpu2", "cpu3"}, i + 50),
                          metric("CPU memory", "%", samples, {}, i + 100),
                          metric("Network", "B/s", samples, {"receive", "transmit"}, i + 150)}});
  result::StepTimeline steps{"algo-1-27", "TRAIN", {}};
  for (std::size_t i = 0; i < samples; ++i)
    steps.steps.push_back({at(0) + static_cast<Microseconds>(500'000 * i + i * 7919 % 3000),
                           static_cast<Microseconds>(300'000 + i * 7919 % 100'000)});
  out.steps.push_back(std::move(steps));
  out.phases = {{{result::PhaseKind::initialization}, {at(0) - 1234, at(0)}},
                {{result::PhaseKind::steps, "TRAIN"}, {at(0), at(1)}}};
  return out;
}

void check_values(const std::vector<double>& found, std::span<const float> wanted, double error,
                  double relative_error) {
  REQUIRE(found.size() == wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (std::isnan(wanted[i]) != std::isnan(found[i])) FAIL("sample " << i);
    if (std::isnan(wanted[i])) continue;
    const double off = std::abs(found[i] - static_cast<double>(wanted[i]));
    if (off > error + relative_error * static_cast<double>(wanted[i]))
      FAIL("sample " << i << ": " << found[i] << " for " << wanted[i]);
  }
}

void check_times(const std::vector<double>& found, std::span<const Microseconds> wanted,
                 Microseconds start) {
  REQUIRE(found.size() == wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (std::abs(found[i] - static_cast<double>(wanted[i] - start) / 1000) > 0.501)
      FAIL("time " << i << ": " << found[i]);
}

/// Every sample of the timeline is there, devices in percent to `error`.
void check_all(const result::Timeline& timeline, const Unpacked& unpacked, double error) {
  const Microseconds start = unpacked.index["start"].get<Microseconds>() * 1000;
  CHECK(start == timeline.span.first / 1000 * 1000);
  REQUIRE(unpacked.index["nodes"].size() == timeline.nodes.size());
  for (std::size_t i = 0; i < timeline.nodes.size(); ++i) {
    CHECK(unpacked.index["nodes"][i]["name"] == timeline.nodes[i].node);
    for (std::size_t j = 0; j < timeline.nodes[i].metrics.size(); ++j) {
      const result::MetricTimeline& wanted = timeline.nodes[i].metrics[j];
      const nlohmann::json& found = unpacked.metric(i, j);
      const bool percent = wanted.unit == "%";
      CHECK(found["metric"] == to_text(wanted.metric));
      CHECK(found["unit"] == wanted.unit);
      CHECK(found["every"] == 1);
      CHECK_FALSE(found.contains("min"));
      CHECK(found["block"] == 0);
      check_times(unpacked.array(found, "times"), wanted.times, start);
      check_values(unpacked.array(found, "mean"), wanted.whole, percent ? 0.00501 : 0.001,
                   percent ? 0 : 0.0003);
      CHECK(found.contains("devices") == !wanted.devices.empty());
      if (wanted.devices.empty()) continue;
      const nlohmann::json& devices = found["devices"];
      CHECK(devices["every"] == 1);
      CHECK(devices["block"] != 0);
      CHECK(devices["names"] == wanted.devices);
      check_times(unpacked.array(devices, "times"), wanted.times, start);
      for (std::size_t d = 0; d < wanted.devices.size(); ++d)
        check_values(unpacked.array(devices, devices["mean"][d]), wanted.values[d],
                     percent ? error : 0.001, percent ? 0 : 0.0003);
    }
  }
  for (std::size_t i = 0; i < timeline.steps.size(); ++i) {
    const nlohmann::json& found = unpacked.index["steps"][i];
    const auto& steps = timeline.steps[i].steps;
    const auto starts = unpacked.array(found, "starts");
    const auto seconds = unpacked.array(found, "mean");
    REQUIRE(starts.size() == steps.size());
    REQUIRE(seconds.size() == steps.size());
    for (std::size_t s = 0; s < steps.size(); ++s) {
      const double wanted = in_seconds(steps[s].duration);
      if (std::abs(starts[s] - static_cast<double>(steps[s].start - start) / 1000) > 0.501 ||
          std::abs(seconds[s] - wanted) > 0.001 * wanted)
        FAIL("step " << s << ": " << starts[s] << ", " << seconds[s]);
    }
  }
}

embed::Embedded embedded_in(const result::Timeline& timeline, const embed::Bands& bands,
                            std::size_t budget) {
  return embed::Samples{timeline}.embed(bands, budget);
}

} // namespace

TEST_CASE("every sample of a small job comes back, finely") {
  const result::Timeline timeline = example(200);
  const embed::Embedded embedded = embedded_in(timeline, {}, kPlenty);
  CHECK(embedded.blocks.size() == 3);
  CHECK(embedded.thinned.empty());
  check_all(timeline, Unpacked{embedded}, 0.0501);
}

TEST_CASE("every sample of a large job comes back, to a quarter of a percent") {
  const result::Timeline timeline = example(38'000);
  const embed::Embedded embedded = embedded_in(timeline, {}, kPlenty);
  CHECK(embedded.thinned.empty());
  check_all(timeline, Unpacked{embedded}, 0.2501);
}

TEST_CASE("one sample, one step, no devices: one block") {
  result::Timeline timeline;
  timeline.span = {at(0), at(1)};
  timeline.nodes.push_back({"n", {metric("CPU memory", "%", 1, {}, 1)}});
  timeline.steps.push_back({"p", "EVAL", {{at(0.5), 0}}});
  const embed::Embedded embedded = embedded_in(timeline, {}, kPlenty);
  CHECK(embedded.blocks.size() == 1);
  check_all(timeline, Unpacked{embedded}, 0.0501);
  timeline.nodes.clear();
  check_all(timeline, Unpacked{embedded_in(timeline, {}, kPlenty)}, 0.0501);
}

TEST_CASE("nodes without devices leave no hole among the blocks") {
  result::Timeline timeline = example(10, 3);
  timeline.nodes[1].metrics = {metric("CPU memory", "%", 10, {}, 9)};
  const embed::Embedded embedded = embedded_in(timeline, {}, kPlenty);
  CHECK(embedded.blocks.size() == 3);
  check_all(timeline, Unpacked{embedded}, 0.0501);
}

TEST_CASE("absurd values do not disturb the others") {
  result::Timeline timeline = example(100);
  for (result::MetricTimeline& metric : timeline.nodes[0].metrics) {
    metric.whole[7] = 3e38F;
    for (auto& values : metric.values)
      values[8] = 1e30F;
  }
  const Unpacked unpacked{embedded_in(timeline, {}, kPlenty)};
  const nlohmann::json& cpu = unpacked.metric(0, 1);
  const auto whole = unpacked.array(cpu, "mean");
  CHECK_THAT(whole[7], WithinRel(3e38, 0.001));
  CHECK_THAT(whole[6], WithinRel(double{timeline.nodes[0].metrics[1].whole[6]}, 0.001));
  result::Timeline other;
  other.span = timeline.span;
  other.nodes = {timeline.nodes[1]};
  check_all(other, Unpacked{embedded_in(other, {}, kPlenty)}, 0.0501);
}

TEST_CASE("nothing to show embeds nothing") {
  const embed::Embedded embedded = embedded_in({}, {}, kPlenty);
  CHECK(embedded.index.empty());
  CHECK(embedded.blocks.empty());
}

TEST_CASE("where samples do not fit, cores give way first, then GPUs, steps and nodes") {
  const result::Timeline timeline = example(8'000);
  const std::size_t all = embedded_in(timeline, {}, kPlenty).size();
  std::vector<std::size_t> reached(4, 1);
  for (std::size_t budget = all - 1; budget > 4000; budget /= 3) {
    const embed::Embedded embedded = embedded_in(timeline, {}, budget);
    INFO(budget << " bytes of " << all);
    CHECK(embedded.size() <= budget);
    CHECK(embedded.size() > budget / 8); // thinned no more than it has to be
    const Unpacked unpacked{embedded};
    CHECK(unpacked.index["thinned"] == embedded.thinned);
    const std::vector<std::size_t> every = {
        unpacked.metric(0, 1)["devices"]["every"], unpacked.metric(0, 0)["devices"]["every"],
        unpacked.index["steps"][0]["every"], unpacked.metric(0, 0)["every"]};
    CHECK(embedded.thinned.size() ==
          static_cast<std::size_t>(
              std::count_if(every.begin(), every.end(), [](std::size_t n) { return n > 1; })));
    for (std::size_t group = 0; group < 4; ++group) {
      CHECK(every[group] >= reached[group]);
      if (group > 0) CHECK(every[group] <= every[group - 1]);
    }
    reached = every;
  }
  for (const std::size_t every : reached)
    CHECK(every > 1);
}

TEST_CASE("a thinned point has the mean, least and greatest of its samples") {
  const result::Timeline timeline = example(8'000);
  const embed::Embedded embedded = embedded_in(timeline, {}, 100'000);
  const Unpacked unpacked{embedded};
  CHECK(embedded.thinned.front().starts_with("Cores: each point stands for "));
  const nlohmann::json& devices = unpacked.metric(1, 1)["devices"];
  const auto every = devices["every"].get<std::size_t>();
  REQUIRE(every > 1);
  const auto times = unpacked.array(devices, "times");
  const auto mean = unpacked.array(devices, devices["mean"][2]);
  const auto least = unpacked.array(devices, devices["min"][2]);
  const auto most = unpacked.array(devices, devices["max"][2]);
  const result::MetricTimeline& cpu = timeline.nodes[1].metrics[1];
  REQUIRE(mean.size() == (cpu.times.size() + every - 1) / every);
  REQUIRE(times.size() == mean.size());
  for (std::size_t i = 0; i < mean.size(); ++i) {
    double sum = 0;
    double count = 0;
    double low = 1000;
    double high = -1;
    for (std::size_t s = i * every; s < std::min((i + 1) * every, cpu.times.size()); ++s) {
      const auto value = static_cast<double>(cpu.values[2][s]);
      if (std::isnan(value)) continue;
      sum += value;
      count += 1;
      low = std::min(low, value);
      high = std::max(high, value);
    }
    CHECK_THAT(mean[i], WithinAbs(sum / count, 0.2501));
    CHECK_THAT(least[i], WithinAbs(low, 0.2501));
    CHECK_THAT(most[i], WithinAbs(high, 0.2501));
    CHECK_THAT(times[i],
               WithinAbs(static_cast<double>(cpu.times[i * every] - at(0)) / 1000 + 2, 1.6));
  }
}

TEST_CASE("where there is no room at all, thinning ends where a screen would not show more") {
  const Unpacked unpacked{embedded_in(example(3000), {}, 0)};
  const nlohmann::json& cpu = unpacked.metric(0, 1);
  CHECK(unpacked.array(cpu, "mean").size() == 375);
  CHECK(unpacked.array(cpu["devices"], cpu["devices"]["max"][3]).size() == 375);
}

TEST_CASE("short series are not thinned: three arrays for one would take more") {
  const embed::Embedded whole = embedded_in(example(20), {}, kPlenty);
  const embed::Embedded tight = embedded_in(example(20), {}, whole.size() - 100);
  CHECK(tight.thinned.empty());
  CHECK(tight.size() <= whole.size());
}

TEST_CASE("the same timeline gives the same bytes") {
  const result::Timeline timeline = example(5000);
  for (const std::size_t budget : {kPlenty, std::size_t{100'000}}) {
    const embed::Embedded first = embedded_in(timeline, {}, budget);
    const embed::Embedded second = embedded_in(timeline, {}, budget);
    CHECK(first.index == second.index);
    CHECK(first.blocks == second.blocks);
  }
}

TEST_CASE("the index has phases and incidents, and no name in it is markup") {
  const std::string evil = "</script><script>alert(1)</script>\u2028\u202e\n\xff";
  result::Timeline timeline = example(5, 1);
  timeline.nodes[0].node = evil;
  timeline.nodes[0].metrics[0].devices[0] = evil;
  timeline.steps[0].process = evil;
  timeline.steps[0].mode = evil;
  timeline.phases[1].name.mode = evil;
  result::RuleRow rule;
  rule.rule = "StepOutlier";
  rule.incidents.push_back({evil, evil, {at(0.5), at(0.75)}, evil});
  result::Finding finding;
  finding.kind = result::FindingKind::step_stalls;
  finding.windows = {{at(0.25), at(0.5)}};
  finding.where = {{evil, "gpu0", "", 0.5}};
  const std::vector rules{rule};
  const std::vector findings{finding};
  const embed::Embedded embedded = embedded_in(timeline, {findings, rules}, kPlenty);
  CHECK(embedded.index.find('<') == embedded.index.npos);
  for (const char c : embedded.index)
    CHECK((c >= ' ' && c < 127));
  const nlohmann::json index = nlohmann::json::parse(embedded.index);
  const std::string shown = "</script><script>alert(1)</script>\\u{2028}\\u{202e}\\n\\x{ff}";
  CHECK(index["nodes"][0]["name"] == shown);
  CHECK(index["nodes"][0]["metrics"][0]["devices"]["names"][0] == shown);
  CHECK(index["steps"][0]["process"] == shown);
  CHECK(index["steps"][0]["mode"] == shown);
  CHECK(index["phases"][0] == nlohmann::json::array({"startup", 0.77, 2}));
  CHECK(index["phases"][1][0] == shown);
  CHECK(index["incidents"][0] == nlohmann::json{{"rule", "step stalls"},
                                                {"node", shown},
                                                {"device", "gpu0"},
                                                {"what", ""},
                                                {"from", 252},
                                                {"to", 502},
                                                {"finding", true}});
  CHECK(index["incidents"][1] == nlohmann::json{{"rule", "StepOutlier"},
                                                {"node", shown},
                                                {"device", shown},
                                                {"what", shown},
                                                {"from", 502},
                                                {"to", 752}});
}

} // namespace test_embed
