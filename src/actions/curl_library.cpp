#include "actions/curl_library.h"

#include "util/error.h"

#include <array>
#include <dlfcn.h>

namespace debrief::actions {

namespace {

constexpr const char* kNoCurl =
    "webhooks and mail need libcurl, and this machine has none; install it (Debian: "
    "apt-get install libcurl4), or leave these actions out";

} // namespace

template <typename Function>
void CurlLibrary::find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  if (function == nullptr) throw Error(kNoCurl);
}

CurlLibrary::CurlLibrary() {
  // By whichever TLS library it was built; never unloaded, since TLS libraries do not take that.
  void* library = nullptr;
  for (const char* name : std::array{"libcurl.so.4", "libcurl-gnutls.so.4"})
    if (library == nullptr) library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw Error(kNoCurl);
  decltype(&::curl_global_init) global_init = nullptr;
  find(library, "curl_global_init", global_init);
  find(library, "curl_easy_init", easy_init);
  find(library, "curl_easy_setopt", easy_setopt);
  find(library, "curl_easy_perform", easy_perform);
  find(library, "curl_easy_getinfo", easy_getinfo);
  find(library, "curl_easy_cleanup", easy_cleanup);
  find(library, "curl_slist_append", slist_append);
  find(library, "curl_slist_free_all", slist_free_all);
  if (global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) throw Error(kNoCurl);
}

} // namespace debrief::actions
