// Texts that are put into a page after the template engine ran: script, style, charts, rows of
// tables and samples are code or bulk data, which the engine must not interpret and would copy
// again and again.
//
// A placeholder is a comment, `<!--script-->`, `<!--12-->`. No text of a job can make one: it is
// escaped by then.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::render {

class Placeholders {
public:
  /// Every page has its script and style.
  Placeholders();

  /// Keeps a text; its placeholder has the number that is returned.
  std::size_t keep(std::string html);

  /// The text of a placeholder with a name, in pieces: some are megabytes.
  void set(const std::string& name, std::vector<std::string> pieces) {
    named_[name] = std::move(pieces);
  }

  /// The page with each placeholder replaced. Texts that are put in are not looked through. Throws
  /// std::logic_error for a placeholder without a text.
  std::string fill(std::string_view html) const;

  /// How long that page is.
  std::size_t filled_size(std::string_view html) const;

private:
  std::span<const std::string> pieces_of(std::string_view name) const;

  std::vector<std::string> numbered_;
  std::map<std::string, std::vector<std::string>, std::less<>> named_;
};

} // namespace debrief::render
