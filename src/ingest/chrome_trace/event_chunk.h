// What the readers of traces have to say about their own events: how one is read, and what is kept
// of it. Everything else (blocks, threads, damage) is the same for all.
#pragma once

#include "ingest/chrome_trace/tokens.h"
#include "job/reading_report.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace debrief::ingest::chrome_trace {

/// What a run of a file's events holds. Chunks are made on several threads at once and joined
/// afterwards, in the order of the file.
class EventChunk {
public:
  /// `path` is the file's, for the report.
  explicit EventChunk(std::string_view path)
      : path_(path) {}

  virtual ~EventChunk() = default;
  EventChunk(const EventChunk&) = delete;
  EventChunk& operator=(const EventChunk&) = delete;

  /// Reads the event at the cursor and goes behind it; false where it is broken.
  virtual bool parse(TokenCursor& cursor) = 0;

  /// Keeps what it wants of the event that was parsed last, which stands at `offset` in the file.
  virtual void take(std::uint64_t offset) = 0;

  /// Whether it knows events that are written like earlier ones without their tokens:
  /// remember() and take_alike().
  virtual bool knows_the_like() const { return false; }

  /// Remembers how the event that was parsed last is written; `start` is where the cursor stood
  /// before it.
  virtual void remember(const TokenCursor& start) { (void)start; }

  /// Takes the event at `text` if it is written like one that is remembered, and returns where it
  /// ends; else null. BlockReader::kPadding bytes behind `end` are readable.
  virtual const char* take_alike(const char* text, const char* end, std::uint64_t offset) {
    (void)text, (void)end, (void)offset;
    return nullptr;
  }

  /// Empties it for other events, in the memory that it has; false if a new one does as well.
  virtual bool restart() { return false; }

  /// An event that could not be read at all.
  void take_broken(std::uint64_t offset) {
    ++records;
    skip("event is not valid JSON", offset);
  }

  void skip(const char* reason, std::uint64_t offset, std::uint64_t times = 1) {
    job::ReadingReport::count(skipped, reason, job::at_byte(path_, offset), times);
  }

  void repair(const char* reason, std::uint64_t offset, std::uint64_t times = 1) {
    job::ReadingReport::count(repaired, reason, job::at_byte(path_, offset), times);
  }

  std::uint64_t records = 0; ///< events, good and bad
  job::Troubles skipped;
  job::Troubles repaired;

private:
  std::string path_;
};

/// Which ']' ends the list of events.
enum class ListEnd {
  first, ///< the first behind an event
  /// The one behind which no event follows: a log line between events can have brackets too, and so
  /// has what is left of a broken event.
  last
};

/// Makes chunks and joins them.
class EventConsumer {
public:
  EventConsumer() = default;
  virtual ~EventConsumer() = default;
  EventConsumer(const EventConsumer&) = delete;
  EventConsumer& operator=(const EventConsumer&) = delete;

  /// Called on any thread.
  virtual std::unique_ptr<EventChunk> new_chunk() const = 0;

  /// Called in the order of the file, with chunks of its own making.
  virtual void absorb(const EventChunk& chunk) = 0;

  virtual ListEnd list_end() const { return ListEnd::last; }
};

} // namespace debrief::ingest::chrome_trace
