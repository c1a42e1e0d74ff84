// Secrets in what a command and its processes say of themselves: a command line, a variable, the
// text of an exception. Whatever the recorder writes into a job goes through here first.
//
// Told by their surroundings, never by their looks: user info in URLs, what follows "Bearer", and
// values of names whose words say so. Such a value becomes "***".
//
// Python code of the recorder needs no copy of this as long as it writes into the recorder's folder
// and C++ moves the text into the job; what it would write straight into the job needs one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace debrief {

/// Whether one of the name's words is a secret's: "token", "secret", "password", "auth", "pwd",
/// "pat" and the like, or "key" after "api", "access" or "private". Words end where anything but a
/// letter comes, and where the case says so: "HF_TOKEN", "hubToken" and "--api-key" are secret,
/// "--max_tokens", "--tokenizer" and "--sort-key" are not.
bool is_secret_name(std::string_view name);

/// Any text: a traceback, a line of a log, one word of a command line. Takes linear time.
std::string without_secrets(std::string_view text);

/// A variable's value.
std::string without_secrets(std::string_view name, std::string_view value);

/// The words of a command line: "--api-key=abc" -> "--api-key=***", "--token", "abc" -> "--token",
/// "***".
std::vector<std::string> without_secrets(std::vector<std::string> words);

} // namespace debrief
