#include "model/whole_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "model/status.hpp"

namespace bundleio {

namespace {

constexpr std::size_t readBytes = 64 << 10;

// All bytes up to the end. Not by a stream of C++: copied whole, its buffer takes an error of the
// disk for the end of the file, and what was cut off would count as all that there is.
std::string restOf(int descriptor, const std::filesystem::path& path) {
  std::string text;
  std::size_t done = 0;
  while (true) {
    text.resize(done + readBytes);
    const ssize_t got = ::read(descriptor, &text[done], readBytes);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw systemFailure(errno, "read " + path.string());
    done += static_cast<std::size_t>(got);
    if (got > 0) continue;
    text.resize(done);
    return text;
  }
}

}  // namespace

std::optional<std::string> wholeFileIfThere(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0 && errno == ENOENT) return std::nullopt;
  if (descriptor < 0) throw systemFailure(errno, "read " + path.string());
  std::optional<std::string> text;
  const Failure outcome = outcomeOf([&] { text = restOf(descriptor, path); });
  ::close(descriptor);
  if (outcome.status() != BIO_OK) throw Failure(outcome);
  return text;
}

std::string wholeFile(const std::filesystem::path& path) {
  std::optional<std::string> text = wholeFileIfThere(path);
  if (!text) throw systemFailure(ENOENT, "read " + path.string());
  return std::move(*text);
}

}  // namespace bundleio
