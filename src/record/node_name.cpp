#include "record/node_name.h"

#include "util/text.h"

#include <unistd.h>

#include <algorithm>
#include <array>

namespace debrief::record {

std::string node_name() {
  std::array<char, 256> text{};
  if (::gethostname(text.data(), text.size() - 1) != 0) return "host";
  std::string name{text.data()};
  name = safe_file_name(name.substr(0, name.find('.')), "host");
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

} // namespace debrief::record
