// Where the repository is, for tests that read its documents and sample jobs. Not by __FILE__: a
// compiler's cache may make that path relative.
#pragma once

#include <filesystem>

namespace debrief::test {

std::filesystem::path repository();

} // namespace debrief::test
