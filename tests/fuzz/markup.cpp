#include "markup.h"

#include "expect.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace debrief::fuzz {

namespace {

/// HTML's elements without content; in SVG and XML they close themselves.
constexpr std::array<std::string_view, 8> kVoid = {"meta", "link", "br",  "hr",
                                                   "img",  "wbr",  "col", "input"};

bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == ':';
}

class MarkupReader {
public:
  explicit MarkupReader(std::string_view text)
      : text_(text) {}

  void run() {
    skip_prologue();
    while (at_ < text_.size())
      if (text_[at_] == '<')
        take_tag();
      else
        take_text('<');
    expect(open_.empty(), "all elements are closed", open_.empty() ? "" : open_.back());
  }

private:
  std::string_view rest() const { return text_.substr(at_); }

  bool skip(std::string_view word) {
    if (!rest().starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  void need(std::string_view word) { expect(skip(word), word, rest()); }

  void skip_prologue() {
    if (skip("<?xml version=\"1.0\" encoding=\"UTF-8\"?>")) return;
    need("<!doctype html>");
  }

  std::string_view take_name() {
    const std::size_t start = at_;
    while (at_ < text_.size() && is_name(text_[at_]))
      ++at_;
    const std::string_view name = text_.substr(start, at_ - start);
    expect(!name.empty() && name.find("zq") == name.npos, "a name of debrief's own",
           text_.substr(start));
    return name;
  }

  /// Up to `end`, which is left.
  void take_text(char end) {
    for (; at_ < text_.size() && text_[at_] != end; ++at_) {
      expect(text_[at_] != '<', "'<' is escaped", rest());
      if (text_[at_] == '&') take_entity();
    }
  }

  void take_entity() {
    const std::size_t end = rest().find(';');
    expect(end != text_.npos && end >= 2 && end <= 8, "'&' is escaped", rest());
    const std::string_view name = rest().substr(1, end - 1);
    expect(name != "zq" && (name[0] == '#' || std::all_of(name.begin(), name.end(), is_name)),
           "'&' is escaped", rest());
    at_ += end;
  }

  void take_tag() {
    need("<");
    if (skip("/")) {
      const std::string_view name = take_name();
      need(">");
      expect(!open_.empty() && open_.back() == name, "elements are closed in order", name);
      open_.pop_back();
      return;
    }
    const std::string_view name = take_name();
    const std::size_t start = at_;
    while (!rest().starts_with(">") && !rest().starts_with("/>"))
      take_attribute();
    const std::string_view attributes = text_.substr(start, at_ - start);
    if (skip("/>")) return;
    need(">");
    if (name == "script" || name == "style") return take_raw(name, attributes);
    if (std::find(kVoid.begin(), kVoid.end(), name) == kVoid.end()) open_.emplace_back(name);
  }

  void take_attribute() {
    expect(at_ < text_.size(), "a tag ends", "");
    while (skip(" ") || skip("\n"))
      ;
    if (rest().starts_with(">") || rest().starts_with("/>")) return;
    expect(!take_name().starts_with("on"), "no handlers", rest());
    if (!skip("=")) return;
    need("\"");
    take_text('"');
    need("\"");
    expect(rest().find_first_of(" \n/>") == 0, "a quote is escaped", rest());
  }

  /// What a browser takes as it stands. The page's own script is compiled in; what is made of a job
  /// is JSON or base64.
  void take_raw(std::string_view name, std::string_view attributes) {
    const std::string end = "</" + std::string{name} + ">";
    const std::size_t length = rest().find(end);
    expect(length != text_.npos, "an element is closed", name);
    const std::string_view content = rest().substr(0, length);
    if (attributes.find("type=\"application/") != attributes.npos)
      expect(content.find('<') == content.npos, "data without tags", content);
    if (attributes.find("application/json") != attributes.npos)
      expect(nlohmann::json::accept(content), "data is JSON", content);
    at_ += length + end.size();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<std::string> open_;
};

} // namespace

void expect_markup(std::string_view text) {
  MarkupReader{text}.run();
}

} // namespace debrief::fuzz
