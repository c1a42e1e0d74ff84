#include "actions/send.h"

#include "actions/curl_library.h"
#include "util/text.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

namespace debrief::actions {

namespace {

constexpr long kConnectSeconds = 10;
constexpr long kMostSeconds = 20; ///< for one try
constexpr int kTries = 2;
constexpr std::chrono::seconds kBetweenTries{2};

/// One use of libcurl.
class Transfer {
public:
  explicit Transfer(const CurlLibrary& curl)
      : curl_(curl)
      , handle_(curl.easy_init()) {
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
    set(CURLOPT_TIMEOUT, kMostSeconds);
    set(CURLOPT_ERRORBUFFER, error_.data());
    set(CURLOPT_WRITEFUNCTION, &ignore);
  }

  ~Transfer() {
    curl_.slist_free_all(list_);
    if (handle_ != nullptr) curl_.easy_cleanup(handle_);
  }

  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  template <typename Value>
  void set(CURLoption option, Value value) {
    if (handle_ != nullptr) curl_.easy_setopt(handle_, option, value);
  }

  /// Headers of a request, or who gets a mail.
  void set_list(CURLoption option, const std::string& item) {
    list_ = curl_.slist_append(list_, item.c_str());
    set(option, list_);
  }

  /// What went wrong; empty: nothing.
  std::string perform() {
    if (handle_ == nullptr) return "libcurl has no memory";
    const CURLcode code = curl_.easy_perform(handle_);
    if (code != CURLE_OK)
      return error_.front() != '\0' ? printable(error_.data())
                                    : fmt::format("libcurl's error {}", static_cast<int>(code));
    return "";
  }

  long answer() const {
    long code = 0;
    if (handle_ != nullptr) curl_.easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &code);
    return code;
  }

private:
  static std::size_t ignore(char* /*data*/, std::size_t size, std::size_t count, void* /*user*/) {
    return size * count;
  }

  const CurlLibrary& curl_;
  CURL* handle_;
  curl_slist* list_ = nullptr;
  std::array<char, CURL_ERROR_SIZE> error_{};
};

std::string post(const CurlLibrary& curl, const std::string& url, const std::string& body) {
  Transfer transfer{curl};
  transfer.set(CURLOPT_URL, url.c_str());
  transfer.set(CURLOPT_USERAGENT, "debrief");
  transfer.set_list(CURLOPT_HTTPHEADER, "Content-Type: application/json");
  transfer.set(CURLOPT_POSTFIELDS, body.c_str());
  transfer.set(CURLOPT_POSTFIELDSIZE, static_cast<long>(body.size()));
  std::string trouble = transfer.perform();
  if (trouble.empty() && transfer.answer() >= 300)
    trouble = fmt::format("the server answered {}", transfer.answer());
  return trouble;
}

/// What libcurl reads a mail from.
struct Unread {
  std::string_view rest;

  static std::size_t read(char* into, std::size_t size, std::size_t count, void* self) {
    std::string_view& rest = static_cast<Unread*>(self)->rest;
    const std::size_t bytes = std::min(size * count, rest.size());
    std::memcpy(into, rest.data(), bytes);
    rest.remove_prefix(bytes);
    return bytes;
  }
};

bool is_loopback(std::string_view url) {
  const std::size_t begin = url.find("://") + 3;
  const std::string_view host = url.substr(begin);
  return host.starts_with("localhost") || host.starts_with("127.") || host.starts_with("[::1]");
}

std::string mail_to(const CurlLibrary& curl, const MailServer& server, const std::string& from,
                    const std::string& to, const std::string& mail) {
  Transfer transfer{curl};
  Unread unread{mail};
  transfer.set(CURLOPT_URL, server.url.c_str());
  // A password never goes over a plain line. A server on this machine has a certificate that nobody
  // signed, and no line to protect.
  const bool plain = server.user.empty() && is_loopback(server.url);
  const long tls = server.user.empty() ? CURLUSESSL_TRY : CURLUSESSL_ALL;
  if (!plain) transfer.set(CURLOPT_USE_SSL, tls);
  const char* password = std::getenv("DEBRIEF_SMTP_PASSWORD");
  if (!server.user.empty()) {
    transfer.set(CURLOPT_USERNAME, server.user.c_str());
    if (password != nullptr) transfer.set(CURLOPT_PASSWORD, password);
  }
  const std::string sender = "<" + from + ">";
  transfer.set(CURLOPT_MAIL_FROM, sender.c_str());
  transfer.set_list(CURLOPT_MAIL_RCPT, "<" + to + ">");
  transfer.set(CURLOPT_READFUNCTION, &Unread::read);
  transfer.set(CURLOPT_READDATA, &unread);
  transfer.set(CURLOPT_UPLOAD, 1L);
  return transfer.perform();
}

std::string own_address() {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) return "debrief@localhost";
  return "debrief@" + safe_file_name(host.data(), "localhost");
}

} // namespace

struct Outbox::State {
  CurlLibrary curl;
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t under_way = 0;
  std::vector<Delivery> ended;
};

Outbox::Outbox(MailServer mail)
    : mail_(std::move(mail))
    , state_(std::make_shared<State>()) {
  if (mail_.from.empty()) mail_.from = own_address();
}

void Outbox::send(const Action& action, const Event& event, std::size_t number) {
  const bool by_mail = action.what == Action::What::email;
  std::string body = by_mail ? mail_of(event, mail_.from, action.target) : webhook_body(event);
  const auto deliver = [curl = &state_->curl, mail = mail_, to = action.target, by_mail,
                        body = std::move(body)] {
    return by_mail ? mail_to(*curl, mail, mail.from, to, body) : post(*curl, to, body);
  };
  {
    const std::lock_guard lock{state_->mutex};
    ++state_->under_way;
  }
  const auto end = [number](State& state, std::string trouble) {
    const std::lock_guard lock{state.mutex};
    --state.under_way;
    state.ended.push_back({number, std::move(trouble)});
    state.changed.notify_all();
  };
  try {
    std::thread{[state = state_, deliver, end] {
      std::string trouble;
      try {
        trouble = deliver();
        for (int tried = 1; tried < kTries && !trouble.empty(); ++tried) {
          std::this_thread::sleep_for(kBetweenTries);
          trouble = deliver();
        }
      } catch (const std::exception&) {
        trouble = "no memory"; // short: it takes none
      }
      end(*state, std::move(trouble));
    }}.detach();
  } catch (const std::exception& error) {
    end(*state_, error.what());
  }
}

std::vector<Delivery> Outbox::deliveries() {
  const std::lock_guard lock{state_->mutex};
  return std::exchange(state_->ended, {});
}

void Outbox::wait() {
  constexpr std::chrono::seconds kPatience{kTries * kMostSeconds + 5};
  std::unique_lock lock{state_->mutex};
  state_->changed.wait_for(lock, kPatience, [&] { return state_->under_way == 0; });
}

} // namespace debrief::actions
