// The posix format, for its writer and its reader.
#pragma once

#include "backends/backend.hpp"

namespace bundleio {

inline constexpr const char* posixLayoutName = "layout";

std::filesystem::path posixRankFile(const std::filesystem::path& folder, int rank);
/// Bytes of a step in the file of `rank`.
std::int64_t posixStepBytes(const Schema& schema, int rank);
/// Leaves the first `records` steps in the rank files of a series. Throws BIO_FORMAT if there are
/// not as many.
void keepPosixRecords(const std::filesystem::path& folder, std::int64_t records);
/// Offset in the file of `rank` at which each variable starts, by its index: they lie there in
/// order of bundles, then variables.
std::vector<std::int64_t> posixStarts(const Schema& schema, int rank);

}  // namespace bundleio
