#include "ingest/trackers/memory_database.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <new>
#include <sqlite3.h>

namespace debrief::ingest::trackers {

namespace {

/// Steps of SQLite's machine between two looks at what it may still take.
constexpr int kStepsPerLook = 1000;
/// A row takes some thirty steps and some thirty bytes.
constexpr std::uint64_t kStepsPerByte = 20;
constexpr std::uint64_t kSpareSteps = 10'000'000;
constexpr std::uint64_t kTextPerByte = 8;
constexpr std::uint64_t kSpareText = std::uint64_t{1} << 20U;

int end_when_spent(void* left) {
  auto& steps = *static_cast<std::uint64_t*>(left);
  if (steps < kStepsPerLook) return 1;
  steps -= kStepsPerLook;
  return 0;
}

struct Freed {
  void operator()(unsigned char* bytes) const { sqlite3_free(bytes); }

  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

std::string sql_name(std::string_view name) {
  std::string out = "\"";
  for (const char c : name) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

} // namespace

bool DatabaseRow::is_null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

std::int64_t DatabaseRow::integer(int column) const {
  return sqlite3_column_int64(statement_, column);
}

double DatabaseRow::real(int column) const {
  return sqlite3_column_double(statement_, column);
}

std::string_view DatabaseRow::text(int column) const {
  const unsigned char* text = sqlite3_column_text(statement_, column);
  if (text == nullptr) return {};
  const auto size = static_cast<std::uint64_t>(sqlite3_column_bytes(statement_, column));
  if (size > left_) {
    left_ = 0;
    return {};
  }
  left_ -= size;
  return {reinterpret_cast<const char*>(text), static_cast<std::size_t>(size)}; // NOLINT
}

MemoryDatabase::MemoryDatabase(BlockReader& bytes) {
  std::uint64_t room = std::max<std::uint64_t>(bytes.expected_size().value_or(0) + 1,
                                               std::max<std::size_t>(bytes.view().size(), 4096));
  if (room > kMostBytes) {
    trouble_ = "is larger than 2 GB";
    return;
  }
  std::unique_ptr<unsigned char, Freed> all{static_cast<unsigned char*>(sqlite3_malloc64(room))};
  if (all == nullptr) throw std::bad_alloc{};
  for (;;) {
    if (size_ == room) {
      room *= 2;
      if (room > kMostBytes) {
        trouble_ = "is larger than 2 GB";
        return;
      }
      auto* larger = static_cast<unsigned char*>(sqlite3_realloc64(all.get(), room));
      if (larger == nullptr) throw std::bad_alloc{};
      (void)all.release();
      all.reset(larger);
    }
    const std::size_t got = bytes.take(reinterpret_cast<char*>(all.get()) + size_, // NOLINT
                                       static_cast<std::size_t>(room - size_));
    if (got == 0) break;
    size_ += got;
  }
  constexpr std::size_t kHeader = 100;
  if (size_ < kHeader) {
    trouble_ = "is cut off";
    return;
  }
  // Read and write version: 2 means a write-ahead log, which memory has none of.
  all.get()[18] = std::min<unsigned char>(all.get()[18], 1);
  all.get()[19] = std::min<unsigned char>(all.get()[19], 1);
  if (sqlite3_open_v2(":memory:", &database_,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX,
                      nullptr) != SQLITE_OK)
    throw std::bad_alloc{};
  sqlite3_db_config(database_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(database_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_limit(database_, SQLITE_LIMIT_LENGTH, 64 * 1024 * 1024);
  const auto size = static_cast<sqlite3_int64>(size_);
  // From here on the bytes are the database's, also where it refuses them.
  if (sqlite3_deserialize(database_, "main", all.release(), size, size,
                          SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY) !=
      SQLITE_OK)
    trouble_ = "is not a database that SQLite reads";
}

MemoryDatabase::~MemoryDatabase() {
  sqlite3_close(database_);
}

bool MemoryDatabase::run(const std::string& query,
                         const std::function<void(const DatabaseRow&)>& take) const {
  sqlite3_stmt* made = nullptr;
  std::uint64_t steps = kSpareSteps + kStepsPerByte * size_;
  sqlite3_progress_handler(database_, kStepsPerLook, end_when_spent, &steps);
  const int prepared = sqlite3_prepare_v2(database_, query.c_str(), -1, &made, nullptr);
  const std::unique_ptr<sqlite3_stmt, Freed> statement{made};
  int state = prepared;
  // Numbers are stored in fewer bytes than they are written with, and a text may be asked for
  // twice.
  std::uint64_t text_left = kSpareText + kTextPerByte * size_;
  if (prepared == SQLITE_OK)
    while (text_left > 0 && (state = sqlite3_step(made)) == SQLITE_ROW)
      take(DatabaseRow{made, text_left});
  sqlite3_progress_handler(database_, 0, nullptr, nullptr);
  // Of a damaged database, SQLite may also want more memory than there is.
  return state == SQLITE_DONE;
}

bool MemoryDatabase::has_table(std::string_view name) const {
  bool found = false;
  run("SELECT name, rootpage FROM sqlite_master WHERE type = 'table'", [&](const DatabaseRow& row) {
    found = found || (row.text(0) == name && row.integer(1) > 0); // a virtual one has no root
  });
  return found;
}

std::vector<std::string> MemoryDatabase::columns_of(std::string_view table) const {
  std::vector<std::string> out;
  run(fmt::format("SELECT name FROM pragma_table_info({})",
                  fmt::format("'{}'", table)), // of ours, never of a file's
      [&](const DatabaseRow& row) { out.emplace_back(row.text(0)); });
  return out;
}

bool MemoryDatabase::each_row(std::string_view table, const std::vector<std::string>& columns,
                              const std::function<void(const DatabaseRow&)>& take) const {
  const std::vector<std::string> known = columns_of(table);
  std::vector<std::string> wanted;
  for (const std::string& column : columns)
    wanted.push_back(std::find(known.begin(), known.end(), column) != known.end() ? sql_name(column)
                                                                                  : "NULL");
  return run(fmt::format("SELECT {} FROM {}", fmt::join(wanted, ", "), sql_name(table)), take);
}

} // namespace debrief::ingest::trackers
