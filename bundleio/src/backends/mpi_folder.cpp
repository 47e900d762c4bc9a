#include "backends/mpi_folder.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "model/status.hpp"

namespace bundleio {

MpiFolder::MpiFolder(const std::filesystem::path& folder) {
  if (folder.string().find(':') == std::string::npos) return;
  descriptor_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ < 0) throw systemFailure(errno, "open " + folder.string());
  alias_ = "/proc/self/fd/" + std::to_string(descriptor_);
  std::error_code error;
  if (std::filesystem::equivalent(alias_, folder, error)) return;
  ::close(descriptor_);
  throw Failure(BIO_BAD_ARGUMENT, folder.string() +
                                      ": MPI-IO takes what stands before the ':' for the kind of "
                                      "the file system: choose a path without one");
}

MpiFolder::~MpiFolder() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::filesystem::path MpiFolder::forMpi(const std::filesystem::path& path) const {
  return alias_.empty() ? path : alias_ / path.filename();
}

}  // namespace bundleio
