#include "chart/path.h"

#include <cmath>
#include <cstdlib>

namespace debrief::chart {

namespace {

long tenths(double pixels) {
  return std::isfinite(pixels) ? std::lround(pixels * 10) : 0;
}

} // namespace

/// A sign separates numbers by itself; a zero before the point says nothing.
void Path::number(long tenths, bool first) {
  if (tenths < 0)
    out_ += '-';
  else if (!first)
    out_ += ' ';
  const long size = std::labs(tenths);
  if (size >= 10 || size == 0) out_ += std::to_string(size / 10);
  if (size % 10 != 0) (out_ += '.') += static_cast<char>('0' + size % 10);
}

void Path::move(double x, double y) {
  x_ = tenths(x);
  y_ = tenths(y);
  out_ += 'M';
  number(x_, true);
  number(y_, false);
  command_ = 'M';
}

void Path::line(double x, double y) {
  const long dx = tenths(x) - x_;
  const long dy = tenths(y) - y_;
  if (dx == 0 && dy == 0 && command_ != 'M') return;
  const char command = dy == 0 ? 'h' : dx == 0 ? 'v' : 'l';
  const bool repeated = command == command_;
  if (!repeated) out_ += command;
  if (command != 'v') number(dx, !repeated);
  if (command != 'h') number(dy, command == 'v' && !repeated);
  command_ = command;
  x_ += dx;
  y_ += dy;
}

void Path::close() {
  out_ += 'z';
  command_ = 'z';
}

void Path::box(double x, double y, double width, double height) {
  move(x, y);
  line(x + width, y);
  line(x + width, y + height);
  line(x, y + height);
  close();
}

} // namespace debrief::chart
