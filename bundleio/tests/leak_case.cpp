// Loses memory beside threads that keep some in thread-local values of a library, and looks for
// leaks.
//   leak_case LIBRARY THREADS     LIBRARY: that of thread_values.c
#include <dlfcn.h>
#include <sanitizer/lsan_interface.h>
#include <unistd.h>

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

namespace {

constexpr std::size_t lostBytes = 1234;
constexpr std::size_t keptBytes = 4321;

using Keep = void(void* value);

std::mutex guard;
std::condition_variable changed;
int keeping = 0;

[[noreturn]] void keepSome(Keep* keep) {
  keep(std::malloc(keptBytes));
  {
    const std::lock_guard<std::mutex> lock(guard);
    ++keeping;
  }
  changed.notify_one();
  for (;;) pause();
}

// No trace of it is left on a stack.
void loseSome() {
  std::thread([] {
    if (std::malloc(lostBytes) == nullptr) std::abort();
  }).join();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  void* library = dlopen(argv[1], RTLD_NOW);
  void* found = library == nullptr ? nullptr : dlsym(library, "keep");
  if (found == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 2;
  }
  const int threads = std::stoi(argv[2]);
  for (int i = 0; i < threads; ++i) std::thread(keepSome, reinterpret_cast<Keep*>(found)).detach();
  {
    std::unique_lock<std::mutex> lock(guard);
    changed.wait(lock, [&] { return keeping == threads; });
  }
  loseSome();
  __lsan_do_leak_check();
  _exit(0);
}
