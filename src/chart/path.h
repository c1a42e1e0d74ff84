// SVG's path language, written short: tenths of a pixel, relative to the point before, so that a
// line of many points takes four or five bytes a point.
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
  std::string out_;
  char command_ = 0; ///< the last one; numbers that follow without one repeat it
  long x_ = 0;       ///< where the last call ended, in tenths
  long y_ = 0;
  long start_x_ = 0; ///< of the part, where close() goes back to
  long start_y_ = 0;
};

} // namespace debrief::chart
