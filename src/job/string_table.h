// Interned strings: each distinct text is stored once and known by a small number.
//
// Event names repeat millions of times; a lookup of a known text allocates nothing. Ids count up
// from 0 in the order of first sight.
#pragma once

#include "util/seeded_hash.h"

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace debrief::job {

class StringTable {
public:
  using Id = std::int32_t;

  StringTable() = default;
  StringTable(StringTable&&) = default;
  StringTable& operator=(StringTable&&) = default;
  StringTable(const StringTable&) = delete; // ids_ would still refer to the original's texts
  StringTable& operator=(const StringTable&) = delete;
  ~StringTable() = default;

  /// The id of `text`, which is added where it is new.
  Id intern(std::string_view text) {
    if (const auto found = ids_.find(text); found != ids_.end()) return found->second;
    const std::string& stored = texts_.emplace_back(text);
    const auto id = static_cast<Id>(texts_.size() - 1);
    ids_.emplace(stored, id);
    return id;
  }

  std::string_view operator[](Id id) const { return texts_[static_cast<std::size_t>(id)]; }

  std::size_t size() const { return texts_.size(); }

private:
  std::deque<std::string> texts_; ///< a deque, since ids_ refers to its elements
  std::unordered_map<std::string_view, Id, SeededHash> ids_;
};

} // namespace debrief::job
