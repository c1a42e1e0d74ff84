#include "render/parts/category_words.h"

#include "chart/meaning.h"

namespace debrief::render {

using result::WorkCategory;

const char* category_words(WorkCategory category) {
  switch (category) {
  case WorkCategory::gemm:
    return "matrix products";
  case WorkCategory::attention:
    return "attention";
  case WorkCategory::convolution:
    return "convolutions";
  case WorkCategory::normalization:
    return "normalization";
  case WorkCategory::elementwise:
    return "elementwise";
  case WorkCategory::reduction:
    return "reductions";
  case WorkCategory::embedding:
    return "lookups and indexing";
  case WorkCategory::communication:
    return "communication";
  case WorkCategory::copy:
    return "copies and casts";
  case WorkCategory::other:
    break;
  }
  return "other";
}

chart::Color category_color(WorkCategory category) {
  switch (category) {
  case WorkCategory::gemm:
    return chart::color_of(Meaning::compute);
  case WorkCategory::communication:
    return chart::color_of(Meaning::communication);
  case WorkCategory::copy:
    return chart::color_of(Meaning::copy);
  // The rest computes too, and has what no GPU work means otherwise.
  case WorkCategory::attention:
    return chart::color_of(Meaning::model);
  case WorkCategory::convolution:
    return chart::color_of(Meaning::between);
  case WorkCategory::normalization:
    return chart::color_of(Meaning::disk);
  case WorkCategory::elementwise:
    return chart::color_of(Meaning::data);
  case WorkCategory::reduction:
    return chart::kPale;
  case WorkCategory::embedding:
    return chart::color_of(Meaning::startup);
  case WorkCategory::other:
    break;
  }
  return chart::color_of(Meaning::idle);
}

} // namespace debrief::render
