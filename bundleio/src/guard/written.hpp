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
/// was never written (ext4, XFS, tmpfs), no range may have one; others make holes of zeros.
void checkRanges(const std::filesystem::path& file, const std::vector<FileRange>& ranges);
/// The same for a file of which it is not known where values lie: it must hold as many bytes.
void checkBytes(const std::filesystem::path& file, std::int64_t bytes);

/// Whether all processes on all machines see at once the bytes that one has written below
/// `folder`, also before it closes the file. False for file systems of which that is not known: NFS
/// shows it when the file was closed.
bool showsOpenFiles(const std::filesystem::path& folder);

}  // namespace bundleio
