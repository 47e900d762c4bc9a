#include "backends/bp_series.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <vector>

#include "backends/bp_format.hpp"
#include "guard/crc32c.hpp"
#include "model/status.hpp"

namespace bundleio {

namespace fs = std::filesystem;

namespace {

constexpr const char* indexName = "md.idx";
// Read only where the index says so.
constexpr const char* metadataName = "md.0";
// Source: BP5Engine.h of ADIOS2, BP5IndexTableHeader: 1 while a writer has the file open.
constexpr std::size_t activeFlagAt = 39;

std::string readPart(const fs::path& path, std::uintmax_t from, std::uintmax_t to) {
  std::string part(to - from, '\0');
  std::ifstream in(path, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(from));
  in.read(part.data(), static_cast<std::streamsize>(part.size()));
  if (!in) throw systemFailure(errno, "read " + path.string());
  if (from == 0 && path.filename() == indexName && part.size() > activeFlagAt) {
    part[activeFlagAt] = '\0';
  }
  return part;
}

std::uint32_t remainder(const std::string& bytes, std::uint32_t before) {
  return remainderOf(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size(), before);
}

void writeWhole(const fs::path& path, const std::string& bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) throw systemFailure(errno, "write " + path.string());
}

// An engine that was given up says to the end that it has the files open, and other readers wait.
void showClosed(const fs::path& index) {
  std::fstream file(index, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(static_cast<std::streamoff>(activeFlagAt));
  file.put('\0');
  file.close();
  if (!file) throw systemFailure(errno, "write " + index.string());
}

fs::path temporaryFolder() {
  std::string name = (fs::temp_directory_path() / "bundleio-steps-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw systemFailure(errno, "make a temporary folder in " + fs::temp_directory_path().string() +
                                   " (TMPDIR names another place)");
  }
  return name;
}

}  // namespace

BpList grownList(const fs::path& folder, const std::optional<BpList>& before) {
  BpList list;
  const fs::path files = folder / bpFolderName;
  for (const auto& entry : fs::directory_iterator(files)) {
    if (!entry.is_regular_file() || isBpTiming(entry.path())) continue;
    list.set(entry.path().filename().string(), {entry.file_size(), {}});
  }
  for (const std::string& name : bpMetadataFiles(folder)) {
    const fs::path path = folder / name;
    const std::string file = path.filename().string();
    const auto known = before ? before->find(file) : std::nullopt;
    const std::uintmax_t from = known && known->sum ? known->bytes : 0;
    // A sum without what stands for its beginning and its end is a remainder, and can be continued.
    const std::uint32_t start = from == 0 ? 0 : *known->sum ^ published(0, from);
    const std::uintmax_t to = std::max(from, fs::file_size(path));
    list.set(file, {to, published(remainder(readPart(path, from, to), start), to)});
  }
  return list;
}

void cutBpFolder(const fs::path& folder, const BpList& list) {
  const fs::path files = folder / bpFolderName;
  for (const auto& [name, facts] : list.files()) {
    const fs::path path = files / name;
    std::error_code error;
    const std::uintmax_t size = fs::file_size(path, error);
    if (error || size < facts.bytes) throw Failure(BIO_FORMAT, path.string() + " is cut off");
    if (size > facts.bytes) fs::resize_file(path, facts.bytes, error);
    if (error) throw systemFailure(error.value(), "cut " + path.string());
  }
  std::vector<fs::path> others;
  for (const auto& entry : fs::directory_iterator(files)) {
    if (!list.find(entry.path().filename().string())) others.push_back(entry.path());
  }
  for (const fs::path& path : others) fs::remove(path);
  const auto index = list.find(indexName);
  if (index && index->bytes > activeFlagAt) showClosed(files / indexName);
}

BpView::BpView(const fs::path& folder, const BpList& list) : path_(temporaryFolder()) {
  const Failure outcome = outcomeOf([&] {
    const fs::path files = fs::absolute(folder) / bpFolderName;
    list.checkSizes(folder);
    for (const auto& [name, facts] : list.files()) {
      if (!facts.sum || name == metadataName) fs::create_symlink(files / name, path_ / name);
      if (!facts.sum) continue;
      const std::string bytes = readPart(files / name, 0, facts.bytes);
      if (published(remainder(bytes, 0), bytes.size()) != *facts.sum) {
        throw Failure(BIO_FORMAT,
                      (files / name).string() + " is damaged: it is not as it was written");
      }
      if (name != metadataName) writeWhole(path_ / name, bytes);
    }
  });
  if (outcome.status() == BIO_OK) return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  throw outcome;
}

BpView::~BpView() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace bundleio
