#include "backends/hdf5_undo.hpp"

#include <fcntl.h>
#include <hdf5.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <functional>
#include <sstream>

#include "guard/crc32c.hpp"
#include "guard/sum_text.hpp"
#include "model/layout.hpp"
#include "model/status.hpp"

namespace bundleio {

namespace fs = std::filesystem;

namespace {

constexpr const char* undoName = ".undo";
constexpr const char* partialName = ".undo.partial";
constexpr const char* header = "bundleio-undo 1 ";
// Of one read or write.
constexpr std::size_t copiedBytes = 1 << 20;

// An identifier of HDF5, closed with the object.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t), const std::string& what) : id_(id), close_(close) {
    if (id_ < 0) throw Failure(BIO_FORMAT, "HDF5 cannot " + what);
  }
  ~Handle() { close_(id_); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  [[nodiscard]] hid_t id() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

class OpenFile {
 public:
  OpenFile(fs::path path, int flags)
      : path_(std::move(path)), descriptor_(::open(path_.c_str(), flags | O_CLOEXEC, 0666)) {
    if (descriptor_ < 0) throw systemFailure(errno, "open " + path_.string());
  }
  ~OpenFile() { ::close(descriptor_); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  void read(char* bytes, std::size_t count, std::uint64_t at) const {
    transfer(count, "read ", [&](std::size_t done) {
      return ::pread(descriptor_, bytes + done, count - done, static_cast<off_t>(at + done));
    });
  }
  void write(const char* bytes, std::size_t count, std::uint64_t at) const {
    transfer(count, "write ", [&](std::size_t done) {
      return ::pwrite(descriptor_, bytes + done, count - done, static_cast<off_t>(at + done));
    });
  }
  void cut(std::uint64_t bytes) const {
    if (::ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0) fail("cut ", errno);
  }
  void sync() const {
    if (::fsync(descriptor_) != 0) fail("sync ", errno);
  }

 private:
  [[noreturn]] void fail(const char* what, int error) const {
    throw systemFailure(error, what + path_.string());
  }
  void transfer(std::size_t count, const char* what,
                const std::function<ssize_t(std::size_t done)>& some) const {
    for (std::size_t done = 0; done < count;) {
      const ssize_t moved = some(done);
      if (moved < 0 && errno == EINTR) continue;
      if (moved < 0) fail(what, errno);
      if (moved == 0) throw Failure(BIO_FORMAT, path_.string() + " is cut off");
      done += static_cast<std::size_t>(moved);
    }
  }

  fs::path path_;
  int descriptor_;
};

struct Piece {
  fs::path file;
  std::uint64_t start;
  std::uint64_t bytes;
};

struct Undo {
  std::int64_t records = 0;
  std::vector<std::pair<fs::path, std::uint64_t>> files;  // with their lengths
  std::vector<Piece> pieces;
  std::uint32_t sum = 0;
  std::uint64_t valuesAt = 0;
};

// Hands all bytes of the pieces to `take`, as they lie in their files (`from` none) or in `from`.
std::uint32_t forPieces(const fs::path& folder, const Undo& undo, const OpenFile* from, int flags,
                        const std::function<void(const OpenFile& file, std::uint64_t at, char* some,
                                                 std::size_t count, std::uint64_t place)>& take) {
  std::vector<char> window(copiedBytes);
  std::uint32_t remainder = 0;
  std::uint64_t place = undo.valuesAt;
  std::uint64_t all = 0;
  for (const Piece& piece : undo.pieces) {
    const OpenFile file(folder / piece.file, flags);
    for (std::uint64_t done = 0; done < piece.bytes;) {
      const auto count =
          static_cast<std::size_t>(std::min<std::uint64_t>(window.size(), piece.bytes - done));
      if (from == nullptr) {
        file.read(window.data(), count, piece.start + done);
      } else {
        from->read(window.data(), count, place);
      }
      remainder = remainderOf(reinterpret_cast<const std::byte*>(window.data()), count, remainder);
      take(file, piece.start + done, window.data(), count, place);
      done += count;
      place += count;
      all += count;
    }
  }
  return published(remainder, all);
}

std::string linesOf(const Undo& undo) {
  std::string text = header + std::to_string(undo.records) + "\n";
  std::size_t next = 0;
  for (const auto& [file, bytes] : undo.files) {
    text += "file " + encoded(file.string()) + " " + std::to_string(bytes) + "\n";
    for (; next < undo.pieces.size() && undo.pieces[next].file == file; ++next) {
      const Piece& piece = undo.pieces[next];
      text += "piece " + std::to_string(piece.start) + " " + std::to_string(piece.bytes) + "\n";
    }
  }
  return withEnd(text + "values " + sumText(undo.sum) + "\n");
}

Undo readUndo(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw systemFailure(errno, "read " + path.string());
  std::string text;
  std::string line;
  while (std::getline(in, line)) {
    text += line + "\n";
    if (line.rfind("end ", 0) == 0) break;
  }
  if (in.bad()) throw systemFailure(errno, "read " + path.string());
  Undo undo;
  undo.valuesAt = text.size();
  std::istringstream lines(withoutEnd(text, "the lines"));
  lines.imbue(std::locale::classic());
  std::getline(lines, line);
  if (line.rfind(header, 0) != 0) throw Failure(BIO_FORMAT, "another version wrote it");
  undo.records = std::stoll(line.substr(std::string(header).size()));
  std::string word;
  std::string name;
  while (lines >> word) {
    std::uint64_t start = 0;
    std::uint64_t bytes = 0;
    if (word == "file" && lines >> name >> bytes) {
      undo.files.emplace_back(decoded(name), bytes);
    } else if (word == "piece" && lines >> start >> bytes && !undo.files.empty()) {
      undo.pieces.push_back({undo.files.back().first, start, bytes});
    } else if (word == "values" && lines >> name) {
      undo.sum = sumIn(name);
    } else {
      throw Failure(BIO_FORMAT, "'" + word + "' begins no line");
    }
  }
  return undo;
}

// For each chunk of a dataset from `first` to `end` in its first dimension.
void forChunks(const std::vector<hsize_t>& lengths, const std::vector<hsize_t>& chunk,
               hsize_t first, hsize_t end,
               const std::function<void(const std::vector<hsize_t>& place)>& take) {
  if (std::any_of(lengths.begin(), lengths.end(), [](hsize_t length) { return length == 0; }))
    return;
  std::vector<hsize_t> place(lengths.size(), 0);
  place[0] = first;
  while (place[0] < std::min(end, lengths[0])) {
    take(place);
    std::size_t dim = lengths.size() - 1;
    for (; dim > 0; --dim) {
      place[dim] += chunk[dim];
      if (place[dim] < lengths[dim]) break;
      place[dim] = 0;
    }
    if (dim == 0) place[0] += chunk[0];
  }
}

}  // namespace

bool hasUndo(const fs::path& folder) { return fs::exists(folder / undoName); }

void undo(const fs::path& folder, std::int64_t records) {
  std::error_code ignored;
  fs::remove(folder / partialName, ignored);
  if (!hasUndo(folder)) return;
  const fs::path path = folder / undoName;
  const Failure outcome = outcomeOf([&] {
    const Undo undo = readUndo(path);
    if (undo.records < records) return;
    const OpenFile from(path, O_RDONLY);
    const auto compared = forPieces(folder, undo, &from, O_RDONLY, [](auto&&...) {});
    if (compared != undo.sum) throw Failure(BIO_FORMAT, "its bytes are not as they were written");
    forPieces(folder, undo, &from, O_WRONLY,
              [](const OpenFile& file, std::uint64_t at, char* some, std::size_t count,
                 std::uint64_t) { file.write(some, count, at); });
    for (const auto& [name, bytes] : undo.files) {
      const OpenFile file(folder / name, O_WRONLY);
      file.cut(bytes);
      file.sync();
    }
  });
  if (outcome.status() == BIO_FORMAT) {
    throw Failure(BIO_FORMAT, path.string() + ": " + outcome.what() +
                                  ": remove it to read the files as a killed run left them");
  }
  // Whatever the disk refused, the copy may be needed again: the files may be half put back.
  if (outcome.status() != BIO_OK) throw Failure(outcome);
  fs::remove(path);
}

void UndoMaker::make(const fs::path& folder, std::int64_t records, bool durable) {
  if (folder != folder_) values_.clear();
  folder_ = folder;
  Undo made;
  made.records = records;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".nc") continue;
    const std::string name = entry.path().filename().string();
    Values& values = values_[name];
    find(entry.path(), records, values);
    made.files.emplace_back(name, entry.file_size());
    for (const Range& range : between(values.ranges, entry.file_size())) {
      made.pieces.push_back({name, range.start, range.end - range.start});
    }
  }
  // The sum stands before what it sums; it has as many letters as its own place.
  made.valuesAt = linesOf(made).size();
  const fs::path partial = folder / partialName;
  {
    const OpenFile to(partial, O_RDWR | O_CREAT | O_TRUNC);
    made.sum = forPieces(folder, made, nullptr, O_RDONLY,
                         [&](const OpenFile&, std::uint64_t, char* some, std::size_t count,
                             std::uint64_t place) { to.write(some, count, place); });
    const std::string lines = linesOf(made);
    to.write(lines.data(), lines.size(), 0);
    if (durable) to.sync();
  }
  fs::rename(partial, folder / undoName);
  if (durable) OpenFile(folder, O_RDONLY | O_DIRECTORY).sync();
}

