// The facts that a file system's kind tells.
#pragma once

#include <filesystem>
#include <string_view>

namespace bundleio {

struct FileSystem {
  std::string_view name;
  /// Of one machine: a file costs what a few calls into its kernel cost, and no file server.
  bool isLocal;
  /// A hole can only be what was never written; others make holes of zeros.
  bool holesTell;
  /// All processes on all machines see at once what one has written, also before it closes the
  /// file. NFS shows it when the file was closed.
  bool showsOpenFiles;
};

/// Where `path` lies. Of a kind that is not known here it promises nothing.
FileSystem fileSystemOf(const std::filesystem::path& path);

}  // namespace bundleio
