#include "util/out_of_memory.h"

#include "util/error.h"
#include "util/pending_file.h"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

namespace debrief {

namespace {

constexpr std::size_t kReserve = std::size_t{4} * 1024 * 1024; // bytes
std::atomic<void*> reserve = nullptr;
std::atomic<bool> ran_out = false;
std::terminate_handler usual_end = nullptr;

void on_failed_allocation() {
  ran_out = true;
  std::free(reserve.exchange(nullptr));
  throw std::bad_alloc{};
}

/// Without any memory; a signal's handler may call it.
[[noreturn]] void end_out_of_memory() {
  remove_pending_files();
  for (const char* part : {"debrief: ", kOutOfMemory, "\n"})
    static_cast<void>(::write(STDERR_FILENO, part, std::strlen(part)) + 1);
  ::_exit(static_cast<int>(ExitCode::internal));
}

void on_terminate() {
  if (ran_out) end_out_of_memory();
  if (usual_end != nullptr) usual_end();
  std::abort();
}

/// The C library aborts too where it lacks memory.
extern "C" void on_abort(int signal) {
  if (ran_out) end_out_of_memory();
  remove_pending_files();
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

} // namespace

void prepare_for_out_of_memory() {
  renew_memory_reserve();
  std::set_new_handler(on_failed_allocation);
  usual_end = std::set_terminate(on_terminate);
  ::signal(SIGABRT, on_abort);
}

void renew_memory_reserve() {
  if (void* const taken = std::malloc(kReserve)) std::free(reserve.exchange(taken));
}

} // namespace debrief
