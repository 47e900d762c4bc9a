#include "backends/shared_files.hpp"

#include "guard/open_files.hpp"
#include "guard/room.hpp"

namespace bundleio {

namespace {

// The first rank of a file does what one alone shall do.
bool isFirst(const FileGroups& groups, int bundle) {
  if (!groups.isMember(bundle)) return false;
  int rank = 0;
  MPI_Comm_rank(groups.comm(bundle), &rank);
  return rank == 0;
}

}  // namespace

std::int64_t valueBytes(const Schema& schema, const Bundle& bundle) {
  std::int64_t bytes = 0;
  for (const int index : bundle.variables) bytes += schema.variable(index).bytes();
  return bytes;
}

void checkDescriptors(const Step& step, const FileGroups& groups) {
  int files = 0;
  for (std::size_t i = 0; i < step.schema.bundles().size(); ++i) {
    if (groups.isMember(static_cast<int>(i))) ++files;
  }
  requireDescriptors(files);
}

void claimFiles(const Step& step, const FileGroups& groups, std::int64_t headerBytes,
                FirstFailure& failure) {
  for (std::size_t i = 0; i < step.schema.bundles().size(); ++i) {
    const Bundle& bundle = step.schema.bundles()[i];
    const auto index = static_cast<int>(i);
    if (!groups.isMember(index)) continue;
    std::int64_t values = valueBytes(step.schema, bundle);
    const std::int64_t description = descriptionBytes(1, bundle.variables.size());
    failure.attempt([&] {
      const auto file = bundleFile(step, bundle);
      if (step.appends()) values += static_cast<std::int64_t>(std::filesystem::file_size(file));
      checkFileLimit(file, values);
      if (isFirst(groups, index)) claimRoom(file, values + headerBytes + description);
    });
  }
}

void forFirstRanks(
    const Step& step, const FileGroups& groups,
    const std::function<void(int bundle, const std::filesystem::path& file)>& check) {
  for (std::size_t i = 0; i < step.schema.bundles().size(); ++i) {
    const auto index = static_cast<int>(i);
    if (!isFirst(groups, index)) continue;
    const auto file = bundleFile(step, step.schema.bundles()[i]);
    check(index, file);
    returnRoom(file);
  }
}

}  // namespace bundleio
