#include "readers/step_place.hpp"

#include <algorithm>

#include "readers/series_index.hpp"

namespace bundleio {

namespace fs = std::filesystem;

namespace {

constexpr const char* partialSuffix = ".partial";

std::string numbered(const std::string& prefix, std::int64_t number) {
  const std::string digits = std::to_string(number);
  return prefix + std::string(6 - std::min<std::size_t>(6, digits.size()), '0') + digits;
}

std::int64_t numberBehind(const std::string& prefix, const std::string& name) {
  if (name.rfind(prefix, 0) != 0) return -1;
  const std::string digits = name.substr(prefix.size());
  const bool plain = !digits.empty() && digits.size() <= 18 &&
                     digits.find_first_not_of("0123456789") == std::string::npos;
  if (!plain) return -1;
  const std::int64_t number = std::stoll(digits);
  return numbered(prefix, number) == name ? number : -1;
}

StepPlace placeInSeries(const fs::path& folder, std::int64_t number) {
  const SeriesIndex index = SeriesIndex::read(folder);
  const std::int64_t record = number - index.first();
  if (record < 0 || record >= static_cast<std::int64_t>(index.entries().size())) return {};
  const SeriesEntry& entry = index.entries()[static_cast<std::size_t>(record)];
  if (entry.isDamaged) {
    throw Failure(BIO_FORMAT, (folder / seriesIndexName).string() +
                                  " is damaged: what it says of step " + std::to_string(number) +
                                  " is not as it was written");
  }
  return {folder, record, entry.files, entry.checksums};
}

}  // namespace

std::string stepName(std::int64_t number) { return numbered("step-", number); }
std::int64_t stepNumber(const std::string& name) { return numberBehind("step-", name); }

std::string partialName(std::int64_t number) { return "." + stepName(number) + partialSuffix; }

std::int64_t partialNumber(const std::string& name) {
  const std::string suffix = partialSuffix;
  const bool fits = name.size() > suffix.size() + 1 && name[0] == '.' &&
                    name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0;
  return fits ? stepNumber(name.substr(1, name.size() - suffix.size() - 1)) : -1;
}

std::string seriesName(std::int64_t first) { return numbered("series-", first); }
std::int64_t seriesNumber(const std::string& name) { return numberBehind("series-", name); }

std::vector<std::int64_t> seriesIn(const fs::path& run) {
  std::vector<std::int64_t> firsts;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(run, error)) {
    const std::int64_t first = seriesNumber(entry.path().filename().string());
    // Where that cannot be told, its steps must not vanish: this throws.
    if (first >= 0 && fs::exists(entry.path() / seriesIndexName)) firsts.push_back(first);
  }
  std::sort(firsts.begin(), firsts.end());
  return firsts;
}

StepPlace placeOfStep(const fs::path& step) {
  if (fs::is_directory(step)) return {step, -1};
  const std::string name = step.filename().string();
  const fs::path run = step.parent_path();
  const std::int64_t made = partialNumber(name);
  const std::int64_t number = made >= 0 ? made : stepNumber(name);
  std::vector<std::int64_t> firsts = number >= 0 ? seriesIn(run) : std::vector<std::int64_t>();
  while (!firsts.empty() && firsts.back() > number) firsts.pop_back();
  if (!firsts.empty()) {
    const fs::path folder = run / seriesName(firsts.back());
    if (made < 0) {
      StepPlace place = placeInSeries(folder, number);
      if (place.record >= 0) return place;
    } else if (fs::exists(folder / seriesPendingName)) {
      const SeriesEntry entry = SeriesIndex::readPending(folder);
      if (entry.number == made) return {folder, made - firsts.back(), entry.files, entry.checksums};
    }
  }
  throw Failure(BIO_NOT_FOUND, step.string() + " is not a step");
}

std::optional<Checksums> checksumsOfStep(const fs::path& step) {
  const StepPlace place = placeOfStep(step);
  if (place.record < 0) return Checksums::read(place.folder);
  if (place.checksums.empty()) return std::nullopt;
  return Checksums::parse(place.checksums, (place.folder / seriesIndexName).string());
}

}  // namespace bundleio
