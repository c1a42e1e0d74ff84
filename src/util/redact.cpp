#include "util/redact.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace debrief {

namespace {

constexpr std::string_view kHidden = "***";
constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kSpaces = " \t\r\n\f\v";
constexpr std::string_view kQuotes = "\"'`";
/// How far a URL's odd password is looked for.
constexpr std::size_t kLongestUserInfo = 1000;

constexpr std::array<std::string_view, 16> kSecretWords{
    "token",      "secret",     "secrets",     "password",     "passwords", "passwd",
    "passphrase", "auth",       "pwd",         "pat",          "apikey",    "accesskey",
    "privatekey", "credential", "credentials", "authorization"};
constexpr std::array<std::string_view, 3> kBeforeKey{"api", "access", "private"};

bool is_one_of(char c, std::string_view characters) {
  return characters.find(c) != characters.npos;
}

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}

bool is_letter(char c) {
  return is_upper(c) || (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80;
}

bool belongs_to_name(char c) {
  return is_letter(c) || (c >= '0' && c <= '9') || is_one_of(c, "_-.");
}

std::string in_lower_case(std::string_view text) {
  std::string lower{text};
  for (char& c : lower)
    if (is_upper(c)) c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

/// "hubToken" -> hub, Token; "HFToken" -> HF, Token.
bool begins_word(std::string_view name, std::size_t at) {
  if (!is_letter(name[at])) return false;
  if (at == 0 || !is_letter(name[at - 1])) return true;
  if (!is_upper(name[at])) return false;
  const bool before_small =
      at + 1 < name.size() && is_letter(name[at + 1]) && !is_upper(name[at + 1]);
  return !is_upper(name[at - 1]) || before_small;
}

bool is_authorization(std::string_view name) {
  constexpr std::string_view kWord = "authorization";
  return name.size() >= kWord.size() &&
         in_lower_case(name.substr(name.size() - kWord.size())) == kWord;
}

bool is_bearer(std::string_view name) {
  return name.size() == 6 && in_lower_case(name) == "bearer";
}

std::size_t skip(std::string_view text, std::size_t at, std::string_view characters) {
  return std::min(text.find_first_not_of(characters, at), text.size());
}

std::size_t find_any(std::string_view text, std::size_t at, std::string_view characters) {
  return std::min(text.find_first_of(characters, at), text.size());
}

/// Reads a text once, from left to right, and writes it without its secrets.
class Redaction {
public:
  explicit Redaction(std::string_view text)
      : text_(text) {}

  std::string run() {
    while (at_ < text_.size()) {
      if (!belongs_to_name(text_[at_])) {
        out_ += text_[at_++];
        continue;
      }
      const std::size_t begin = at_;
      while (at_ < text_.size() && belongs_to_name(text_[at_]))
        ++at_;
      const std::string_view name = text_.substr(begin, at_ - begin);
      out_ += name;
      if (text_.substr(at_).starts_with("://"))
        user_info();
      else if (is_bearer(name))
        bearer();
      else if (is_secret_name(name))
        value_of(name);
    }
    return std::move(out_);
  }

private:
  void copy_to(std::size_t end) {
    out_ += text_.substr(at_, end - at_);
    at_ = end;
  }

  void hide_to(std::size_t end) {
    if (end > at_) out_ += kHidden;
    at_ = end;
  }

  /// "https://me:word@host/": all before the '@'. A password may have a '/' or a '#' that should
  /// have been escaped: then what follows the ':' is no port.
  void user_info() {
    copy_to(at_ + 3);
    const std::string_view rest = text_.substr(at_, kLongestUserInfo);
    std::string_view authority = rest.substr(0, find_any(rest, 0, "/?# \t\r\n\f\v\"'`<>"));
    std::size_t sign = authority.rfind('@');
    if (sign == authority.npos && !ends_with_port(authority)) {
      authority = rest.substr(0, find_any(rest, 0, " \t\r\n\f\v\"'`<>"));
      sign = authority.rfind('@');
    }
    if (sign != authority.npos && sign > 0) hide_to(at_ + sign);
  }

  /// Also where there is none to be expected.
  static bool ends_with_port(std::string_view authority) {
    const std::size_t colon = authority.find(':');
    return colon == authority.npos || authority.starts_with('[') ||
           authority.find_first_not_of("0123456789", colon + 1) == authority.npos;
  }

  void bearer() {
    const std::size_t begin = skip(text_, at_, kBlanks);
    if (begin == at_) return;
    copy_to(begin);
    hide_to(find_any(text_, at_, " \t\r\n\f\v\"'`,;<>()"));
  }

  void value_of(std::string_view name) {
    const auto begin = begin_of_value(name.starts_with('-'));
    if (!begin || *begin >= text_.size() || is_one_of(text_[*begin], "\r\n")) return;
    copy_to(*begin);
    if (skip_opening_quote()) return;
    if (is_one_of(text_[at_], "([{"))
      hide_to(end_of_brackets());
    else if (is_authorization(name))
      hide_to(find_any(text_, at_, "\r\n\"'`"));
    else
      hide_to(find_any(text_, at_, " \t\r\n\f\v\"'`&"));
  }

  /// After "token=", "'token': ", "--token " or "'--token', "; nothing where no value follows.
  std::optional<std::size_t> begin_of_value(bool is_option) const {
    std::size_t at = at_;
    const auto is = [&](std::size_t place, char c) {
      return place < text_.size() && text_[place] == c;
    };
    if (is(at, '\\')) ++at;
    if (at < text_.size() && is_one_of(text_[at], kQuotes)) ++at;
    const std::size_t sign = skip(text_, at, kBlanks);
    if (is(sign, '=') && !is(sign + 1, '='))
      return skip(text_, sign + (is(sign + 1, '>') ? 2 : 1), kBlanks);
    if (is(sign, ':') && !is(sign + 1, ':')) return skip(text_, sign + 1, kBlanks);
    if (!is_option) return std::nullopt;
    if (is(sign, ',')) {
      const std::size_t value = skip(text_, sign + 1, kBlanks);
      const std::size_t inside = skip(text_, value, kQuotes);
      return is(inside, '-') && is(inside + 1, '-') ? std::nullopt : std::optional{value};
    }
    if (sign == at || (is(sign, '-') && is(sign + 1, '-'))) return std::nullopt;
    return sign;
  }

  /// Where the value is quoted ("abc", b'abc', \"abc\"): hides what is between the quotes.
  bool skip_opening_quote() {
    std::size_t quote = at_;
    while (quote < text_.size() && quote < at_ + 2 && is_letter(text_[quote]))
      ++quote; // Python's b'' and the like
    if (quote < text_.size() && text_[quote] == '\\') ++quote;
    if (quote >= text_.size() || !is_one_of(text_[quote], kQuotes)) return false;
    const bool is_escaped = quote > 0 && text_[quote - 1] == '\\';
    const char mark = text_[quote];
    copy_to(quote + 1);
    std::size_t end = at_;
    while (end < text_.size() && text_[end] != mark)
      end += text_[end] == '\\' && !is_escaped ? 2U : 1U;
    end = std::min(end, text_.size());
    if (is_escaped && end < text_.size() && end > at_ && text_[end - 1] == '\\') --end;
    hide_to(end);
    // The closing quote begins nothing.
    copy_to(std::min(skip(text_, at_, "\\") + 1, text_.size()));
    return true;
  }

  /// "('me', 'word')"; the end of the line where none closes them.
  std::size_t end_of_brackets() const {
    int depth = 0;
    for (std::size_t at = at_; at < text_.size(); ++at) {
      if (text_[at] == '\n') return at;
      if (is_one_of(text_[at], "([{")) ++depth;
      if (is_one_of(text_[at], ")]}") && --depth == 0) return at + 1;
    }
    return text_.size();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string out_;
};

/// Whether a word of a command line is an option, as what follows a flag without a value is.
bool is_option(std::string_view word) {
  return word.starts_with("--") || (word.starts_with('-') && word.size() == 2);
}

bool is_plain_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return belongs_to_name(c) || is_one_of(c, "+~:/[]");
  });
}

