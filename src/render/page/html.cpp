#include "render/page/html.h"

#include "embed/embed.h"
#include "embed/step_views.h"
#include "render/page/chapters.h"
#include "render/page/environment.h"
#include "render/page/head.h"
#include "render/page/placeholders.h"
#include "render/page/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace debrief::render {

namespace {

/// Bytes of one block's element around the block, and of all sentences on thinning.
constexpr std::size_t kElement = 80;
constexpr std::size_t kSentences = 500;

/// The slowest, the median and the fastest.
constexpr std::size_t kNamedSteps = 3;

std::string script_element(std::string_view type, std::string_view id, std::string_view text) {
  return fmt::format("<script type=\"application/{}\" id=\"{}\">{}</script>\n", type, id, text);
}

std::string notes(const std::vector<std::string>& sentences) {
  std::string out;
  for (const std::string& sentence : sentences)
    out += fmt::format("<p class=\"note\">{}</p>\n", sentence);
  return out;
}

/// What a page of a usual job has at most: steps beyond the three that are always there have what
/// is left of it.
constexpr std::size_t kUsualPage = 980'000;

/// Steps in full. `left` are the bytes that are left of a usual page.
void add_steps(const result::Traces& traces, embed::EmbeddedSteps steps, std::size_t room,
               std::size_t left, Placeholders& placeholders) {
  if (left > 0 && !steps.index.empty() && traces.views.size() > kNamedSteps)
    steps = embed::embed_steps(traces.views, embed::steps_budget(room), steps.size() + left);
  std::string left_out = notes(steps.left_out);
  std::string elements = steps.index.empty()
                             ? std::string{}
                             : script_element("json", "steps-index", steps.index) +
                                   script_element("octet-stream", "steps-0", steps.block);
  placeholders.set("left-out", std::move(left_out));
  placeholders.set("steps", std::move(elements));
}

/// Returns the bytes that they take.
std::size_t add_samples(const result::Result& result, std::size_t room,
                        Placeholders& placeholders) {
  room -= std::min(room, kElement * (result.timeline.nodes.size() + 2) + kSentences);
  const embed::Embedded samples =
      embed::embed(result.timeline, {result.findings, result.rules}, room);
  if (samples.index.empty()) return 0;
  std::string out;
  out.reserve(samples.size() + kElement * (samples.blocks.size() + 1));
  out += script_element("json", "timeline-index", samples.index);
  for (std::size_t i = 0; i < samples.blocks.size(); ++i)
    out += script_element("octet-stream", fmt::format("timeline-{}", i), samples.blocks[i]);
  const std::size_t size = out.size();
  placeholders.set("timeline", std::move(out));
  placeholders.set("thinned", notes(samples.thinned));
  return size;
}

} // namespace

std::string to_html(const result::Result& result, const PageOptions& options) {
  Placeholders placeholders;
  for (const char* name : {"timeline", "thinned", "steps", "left-out"})
    placeholders.set(name, "");
  std::vector<MadeSection> sections = make_sections(result);
  nlohmann::json head = head_view(result, sections, placeholders);
  if (options.reload_seconds > 0) head["reload"] = options.reload_seconds;
  const std::string text =
      render_page("page.html", std::move(head), chapters_html(std::move(sections), placeholders));
  const std::size_t text_size = placeholders.filled_size(text);
  if (options.text_done) options.text_done();
  const auto room = [&](std::size_t used) {
    return options.max_size - std::min(options.max_size, used);
  };
  embed::EmbeddedSteps steps =
      embed::embed_steps(result.traces.views, embed::steps_budget(room(text_size)));
  std::size_t used = text_size + steps.size() + 2 * kElement;
  for (const std::string& sentence : steps.left_out)
    used += sentence.size() + kElement;
  used += add_samples(result, room(used), placeholders);
  add_steps(result.traces, std::move(steps), room(text_size),
            std::min(kUsualPage - std::min(kUsualPage, used), room(used)), placeholders);
  return placeholders.fill(text);
}

} // namespace debrief::render
