#include "actions/message.h"

#include "util/text.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <ctime>

namespace debrief::actions {

namespace {

std::string slack_escaped(const std::string& text) {
  std::string out;
  for (const char letter : text) {
    if (letter == '&')
      out += "&amp;";
    else if (letter == '<')
      out += "&lt;";
    else if (letter == '>')
      out += "&gt;";
    else
      out += letter;
  }
  return out;
}

/// RFC 2047: a header in UTF-8 as words of base64, 42 bytes each, so that no line is too long.
std::string encoded_header(const std::string& text) {
  constexpr const char* kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr std::size_t kWord = 42;
  std::string out;
  for (std::size_t from = 0; from < text.size();) {
    std::size_t end = std::min(from + kWord, text.size());
    // Not in the middle of a character.
    while (end < text.size() && end > from + 1 &&
           (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
      --end;
    out += out.empty() ? "=?UTF-8?B?" : "\r\n =?UTF-8?B?";
    for (std::size_t at = from; at < end; at += 3) {
      const std::size_t bytes = std::min<std::size_t>(3, end - at);
      std::uint32_t bits = 0;
      for (std::size_t byte = 0; byte < 3; ++byte)
        bits = bits << 8U | (byte < bytes ? static_cast<unsigned char>(text[at + byte]) : 0U);
      for (std::size_t digit = 0; digit < 4; ++digit)
        out += digit <= bytes ? kDigits[bits >> (18 - 6 * digit) & 63U] : '=';
    }
    out += "?=";
    from = end;
  }
  return out;
}

} // namespace

std::string subject_of(const Event& event) {
  return fmt::format("{} on {}: {}", printable(event.job), printable(event.host),
                     printable(event.condition));
}

std::string text_of(const Event& event) {
  std::string text = fmt::format("debrief: {} on {}\n{}\nBecause of: {}, {}\n",
                                 printable(event.job), printable(event.host), printable(event.why),
                                 printable(event.condition), to_readable_time(event.time));
  if (!event.report.empty()) text += fmt::format("Report: {}\n", printable(event.report));
  return text;
}

std::string webhook_body(const Event& event) {
  return nlohmann::json{{"text", slack_escaped(text_of(event))}}.dump(
      -1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string mail_of(const Event& event, const std::string& from, const std::string& to) {
  std::string mail = fmt::format(
      "Date: {:%a, %d %b %Y %H:%M:%S} +0000\r\nFrom: debrief <{}>\r\nTo: <{}>\r\nSubject: {}\r\n"
      "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n"
      "Content-Transfer-Encoding: 8bit\r\nAuto-Submitted: auto-generated\r\n\r\n",
      fmt::gmtime(static_cast<std::time_t>(event.time / kSecond)), from, to,
      encoded_header("debrief: " + subject_of(event)));
  for (const char letter : text_of(event)) {
    if (letter == '\n') mail += '\r';
    mail += letter;
  }
  return mail;
}

} // namespace debrief::actions
