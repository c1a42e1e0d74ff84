#include "result/json_io.h"

namespace debrief::result {

template <typename Io>
void describe(Io& io, Ref<Io, PythonPlace> place) {
  io("function", place.function);
  io("file", place.file);
  io("line", place.line);
  io("origin", place.origin);
}

template <typename Io>
void describe(Io& io, Ref<Io, PythonFunction> function) {
  io("place", function.place);
  io("self_seconds", function.self_seconds);
  io("total_seconds", function.total_seconds);
  io("own_seconds", function.own_seconds);
}

template <typename Io>
void describe(Io& io, Ref<Io, PythonProfile> profile) {
  io("phase", profile.phase);
  io("threads", profile.threads);
  io("seconds", profile.seconds);
  io("functions", profile.functions);
  io("function_count", profile.function_count);
}

template <typename Io>
void describe(Io& io, Ref<Io, PythonStacks> stacks) {
  io("processes", stacks.processes);
  io("threads", stacks.threads);
  io("seconds", stacks.seconds);
  io("waited_seconds", stacks.waited_seconds);
  io("interval_in_seconds", stacks.interval);
  io("cost_percent", stacks.cost_percent);
  io("processes_left_out", stacks.processes_left_out);
  io("thread_samples_left_out", stacks.thread_samples_left_out);
  io("frames_left_out", stacks.frames_left_out);
  io("stacks_left_out", stacks.stacks_left_out);
  io("full_files", stacks.full_files);
  io("profiles", stacks.profiles);
}

template <typename Io>
void describe_python(Io& io, Ref<Io, Result> result) {
  io.unless_empty("python_stacks", result.python_stacks);
}

template void describe_python(Writer& io, const Result& result);
template void describe_python(Reader& io, Result& result);

} // namespace debrief::result
