// protozero for messages that others wrote: a field of another wire type than it should have is an
// exception, like everything else that is wrong with a message, and not an assertion that fails.
#pragma once

#include <protozero/exception.hpp>

namespace debrief::ingest::trackers {

[[noreturn]] inline void refuse_wire_type() {
  throw protozero::unknown_pbf_wire_type_exception{};
}

} // namespace debrief::ingest::trackers

#define protozero_assert(x)                                                                        \
  ((x) ? static_cast<void>(0) : ::debrief::ingest::trackers::refuse_wire_type())

#include <protozero/pbf_reader.hpp>
