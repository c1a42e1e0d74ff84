#include "render/page/html.h"

#include "embed/embed.h"
#include "embed/step_views.h"
#include "render/page/chapters.h"
#include "render/page/environment.h"
#include "render/page/head.h"
#include "render/page/placeholders.h"
#include "render/page/view.h"
#include "util/parallel.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace debrief::render {

namespace {

/// Bytes of one block's element around the block, and of all sentences on thinning.
constexpr std::size_t kElement = 80;
constexpr std::size_t kSentences = 500;

/// The slowest, the median and the fastest.
constexpr std::size_t kNamedSteps = 3;

using Pieces = std::vector<std::string>;

void add_element(Pieces& out, std::string_view type, std::string_view id, std::string text) {
  out.push_back(fmt::format(R"(<script type="application/{}" id="{}">)", type, id));
  out.push_back(std::move(text));
  out.emplace_back("</script>\n");
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
  Pieces elements;
  placeholders.set("left-out", {notes(steps.left_out)});
  if (!steps.index.empty()) {
    add_element(elements, "json", "steps-index", std::move(steps.index));
    add_element(elements, "octet-stream", "steps-0", std::move(steps.block));
  }
  placeholders.set("steps", std::move(elements));
}

/// Returns the bytes that they take.
std::size_t add_samples(const result::Result& result, embed::Samples& all, std::size_t room,
                        Placeholders& placeholders) {
  room -= std::min(room, kElement * (result.timeline.nodes.size() + 2) + kSentences);
  embed::Embedded samples = all.embed({result.findings, result.rules}, room);
  if (samples.index.empty()) return 0;
  Pieces out;
  add_element(out, "json", "timeline-index", std::move(samples.index));
  for (std::size_t i = 0; i < samples.blocks.size(); ++i)
    add_element(out, "octet-stream", fmt::format("timeline-{}", i), std::move(samples.blocks[i]));
  std::size_t size = 0;
  for (const std::string& piece : out)
    size += piece.size();
  placeholders.set("timeline", std::move(out));
  placeholders.set("thinned", {notes(samples.thinned)});
  return size;
}

/// The page, with placeholders for what is bulk.
std::string text_of(const result::Result& result, const PageOptions& options,
                    Placeholders& placeholders) {
  std::vector<MadeSection> sections = make_sections(result);
  nlohmann::json head = head_view(result, sections, placeholders);
  if (options.reload_seconds > 0) head["reload"] = options.reload_seconds;
  return render_page("page.html", std::move(head),
                     chapters_html(std::move(sections), placeholders));
}

} // namespace

std::string to_html(const result::Result& result, const PageOptions& options) {
  Placeholders placeholders;
  for (const char* name : {"timeline", "thinned", "steps", "left-out"})
    placeholders.set(name, {});
  std::string text;
  std::optional<embed::Samples> samples;
  parallel_for(2, [&](std::size_t which) {
    if (which == 0)
      text = text_of(result, options, placeholders);
    else
      samples.emplace(result.timeline);
  });
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
  used += add_samples(result, *samples, room(used), placeholders);
  add_steps(result.traces, std::move(steps), room(text_size),
            std::min(kUsualPage - std::min(kUsualPage, used), room(used)), placeholders);
  return placeholders.fill(text);
}

} // namespace debrief::render
