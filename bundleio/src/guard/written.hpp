// Whether a file holds what a library says that it wrote.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace bundleio {

/// Where values lie in a file.
struct FileRange {
  std::int64_t start;
  std::int64_t bytes;
};

/// Throws BIO_IO unless the file reaches to the end of each range. Where a hole can only be what
/// was never written (see FileSystem), no range may have one; others make holes of zeros.
void checkRanges(const std::filesystem::path& file, const std::vector<FileRange>& ranges);
/// The same for a file of which it is not known where values lie: it must hold as many bytes.
void checkBytes(const std::filesystem::path& file, std::int64_t bytes);

}  // namespace bundleio
