#include "render/documents/markdown_text.h"

#include <catch2/catch_test_macros.hpp>

namespace test_markdown_text {

using debrief::render::markdown_text;

TEST_CASE("Plain sentences and names stay as they are in Markdown") {
  CHECK(markdown_text("The GPU waits for data: 2 workers, 16 cores (p95 of 1.5 s).") ==
        "The GPU waits for data: 2 workers, 16 cores (p95 of 1.5 s).");
  CHECK(markdown_text("resnet50-healthy") == "resnet50-healthy");
  CHECK(markdown_text("aten::add") == "aten::add");
  CHECK(markdown_text("").empty());
}

TEST_CASE("Marks of Markdown and HTML show themselves") {
  CHECK(markdown_text("**a** _b_ `c` ~d~") == "\\*\\*a\\*\\* \\_b\\_ \\`c\\` \\~d\\~");
  CHECK(markdown_text("<img src=x>") == "&lt;img src=x&gt;");
  CHECK(markdown_text("![a](b)") == "!\\[a\\](b)");
  CHECK(markdown_text("a | b") == "a \\| b");
  CHECK(markdown_text("&lt;") == "&amp;lt;");
  CHECK(markdown_text("\\") == "\\\\");
}

TEST_CASE("Nothing becomes a link, a mention or a reference") {
  CHECK(markdown_text("https://a.b") == "https&#58;//a.b");
  CHECK(markdown_text("www.a.b") == "www\\.a.b");
  CHECK(markdown_text("@all") == "@&#8203;all");
  CHECK(markdown_text("fixes #12") == "fixes \\#&#8203;12");
  CHECK(markdown_text("GH-12") == "GH-&#8203;12");
  CHECK(markdown_text("!12%1") == "!&#8203;12%&#8203;1");
  CHECK(markdown_text("a :tada: b") == "a &#58;tada: b");
}

TEST_CASE("Nothing begins a list, a heading or a rule, and a line stays one") {
  CHECK(markdown_text("- a") == "\\- a");
  CHECK(markdown_text("12. a") == "12\\. a");
  CHECK(markdown_text("# a") == "\\# a");
  CHECK(markdown_text("---") == "\\-\\-\\-");
  CHECK(markdown_text("a\nb") == "a\\\\nb");
}

TEST_CASE("Long text is cut between characters") {
  std::string text;
  for (int i = 0; i < 501; ++i)
    text += "ä";
  CHECK(markdown_text(text) == text.substr(0, 1000) + "…");
  CHECK(markdown_text(text.substr(0, 1000)) == text.substr(0, 1000));
}

} // namespace test_markdown_text