// Of chunks that several steps share the place is not asked: HDF5 changes them.
void UndoMaker::findIn(std::int64_t dataset, std::int64_t records, Values& values) {
  const auto id = static_cast<hid_t>(dataset);
  const Handle plan(H5Dget_create_plist(id), H5Pclose, "look at storage");
  const Handle space(H5Dget_space(id), H5Sclose, "look at a shape");
  const auto add = [&](haddr_t start, hsize_t bytes) {
    if (start != HADDR_UNDEF && bytes > 0) values.ranges.push_back({start, start + bytes});
  };
  const bool isNew = values.records == 0;
  if (H5Pget_layout(plan.id()) != H5D_CHUNKED) {
    if (isNew) add(H5Dget_offset(id), H5Dget_storage_size(id));
    return;
  }
  const int dims = H5Sget_simple_extent_ndims(space.id());
  std::vector<hsize_t> lengths(static_cast<std::size_t>(std::max(1, dims)));
  std::vector<hsize_t> most(lengths.size());
  std::vector<hsize_t> chunk(lengths.size());
  H5Sget_simple_extent_dims(space.id(), lengths.data(), most.data());
  H5Pget_chunk(plan.id(), static_cast<int>(chunk.size()), chunk.data());
  const bool grows = most[0] == H5S_UNLIMITED;
  if (grows ? chunk[0] != 1 : !isNew) return;
  const auto end = grows ? static_cast<hsize_t>(records) : lengths[0];
  const auto first = grows ? static_cast<hsize_t>(values.records) : 0;
  forChunks(lengths, chunk, first, end, [&](const std::vector<hsize_t>& place) {
    unsigned mask = 0;
    haddr_t start = HADDR_UNDEF;
    hsize_t bytes = 0;
    if (H5Dget_chunk_info_by_coord(id, place.data(), &mask, &start, &bytes) >= 0) {
      add(start, bytes);
    }
  });
}

