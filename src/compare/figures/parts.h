// The figures by concern, one file each: which there are, and how a document says them. An added
// part has its line in figure_parts().
#pragma once

#include "compare/catalog.h"
#include "compare/collector.h"
#include "compare/document.h"

#include <span>
#include <vector>

namespace debrief::compare {

struct FigurePart {
  void (*declare)(std::vector<Declaration>& out);
  void (*collect)(const nlohmann::json& document, Collector& out);
};

std::span<const FigurePart> figure_parts();

void declare_usage(std::vector<Declaration>& out);
void collect_usage(const nlohmann::json& document, Collector& out);
void declare_steps(std::vector<Declaration>& out);
void collect_steps(const nlohmann::json& document, Collector& out);
void declare_times(std::vector<Declaration>& out);
void collect_times(const nlohmann::json& document, Collector& out);
void declare_waste(std::vector<Declaration>& out);
void collect_waste(const nlohmann::json& document, Collector& out);
void declare_loading(std::vector<Declaration>& out);
void collect_loading(const nlohmann::json& document, Collector& out);
void declare_traces(std::vector<Declaration>& out);
void collect_traces(const nlohmann::json& document, Collector& out);
void declare_counts(std::vector<Declaration>& out);
void collect_counts(const nlohmann::json& document, Collector& out);

/// A statistic of a distribution: its key in documents and in names, and its words.
struct Statistic {
  const char* key;
  const char* words;
};

} // namespace debrief::compare
