#include "ingest/trackers/traceback.h"

#include <catch2/catch_test_macros.hpp>

#include <string>

namespace test_traceback {

using namespace debrief;
using ingest::trackers::TracebackReader;

namespace {

constexpr const char* kText = R"(step 3
Traceback (most recent call last):
  File "/home/me/project/train.py", line 12, in <module>
    main(args)
  File "/opt/conda/lib/python3.9/site-packages/torch/_tensor.py", line 396, in backward
    torch.autograd.backward(self)
    ~~~~~~~~~~~~~~~~~~~~~~~^^^^^^
  File "/usr/lib/python3.11/runpy.py", line 8, in run
RuntimeError: CUDA out of memory. Tried: 760 MiB
behind
)";

} // namespace

TEST_CASE("a traceback is read, however the text is cut") {
  for (const std::size_t size : {std::size_t{1}, std::size_t{7}, std::size_t{10'000}}) {
    TracebackReader reader;
    const std::string text = kText;
    for (std::size_t at = 0; at < text.size(); at += size)
      reader.add(text.substr(at, size), 5);
    REQUIRE(reader.last());
    const job::Failure& found = *reader.last();
    CHECK(found.type == "RuntimeError");
    CHECK(found.message == "CUDA out of memory. Tried: 760 MiB");
    CHECK(found.time == 5);
    CHECK(found.frames == std::vector<job::Frame>{{"train.py", 12, "<module>", false},
                                                  {"torch/_tensor.py", 396, "backward", true},
                                                  {"runpy.py", 8, "run", true}});
  }
}

TEST_CASE("of several tracebacks the last one counts") {
  TracebackReader reader;
  reader.add(kText, {});
  reader.add("During handling of the above exception, another exception occurred:\n\n"
             "Traceback (most recent call last):\n  File \"a.py\", line 1, in f\nKeyError\n",
             {});
  CHECK(reader.last()->type == "KeyError");
  CHECK(reader.last()->message.empty());
  CHECK(reader.last()->frames.size() == 1);
}

TEST_CASE("ranks, colors and progress bars are taken off") {
  TracebackReader reader;
  reader.add("50%|##   |\r100%|####|\r\x1b[31m[rank3]: Traceback (most recent call last):\x1b[0m\n"
             "[rank3]:   File \"a.py\", line 7, in step\n"
             "other rank\n"
             "[rank3]: torch.OutOfMemoryError: CUDA out of memory\n",
             {});
  REQUIRE(reader.last());
  CHECK(reader.last()->rank == 3);
  CHECK(reader.last()->type == "torch.OutOfMemoryError");
  CHECK(reader.last()->frames.front().line == 7);
}

TEST_CASE("what is no traceback is none, and what is endless has a bound") {
  TracebackReader reader;
  reader.add("ValueError: printed\nTraceback (most recent call last):\n", {});
  CHECK(!reader.last());
  reader.add("??? is no type\n", {});
  CHECK(!reader.last());
  reader.add("Traceback (most recent call last):\n", {});
  for (int i = 0; i < 1000; ++i)
    reader.add("  File \"" + std::string(10'000, 'x') + ".py\", line 1, in f\n" +
                   "  File \"b.py\", line " + std::to_string(i) + ", in f\n",
               {});
  reader.add("ValueError: " + std::string(100'000, 'y') + "\n", {});
  REQUIRE(reader.last());
  CHECK(reader.last()->frames.size() == job::kMostFrames);
  CHECK(reader.last()->frames.back().line == 999);
  CHECK(reader.last()->message.size() <= job::kLongestFailureMessage);
}

TEST_CASE("secrets in a message are hidden") {
  TracebackReader reader;
  reader.add("Traceback (most recent call last):\nHTTPError: https://me:hunter2@host/x\n", {});
  CHECK(reader.last()->message.find("hunter2") == std::string::npos);
}

} // namespace test_traceback
