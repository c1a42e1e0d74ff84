// The host's side of GPU work: how it launches kernels, and where it waits for them.
#pragma once

#include "render/parts/section.h"
#include "result/trace.h"

#include <string>
#include <vector>

namespace debrief::render {

/// On what blocks the host most, and on kernels that are too short; empty where nothing is known.
std::string host_sentence(const result::Traces& traces);

void show_launches(Section& section, const std::vector<result::LaunchStats>& launches);
void show_syncs(Section& section, const std::vector<result::SyncRow>& syncs);

} // namespace debrief::render
