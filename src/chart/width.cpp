#include "chart/width.h"

namespace debrief::chart {

namespace {

thread_local bool for_phone = false;

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

double chart_width() {
  return by_width(kChartWidth, kPhoneWidth);
}

double by_width(double page, double phone) {
  return for_phone ? phone : page;
}

} // namespace debrief::chart
