// Results that were saved as JSON. Where a job is expected, either can be given; this tells them
// apart.
#pragma once

#include "result/result.h"

#include <optional>
#include <string>

namespace debrief::result {

/// The result that `path` holds, if it is a result document. Throws Error where it is JSON of
/// another kind of debrief's or of another schema version. Nothing where it is a job (a folder or
/// another kind of file).
std::optional<Result> read_result(const std::string& path);

} // namespace debrief::result
