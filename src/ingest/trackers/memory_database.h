// A SQLite database that is read out of memory: its bytes come from wherever a file's do, and no
// lock, journal or log is ever made beside a user's file.
#pragma once

#include "ingest/block_reader.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace debrief::ingest::trackers {

inline constexpr std::string_view kSqliteMagic{"SQLite format 3\0", 16};

/// A row of a query: its columns by number, from 0.
class DatabaseRow {
public:
  /// `left` is how many bytes of texts may still be read.
  DatabaseRow(sqlite3_stmt* statement, std::uint64_t& left)
      : statement_(statement)
      , left_(left) {}

  bool is_null(int column) const;
  std::int64_t integer(int column) const;
  double real(int column) const;
  /// Valid until the next row; empty where no more may be read.
  std::string_view text(int column) const;

private:
  sqlite3_stmt* statement_;
  std::uint64_t& left_;
};

class MemoryDatabase {
public:
  static constexpr std::uint64_t kMostBytes = std::uint64_t{2} * 1024 * 1024 * 1024;

  /// Takes the rest of `bytes`.
  explicit MemoryDatabase(BlockReader& bytes);
  ~MemoryDatabase();
  MemoryDatabase(const MemoryDatabase&) = delete;
  MemoryDatabase& operator=(const MemoryDatabase&) = delete;

  /// What keeps it from being read: "is larger than 2 GB"; empty: nothing.
  const std::string& trouble() const { return trouble_; }

  /// Whether it is a plain table: a view could take any time.
  bool has_table(std::string_view name) const;

  /// Hands each row of `SELECT columns FROM table` on. A column that the table lacks is NULL.
  /// False where the table is damaged, takes longer than one of its size can, or has more text than
  /// its bytes hold: a column's default is a text of every row.
  bool each_row(std::string_view table, const std::vector<std::string>& columns,
                const std::function<void(const DatabaseRow&)>& take) const;

private:
  std::vector<std::string> columns_of(std::string_view table) const;
  bool run(const std::string& query, const std::function<void(const DatabaseRow&)>& take) const;

  sqlite3* database_ = nullptr;
  std::uint64_t size_ = 0;
  std::string trouble_;
};

} // namespace debrief::ingest::trackers
