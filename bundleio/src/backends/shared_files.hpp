// The work of both back ends that write through MPI-IO around their libraries, for each file.
#pragma once

#include <filesystem>
#include <functional>

#include "backends/backend.hpp"
#include "exchange/file_groups.hpp"

namespace bundleio {

/// Bytes of all values of a bundle.
std::int64_t valueBytes(const Schema& schema, const Bundle& bundle);
/// Throws where this rank may not open its files. Local.
void checkDescriptors(const Step& step, const FileGroups& groups);
/// Takes the room of each file that this rank has open (see room.hpp); `headerBytes` is what the
/// format keeps beside descriptions of variables. Local.
void claimFiles(const Step& step, const FileGroups& groups, std::int64_t headerBytes,
                FirstFailure& failure);
/// For each closed file that this rank is the first to open: does what `check` does, and gives back
/// the room that was not needed. Local; throws the first failure.
void forFirstRanks(const Step& step, const FileGroups& groups,
                   const std::function<void(int bundle, const std::filesystem::path& file)>& check);

}  // namespace bundleio
