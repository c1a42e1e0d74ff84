// libcurl, loaded when something is to be sent: debrief needs it for nothing else, and its thirty
// libraries would be mapped by every run.
#pragma once

#include <curl/curl.h>
#include <string>

namespace debrief::actions {

class CurlLibrary {
public:
  /// Throws Error where the machine has no libcurl.
  CurlLibrary();
  CurlLibrary(const CurlLibrary&) = delete;
  CurlLibrary& operator=(const CurlLibrary&) = delete;

  // Its functions, under their own names.
  decltype(&::curl_easy_init) easy_init = nullptr;
  CURLcode (*easy_setopt)(CURL*, CURLoption, ...) = nullptr;
  decltype(&::curl_easy_perform) easy_perform = nullptr;
  CURLcode (*easy_getinfo)(CURL*, CURLINFO, ...) = nullptr;
  decltype(&::curl_easy_cleanup) easy_cleanup = nullptr;
  decltype(&::curl_slist_append) slist_append = nullptr;
  decltype(&::curl_slist_free_all) slist_free_all = nullptr;

private:
  template <typename Function>
  void find(void* library, const char* name, Function& function);
};

} // namespace debrief::actions
