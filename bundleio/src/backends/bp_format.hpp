// The BP format, for its writer and its reader.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "model/schema.hpp"

namespace bundleio {

inline constexpr const char* bpFolderName = "bundles.bp";
/// Lists the files of the BP folder, which ADIOS2 would wait for or crash on if they were cut off:
/// a line "BYTES NAME" each.
inline constexpr const char* bpSizesName = "bundles.bp.sizes";
/// How a variable is called in BP, which has no groups of its own.
inline std::string bpVariableName(const Schema& schema, const Variable& variable) {
  return schema.bundleOf(variable).name + "/" + variable.name;
}

/// The files of the step `folder` that ADIOS2 trusts, relative to it. Those of values are large,
/// and only copied from.
std::vector<std::string> bpMetadataFiles(const std::filesystem::path& folder);

/// ADIOS2 colours its messages and breaks them into lines: the text as one line.
std::string bpMessage(const std::string& text);

}  // namespace bundleio