bool ends_with_bearer(std::string_view word) {
  constexpr std::size_t kLength = 6;
  return word.size() >= kLength && is_bearer(word.substr(word.size() - kLength)) &&
         (word.size() == kLength || !is_letter(word[word.size() - kLength - 1]));
}

} // namespace

bool is_secret_name(std::string_view name) {
  std::string before;
  for (std::size_t at = 0; at < name.size();) {
    if (!is_letter(name[at])) {
      ++at;
      continue;
    }
    std::size_t end = at + 1;
    while (end < name.size() && is_letter(name[end]) && !begins_word(name, end))
      ++end;
    std::string word = in_lower_case(name.substr(at, end - at));
    if (std::find(kSecretWords.begin(), kSecretWords.end(), word) != kSecretWords.end())
      return true;
    if ((word == "key" || word == "keys") &&
        std::find(kBeforeKey.begin(), kBeforeKey.end(), before) != kBeforeKey.end())
      return true;
    before = std::move(word);
    at = end;
  }
  return false;
}

std::string without_secrets(std::string_view text) {
  return Redaction{text}.run();
}

std::string without_secrets(std::string_view name, std::string_view value) {
  if (is_secret_name(name) && !value.empty()) return std::string{kHidden};
  return without_secrets(value);
}

std::vector<std::string> without_secrets(std::vector<std::string> words) {
  bool value_is_next = false;
  for (std::string& word : words) {
    const bool is_value = value_is_next && !is_option(word);
    value_is_next = false;
    if (is_value) {
      word = kHidden;
      continue;
    }
    const std::size_t equals = word.find('=');
    const std::string_view name = std::string_view{word}.substr(0, equals);
    if (is_plain_name(name) && is_secret_name(name) && equals != word.npos) {
      word.replace(equals + 1, word.npos, kHidden); // a value may have spaces
      continue;
    }
    value_is_next = ends_with_bearer(word) || (equals == word.npos && word.starts_with("-") &&
                                               is_plain_name(word) && is_secret_name(word));
    word = without_secrets(std::string_view{word});
  }
  return words;
}

} // namespace debrief
