#include "chart/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <iterator>

namespace debrief::chart {

namespace {

// The colors of chart/meaning.h that are told apart best.
constexpr std::array<Color, kSeries> kSeriesColors = {{{"c-s0", "#0b5cad"},
                                                       {"c-s1", "#c2570c"},
                                                       {"c-s2", "#00795c"},
                                                       {"c-s3", "#8f4e8b"},
                                                       {"c-s4", "#4a90c2"},
                                                       {"c-s5", "#3f4854"}}};

// Cividis: even in lightness, and the same to those who do not see red or green.
constexpr std::array<Color, kHeats> kHeatColors = {{{"c-h0", "#00224e"},
                                                    {"c-h1", "#123570"},
                                                    {"c-h2", "#3b496c"},
                                                    {"c-h3", "#575d6d"},
                                                    {"c-h4", "#707173"},
                                                    {"c-h5", "#8a8678"},
                                                    {"c-h6", "#a59c74"},
                                                    {"c-h7", "#c3b369"},
                                                    {"c-h8", "#fee838"}}};

std::string dash_attribute(std::string_view dashes) {
  return dashes.empty() ? "" : fmt::format(R"( stroke-dasharray="{}")", dashes);
}

std::string class_attribute(std::string_view name, std::string_view prefix) {
  return name.empty() ? "" : fmt::format(R"( class="{}{}")", prefix, name);
}

} // namespace

Color series(std::size_t index) {
  return kSeriesColors[index % kSeries];
}

Color heat(double share) {
  const double level = std::floor(std::clamp(share, 0.0, 1.0) * static_cast<double>(kHeats));
  return kHeatColors[std::min(static_cast<std::size_t>(level), kHeats - 1)];
}

/// Words have 4.5:1 upon every meaning's color in both themes (assets/test/meaning_colors.test.ts),
/// of which some are dark or bright in both.
Color upon(const Color& fill) {
  constexpr Color kUponPale{"c-upon-pale", "#16191d"};
  constexpr Color kUponDeep{"c-upon-deep", "#ffffff"};
  constexpr Color kUponBright{"c-upon-bright", "#16191d"};
  const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), fill.name) != names.end();
  };
  if (is_one_of({kRest.name, kPale.name, kGrid.name, "c-startup", "c-idle", "c-unmeasured"}))
    return kUponPale;
  if (is_one_of({"c-disk", "c-model"})) return kUponDeep;
  if (is_one_of({"c-copy", "c-s4"})) return kUponBright;
  return kPaper;
}

std::string number(double value) {
  std::string text = fmt::format("{:.2f}", std::isfinite(value) ? value : 0.0);
  while (text.back() == '0')
    text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '&':
      out += "&amp;";
      break;
    case '"':
      out += "&quot;";
      break;
    case '\'':
      out += "&#39;";
      break;
    default:
      out += c;
    }
  }
  return out;
}

Svg::Svg(double width, double height, std::string_view label)
    : width_(width)
    , height_(height)
    , out_(fmt::format(R"(<svg class="chart{3}" viewBox="0 0 {0} {1}" width="{0}" height="{1}" )"
                       R"(role="img" aria-label="{2}" font-family="sans-serif" font-size="11"{4}>)",
                       number(width), number(height), escaped(label),
                       is_for_phone() ? " phone" : "",
                       is_for_phone() ? R"( display="none")" : "")) {}

std::string Svg::look(std::string_view attribute, const Color& color, std::string_view prefix) {
  std::string css = class_attribute(color.name, prefix);
  if (is_for_phone() && !css.empty() && color.light.starts_with('#') &&
      color.name != "c-unmeasured" && !color.name.starts_with("c-h"))
    return css;
  return fmt::format(R"( {}="{}"{})", attribute, color.light, css);
}

void Svg::flush() {
  if (boxes_.empty()) return;
  const std::string boxes = std::move(boxes_);
  boxes_.clear();
  fmt::format_to(std::back_inserter(out_), R"(<path d="{}"{}/>)", boxes,
                 look("fill", color_of_boxes_, "f "));
}

void Svg::end(std::string_view element, std::string_view tip) {
  if (tip.empty() || is_for_phone())
    out_ += "/>";
  else
    fmt::format_to(std::back_inserter(out_), "><title>{}</title></{}>", escaped(tip), element);
}

void Svg::rect(const Box& box, const Color& fill, std::string_view tip) {
  if (is_for_phone()) {
    if (fill.light == "transparent") return; // for its tip only
    if (fill.light != color_of_boxes_.light || fill.name != color_of_boxes_.name) flush();
    color_of_boxes_ = fill;
    Path path;
    path.box(box.x, box.y, std::max(box.width, 0.0), std::max(box.height, 0.0));
    boxes_ += path.text();
    return;
  }
  fmt::format_to(std::back_inserter(out_), R"(<rect x="{}" y="{}" width="{}" height="{}"{})",
                 number(box.x), number(box.y), number(std::max(box.width, 0.0)),
                 number(std::max(box.height, 0.0)), look("fill", fill, "f "));
  end("rect", tip);
}