void UndoMaker::find(const fs::path& path, std::int64_t records, Values& values) {
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose,
                    "open " + path.string());
  std::vector<std::string> names;
  // No exception of ours may pass through HDF5.
  const auto keep = [](hid_t, const char* name, const H5L_info_t*, void* into) -> herr_t {
    const Failure outcome =
        outcomeOf([&] { static_cast<std::vector<std::string>*>(into)->emplace_back(name); });
    return outcome.status() == BIO_OK ? 0 : -1;
  };
  if (H5Literate(file.id(), H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, keep, &names) < 0) {
    throw Failure(BIO_FORMAT, "HDF5 cannot list " + path.string());
  }
  for (const std::string& name : names) {
    const Handle object(H5Oopen(file.id(), name.c_str(), H5P_DEFAULT), H5Oclose,
                        "open " + name + " in " + path.string());
    if (H5Iget_type(object.id()) == H5I_DATASET) findIn(object.id(), records, values);
  }
  values.records = records;
}

std::vector<UndoMaker::Range> UndoMaker::between(std::vector<Range> ranges, std::uint64_t end) {
  std::sort(ranges.begin(), ranges.end(),
            [](const Range& one, const Range& other) { return one.start < other.start; });
  std::vector<Range> gaps;
  std::uint64_t at = 0;
  for (const Range& range : ranges) {
    if (range.start > at) gaps.push_back({at, std::min(range.start, end)});
    at = std::max(at, std::min(range.end, end));
  }
  if (at < end) gaps.push_back({at, end});
  return gaps;
}

}  // namespace bundleio
