#include "render/page/html.h"

#include "embed/embed.h"
#include "embed/step_views.h"
#include "render/page/environment.h"
#include "render/page/placeholders.h"
#include "render/page/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace debrief::render {

namespace {

/// What is put into the page after the template engine ran.
struct Fillings {
  Bulk bulk;
  std::string timeline = {}; ///< elements with samples
  std::string thinned = {};  ///< sentences on them
  std::string steps = {};    ///< elements with steps in full
  std::string left_out = {}; ///< sentences on them

  std::string_view operator()(std::string_view name) const {
    if (name == "timeline") return timeline;
    if (name == "thinned") return thinned;
    if (name == "steps") return steps;
    if (name == "left-out") return left_out;
    return bulk(name);
  }
};

/// Bytes of one block's element around the block, and of all sentences on thinning.
constexpr std::size_t kElement = 80;
constexpr std::size_t kSentences = 500;

std::string script_element(std::string_view type, std::string_view id, std::string_view text) {
  return fmt::format("<script type=\"application/{}\" id=\"{}\">{}</script>\n", type, id, text);
}

std::string note_element(std::string_view sentence) {
  return fmt::format("<p class=\"note\">{}</p>\n", sentence);
}

void add_steps(const result::Traces& traces, std::size_t room, Fillings& fillings) {
  const embed::EmbeddedSteps steps = embed::embed_steps(traces.views, embed::steps_budget(room));
  for (const std::string& sentence : steps.left_out)
    fillings.left_out += note_element(sentence);
  if (steps.index.empty()) return;
  fillings.steps = script_element("json", "steps-index", steps.index) +
                   script_element("octet-stream", "steps-0", steps.block);
}

void add_samples(const result::Result& result, std::size_t room, Fillings& fillings) {
  room -= std::min(room, kElement * (result.timeline.nodes.size() + 2) + kSentences);
  const embed::Embedded samples =
      embed::embed(result.timeline, {result.findings, result.rules}, room);
  if (samples.index.empty()) return;
  std::string& out = fillings.timeline;
  out.reserve(samples.size() + kElement * (samples.blocks.size() + 1));
  out += script_element("json", "timeline-index", samples.index);
  for (std::size_t i = 0; i < samples.blocks.size(); ++i)
    out += script_element("octet-stream", fmt::format("timeline-{}", i), samples.blocks[i]);
  for (const std::string& sentence : samples.thinned)
    fillings.thinned += note_element(sentence);
}

} // namespace

std::string to_html(const result::Result& result, const PageOptions& options) {
  nlohmann::json view = make_view(result);
  Fillings fillings{Bulk{view}};
  const std::string text = render_template("page.html", std::move(view));
  const auto filling = [&](std::string_view name) { return fillings(name); };
  const std::size_t text_size = filled_size(text, filling);
  if (options.text_done) options.text_done();
  const auto room = [&](std::size_t used) {
    return options.max_size - std::min(options.max_size, used);
  };
  add_steps(result.traces, room(text_size), fillings);
  add_samples(result, room(text_size + fillings.steps.size() + fillings.left_out.size()), fillings);
  return fill_marks(text, filling);
}

} // namespace debrief::render