void Svg::circle(const Point& center, double radius, const Color& fill, std::string_view tip) {
  flush();
  fmt::format_to(std::back_inserter(out_), R"(<circle cx="{}" cy="{}" r="{}"{})", number(center.x),
                 number(center.y), number(radius), look("fill", fill, "f "));
  end("circle", tip);
}

void Svg::line(const Point& from, const Point& to, const Color& stroke, double width,
               std::string_view dashes) {
  flush();
  fmt::format_to(std::back_inserter(out_),
                 R"(<line x1="{}" y1="{}" x2="{}" y2="{}" stroke="{}" stroke-width="{}"{}{}/>)",
                 number(from.x), number(from.y), number(to.x), number(to.y), stroke.light,
                 number(width), dash_attribute(dashes), class_attribute(stroke.name, "l "));
}

void Svg::fill_path(std::string_view path, const Color& fill, double opacity,
                    std::string_view tip) {
  flush();
  fmt::format_to(std::back_inserter(out_), R"(<path d="{}" fill="{}"{}{})", path, fill.light,
                 opacity < 1 ? fmt::format(R"( fill-opacity="{}")", number(opacity))
                             : std::string{},
                 class_attribute(fill.name, "f "));
  end("path", tip);
}

void Svg::stroke_path(std::string_view path, const Color& stroke, double width,
                      std::string_view dashes) {
  flush();
  fmt::format_to(
      std::back_inserter(out_),
      R"(<path d="{}" fill="none" stroke="{}" stroke-width="{}" stroke-linejoin="round"{}{}/>)",
      path, stroke.light, number(width), dash_attribute(dashes),
      class_attribute(stroke.name, "l "));
}

void Svg::text(const Point& at, std::string_view words, Anchor anchor, const Color& fill,
               double size) {
  if (words.empty()) return;
  flush();
  const char* anchored = anchor == Anchor::start    ? ""
                         : anchor == Anchor::middle ? R"( text-anchor="middle")"
                                                    : R"( text-anchor="end")";
  fmt::format_to(std::back_inserter(out_), R"(<text x="{}" y="{}"{}{}{}>{}</text>)", number(at.x),
                 number(at.y), anchored,
                 size == 11 ? std::string{} : fmt::format(R"( font-size="{}")", number(size)),
                 look("fill", fill, "f "), escaped(words));
}

void Svg::open(std::string_view key) {
  flush();
  is_group_.push_back(true);
  fmt::format_to(std::back_inserter(out_), R"(<g data-key="{}">)", escaped(key));
}

void Svg::open_tip(std::string_view tip) {
  is_group_.push_back(!is_for_phone());
  if (is_for_phone()) return;
  fmt::format_to(std::back_inserter(out_), "<g><title>{}</title>", escaped(tip));
}

void Svg::close() {
  const bool is_group = is_group_.empty() || is_group_.back();
  if (!is_group_.empty()) is_group_.pop_back();
  if (!is_group) return;
  flush();
  out_ += "</g>";
}

std::string Svg::finish() {
  flush();
  out_ += "</svg>";
  return std::move(out_);
}

namespace {

long tenths(double pixels) {
  return std::isfinite(pixels) ? std::lround(pixels * 10) : 0;
}

/// A sign separates numbers by itself; a zero before the point says nothing.
void add_number(std::string& out, long tenths, bool first) {
  if (tenths < 0)
    out += '-';
  else if (!first)
    out += ' ';
  const long size = std::labs(tenths);
  if (size >= 10 || size == 0) out += std::to_string(size / 10);
  if (size % 10 != 0) (out += '.') += static_cast<char>('0' + size % 10);
}

std::string move_text(char command, long x, long y) {
  std::string out{command};
  add_number(out, x, true);
  add_number(out, y, false);
  return out;
}

} // namespace

void Path::move(double x, double y) {
  const long to_x = tenths(x);
  const long to_y = tenths(y);
  const std::string absolute = move_text('M', to_x, to_y);
  const std::string relative = move_text('m', to_x - x_, to_y - y_);
  out_ += out_.empty() || absolute.size() <= relative.size() ? absolute : relative;
  start_x_ = x_ = to_x;
  start_y_ = y_ = to_y;
  command_ = 'M';
}

void Path::line(double x, double y) {
  const long dx = tenths(x) - x_;
  const long dy = tenths(y) - y_;
  if (dx == 0 && dy == 0 && command_ != 'M') return;
  const char command = dy == 0 ? 'h' : dx == 0 ? 'v' : 'l';
  const bool repeated = command == command_;
  if (!repeated) out_ += command;
  if (command != 'v') add_number(out_, dx, !repeated);
  if (command != 'h') add_number(out_, dy, command == 'v' && !repeated);
  command_ = command;
  x_ += dx;
  y_ += dy;
}

void Path::close() {
  out_ += 'z';
  command_ = 'z';
  x_ = start_x_;
  y_ = start_y_;
}

void Path::box(double x, double y, double width, double height) {
  move(x, y);
  line(x + width, y);
  line(x + width, y + height);
  line(x, y + height);
  close();
}

} // namespace debrief::chart
