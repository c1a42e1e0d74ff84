// An SVG drawing while it is being made. Looks go into presentation attributes (the light theme's),
// so that a drawing is readable where styles are forbidden; classes let the page's style give it
// the colors of a theme. Texts are escaped here: names of a job may go in as they are printable.
#pragma once

#include "chart/width.h"

#include <string>
#include <string_view>
#include <vector>

namespace debrief::chart {

/// What a mark stands for decides its color. `series(0)` to `series(5)` tell things apart,
/// `heat(0)` to `heat(8)` are a scale from low to high.
struct Color {
  std::string_view name;  ///< its class, "c-ink"; assets/src/chart.css has its colors by theme
  std::string_view light; ///< in the light theme, "#1a1d21"
};

inline constexpr Color kInk{"c-ink", "#1a1d21"};     ///< values, medians
inline constexpr Color kQuiet{"c-quiet", "#5a626c"}; ///< labels of axes
inline constexpr Color kGrid{"c-grid", "#dde1e6"};   ///< lines behind the marks
inline constexpr Color kPale{"c-pale", "#9cc3ea"};   ///< the lesser part: a band, an envelope
inline constexpr Color kRest{"c-rest", "#a9b2bc"};   ///< what is not of interest: idle, other
inline constexpr Color kAlarm{"c-alarm", "#b3261e"}; ///< how grave something is, never a series
inline constexpr Color kPaper{"c-paper", "#ffffff"}; ///< upon marks: words in a bar, gaps
inline constexpr Color kNone{"", "none"};

inline constexpr std::size_t kSeries = 6;
inline constexpr std::size_t kHeats = 9;

/// Colors repeat after kSeries: what has more parts must tell them apart by words as well.
Color series(std::size_t index);

/// `share` from 0 (low) to 1 (high).
Color heat(double share);

/// The color that can be read upon another: paper upon strong ones, ink upon pale ones.
Color upon(const Color& fill);

/// A number as a drawing needs it: two decimals at most, no zeros at the end.
std::string number(double value);

enum class Anchor { start, middle, end };

struct Point {
  double x = 0;
  double y = 0;
};

struct Box {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
};

class Svg {
public:
  /// `label` says in words what the drawing shows. Widths and heights are in pixels at full size.
  Svg(double width, double height, std::string_view label);

  /// Filled. `tip`, where it is not empty, is what pointing at the mark tells.
  void rect(const Box& box, const Color& fill, std::string_view tip = {});
  void circle(const Point& center, double radius, const Color& fill, std::string_view tip = {});

  void line(const Point& from, const Point& to, const Color& stroke, double width = 1,
            std::string_view dashes = {});

  /// `path` is SVG's own path language, made of number()s.
  void fill_path(std::string_view path, const Color& fill, double opacity = 1,
                 std::string_view tip = {});
  void stroke_path(std::string_view path, const Color& stroke, double width = 1.5,
                   std::string_view dashes = {});

  /// `at` is on the text's base line.
  void text(const Point& at, std::string_view words, Anchor anchor = Anchor::start,
            const Color& fill = kQuiet, double size = 11);

  /// What is drawn until close() belongs together: the part of a legend's entry `key` ("0", "1").
  void open(std::string_view key);

  /// What is drawn until close() has one tip.
  void open_tip(std::string_view tip);

  void close();

  double width() const { return width_; }

  double height() const { return height_; }

  /// The whole drawing; nothing may be drawn afterwards.
  std::string finish();

private:
  void end(std::string_view element, std::string_view tip);

  /// ` fill="#1a1d21" class="f c-ink"`; the class alone on a phone, where styles are never missing.
  static std::string look(std::string_view attribute, const Color& color, std::string_view prefix);

  /// Writes the boxes that wait.
  void flush();

  double width_;
  double height_;
  std::string out_;
  std::string boxes_; ///< of a phone's drawing, which has no tips: one path for those of a color
  Color color_of_boxes_ = {};
  std::vector<bool> is_group_; ///< of what is open: a phone has no groups for tips
};

/// `<`, `>`, `&`, `"` and `'` as references.
std::string escaped(std::string_view text);

// SVG's path language, written short: tenths of a pixel, relative to the point before, so that a
// line of many points takes four or five bytes a point.

class Path {
public:
  /// Begins a new part.
  void move(double x, double y);

  /// A straight line from where the last call ended.
  void line(double x, double y);

  void close();

  /// A closed rectangle.
  void box(double x, double y, double width, double height);

  bool empty() const { return out_.empty(); }

  const std::string& text() const { return out_; }

private:
  std::string out_;
  char command_ = 0; ///< the last one; numbers that follow without one repeat it
  long x_ = 0;       ///< where the last call ended, in tenths
  long y_ = 0;
  long start_x_ = 0; ///< of the part, where close() goes back to
  long start_y_ = 0;
};

} // namespace debrief::chart
