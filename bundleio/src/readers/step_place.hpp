// Where a step of a run lies: in a folder of its own, or as a record in the files of a series.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "guard/checksums.hpp"

namespace bundleio {

/// The name of a step in its run, "step-000003", and back; -1 for any other name.
std::string stepName(std::int64_t number);
std::int64_t stepNumber(const std::string& name);
/// The name of a step in the making, ".step-000003.partial", and back.
std::string partialName(std::int64_t number);
std::int64_t partialNumber(const std::string& name);
/// The folder of the series that begins with this step, "series-000003", and back.
std::string seriesName(std::int64_t first);
std::int64_t seriesNumber(const std::string& name);

/// First steps of the series in the folder of a run, ascending.
std::vector<std::int64_t> seriesIn(const std::filesystem::path& run);

struct StepPlace {
  std::filesystem::path folder;  // of the files
  std::int64_t record = -1;      // of the dimension that grows; -1: the folder is the step's own
  std::string files = {};        // of a record: Backend::recordText
  std::string checksums = {};    // of a record
};

/// Of RUN/step-N, which for a record is a name alone, or of RUN/.step-N.partial. Throws
/// BIO_NOT_FOUND if there is no such step, BIO_FORMAT if what tells of it is damaged.
StepPlace placeOfStep(const std::filesystem::path& step);

/// Nothing if the step has none. Throws BIO_FORMAT if they are damaged.
std::optional<Checksums> checksumsOfStep(const std::filesystem::path& step);

}  // namespace bundleio
