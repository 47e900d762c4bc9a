// The header of a CDF-5 file, for what the libraries do not tell or do: how long the file must be,
// and fewer entries of the dimension that grows.
#pragma once

#include <cstdint>
#include <filesystem>

namespace bundleio {

/// All entries that the header counts.
inline constexpr std::int64_t allRecords = INT64_MAX;

/// Throws BIO_FORMAT if a classic file is shorter than its header says, as far as its first
/// `records` entries go: a library would read zeros. Files of other kinds pass.
void checkNotCutOff(const std::filesystem::path& path, std::int64_t records = allRecords);
/// Throws BIO_IO where the header was not written, or counts fewer entries of the dimension that
/// grows.
void checkHeader(const std::filesystem::path& path, std::int64_t records);
/// A CDF-5 file in which a variable has a dimension that grows.
bool hasGrowing(const std::filesystem::path& path);
/// Leaves the first `records` entries of the dimension that grows; the header counts fewer before
/// the file is cut. A dimension without entries is one of length zero, and is left alone. Throws
/// BIO_FORMAT if there are some, but not as many.
void keepRecords(const std::filesystem::path& path, std::int64_t records);

}  // namespace bundleio
