#include "ingest/repeated_files.h"

#include "util/seeded_hash.h"

#include <string>
#include <string_view>
#include <vector>

namespace debrief::ingest {

namespace {

/// Of a run of numbers, by their order.
class Digest {
public:
  void add(std::uint64_t number) { value_ = seeded_hash(value_ ^ number); }

  void add(std::string_view text) { add(seeded_hash(text)); }

  std::uint64_t value() const { return value_; }

private:
  std::uint64_t value_ = 0;
};

std::vector<std::uint64_t> hashes_of(const job::StringTable& texts) {
  std::vector<std::uint64_t> hashes;
  for (std::size_t id = 0; id < texts.size(); ++id)
    hashes.push_back(seeded_hash(texts[static_cast<job::StringTable::Id>(id)]));
  return hashes;
}

} // namespace

std::uint64_t digest_of(const job::EventTableBuilder& events) {
  if (events.size() == 0) return 0;
  const std::vector<std::uint64_t> names = hashes_of(events.names);
  const std::vector<std::uint64_t> phases = hashes_of(events.phases);
  Digest digest;
  // Five numbers at a time, each with a factor of its own: one by one they would wait for each
  // other.
  events.each([&](const job::EventTableBuilder::Event& event) {
    digest.add(static_cast<std::uint64_t>(event.start) * 0x9e3779b97f4a7c15 +
               static_cast<std::uint64_t>(event.duration) * 0xc2b2ae3d27d4eb4f +
               static_cast<std::uint64_t>(event.step) * 0x165667b19e3779f9 +
               names[static_cast<std::size_t>(event.name)] * 0xd6e8feb86659fd93 +
               phases[static_cast<std::size_t>(event.phase)]);
  });
  for (const job::Timeline& timeline : events.timelines()) {
    digest.add(timeline.node);
    digest.add(timeline.process);
    digest.add(static_cast<std::uint64_t>(timeline.kind));
  }
  return digest.value();
}

std::optional<std::size_t> RepeatedFiles::first_like(std::uint64_t digest, std::size_t file) {
  if (digest == 0) return std::nullopt;
  const auto [first, is_new] = files_.try_emplace(digest, file);
  return is_new ? std::nullopt : std::optional{first->second};
}

} // namespace debrief::ingest
