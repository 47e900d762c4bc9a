#include "backends/bp_list.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <locale>
#include <sstream>

#include "backends/bp_format.hpp"
#include "guard/crc32c.hpp"
#include "guard/sum_text.hpp"
#include "model/status.hpp"
#include "model/whole_file.hpp"

namespace bundleio {

namespace fs = std::filesystem;

namespace {

constexpr const char* header = "bundleio-sizes 2";

}  // namespace

BpList BpList::made(const fs::path& step) {
  BpList list;
  const fs::path folder = step / bpFolderName;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file() || isBpTiming(entry.path())) continue;
    list.files_[entry.path().lexically_relative(folder).string()] = {entry.file_size(), {}};
  }
  for (const std::string& name : bpMetadataFiles(step)) {
    const std::string all = wholeFile(step / name);
    list.files_[fs::path(name).filename().string()] = {all.size(), crc32c(all.data(), all.size())};
  }
  return list;
}

std::string BpList::text() const {
  std::string text = std::string(header) + "\n";
  for (const auto& [name, facts] : files_) {
    text += std::to_string(facts.bytes) + " " + name;
    if (facts.sum) text += " " + sumText(*facts.sum);
    text += "\n";
  }
  return withEnd(text);
}

void BpList::write(const fs::path& step) const {
  const fs::path path = step / bpListName;
  std::ofstream out(path, std::ios::binary);
  out << text();
  out.close();
  if (!out) throw systemFailure(errno, "write " + path.string());
}

std::optional<BpList> BpList::read(const fs::path& step) {
  const fs::path path = step / bpListName;
  const auto text = wholeFileIfThere(path);
  if (!text) return std::nullopt;
  return parsed(*text, path.string());
}

BpList BpList::parsed(const std::string& text, const std::string& where) {
  BpList list;
  const Failure outcome = outcomeOf([&] { list.parse(text); });
  if (outcome.status() == BIO_OK) return list;
  throw Failure(outcome.status(), where + ": " + outcome.what());
}

std::optional<BpList::Facts> BpList::find(const std::string& name) const {
  const auto found = files_.find(name);
  return found == files_.end() ? std::nullopt : std::optional(found->second);
}

void BpList::parse(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  // Earlier versions began with the size of the first file.
  if (text.empty() || text[0] < '0' || text[0] > '9') {
    lines.str(withoutEnd(text, "the sizes"));
    std::getline(lines, line);
    if (line != header) {
      throw Failure(BIO_FORMAT, "the first line is '" + line + "': another version wrote it");
    }
  }
  while (std::getline(lines, line)) readLine(line);
}

void BpList::readLine(const std::string& line) {
  std::istringstream words(line);
  words.imbue(std::locale::classic());
  std::uintmax_t bytes = 0;
  std::string name;
  std::string sum;
  if (!(words >> bytes >> name)) throw Failure(BIO_FORMAT, "'" + line + "' names no file");
  Facts& facts = files_[name];
  facts.bytes = bytes;
  if (words >> sum) facts.sum = sumIn(sum);
}

bool BpList::vouchesFor(const std::vector<std::string>& files) const {
  return std::all_of(files.begin(), files.end(), [&](const std::string& file) {
    const auto found = files_.find(fs::path(file).filename().string());
    return found != files_.end() && found->second.sum;
  });
}

void BpList::checkSizes(const fs::path& step) const {
  for (const auto& [name, facts] : files_) {
    const fs::path path = step / bpFolderName / name;
    std::error_code absent;
    const std::uintmax_t found = fs::file_size(path, absent);
    if (absent) throw Failure(BIO_FORMAT, path.string() + " is missing");
    // Larger is none of our business: the list may stem from a client that saw less.
    if (found < facts.bytes) {
      throw Failure(BIO_FORMAT, path.string() + " has " + std::to_string(found) +
                                    " bytes instead of " + std::to_string(facts.bytes));
    }
  }
}

void BpList::check(const fs::path& step) const {
  checkSizes(step);
  for (const auto& [name, facts] : files_) {
    if (!facts.sum) continue;
    const fs::path path = step / bpFolderName / name;
    const std::string all = wholeFile(path);
    if (crc32c(all.data(), all.size()) == *facts.sum) continue;
    throw Failure(BIO_FORMAT, path.string() + " is damaged: it is not as it was written");
  }
}

}  // namespace bundleio
