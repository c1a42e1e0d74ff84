#include "render/parts/category_words.h"

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
    return chart::series(0);
  case WorkCategory::attention:
    return chart::series(2);
  case WorkCategory::convolution:
    return chart::series(3);
  case WorkCategory::normalization:
    return chart::series(4);
  case WorkCategory::elementwise:
    return chart::series(5);
  case WorkCategory::communication:
    return chart::series(1);
  case WorkCategory::reduction:
    return chart::kPale;
  case WorkCategory::embedding:
  case WorkCategory::copy:
  case WorkCategory::other:
    break;
  }
  return chart::kRest;
}

} // namespace debrief::render
