#include "ingest/limited_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace debrief::ingest {

namespace {

constexpr std::uint64_t kAlwaysUnpacked = 1'000'000; // bytes

class LimitedSource final : public ByteSource {
public:
  /// `does` is what it does beyond the limit: "unpacks to more than 200 times its size".
  LimitedSource(std::unique_ptr<ByteSource> source, std::uint64_t most, std::string does)
      : source_(std::move(source))
      , left_(std::max(kAlwaysUnpacked, most))
      , does_(std::move(does)) {}

  std::size_t read(char* into, std::size_t size) override {
    if (exceeded_) return 0;
    if (left_ == 0) {
      char beyond = 0;
      exceeded_ = source_->read(&beyond, 1) > 0;
      return 0;
    }
    const std::size_t got =
        source_->read(into, static_cast<std::size_t>(std::min<std::uint64_t>(size, left_)));
    left_ -= got;
    return got;
  }

  std::uint64_t bytes_on_disk() const override { return source_->bytes_on_disk(); }

  std::optional<Microseconds> modified() const override { return source_->modified(); }

  std::string damage() const override {
    if (!exceeded_) return source_->damage();
    return does_ + "; --max-unpack raises this limit";
  }

private:
  std::unique_ptr<ByteSource> source_;
  std::uint64_t left_; ///< bytes that it may still give
  std::string does_;
  bool exceeded_ = false;
};

} // namespace

std::unique_ptr<ByteSource> limit_unpacked(std::unique_ptr<ByteSource> source, std::uint64_t size,
                                           std::uint32_t times) {
  return std::make_unique<LimitedSource>(
      std::move(source), size * times,
      fmt::format("unpacks to more than {} times its size", times));
}

std::unique_ptr<ByteSource> limit_holes(std::unique_ptr<ByteSource> source, std::uint64_t stored,
                                        std::uint32_t times) {
  return std::make_unique<LimitedSource>(
      std::move(source), stored * times,
      fmt::format("has holes and reads as more than {} times what it takes on the disk", times));
}

} // namespace debrief::ingest
