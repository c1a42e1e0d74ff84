// Which Python functions the job's processes were in.
#include "render/parts/cells.h"
#include "render/parts/format.h"
#include "render/parts/section.h"
#include "render/parts/trace_words.h"
#include "render/sections/sections.h"
#include "util/number_text.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace debrief::render {

namespace {

using result::CodeOrigin;
using result::PythonFunction;
using result::PythonPhase;
using result::PythonPlace;
using result::PythonProfile;
using result::PythonStacks;
using result::PythonThreads;

std::string python_phase_words(PythonPhase phase) {
  switch (phase) {
  case PythonPhase::startup:
    return "startup";
  case PythonPhase::training:
    return "training";
  case PythonPhase::evaluation:
    return "evaluation";
  case PythonPhase::saving:
    return "saving";
  case PythonPhase::end:
    return "shutdown";
  case PythonPhase::job:
    break;
  }
  return "the job";
}

std::string python_threads_words(PythonThreads threads) {
  switch (threads) {
  case PythonThreads::loader_workers:
    return "data-loader workers";
  case PythonThreads::others:
    return "other threads";
  case PythonThreads::main:
    break;
  }
  return "main threads";
}

std::string python_place_text(const PythonPlace& place) {
  if (place.line == 0) return printable(place.file);
  return fmt::format("{}:{}", printable(place.file), place.line);
}

/// The own function that the most time is charged to, with the packages that it called.
const PythonFunction* most_charged(const PythonProfile& profile) {
  const PythonFunction* most = nullptr;
  for (const PythonFunction& function : profile.functions)
    if (function.own_seconds > (most == nullptr ? 0 : most->own_seconds)) most = &function;
  return most;
}

std::string python_sentence(const PythonProfile& profile) {
  const PythonFunction* most = most_charged(profile);
  const std::string when = python_phase_words(profile.phase);
  if (most == nullptr)
    return fmt::format("In {}, none of the job's own code was on the stacks of {}.", when,
                       python_threads_words(profile.threads));
  return fmt::format("In {}, {} spent {} of their time in {} ({}).", when,
                     python_threads_words(profile.threads),
                     percent_text(percent_of(most->own_seconds, profile.seconds)),
                     truncate(most->place.function), python_place_text(most->place));
}

std::string code_origin_words(CodeOrigin origin) {
  switch (origin) {
  case CodeOrigin::package:
    return "Package";
  case CodeOrigin::python:
    return "Python";
  case CodeOrigin::own:
    break;
  }
  return "Job";
}

Table python_function_table(const PythonProfile& profile) {
  Table table(fmt::format("{} in {}", capitalized(python_threads_words(profile.threads)),
                          python_phase_words(profile.phase)),
              {{"Function", Kind::head},
               {"Line"},
               {"Code"},
               {"Self", Kind::number},
               {"Total", Kind::number},
               {"Self share", Kind::bar},
               {"Total share", Kind::bar}});
  for (const PythonFunction& function : profile.functions)
    table.add({printable(function.place.function), python_place_text(function.place),
               code_origin_words(function.place.origin), duration_cell(function.self_seconds),
               duration_cell(function.total_seconds),
               share_bar(percent_of(function.self_seconds, profile.seconds)),
               share_bar(percent_of(function.total_seconds, profile.seconds))});
  return table;
}

std::string processes_text(std::int64_t count) {
  return fmt::format("{} process{}", grouped(count), count == 1 ? "" : "es");
}

/// What was left out, if anything was.
std::string python_left_out_note(const PythonStacks& stacks) {
  std::vector<std::string> parts;
  const auto add = [&](std::int64_t count, std::string_view noun) {
    if (count > 0) parts.push_back(plural(count, noun));
  };
  if (stacks.processes_left_out > 0) parts.push_back(processes_text(stacks.processes_left_out));
  add(stacks.thread_samples_left_out, "thread sample");
  add(stacks.frames_left_out, "frame");
  add(stacks.stacks_left_out, "stack");
  std::string note = parts.empty() ? "" : fmt::format("Left out: {}.", join_and(parts));
  if (stacks.full_files > 0)
    note += fmt::format("{}Sampling ended early in {}: the file's limit was reached.",
                        note.empty() ? "" : " ", processes_text(stacks.full_files));
  return note;
}

std::optional<Section> make_python(const result::Result& result) {
  const PythonStacks& stacks = result.python_stacks;
  if (stacks.profiles.empty())
    return missing("Python functions were not sampled. debrief record samples every Python process "
                   "that runs for more than two seconds.");
  Section section;
  const auto shown_first = [](const PythonProfile& profile) {
    return profile.threads != PythonThreads::others &&
           (profile.phase == PythonPhase::training || profile.phase == PythonPhase::job);
  };
  for (const PythonProfile& profile : stacks.profiles)
    if (shown_first(profile)) section.say(python_sentence(profile));
  section.say(fmt::format("Sampled: {} in {}.", duration(stacks.seconds),
                          processes_text(stacks.processes)));
  if (const std::string note = python_left_out_note(stacks); !note.empty()) section.note(note);
  for (const PythonProfile& profile : stacks.profiles)
    if (shown_first(profile)) section.show(python_function_table(profile), kRowsShown, "functions");
  for (const PythonProfile& profile : stacks.profiles)
    if (!shown_first(profile))
      section.show_folded(
          python_function_table(profile),
          fmt::format("{} in {}, {}", capitalized(python_threads_words(profile.threads)),
                      python_phase_words(profile.phase), duration(profile.seconds)));
  return section;
}

} // namespace

const SectionSpec kPythonSection = {
    .id = "python",
    .heading = "Python",
    .chapter = Chapter::data_loading,
    .how_to_read =
        "Self is time in the function itself and in C code that it called: a sleep, a read, a wait "
        "for the GPU. Total includes the Python functions that it called. The line is the one with "
        "the most time. A GPU that waits for Python waits for the main thread.",
    .how_computed =
        "Stacks of all threads, sampled up to 30 times a second inside each process. A sample "
        "stands for the time since the one before. Python code that runs for less than 5 ms "
        "between two PyTorch calls may show as the second call.",
    .make = make_python,
};

} // namespace debrief::render
