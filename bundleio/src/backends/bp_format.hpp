// The BP format, for its writer and its reader.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "model/schema.hpp"

namespace bundleio {

inline constexpr const char* bpFolderName = "bundles.bp";
/// The list of what the BP folder holds, see bp_list.hpp.
inline constexpr const char* bpListName = "bundles.bp.sizes";
/// How a variable is called in BP, which has no groups of its own.
inline std::string bpVariableName(const Schema& schema, const Variable& variable) {
  return schema.bundleOf(variable).name + "/" + variable.name;
}

/// The files of the step `folder` that ADIOS2 trusts, relative to it. Those of values are large,
/// and only copied from.
std::vector<std::string> bpMetadataFiles(const std::filesystem::path& folder);
/// ADIOS2's own timings, which readers never open.
bool isBpTiming(const std::filesystem::path& file);

/// The number of data files that ranks write together, unless an option says it. Ranks that share
/// one wait for each other, and the price of a file depends on the file system:
/// docs/decisions/0108-data-files-by-the-kind-of-file-system.md.
int bpDataFiles(int ranks, int nodes, bool isLocal);

/// ADIOS2 colours its messages and breaks them into lines: the text as one line.
std::string bpMessage(const std::string& text);

}  // namespace bundleio
