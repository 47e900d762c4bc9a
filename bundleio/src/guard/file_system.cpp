#include "guard/file_system.hpp"

#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <cstdint>

namespace bundleio {

namespace {

struct Kind {
  std::uint32_t magic;
  FileSystem facts;  // name, isLocal, holesTell, showsOpenFiles
};
// Source: statfs(2) and Linux magic.h; for ZFS, Lustre, GPFS and BeeGFS their kernel modules.
// Overlayfs, as containers have it, writes to a file system of the machine.
constexpr std::array<Kind, 11> kinds{{{0xEF53, {"ext4", true, true, true}},
                                      {0x58465342, {"XFS", true, true, true}},
                                      {0x01021994, {"tmpfs", true, true, true}},
                                      {0x9123683E, {"Btrfs", true, false, true}},
                                      {0xF2F52010, {"F2FS", true, false, true}},
                                      {0x2FC12FC1, {"ZFS", true, false, true}},
                                      {0x794C7630, {"overlayfs", true, false, true}},
                                      {0x6969, {"NFS", false, false, false}},
                                      {0x0BD00BD0, {"Lustre", false, false, true}},
                                      {0x47504653, {"GPFS", false, false, true}},
                                      {0x19830326, {"BeeGFS", false, false, false}}}};

}  // namespace

FileSystem fileSystemOf(const std::filesystem::path& path) {
  struct statfs place {};
  if (::statfs(path.c_str(), &place) != 0) place.f_type = 0;
  const auto magic = static_cast<std::uint32_t>(place.f_type);
  const auto* found = std::find_if(kinds.begin(), kinds.end(),
                                   [&](const Kind& kind) { return kind.magic == magic; });
  if (found == kinds.end()) return {"unknown file system", false, false, false};
  return found->facts;
}

}  // namespace bundleio
