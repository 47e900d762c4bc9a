// Steps that could end the process that reads them are read by another process first.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace bundleio {

/// The word by which the tool is that process.
inline constexpr const char* trialWord = "try-step";

/// ADIOS2 follows what BP's metadata say, into a crash where they are damaged. Where no checksums
/// vouch for those of the step `folder`, a process of the tool reads it first. Throws BIO_FORMAT
/// where that process does not end well in time (`most`, or less for few metadata), BIO_NOT_FOUND
/// where there is no tool. An empty BUNDLEIO_TOOL says that nothing shall be tried.
void tryStep(const std::filesystem::path& folder,
             std::chrono::seconds most = std::chrono::seconds(120));

/// Runs as that process: reads the step and returns the exit code. `words` are a folder and the
/// seconds that it has.
int readTried(const std::vector<std::string>& words);

}  // namespace bundleio
