// How wide a drawing is. Most are made twice: as wide as a page has room for, and as wide as a
// phone, since words in a drawing that is made smaller cannot be read.
#pragma once

namespace debrief::chart {

/// Pixels of a chart, and of one on a phone.
inline constexpr double kChartWidth = 760;
inline constexpr double kPhoneWidth = 350;

/// While one exists, what its thread draws is for a phone.
class ForPhone {
public:
  ForPhone();
  ~ForPhone();

  ForPhone(const ForPhone&) = delete;
  ForPhone& operator=(const ForPhone&) = delete;
};

bool is_for_phone();

/// While one exists, what its thread draws is one of many small charts of a page, as narrow as on a
/// phone.
class Small {
public:
  Small();
  ~Small();

  Small(const Small&) = delete;
  Small& operator=(const Small&) = delete;
};

/// For a phone, or small.
bool is_narrow();

double chart_width();

/// One of two lengths: of a page's drawing, or of a narrow one.
double by_width(double page, double phone);

} // namespace debrief::chart
