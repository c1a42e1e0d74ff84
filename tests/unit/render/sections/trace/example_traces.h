// Traces with something in every section on them: of two processes, with a GPU each.
#pragma once

#include "render/example.h"
#include "result/full_result.h"

#include <string>

namespace debrief {

/// A copy of the first row for a second process, with other figures.
template <typename Row>
void add_second(std::vector<Row>& rows) {
  Row row = rows.front();
  row.process = "algo-1-1";
  rows.push_back(row);
}

inline result::Traces example_traces() {
  result::Traces out = test::full_traces();
  add_second(out.processes);
  add_second(out.gpus);
  out.gpus[1].busy_us = 600;
  out.gpus[1].idle_us = 400;
  out.gpus[1].host_wait_us = 320;
  add_second(out.communication.overlap);
  out.communication.overlap[1].exposed_us = 100;
  out.communication.overlap[1].hidden_us = 0;
  out.communication.overlap[1].rank = 1;
  return out;
}

/// Every name that comes from the job is `name`.
inline result::Traces hostile_traces(const std::string& name) {
  result::Traces out = test::full_traces();
  for (auto& file : out.files) {
    file.path = file.process = file.node = file.backend = name;
    file.gpus[0].name = name;
    file.categories[0].category = name;
    file.not_recorded = {name};
  }
  for (auto& row : out.steps)
    row.process = name;
  out.processes[0].process = name;
  for (auto* rows : {&out.operators.by_name, &out.operators.by_shapes})
    for (auto& row : *rows)
      row.name = row.shapes = name;
  auto& kernel = out.kernels.rows[0];
  kernel.name = name + " whole";
  kernel.short_name = kernel.op = kernel.precision = name;
  out.kernels.precision[0].precision = name;
  for (auto& row : out.performance.rows)
    row.name = row.shapes = row.gpu = row.precision = name;
  out.performance.gpus[0].gpu = out.performance.gpus[1].gpu = name;
  out.performance.steps[0].process = out.performance.steps[0].precision = name;
  out.gpus[0].process = out.gpus[0].gpu = name;
  out.copies[0].process = out.copies[0].direction = out.copies[0].memory = name;
  out.launches[0].process = name;
  auto& sync = out.syncs[0];
  sync.process = sync.call = sync.op = sync.outer = name;
  auto& collective = out.communication.collectives[0];
  collective.process = collective.name = collective.where = collective.dtype = name;
  out.communication.overlap[0].process = out.communication.stragglers[0].process = name;
  auto& memory = out.memory[0];
  memory.process = memory.device = memory.holders[0].op = memory.holders[0].outer = name;
  out.annotations[0].process = out.annotations[0].name = name;
  out.annotations[0].count = 12; // enough for a drawing
  out.modules[0].name = name;
  return out;
}

} // namespace debrief
