// Direct POSIX: each rank its own file, one write per variable.
#include <fcntl.h>
#include <unistd.h>

#include "raw.hpp"

namespace bundleio::raw {

void writePosix(const Work& work) {
  int rank = 0;
  MPI_Comm_rank(work.comm, &rank);
  const auto path = work.folder / ("rank-" + std::to_string(rank));
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0666);
  require(file >= 0, "open");
  off_t offset = 0;
  for (std::size_t i = 0; i < work.schema.variables().size(); ++i) {
    const Variable& variable = work.schema.variables()[i];
    const std::int64_t bytes = variable.planeCount * variable.ownPlaneBytes();
    const auto written = ::pwrite(file, work.model.values(static_cast<int>(i)),
                                  static_cast<std::size_t>(bytes), offset);
    require(written == bytes, "pwrite");
    offset += written;
  }
  require(::close(file) == 0, "close");
}

}  // namespace bundleio::raw
