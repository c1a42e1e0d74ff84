// The files that a command names: "python3 rule.py --limits=limits.json" names two where both are
// there. Consent to a config covers what is in them.
#pragma once

#include <set>
#include <span>
#include <string>

namespace debrief::trust {

/// Relative to `folder`, an absolute path, where the command runs. A name is a word, or a part of
/// one between quotes, '=' and what else a shell cuts at; "pack.rule" is also pack/rule.py, as
/// after `python3 -m`, and a folder its __main__.py. What a shell writes to ("> log") is left out.
/// Absolute paths count where they lie in the folder: what lies elsewhere is a program of the
/// machine's, as what PATH finds is.
std::set<std::string> named_files(std::span<const std::string> words, const std::string& folder);

} // namespace debrief::trust
