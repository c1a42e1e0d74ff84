// What a config file starts, and what is said where it may not: it is not trusted.
#pragma once

#include "cli/command.h"

#include <string>
#include <vector>

namespace debrief::cli {

/// Programs of custom rules, and what actions run.
std::vector<trust::Command> commands_of(const pipeline::Config& config);

/// Whether it starts programs, acts on running jobs or says where mail goes: what a person has to
/// agree to.
bool starts_something(const pipeline::Config& config);

/// "1 program", and with `recording` also what only `debrief record` does: "1 program, 2 actions
/// and the mail server". Empty: nothing.
std::string started_words(const pipeline::Config& config, bool recording);

/// Notes on stderr that programs do not run in a report; nothing where they do, or with `quiet`.
void note_left_out(const LoadedConfig& config, bool quiet);

} // namespace debrief::cli
