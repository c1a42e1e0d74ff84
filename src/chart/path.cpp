#include "chart/path.h"

#include <cmath>
#include <cstdlib>

namespace debrief::chart {

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
