// SVG's path language, written short: relative moves in tenths of a pixel, so that a line of many
// points takes four or five bytes a point.
#pragma once

#include <string>

namespace debrief::chart {

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
  void number(long tenths, bool first);

  std::string out_;
  char command_ = 0; ///< the last one; numbers that follow without one repeat it
  long x_ = 0;       ///< where the last call ended, in tenths
  long y_ = 0;
};

} // namespace debrief::chart
