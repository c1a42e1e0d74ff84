#include "chart/width.h"

namespace debrief::chart {

namespace {

thread_local bool for_phone = false;
thread_local bool small = false;

} // namespace

ForPhone::ForPhone() {
  for_phone = true;
}

ForPhone::~ForPhone() {
  for_phone = false;
}

bool is_for_phone() {
  return for_phone;
}

Small::Small() {
  small = true;
}

Small::~Small() {
  small = false;
}

bool is_narrow() {
  return for_phone || small;
}

double chart_width() {
  return by_width(kChartWidth, kPhoneWidth);
}

double by_width(double page, double phone) {
  return is_narrow() ? phone : page;
}

} // namespace debrief::chart
