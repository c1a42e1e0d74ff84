// `.wandb` files for tests, framed and encoded as W&B does.
#pragma once

#include "ingest/trackers/wandb_blocks.h"

#include <algorithm>
#include <cstring>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <utility>
#include <vector>

namespace debrief::test {

class WandbFile {
public:
  using Items = std::vector<std::pair<std::string, std::string>>; ///< key, value as JSON

  WandbFile()
      : bytes_(ingest::trackers::kWandbMagic) {
    bytes_ += '\0';
  }

  WandbFile& run(const std::string& id, const std::string& name, const std::string& host,
                 std::int64_t start, const Items& config = {}) {
    return record(17, [&](protozero::pbf_writer& message) {
      message.add_string(1, id);
      if (!config.empty()) {
        protozero::pbf_writer settings{message, 4};
        add_items(settings, 1, config);
      }
      message.add_string(8, name);
      message.add_string(13, host);
      protozero::pbf_writer time{message, 17};
      time.add_int64(1, start);
    });
  }

  WandbFile& history(const Items& items) {
    return record(2, [&](protozero::pbf_writer& message) {
      for (const auto& [key, value] : items) {
        protozero::pbf_writer item{message, 1};
        item.add_string(2, key); // nested_key
        item.add_string(16, value);
      }
    });
  }

  WandbFile& stats(std::int64_t second, const Items& items) {
    return record(7, [&](protozero::pbf_writer& message) {
      {
        protozero::pbf_writer time{message, 2};
        time.add_int64(1, second);
      }
      add_items(message, 3, items);
    });
  }

  WandbFile& exit(int code) {
    return record(18, [&](protozero::pbf_writer& message) { message.add_int32(1, code); });
  }

  /// What the script printed to stderr.
  WandbFile& printed(const std::string& text, std::int64_t second) {
    return record(13, [&](protozero::pbf_writer& message) {
      {
        protozero::pbf_writer time{message, 2};
        time.add_int64(1, second);
      }
      message.add_string(3, text);
    });
  }

  /// Any record, split over blocks where it has to be.
  WandbFile& payload(std::string data) {
    bool first = true;
    do {
      const std::size_t left = kBlock - bytes_.size() % kBlock;
      if (left < kHead) {
        bytes_.append(left, '\0');
        continue;
      }
      const std::size_t size = std::min(left - kHead, data.size());
      const bool last = size == data.size();
      const char type = first ? (last ? 1 : 2) : (last ? 4 : 3);
      frame(type, data.substr(0, size));
      data.erase(0, size);
      first = false;
      if (last) return *this;
    } while (true);
  }

  const std::string& bytes() const { return bytes_; }

private:
  static constexpr std::size_t kBlock = 32768;
  static constexpr std::size_t kHead = 7;

  template <typename Fill>
  WandbFile& record(std::uint32_t field, const Fill& fill) {
    std::string data;
    {
      protozero::pbf_writer all{data};
      all.add_int64(1, ++number_);
      protozero::pbf_writer message{all, field};
      fill(message);
    }
    return payload(std::move(data));
  }

  static void add_items(protozero::pbf_writer& message, std::uint32_t field, const Items& items) {
    for (const auto& [key, value] : items) {
      protozero::pbf_writer item{message, field};
      item.add_string(1, key);
      item.add_string(16, value);
    }
  }

  void frame(char type, const std::string& data) {
    const std::uint32_t crc = ingest::trackers::wandb_crc(type, data);
    const auto length = static_cast<std::uint16_t>(data.size());
    bytes_.append(reinterpret_cast<const char*>(&crc), 4);
    bytes_.append(reinterpret_cast<const char*>(&length), 2);
    bytes_ += type;
    bytes_ += data;
  }

  std::string bytes_;
  std::int64_t number_ = 0;
};

} // namespace debrief::test
