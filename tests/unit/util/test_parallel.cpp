#include "util/parallel.h"
#include "util/spare.h"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace test_parallel {

using namespace debrief;

TEST_CASE("every piece of work is done once") {
  std::vector<int> done(10'000);
  parallel_for(done.size(), [&](std::size_t i) { ++done[i]; });
  CHECK(std::accumulate(done.begin(), done.end(), 0) == 10'000);
  CHECK(*std::max_element(done.begin(), done.end()) == 1);
  parallel_for(0, [](std::size_t) { FAIL("there is no work"); });
}

TEST_CASE("pieces are all of it, in order") {
  using Piece = std::pair<std::size_t, std::size_t>;
  const auto pieces = [](std::size_t count) {
    return parallel_pieces(count, [](std::size_t begin, std::size_t end) {
      return Piece{begin, end};
    });
  };
  CHECK(pieces(0).empty());
  CHECK(pieces(1) == std::vector<Piece>{{0, 1}});
  std::size_t covered = 0;
  for (const auto& [begin, end] : pieces(100'000)) {
    CHECK(begin == covered);
    CHECK(end > begin);
    covered = end;
  }
  CHECK(covered == 100'000);
}

TEST_CASE("what is made of each is in its order") {
  std::vector<int> all(5'000);
  std::iota(all.begin(), all.end(), 0);
  const std::vector<int> doubled = parallel_map(all, [](int one) { return 2 * one; });
  REQUIRE(doubled.size() == all.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    CHECK(doubled[i] == 2 * all[i]);
  CHECK(parallel_map(std::vector<int>{}, [](int one) { return one; }).empty());
}

TEST_CASE("loops within loops are done, and loops of several threads at once") {
  const auto squares = [] {
    std::vector<std::vector<int>> done(50, std::vector<int>(200));
    parallel_for(done.size(), [&](std::size_t i) {
      parallel_for(done[i].size(), [&](std::size_t j) { ++done[i][j]; });
    });
    return std::all_of(done.begin(), done.end(), [](const std::vector<int>& row) {
      return std::all_of(row.begin(), row.end(), [](int times) { return times == 1; });
    });
  };
  std::atomic<int> good = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] { good += squares() ? 1 : 0; });
  }
  CHECK(good == 4);
}

TEST_CASE("the threads that help are the same for one loop after the other") {
  std::mutex mutex;
  std::set<std::thread::id> threads;
  for (int i = 0; i < 100; ++i)
    parallel_for(100, [&](std::size_t) {
      const std::lock_guard lock{mutex};
      threads.insert(std::this_thread::get_id());
    });
  CHECK(threads.size() <= usable_cores());
}

TEST_CASE("what a thread has laid aside is given back when it is told so") {
  spare<std::vector<int>>().resize(3);
  spare<std::vector<char>>().resize(4);
  CHECK(take_spare<std::vector<int>>().size() == 3);
  CHECK(spare<std::vector<int>>().empty());
  spare<std::vector<int>>().resize(5);
  drop_spares();
  CHECK(spare<std::vector<int>>().empty());
  CHECK(spare<std::vector<char>>().empty());
}

TEST_CASE("an exception reaches the caller") {
  CHECK_THROWS_AS(parallel_for(100,
                               [](std::size_t i) {
                                 if (i == 42) throw std::runtime_error("42");
                               }),
                  std::runtime_error);
}

TEST_CASE("pieces of work that share the cores use one thread each, and the last one all again") {
  const std::size_t all = usable_cores();
  {
    std::vector<std::unique_ptr<CoreShare>> shares;
    for (std::size_t i = 0; i < all; ++i)
      shares.push_back(std::make_unique<CoreShare>());
    CHECK(usable_cores() == 1);
    const std::thread::id caller = std::this_thread::get_id();
    parallel_for(100, [&](std::size_t) { CHECK(std::this_thread::get_id() == caller); });
    shares.resize(1);
    CHECK(usable_cores() == all);
  }
  CHECK(usable_cores() == all);
}

TEST_CASE("what is made side by side is taken in order, a few at a time") {
  std::atomic<int> there = 0;
  std::atomic<int> most = 0;
  std::vector<std::size_t> taken;
  const auto make = [&](std::size_t i) {
    const int now = ++there;
    for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
    }
    return std::make_unique<std::size_t>(i);
  };
  const auto take = [&](std::unique_ptr<std::size_t> made, std::size_t i) {
    CHECK(*made == i);
    taken.push_back(*made);
    --there;
  };
  parallel_in_order(1'000, make, take);
  REQUIRE(taken.size() == 1'000);
  CHECK(std::is_sorted(taken.begin(), taken.end()));
  CHECK(most <= static_cast<int>(usable_cores()));
  parallel_in_order(0, make, [](auto, std::size_t) { FAIL("nothing was made"); });
}

} // namespace test_parallel
