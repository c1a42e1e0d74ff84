// What several jobs come to together.
#pragma once

#include "overview/entry.h"

#include <span>
#include <string_view>

namespace debrief::overview {

/// The time that was paid for in all jobs that have it in this unit, and where it went, part by
/// part; `paid` is absent where none has. Money where every one of them has the same price.
result::Waste sum_of_waste(std::span<const Entry> entries, std::string_view unit);

} // namespace debrief::overview
